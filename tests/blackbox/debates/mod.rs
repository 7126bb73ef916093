//! The URLs below `/debates`.

mod appeal;
mod arguments;
mod create;
mod get;
mod idempotency;
mod list;
mod ruling;
mod wait;
