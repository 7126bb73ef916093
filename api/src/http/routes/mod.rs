//! The endpoints. Operation id, handler and use case have the same name.

mod debates;
mod documents;
mod health;
mod info;
mod rulings;
mod search;
mod sign_in;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use poem::{Route, http::Method};
use poem_openapi::{
    OpenApi, OpenApiService,
    types::{ParseFromJSON, ToJSON, Type},
};
use serde::Serialize;

use super::{
    auth::Tokens,
    contract::{ErrorResponse, Json, OkResponse, WriteResponse},
    large_bodies::Room,
};
use crate::{
    app::{App, Error},
    domain::check_characters,
};
use debates::Debates;
use documents::Documents;
use health::HealthRoute;
use info::InfoRoute;
use rulings::Rulings;
use search::Search;
use sign_in::SignIn;

/// The default and maximum timeout of a wait in seconds.
const MAX_WAIT_SECONDS: u64 = 60;

type ReadResult<T> = Result<OkResponse<T>, ErrorResponse>;
type WriteResult<T> = Result<WriteResponse<T>, ErrorResponse>;

/// All endpoints in `openapi.json`.
type Endpoints = (Debates, Documents, HealthRoute, InfoRoute, Rulings, Search, SignIn);

/// Adds the endpoints in `openapi.json`.
pub(super) fn add(routes: Route, app: &Arc<App>, tokens: &Arc<Tokens>, room: &Room) -> Route {
    let (app, tokens) = (|| app.clone(), || tokens.clone());
    routes
        .nest_no_strip("/debates", service(Debates { app: app(), room: room.clone() }))
        .nest_no_strip("/documents", service(Documents { app: app() }))
        .nest_no_strip("/health", service(HealthRoute { app: app() }))
        .nest_no_strip("/info", service(InfoRoute { app: app(), tokens: tokens() }))
        .nest_no_strip("/search", service(Search { app: app() }))
        .nest_no_strip("/sign-in", service(SignIn { tokens: tokens() }))
        .nest_no_strip("/wait", service(Rulings { app: app() }))
}

/// Checks the search text of a list for control characters, which PostgreSQL may reject.
fn search_text(q: String) -> Result<String, Error> {
    check_characters(&q).map_err(|error| Error::text("q", error))?;
    Ok(q)
}

/// The templates of the paths of all endpoints, with their methods.
pub(super) fn templates() -> impl Iterator<Item = (String, Vec<Method>)> {
    let paths = Endpoints::meta().into_iter().flat_map(|endpoints| endpoints.paths);
    paths.map(|path| (path.path, path.operations.into_iter().map(|operation| operation.method).collect()))
}

fn service<T: OpenApi>(endpoints: T) -> OpenApiService<T, ()> {
    OpenApiService::new(endpoints, "aweave debate", env!("CARGO_PKG_VERSION"))
        .description("Two AI agents debate a plan before it is implemented; an arbitrator watches and rules.")
}

fn ok<T: Type + ParseFromJSON + ToJSON + Serialize>(data: impl Into<T>) -> ReadResult<T> {
    Ok(OkResponse::Ok(Json(data.into())))
}

fn written<T: Type + ParseFromJSON + ToJSON + Serialize>(replayed: bool, data: impl Into<T>) -> WriteResult<T> {
    let body = Json(data.into());
    Ok(if replayed { WriteResponse::Replayed(body) } else { WriteResponse::Created(body) })
}
