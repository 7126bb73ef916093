//! The harness of the black-box tests: it builds and starts the real `aweave-server` and `aw`, and speaks to them
//! from outside, over sockets, command lines and signals only.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a harness that cannot go on fails the test that uses it, on the spot and by name"
)]

pub mod answer;
pub mod binaries;
pub mod bodies;
pub mod chance;
pub mod cli;
pub mod client;
pub mod debate;
pub mod document;
pub mod fixtures;
pub mod ids;
pub mod injector;
pub mod machine;
pub mod mount;
pub mod patience;
pub mod postgres;
pub mod proxy;
pub mod server;
pub mod store;
pub mod stub;
pub mod terminal;
pub mod wire;
