//! A simulated disk: what a power cut may leave of the writes that were not synced.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use tests::fault_injector::{Event, File, Record};

/// The unit in which a disk writes, in bytes.
const SECTOR: usize = 512;

/// What happens to unsynced writes in a power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// They are lost
    Dropped,
    /// They are written up to some sector
    Torn,
    /// Any subset of their sectors is written
    Reordered,
}

impl Cut {
    /// All kinds of power cuts.
    pub const ALL: [Self; 3] = [Self::Dropped, Self::Torn, Self::Reordered];
}

/// The database files on a disk.
pub struct Disk<'a> {
    files: Vec<Content<'a>>,
    /// The directory as programs see it
    names: HashMap<File, usize>,
    /// The directory as it was last synced
    kept_names: HashMap<File, usize>,
    /// The changes of the directory since
    renamed: Vec<(File, Option<usize>)>,
}

/// The content of a file.
#[derive(Default)]
struct Content<'a> {
    /// The content as it was last synced
    kept: Vec<u8>,
    /// The changes since
    changes: Vec<Change<'a>>,
}

#[derive(Clone, Copy)]
enum Change<'a> {
    Written { at: usize, bytes: &'a [u8] },
    Truncated { to: usize },
}

impl<'a> Disk<'a> {
    /// A disk with an empty database file.
    pub fn new() -> Self {
        let mut disk =
            Self { files: Vec::new(), names: HashMap::new(), kept_names: HashMap::new(), renamed: Vec::new() };
        disk.file(File::Database);
        disk
    }

    /// Applies an operation.
    pub fn apply(&mut self, record: Record<'a>) {
        match (record.event, record.file) {
            (Event::Written { at, bytes }, file) => {
                self.file(file).changes.push(Change::Written { at: at as usize, bytes });
            }
            (Event::Truncated { to }, file) => self.file(file).changes.push(Change::Truncated { to: to as usize }),
            (Event::Synced, File::Folder) => {
                self.kept_names = self.names.clone();
                self.renamed.clear();
            }
            // The folder exists before the first operation.
            (Event::Synced, File::ParentFolder) | (Event::Failed, _) => {}
            (Event::Synced, file) => self.file(file).sync(),
            (Event::Unlinked, file) => {
                self.names.remove(&file);
                self.renamed.push((file, None));
            }
        }
    }

    /// The files that are left after a power cut.
    pub fn after(&self, cut: Cut, random: &mut Rng) -> HashMap<File, Vec<u8>> {
        let mut names = self.kept_names.clone();
        let done = if cut == Cut::Dropped { 0 } else { random.usize(..=self.renamed.len()) };
        for (file, content) in &self.renamed[..done] {
            match content {
                Some(content) => names.insert(*file, *content),
                None => names.remove(file),
            };
        }
        names.into_iter().map(|(file, content)| (file, self.files[content].after(cut, random))).collect()
    }

    /// The content of a file, which is created if it does not exist.
    fn file(&mut self, file: File) -> &mut Content<'a> {
        let content = *self.names.entry(file).or_insert_with(|| {
            self.renamed.push((file, Some(self.files.len())));
            self.files.push(Content::default());
            self.files.len() - 1
        });
        &mut self.files[content]
    }
}

impl Content<'_> {
    fn sync(&mut self) {
        for change in self.changes.drain(..) {
            change.apply(&mut self.kept);
        }
    }

    fn after(&self, cut: Cut, random: &mut Rng) -> Vec<u8> {
        let mut left = self.kept.clone();
        match cut {
            Cut::Dropped => {}
            Cut::Torn => {
                let whole = random.usize(..=self.changes.len());
                self.changes[..whole].iter().for_each(|change| change.apply(&mut left));
                let torn = self.changes.get(whole).map(|change| change.sectors()).unwrap_or_default();
                let there = random.usize(..=torn.len());
                torn[..there].iter().for_each(|sector| sector.apply(&mut left));
            }
            Cut::Reordered => {
                // A sector that missed one write misses all later ones too.
                let (mut left_behind, late) = (HashSet::new(), random.f64());
                for sector in self.changes.iter().flat_map(Change::sectors) {
                    let place = sector.place();
                    if !left_behind.contains(&place) {
                        if random.f64() < late {
                            left_behind.insert(place);
                        } else {
                            sector.apply(&mut left);
                        }
                    }
                }
            }
        }
        left
    }
}

impl<'a> Change<'a> {
    fn apply(&self, content: &mut Vec<u8>) {
        match *self {
            Self::Written { at, bytes } => {
                let end = at + bytes.len();
                if content.len() < end {
                    content.resize(end, 0);
                }
                content[at..end].copy_from_slice(bytes);
            }
            Self::Truncated { to } => content.resize(to, 0),
        }
    }

    /// The parts that are written independently of each other.
    fn sectors(&self) -> Vec<Change<'a>> {
        let Self::Written { mut at, mut bytes } = *self else { return vec![*self] };
        let mut sectors = Vec::new();
        while !bytes.is_empty() {
            let (sector, rest) = bytes.split_at(bytes.len().min(SECTOR - at % SECTOR));
            sectors.push(Self::Written { at, bytes: sector });
            (at, bytes) = (at + sector.len(), rest);
        }
        sectors
    }

    /// The index of the sector; `None` for a truncation.
    fn place(&self) -> Option<usize> {
        match self {
            Self::Written { at, .. } => Some(at / SECTOR),
            Self::Truncated { .. } => None,
        }
    }
}
