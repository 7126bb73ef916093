//! Replaces the server's `sync` module: the same types, which let Shuttle switch tasks before each operation.
//!
//! Locks are those of Shuttle. Channels are those of tokio, with each operation taken as atomic: tokio model-checks what
//! happens within them.

use shuttle::sync::atomic::{AtomicBool, Ordering};
pub use shuttle::sync::{Mutex, MutexGuard};
pub use shuttle_dashmap::DashMap;
pub use std::sync::PoisonError;

/// Lets Shuttle switch to another task.
fn switch_point() {
    AtomicBool::new(false).load(Ordering::SeqCst);
}

pub mod broadcast {
    use super::switch_point;
    pub use tokio::sync::broadcast::{Receiver, error};

    #[derive(Debug)]
    pub struct Sender<T>(tokio::sync::broadcast::Sender<T>);

    impl<T: Clone> Sender<T> {
        pub fn new(capacity: usize) -> Self {
            Self(tokio::sync::broadcast::Sender::new(capacity))
        }

        pub fn subscribe(&self) -> Receiver<T> {
            switch_point();
            self.0.subscribe()
        }

        pub fn receiver_count(&self) -> usize {
            switch_point();
            self.0.receiver_count()
        }

        pub fn send(&self, value: T) -> Result<usize, error::SendError<T>> {
            switch_point();
            self.0.send(value)
        }
    }
}

pub mod mpsc {
    use std::fmt;

    use super::switch_point;
    pub use tokio::sync::mpsc::error;

    pub fn channel<T>(capacity: usize) -> (Sender<T>, Receiver<T>) {
        let (sender, receiver) = tokio::sync::mpsc::channel(capacity);
        (Sender(sender), Receiver(receiver))
    }

    pub struct Sender<T>(tokio::sync::mpsc::Sender<T>);

    impl<T> Sender<T> {
        pub async fn send(&self, value: T) -> Result<(), error::SendError<T>> {
            switch_point();
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
            switch_point();
            self.0.recv().await
        }

        pub fn try_recv(&mut self) -> Result<T, error::TryRecvError> {
            switch_point();
            self.0.try_recv()
        }

        pub fn is_closed(&self) -> bool {
            switch_point();
            self.0.is_closed()
        }

        pub fn close(&mut self) {
            switch_point();
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
    use super::switch_point;
    pub use tokio::sync::oneshot::Receiver;

    pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        (Sender(sender), receiver)
    }

    #[derive(Debug)]
    pub struct Sender<T>(tokio::sync::oneshot::Sender<T>);

    impl<T> Sender<T> {
        pub fn send(self, value: T) -> Result<(), T> {
            switch_point();
            self.0.send(value)
        }
    }
}

pub mod watch {
    use super::switch_point;
    pub use tokio::sync::watch::{Ref, error};

    #[derive(Debug)]
    pub struct Sender<T>(tokio::sync::watch::Sender<T>);

    impl<T> Sender<T> {
        pub fn new(value: T) -> Self {
            Self(tokio::sync::watch::Sender::new(value))
        }

        pub fn subscribe(&self) -> Receiver<T> {
            switch_point();
            Receiver(self.0.subscribe())
        }

        pub fn send_if_modified(&self, modify: impl FnOnce(&mut T) -> bool) -> bool {
            switch_point();
            self.0.send_if_modified(modify)
        }

        pub fn receiver_count(&self) -> usize {
            switch_point();
            self.0.receiver_count()
        }
    }

    #[derive(Debug)]
    pub struct Receiver<T>(tokio::sync::watch::Receiver<T>);

    impl<T> Receiver<T> {
        pub async fn changed(&mut self) -> Result<(), error::RecvError> {
            switch_point();
            self.0.changed().await
        }

        pub fn borrow_and_update(&mut self) -> Ref<'_, T> {
            switch_point();
            self.0.borrow_and_update()
        }
    }

    impl<T> Drop for Receiver<T> {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                switch_point();
            }
        }
    }
}
