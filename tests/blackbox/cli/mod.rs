//! `aw debate …`

mod commands;
mod content;
mod context;
mod exit_codes;
mod open;
mod output;
mod retries;
mod wait;
