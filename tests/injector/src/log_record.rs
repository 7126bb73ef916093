//! What is written down of each thing that was done to a database's files. The tests read it with this same text.

/// Which file of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum File {
    /// The database itself
    Database,
    /// Its write-ahead log
    Log,
    /// Its rollback journal
    Journal,
    /// The index of the log, which is made anew after a crash and therefore never written down
    Index,
    /// The folder that these are in
    Folder,
    /// The folder that this one is in
    Above,
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// Bytes were written
    Written {
        /// How far into the file
        at: u64,
        /// What
        bytes: &'a [u8],
    },
    /// The length was set
    Truncated {
        /// In bytes
        to: u64,
    },
    /// Everything up to here is on the disk
    Synced,
    /// The name is gone
    Unlinked,
    /// Something failed because it was ordered to
    Failed,
}

/// One thing that was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// To which file
    pub file: File,
    /// What
    pub event: Event<'a>,
}

/// Event, file, a number and how many bytes follow.
const HEAD: usize = 18;

impl<'a> Record<'a> {
    /// The record as it is kept.
    pub fn encode(&self) -> Vec<u8> {
        let (event, number, bytes) = match self.event {
            Event::Written { at, bytes } => (0, at, bytes),
            Event::Truncated { to } => (1, to, &[][..]),
            Event::Synced => (2, 0, &[][..]),
            Event::Unlinked => (3, 0, &[][..]),
            Event::Failed => (4, 0, &[][..]),
        };
        let file = match self.file {
            File::Database => 0,
            File::Log => 1,
            File::Journal => 2,
            File::Index => 3,
            File::Folder => 4,
            File::Above => 5,
        };
        let mut kept = vec![event, file];
        kept.extend_from_slice(&number.to_le_bytes());
        kept.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        kept.extend_from_slice(bytes);
        kept
    }

    /// The first of the records that are kept there, and how many bytes it takes; none where there is no whole one.
    pub fn decode(kept: &'a [u8]) -> Option<(Self, usize)> {
        let head = kept.get(..HEAD)?;
        let number = u64::from_le_bytes(head.get(2..10)?.try_into().ok()?);
        let length = u64::from_le_bytes(head.get(10..HEAD)?.try_into().ok()?);
        let end = HEAD.checked_add(length.try_into().ok()?)?;
        let bytes = kept.get(HEAD..end)?;
        let event = match head.first()? {
            0 => Event::Written { at: number, bytes },
            1 => Event::Truncated { to: number },
            2 => Event::Synced,
            3 => Event::Unlinked,
            4 => Event::Failed,
            _ => return None,
        };
        let file = match head.get(1)? {
            0 => File::Database,
            1 => File::Log,
            2 => File::Journal,
            3 => File::Index,
            4 => File::Folder,
            5 => File::Above,
            _ => return None,
        };
        Some((Self { file, event }, end))
    }
}
