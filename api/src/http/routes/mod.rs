//! The endpoints; operation id, handler and use case have the same name.

mod contract_file;
mod debates;
mod health;

use std::sync::Arc;

use poem_openapi::{OpenApi, OpenApiService};

pub use contract_file::openapi;

use crate::app::App;
use debates::Debates;
use health::Health;

/// Everything that the contract describes.
type Endpoints = (Debates, Health);

/// Everything under `/debates`.
pub(super) fn debates(app: Arc<App>) -> OpenApiService<impl OpenApi, ()> {
    describe(Debates::new(app))
}

/// `/health`.
pub(super) fn health(app: Arc<App>) -> OpenApiService<impl OpenApi, ()> {
    describe(Health::new(app))
}

fn describe<T: OpenApi>(endpoints: T) -> OpenApiService<T, ()> {
    OpenApiService::new(endpoints, "aweave debate", env!("CARGO_PKG_VERSION"))
        .description("Two AI agents argue a plan out before anyone implements it; an arbitrator watches and rules.")
}
