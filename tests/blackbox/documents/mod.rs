//! The URLs below `/documents`.

mod bad_input;
mod create;
mod delete;
mod fault_order;
mod get;
mod history;
mod idempotency;
mod limits;
mod list;
mod versions;
