//! Locks and channels of the model-checked files. `tests/interleavings` replaces this module by one of the model checker
//! Shuttle.

pub use std::sync::{Mutex, MutexGuard, PoisonError};

pub use dashmap::DashMap;
pub use tokio::sync::{broadcast, mpsc, oneshot, watch};
