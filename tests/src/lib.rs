//! The harness of the black-box tests. It builds and starts the real `aweave-server` and `aw` and talks to them from
//! outside only: over sockets, command lines and signals.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation in the harness fails the test that uses it"
)]

pub mod api_response;
pub mod binaries;
pub mod cli;
pub mod client;
pub mod debate;
pub mod document;
pub mod fault_injector;
pub mod fixtures;
pub mod ids;
pub mod issue_changes;
pub mod mcp;
pub mod node;
pub mod os;
pub mod plan;
pub mod polling;
pub mod postgres;
pub mod proxy;
pub mod pty;
pub mod random;
pub mod raw_http;
pub mod report;
pub mod request_bodies;
pub mod server;
pub mod sql;
pub mod store;
pub mod stub_server;
pub mod tmpfs;
pub mod usual_port;
pub mod webhook_receiver;
