//! Locks of files, which are waited for with a time: whoever holds one may be stopped.

use std::{
    fs::{File, TryLockError},
    io::{self, ErrorKind},
    sync::mpsc,
    thread,
    time::Duration,
};

/// How a file is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// With others that only read it
    Shared,
    /// Alone
    Exclusive,
}

/// Locks a file until it is closed.
///
/// # Errors
/// [`ErrorKind::TimedOut`] if others hold the lock for so long, and what the system says if the file system has no locks.
#[expect(clippy::disallowed_methods, reason = "the one place that waits for locks")]
pub fn lock_within(file: &File, lock: Lock, limit: Duration) -> io::Result<()> {
    let tried = match lock {
        Lock::Shared => file.try_lock_shared(),
        Lock::Exclusive => file.try_lock(),
    };
    match tried {
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) => return Err(error),
        Ok(()) => return Ok(()),
    }
    // The system has no wait for a lock with a time. The copy has the same lock as the file.
    let (copy, (tell, told)) = (file.try_clone()?, mpsc::channel());
    thread::spawn(move || {
        let locked = match lock {
            Lock::Shared => copy.lock_shared(),
            Lock::Exclusive => copy.lock(),
        };
        // Nobody is told if it took too long.
        let _ = tell.send(locked);
    });
    told.recv_timeout(limit).unwrap_or_else(|_| Err(ErrorKind::TimedOut.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_held_is_waited_for_so_long() {
        let (short, long) = (Duration::from_millis(10), Duration::from_secs(60));
        let file = tempfile::NamedTempFile::new().unwrap();
        let [holder, other] = [(); 2].map(|()| super::super::open(file.path()).unwrap());
        lock_within(&holder, Lock::Exclusive, short).unwrap();
        for lock in [Lock::Shared, Lock::Exclusive] {
            let other = super::super::open(file.path()).unwrap();
            assert_eq!(lock_within(&other, lock, short).unwrap_err().kind(), ErrorKind::TimedOut);
        }
        let waiting = thread::spawn(move || lock_within(&other, Lock::Exclusive, long).map(|()| other));
        drop(holder);
        let other = waiting.join().unwrap().unwrap();
        // Those that gave up may have it in between.
        assert_eq!(lock_within(&other, Lock::Shared, long).ok(), Some(()), "its own lock is changed");
    }
}
