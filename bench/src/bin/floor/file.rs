//! A file whose blocks are there already.

use std::{
    fs::File,
    io::{self, Write},
    os::unix::fs::FileExt,
    path::Path,
};

use crate::log::{Disk, Record};

/// Begun from the start again when it is full: neither the size of the file nor where its blocks lie may change.
const FILE_BYTES: u64 = 64 << 20;

pub struct Blocks {
    file: File,
    /// Where to write next
    at: u64,
}

impl Blocks {
    pub fn make(path: &Path) -> io::Result<Self> {
        let mut file = File::options().write(true).create(true).truncate(true).open(path)?;
        let zeros = vec![0; 1 << 20];
        for _ in 0..FILE_BYTES >> 20 {
            file.write_all(&zeros)?;
        }
        file.sync_all()?;
        Ok(Self { file, at: 0 })
    }
}

impl Disk for Blocks {
    fn store(&mut self, records: &[Record]) -> io::Result<()> {
        let bytes: Vec<u8> = records.iter().flat_map(|(_, record)| *record).collect();
        if self.at + bytes.len() as u64 > FILE_BYTES {
            self.at = 0;
        }
        self.file.write_all_at(&bytes, self.at)?;
        self.file.sync_data()?;
        self.at += bytes.len() as u64;
        Ok(())
    }
}
