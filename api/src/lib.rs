//! The server of aweave debate. It stores debates and documents and decides which arguments are allowed.
//!
//! The layers are, from top to bottom: [`http`] → [`app`] → [`store`] → [`domain`].

pub mod app;
pub mod domain;
pub mod http;
mod locks_and_channels;
pub mod settings;
pub mod store;

#[cfg(test)]
mod architecture_tests;
