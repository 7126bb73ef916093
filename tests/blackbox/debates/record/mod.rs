//! `GET /debates/{id}/record`.

mod random_debates;
mod signature;
mod story;
