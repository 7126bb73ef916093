//! What stands for the server's `sync` here: the same things, where another task may go on before each step.
//!
//! Locks are those of the checker. What is tokio's is tokio's, each of its operations one step, as tokio tries the orders
//! within them itself.

use shuttle::sync::atomic::{AtomicBool, Ordering};
pub use shuttle::sync::{Mutex, MutexGuard};
pub use shuttle_dashmap::DashMap;
pub use std::sync::PoisonError;

/// Lets another task go on.
fn step() {
    AtomicBool::new(false).load(Ordering::SeqCst);
}

pub mod broadcast {
    use super::step;
    pub use tokio::sync::broadcast::{Receiver, error};

    #[derive(Debug)]
    pub struct Sender<T>(tokio::sync::broadcast::Sender<T>);

    impl<T: Clone> Sender<T> {
        pub fn new(behind: usize) -> Self {
            Self(tokio::sync::broadcast::Sender::new(behind))
        }

        pub fn subscribe(&self) -> Receiver<T> {
            step();
            self.0.subscribe()
        }

        pub fn receiver_count(&self) -> usize {
            step();
            self.0.receiver_count()
        }

        pub fn send(&self, value: T) -> Result<usize, error::SendError<T>> {
            step();
            self.0.send(value)
        }
    }
}

pub mod mpsc {
    use std::fmt;

    use super::step;
    pub use tokio::sync::mpsc::error;

    pub fn channel<T>(places: usize) -> (Sender<T>, Receiver<T>) {
        let (sender, receiver) = tokio::sync::mpsc::channel(places);
        (Sender(sender), Receiver(receiver))
    }

    pub struct Sender<T>(tokio::sync::mpsc::Sender<T>);

    impl<T> Sender<T> {
        pub async fn send(&self, value: T) -> Result<(), error::SendError<T>> {
            step();
            self.0.send(value).await
        }
    }

    impl<T> fmt::Debug for Sender<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.fmt(f)
        }
    }

    pub struct Receiver<T>(tokio::sync::mpsc::Receiver<T>);

    impl<T> Receiver<T> {
        pub async fn recv(&mut self) -> Option<T> {
            step();
            self.0.recv().await
        }

        pub fn try_recv(&mut self) -> Result<T, error::TryRecvError> {
            step();
            self.0.try_recv()
        }

        pub fn is_closed(&self) -> bool {
            step();
            self.0.is_closed()
        }

        pub fn close(&mut self) {
            step();
            self.0.close();
        }
    }

    impl<T> fmt::Debug for Receiver<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.fmt(f)
        }
    }
}

pub mod oneshot {
    use super::step;
    pub use tokio::sync::oneshot::Receiver;

    pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        (Sender(sender), receiver)
    }

    #[derive(Debug)]
    pub struct Sender<T>(tokio::sync::oneshot::Sender<T>);

    impl<T> Sender<T> {
        pub fn send(self, value: T) -> Result<(), T> {
            step();
            self.0.send(value)
        }
    }
}

pub mod watch {
    use super::step;
    pub use tokio::sync::watch::{Ref, error};

    #[derive(Debug)]
    pub struct Sender<T>(tokio::sync::watch::Sender<T>);

    impl<T> Sender<T> {
        pub fn new(value: T) -> Self {
            Self(tokio::sync::watch::Sender::new(value))
        }

        pub fn subscribe(&self) -> Receiver<T> {
            step();
            Receiver(self.0.subscribe())
        }

        pub fn send_if_modified(&self, modify: impl FnOnce(&mut T) -> bool) -> bool {
            step();
            self.0.send_if_modified(modify)
        }

        pub fn receiver_count(&self) -> usize {
            step();
            self.0.receiver_count()
        }
    }

    #[derive(Debug)]
    pub struct Receiver<T>(tokio::sync::watch::Receiver<T>);

    impl<T> Receiver<T> {
        pub async fn changed(&mut self) -> Result<(), error::RecvError> {
            step();
            self.0.changed().await
        }

        pub fn borrow_and_update(&mut self) -> Ref<'_, T> {
            step();
            self.0.borrow_and_update()
        }
    }

    impl<T> Drop for Receiver<T> {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                step();
            }
        }
    }
}
