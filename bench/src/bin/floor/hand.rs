//! A thread for the disk, to which appends are handed, so that others are answered meanwhile.

use std::{
    io,
    sync::mpsc::{Sender, channel},
    thread,
};

use tokio::sync::oneshot;

use crate::log::{Disk, Record};

type Job = (Vec<Record>, oneshot::Sender<io::Result<()>>);

pub struct Hand(Sender<Job>);

impl Hand {
    /// Starts the thread; it ends with this.
    pub fn over(mut disk: Box<dyn Disk>) -> Self {
        let (jobs, taken) = channel::<Job>();
        thread::spawn(move || {
            for (records, done) in taken {
                let _ = done.send(disk.store(&records));
            }
        });
        Self(jobs)
    }

    pub async fn store(&self, records: Vec<Record>) -> io::Result<()> {
        let (done, told) = oneshot::channel();
        self.0.send((records, done)).map_err(|_| io::ErrorKind::BrokenPipe)?;
        told.await.map_err(io::Error::other)?
    }
}
