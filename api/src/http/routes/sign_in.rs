//! `POST /sign-in`

use std::sync::Arc;

use poem_openapi::OpenApi;

use super::{Answered, found};
use crate::http::{
    contract::{SignInBody, SignInData},
    input::Input,
    tokens::Tokens,
};

pub struct SignIn {
    tokens: Arc<Tokens>,
}

impl SignIn {
    pub fn new(tokens: Arc<Tokens>) -> Self {
        Self { tokens }
    }
}

#[OpenApi]
impl SignIn {
    /// Sign in with the code of the link that the server printed at its start
    ///
    /// Needs no token. A code works once, and for ten minutes; any other is `AUTH_FAILED`.
    #[oai(path = "/sign-in", method = "post", operation_id = "sign_in")]
    async fn sign_in(&self, body: Input<SignInBody>) -> Answered<SignInData> {
        found(SignInData { token: self.tokens.exchange(&body.0.code)? })
    }
}
