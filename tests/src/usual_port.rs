//! The port that `aw` uses where nobody names another, for tests of a fresh machine.

use std::net::TcpStream;

use tokio::sync::{Mutex, MutexGuard};

/// Why a test is skipped that needs the port.
pub const TAKEN: &str = "something listens on port 3456";

static IN_USE: Mutex<()> = Mutex::const_new(());

/// The port, for one test at a time.
pub struct UsualPort(#[expect(dead_code, reason = "it is held")] MutexGuard<'static, ()>);

impl UsualPort {
    /// Waits until no other test has it. None if something else listens there.
    pub async fn take() -> Option<Self> {
        let guard = IN_USE.lock().await;
        TcpStream::connect(("127.0.0.1", 3456)).is_err().then_some(Self(guard))
    }
}
