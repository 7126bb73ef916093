//! The tables of aweave debate: columns only, no logic. What a row means is decided in `api/src/store`.

pub mod argument;
pub mod debate;
pub mod debate_total;
pub mod document;
pub mod document_version;
