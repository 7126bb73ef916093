//! The format of the operation log. The test harness includes this file to read it.

/// A file or folder of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum File {
    /// The database file
    Database,
    /// Its write-ahead log
    Log,
    /// Its rollback journal
    Journal,
    /// The shared-memory index of the log. It is rebuilt after a crash, so operations on it are not logged
    Index,
    /// The folder with these files
    Folder,
    /// The parent of that folder
    ParentFolder,
}

/// An operation that succeeded, or an injected failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// Bytes were written
    Written {
        /// The offset in the file
        at: u64,
        /// The bytes written
        bytes: &'a [u8],
    },
    /// The file was truncated or extended
    Truncated {
        /// The new length, in bytes
        to: u64,
    },
    /// All earlier operations on the file were synced to the disk
    Synced,
    /// The file was removed
    Unlinked,
    /// An operation failed because the fault plan said so
    Failed,
}

/// One entry of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The file it was done to
    pub file: File,
    /// The operation
    pub event: Event<'a>,
}

/// The length of a record's header: event, file, a number and the length of the bytes that follow.
const HEADER_LENGTH: usize = 18;

impl<'a> Record<'a> {
    /// The record as it is stored in the log.
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
            File::ParentFolder => 5,
        };
        let mut encoded = vec![event, file];
        encoded.extend_from_slice(&number.to_le_bytes());
        encoded.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        encoded.extend_from_slice(bytes);
        encoded
    }

    /// The first record in these bytes and its length; `None` if there is no complete one.
    pub fn decode(encoded: &'a [u8]) -> Option<(Self, usize)> {
        let head = encoded.get(..HEADER_LENGTH)?;
        let number = u64::from_le_bytes(head.get(2..10)?.try_into().ok()?);
        let length = u64::from_le_bytes(head.get(10..HEADER_LENGTH)?.try_into().ok()?);
        let end = HEADER_LENGTH.checked_add(length.try_into().ok()?)?;
        let bytes = encoded.get(HEADER_LENGTH..end)?;
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
            5 => File::ParentFolder,
            _ => return None,
        };
        Some((Self { file, event }, end))
    }
}
