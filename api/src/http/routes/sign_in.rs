//! `POST /sign-in`

use std::sync::Arc;

use poem_openapi::OpenApi;

use super::{ReadResult, ok};
use crate::http::{
    auth::Tokens,
    contract::{SignInSubmit, SignedIn},
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
    async fn sign_in(&self, body: JsonBody<SignInSubmit>) -> ReadResult<SignedIn> {
        ok(SignedIn { token: self.tokens.sign_in(&body.0.code)? })
    }
}
