//! Records of debates: as markdown, as a page of HTML, and whether a signed one is valid. Nothing here asks a server.

mod document;
mod strict_json;
mod text_by_others;
mod verify;

pub use document::{Rendering, Transcript, render};
pub use verify::{InvalidRecord, PublicKey, ValidRecord, verify};
