//! `aw debate …`, `aw docs …`

mod bytes;
mod commands;
mod content;
mod context;
mod docs;
mod doctor;
mod exit_codes;
mod next;
mod open;
mod output;
mod retries;
mod setup;
mod short_ids;
mod transcript;
mod wait;
mod watch;
mod witness;
