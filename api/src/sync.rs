//! What tasks share and wait on, where who comes first is in our own hands: named in one place, so that
//! `tests/interleavings` can put there what tries every order.

pub use std::sync::{Mutex, MutexGuard, PoisonError};

pub use dashmap::DashMap;
pub use tokio::sync::{broadcast, mpsc, oneshot, watch};
