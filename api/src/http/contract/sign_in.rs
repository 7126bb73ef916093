//! Signing in with the link that the server prints when it starts.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::http::request_bodies::HasLimits;

/// A request to sign in.
#[derive(Object, Deserialize)]
pub struct SignInSubmit {
    /// The code at the end of the sign-in link
    pub code: String,
}

impl HasLimits for SignInSubmit {}

/// A token with all rights, including the arbitrator's.
#[derive(Clone, Object, Serialize)]
pub struct SignedIn {
    /// The token to send as `Authorization: Bearer <token>`; valid until the server stops
    pub token: String,
}
