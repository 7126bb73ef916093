//! The port that `aw` uses where nobody names another, for tests of a fresh machine.

use std::{env, fs::File, net::TcpStream, os::unix::fs::OpenOptionsExt};

use rustix::{fs::OFlags, process::geteuid};

/// Why a test is skipped that needs the port.
pub const TAKEN: &str = "something listens on port 3456";

/// The port, for one test at a time, also of other processes of the same user.
pub struct UsualPort(#[expect(dead_code, reason = "it is locked while it is open")] File);

impl UsualPort {
    /// Waits until no other test has it. None if something else listens there.
    pub fn take() -> Option<Self> {
        let path = env::temp_dir().join(format!("aweave-tests-port-3456-of-{}", geteuid().as_raw()));
        let lock = File::options()
            .create(true)
            .append(true)
            .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
            .open(path)
            .expect("the temporary folder is writable");
        lock.lock().expect("the file can be locked");
        TcpStream::connect(("127.0.0.1", 3456)).is_err().then_some(Self(lock))
    }
}
