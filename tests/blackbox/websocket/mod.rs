//! The WebSocket at `/ws`.

mod actions;
mod asyncapi;
mod closing;
mod debate_channel;
mod frames;
mod handshake;
mod list_channel;
mod presence;
pub mod viewer;
