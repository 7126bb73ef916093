//! `GET /debates/{id}/record`.

mod formats;
mod random_debates;
mod signature;
mod story;
