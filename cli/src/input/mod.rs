//! What a command reads: options that several commands share, ids, and texts.

pub mod agents;
pub mod content;
pub mod ids;
pub mod lines;
pub mod objects;
pub mod pagination;
pub mod request_id;
pub mod resolve_id;
pub mod tool_arguments;
