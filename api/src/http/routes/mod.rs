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

type Endpoints = (Debates, Health);

/// The endpoints that the contract describes.
pub(super) fn service(app: Arc<App>) -> OpenApiService<impl OpenApi, ()> {
    let endpoints: Endpoints = (Debates::new(app.clone()), Health::new(app));
    describe(endpoints)
}

fn describe<T: OpenApi>(endpoints: T) -> OpenApiService<T, ()> {
    OpenApiService::new(endpoints, "aweave debate", env!("CARGO_PKG_VERSION"))
        .description("Two AI agents argue a plan out before anyone implements it; an arbitrator watches and rules.")
}
