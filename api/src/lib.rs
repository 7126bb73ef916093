//! The server of aweave debate. It stores debates and documents and decides which arguments are allowed.
//!
//! The layers are, from top to bottom: [`http`] → [`app`] → [`store`] → [`domain`]. All but the domain count what they do in
//! [`prometheus_metrics`].

pub mod app;
pub mod domain;
pub mod http;
mod locks_and_channels;
mod plain_file;
pub mod program;
pub mod prometheus_metrics;
pub mod settings;
pub mod signing_key_file;
pub mod stderr_log;
pub mod store;
pub mod webhooks;

#[cfg(test)]
mod architecture_tests;
#[cfg(test)]
mod random_cases;
