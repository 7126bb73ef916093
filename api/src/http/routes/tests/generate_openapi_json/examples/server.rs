//! The examples of `/health`, `/info` and `/sign-in`.

use serde_json::json;

use super::{Example, Result, signing_key};
use crate::{
    domain::Limits,
    http::{
        contract::{Health, SignedIn},
        error_response::Rejection,
        routes::info,
    },
};

pub(super) fn examples() -> Result<Vec<Example>> {
    let unknown_host = Rejection::ForbiddenOrigin("\"debates.example\" is not a name of this server".to_owned());
    Ok(vec![
        Example::read("health").answered("200", "healthy", Health::ok())?.refused(unknown_host)?,
        Example::read("info")
            .answered(
                "200",
                "defaults",
                info::answer(&Limits::default(), false, false, Some(signing_key().public_key())),
            )?
            .refused(Rejection::AuthFailed("this server does not accept this token"))?,
        Example::write("sign_in", json!({ "code": "the code of the link" }))
            .answered("200", "signed_in", SignedIn { token: "the token".to_owned() })?
            .refused(Rejection::InvalidSignInCode)?,
    ])
}
