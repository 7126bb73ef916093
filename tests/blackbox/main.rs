//! Black-box tests of the built binaries `aweave-server` and `aw` on SQLite.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation fails the test, which is what it is for"
)]

mod agents_follow_next;
mod aw;
mod aweave_server;
mod ci_workflow;
mod connections;
mod debates;
mod documented_commands;
mod documented_scripts;
mod documents;
mod faults;
mod http;
mod make_demo;
mod make_install;
mod make_release;
mod many_held_waits;
mod overload;
mod packages;
mod schema_checks;
mod search;
mod search_speed;
mod state_machine;
mod wait;
mod webhooks;
mod websocket;
