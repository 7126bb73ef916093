//! What a server keeps its debates in changes none of its promises: those of the contract, kept on PostgreSQL, and those
//! of several servers on one database.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed, and says where"
)]

mod concurrency;
mod debates;
mod disconnects;
mod documents;
mod faults {
    mod clock;
    mod crowd;
    mod episode;
    mod kills;
    mod ledger;
    pub mod linear;
    mod load;
    mod model;
    mod oracle;
    mod retries;
    mod stored;
}
mod live;
mod model;
mod servers;
mod shape;
mod shutdown;
mod states;
mod story;
mod tampering;
mod text;
