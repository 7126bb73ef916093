//! The commands and settings of `aweave-server`.

pub mod backup_and_restore;
mod openapi;
mod settings;
mod shutdown;
mod signing_key;
mod statement_counts;
mod unread_log;
mod unwritable_log;
mod verify;
