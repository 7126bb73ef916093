//! SeaORM entities of the tables: columns without logic. `api/src/store` converts rows to the types of the domain.

pub mod argument;
pub mod debate;
pub mod debate_total;
pub mod document;
pub mod document_version;
pub mod issue;
pub mod search_text;
pub mod webhook_delivery;
