//! What holds for every endpoint: routing, limits, authentication, and which browsers may call.

mod browser_requests;
mod disconnects;
mod fuzz;
mod host_and_origin;
mod info;
mod log_leaks;
mod metrics;
mod request_ids;
mod request_log;
mod routes_and_limits;
mod sign_in;
mod token_leaks;
mod tokens;
mod wrong_tokens;
