//! What the arbitrator sees and does over the WebSocket.

mod actions;
mod contract;
mod debate_room;
mod endings;
mod frames;
mod handshake;
mod list_room;
mod presence;
pub mod viewer;
