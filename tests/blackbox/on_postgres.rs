//! The black-box tests that also have to pass on PostgreSQL, and the tests of several servers on one database.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failed expectation fails the test, which is what it is for"
)]

mod aw {
    mod plan;
}
mod aweave_server {
    mod shutdown;
    mod verify;
}
mod connections {
    mod slow_viewers;
}
mod debates;
mod documents;
mod faults {
    mod changed_rows;
    mod clock_jumps;
    mod invariants;
    pub mod linearizability;
    mod many_waiters;
    mod model;
    mod plans_with_arguments;
    mod repeated_writes;
    mod search_crashes;
    mod server_crashes;
    mod stored_data;
    mod workload;
    mod workload_client;
    mod write_log;
}
mod http {
    mod disconnects;
}
mod multi_server;
mod schema_checks;
mod search;
mod search_speed;
mod state_machine;
mod wait;
mod webhooks;
mod websocket;
