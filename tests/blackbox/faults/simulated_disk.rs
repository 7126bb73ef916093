//! A disk, and what a power cut may leave of what was written to it.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use tests::fault_injector::{Event, File, Record};

/// What a disk writes whole or not at all.
const SECTOR: usize = 512;

/// What becomes of that which was written but not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// It is gone
    Dropped,
    /// It is there up to some sector
    Torn,
    /// Any of its sectors are there, as they were at any time
    Reordered,
}

impl Cut {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Dropped, Self::Torn, Self::Reordered];
}

/// The files of a database on a disk, as of one moment.
pub struct Disk<'a> {
    files: Vec<Content<'a>>,
    /// What programs see
    names: HashMap<File, usize>,
    /// What is on the disk for good
    kept_names: HashMap<File, usize>,
    /// What programs did to the names since
    renamed: Vec<(File, Option<usize>)>,
}

/// What is in one file.
#[derive(Default)]
struct Content<'a> {
    /// What is on the disk for good
    kept: Vec<u8>,
    /// What programs did since
    changes: Vec<Change<'a>>,
}

#[derive(Clone, Copy)]
enum Change<'a> {
    Written { at: usize, bytes: &'a [u8] },
    Truncated { to: usize },
}

impl<'a> Disk<'a> {
    /// One on which the database has just been made, and is empty.
    pub fn new() -> Self {
        let mut disk =
            Self { files: Vec::new(), names: HashMap::new(), kept_names: HashMap::new(), renamed: Vec::new() };
        disk.file(File::Database);
        disk
    }

    /// Does what is written down.
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
            // Where the folder is was decided before anything of this was done.
            (Event::Synced, File::Above) | (Event::Failed, _) => {}
            (Event::Synced, file) => self.file(file).sync(),
            (Event::Unlinked, file) => {
                self.names.remove(&file);
                self.renamed.push((file, None));
            }
        }
    }

    /// The files that are there once the power is back.
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

    /// The file of that name, which is made where there is none.
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
                // A sector that was left as it was at some time took nothing that was written to it later.
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

    /// The parts that may be there without each other.
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

    /// Which sector it is in; a length is in none of them.
    fn place(&self) -> Option<usize> {
        match self {
            Self::Written { at, .. } => Some(at / SECTOR),
            Self::Truncated { .. } => None,
        }
    }
}
