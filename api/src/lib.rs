//! The server of aweave debate: it keeps the one true state of each debate.
//!
//! Layers, each using only those after it: [`http`] → [`app`] → [`store`] → [`domain`].

pub mod app;
pub mod domain;
pub mod http;
pub mod settings;
pub mod store;
mod sync;

#[cfg(test)]
mod walls;
