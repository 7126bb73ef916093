//! Promises of the contract, each checked from outside against the real binaries.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed, and says where"
)]

mod backups;
mod bad_input;
mod campaign;
mod canary;
mod cli;
mod concurrency;
mod contract;
mod debates;
mod demo;
mod disconnects;
mod documents;
mod fault_order;
mod faults;
mod fuzz;
mod held_waits;
mod hosts;
mod http_edges;
mod install;
mod live;
mod model;
mod overload;
mod server_settings;
mod shape;
mod shutdown;
mod sign_in;
mod slow_clients;
mod states;
mod story;
mod strangers;
mod tampering;
mod text;
mod tokens;
