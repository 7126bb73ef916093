//! The endpoints below `/documents`.

mod create;
mod delete;
mod error_precedence;
mod get;
mod idempotency;
mod invalid_bodies;
mod limits;
mod list;
mod versions_create;
mod versions_list;
