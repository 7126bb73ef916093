//! Signing in by the link that the server printed.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::request::HasLimits;
use crate::domain::{Limits, TextRule};

/// Signs in.
#[derive(Object, Deserialize)]
#[oai(rename = "SignInSubmit")]
pub struct SignInBody {
    /// The code at the end of the link
    pub code: String,
}

impl HasLimits for SignInBody {
    fn limited(_limits: &Limits) -> Vec<(&'static str, TextRule)> {
        Vec::new()
    }
}

/// Whoever has it may do everything.
#[derive(Clone, Object, Serialize)]
#[oai(rename = "SignedIn")]
pub struct SignInData {
    /// What to send as `Authorization: Bearer …`; good until the server stops
    pub token: String,
}
