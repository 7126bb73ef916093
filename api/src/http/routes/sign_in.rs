//! `POST /sign-in`

use std::sync::Arc;

use poem::{IntoResponse, Request};
use poem_openapi::OpenApi;

use super::ReadResult;
use crate::http::{
    auth::{self, Caller, Tokens},
    contract::{Json, OkResponse, SignInSubmit, SignedIn},
    long_poll::LongPoll,
    request_bodies::JsonBody,
};

pub struct SignIn {
    pub tokens: Arc<Tokens>,
}

#[OpenApi]
impl SignIn {
    /// Sign in with the code of the sign-in link
    ///
    /// The server prints the link when it starts. The code works once within ten minutes; otherwise the error is
    /// `AUTH_FAILED`. Requires no token.
    #[oai(path = "/sign-in", method = "post", operation_id = "sign_in")]
    async fn sign_in(&self, request: &Request, body: JsonBody<SignInSubmit>) -> LongPoll<ReadResult<SignedIn>> {
        let (tokens, caller) = (self.tokens.clone(), Caller::of(request));
        LongPoll::with_response(async move {
            match auth::sign_in(&tokens, caller.as_ref(), &body.value.code).await {
                Ok(token) => OkResponse::Ok(Json(SignedIn { token })).into_response(),
                Err(error) => error.into_response(),
            }
        })
    }
}
