//! `aw mcp`.

mod calls;
mod files;
mod protocol;
mod sdk;
mod waits;
