//! The endpoints below `/debates`.

mod agents;
mod allowed_actions;
mod appeal_and_resolution;
mod citations;
mod concurrent_writes;
mod create;
mod deciding_options;
mod error_precedence;
mod get;
mod history_invalid;
mod idempotency;
mod invalid_bodies;
mod issues;
mod list;
mod moves;
mod plan;
mod plan_with_argument;
mod record;
mod ruling_and_intervention;
mod seats;
mod text_content;
mod wait;
mod wait_until_opened;
