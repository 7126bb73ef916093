//! The locks and channels of hand-written concurrency: `tests/interleavings` replaces them to model-check it with Shuttle.

pub use std::sync::{Mutex, MutexGuard, PoisonError};

pub use dashmap::DashMap;
pub use tokio::sync::{broadcast, mpsc, oneshot, watch};
