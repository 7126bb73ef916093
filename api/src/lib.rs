//! The server of aweave debate. It stores debates and documents and decides which arguments are allowed.
//!
//! The layers are, from top to bottom: [`http`] → [`app`] → [`store`] → [`domain`].

pub mod app;
pub mod domain;
pub mod http;
pub mod settings;
pub mod store;
mod sync;

#[cfg(test)]
mod architecture_tests;
