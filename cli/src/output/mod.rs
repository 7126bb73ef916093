//! What a command prints: results and failures as JSON, markdown or plain text.

pub mod atomic_file;
pub mod envelope;
pub mod exit_status;
pub mod failure;
pub mod format_choice;
pub mod invocation;
mod issue_titles;
pub mod markdown;
pub mod quoting;
pub mod reader;
mod request_fields;
pub mod sanitize;
pub mod terminal;
mod terminal_markdown;
pub mod truncate;
pub mod warning;

pub use self::{
    envelope::{Format, Output},
    exit_status::ExitStatus,
    failure::{Code, Failure},
    format_choice::{Choice, Surroundings},
    invocation::{Invocation, Next},
    markdown::Markdown,
};
