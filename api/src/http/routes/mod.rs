//! The endpoints; operation id, handler and use case have the same name.

mod contract_file;
mod debates;
mod documents;
mod health;
mod sign_in;

use std::sync::Arc;

use poem_openapi::{
    OpenApi, OpenApiService,
    types::{ParseFromJSON, ToJSON, Type},
};
use serde::Serialize;

pub use contract_file::openapi;

use super::{
    contract::{Answer, Failure, Found, Written},
    tokens::Tokens,
};
use crate::app::App;
use debates::Debates;
use documents::Documents;
use health::Health;
use sign_in::SignIn;

type Answered<T> = Result<Found<T>, Failure>;
type Wrote<T> = Result<Written<T>, Failure>;

/// Everything that the contract describes.
type Endpoints = (Debates, Documents, Health, SignIn);

/// Everything under `/debates`.
pub(super) fn debates(app: Arc<App>) -> OpenApiService<impl OpenApi, ()> {
    describe(Debates::new(app))
}

/// Everything under `/documents`.
pub(super) fn documents(app: Arc<App>) -> OpenApiService<impl OpenApi, ()> {
    describe(Documents::new(app))
}

/// `/health`.
pub(super) fn health(app: Arc<App>) -> OpenApiService<impl OpenApi, ()> {
    describe(Health::new(app))
}

/// `/sign-in`.
pub(super) fn sign_in(tokens: Arc<Tokens>) -> OpenApiService<impl OpenApi, ()> {
    describe(SignIn::new(tokens))
}

fn describe<T: OpenApi>(endpoints: T) -> OpenApiService<T, ()> {
    OpenApiService::new(endpoints, "aweave debate", env!("CARGO_PKG_VERSION"))
        .description("Two AI agents argue a plan out before anyone implements it; an arbitrator watches and rules.")
}

fn found<T: Type + ParseFromJSON + ToJSON + Serialize>(data: T) -> Answered<T> {
    Ok(Found::Found(Answer(data)))
}

fn written<T: Type + ParseFromJSON + ToJSON + Serialize>(replayed: bool, data: T) -> Wrote<T> {
    let answer = Answer(data);
    Ok(if replayed { Written::Replayed(answer) } else { Written::Stored(answer) })
}
