//! `aw debate …`

mod commands;
mod content;
mod context;
mod exit_codes;
mod output;
mod retries;
mod wait;
