//! Who calls: tokens, and what they give the right to (SPEC section 8).

use std::sync::Arc;

use poem::{FromRequest, Request, RequestBody, Result, http::header::AUTHORIZATION};
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

use super::{failure::Refused, param};
use crate::app::Arbitrator;

/// The tokens that a server is set to ask for.
#[derive(Debug, Default)]
pub struct Tokens {
    /// Opens everything but the arbitrator's actions, and those too where the arbitrator has no token of its own
    pub auth: Option<SecretString>,
    /// Opens everything
    pub arbitrator: Option<SecretString>,
}

/// What a caller has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// No token, and none was asked for
    Anonymous,
    /// The agents' token
    Agent,
    /// The arbitrator's token, or whatever opens everything on this server
    Full,
}

impl Tokens {
    fn access(&self, presented: Option<&str>) -> Result<Access, Refused> {
        let is = |token: &Option<SecretString>| match (token, presented) {
            (Some(token), Some(presented)) => bool::from(token.expose_secret().as_bytes().ct_eq(presented.as_bytes())),
            (Some(_) | None, _) => false,
        };
        match (&self.auth, &self.arbitrator) {
            (None, None) => Ok(Access::Full),
            (_, Some(_)) if is(&self.arbitrator) => Ok(Access::Full),
            (Some(_), None) if is(&self.auth) => Ok(Access::Full),
            (Some(_), Some(_)) if is(&self.auth) => Ok(Access::Agent),
            (Some(_), _) if presented.is_none() => Err(Refused::NoToken("this server asks for a token")),
            (Some(_), _) => Err(Refused::NoToken("this token is not one of this server's")),
            (None, Some(_)) => Ok(Access::Anonymous),
        }
    }
}

fn bearer(request: &Request) -> Option<&str> {
    let header = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn access(request: &Request, presented: Option<&str>) -> Result<Access, Refused> {
    match request.data::<Arc<Tokens>>() {
        Some(tokens) => tokens.access(presented),
        None => Err(Refused::NoToken("this server asks for a token")),
    }
}

fn permission(access: Access) -> Result<Arbitrator, Refused> {
    match access {
        Access::Full => Ok(Arbitrator::checked()),
        Access::Agent | Access::Anonymous => Err(Refused::WrongRole),
    }
}

/// Somebody who may use the server.
pub(super) struct Caller;

impl<'a> FromRequest<'a> for Caller {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        access(request, bearer(request))?;
        Ok(Self)
    }
}

/// Somebody who asks to do what is the arbitrator's.
pub(super) struct Ruler(Access);

impl Ruler {
    /// The arbitrator's permission, where the token gives the right to it.
    pub fn permission(&self) -> Result<Arbitrator, Refused> {
        permission(self.0)
    }
}

impl<'a> FromRequest<'a> for Ruler {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        match access(request, bearer(request))? {
            Access::Anonymous if bearer(request).is_none() => {
                Err(Refused::NoToken("ruling and stepping in ask for the arbitrator's token").into())
            }
            Access::Anonymous => Err(Refused::NoToken("this token is not the arbitrator's").into()),
            shown @ (Access::Agent | Access::Full) => Ok(Self(shown)),
        }
    }
}

/// Somebody who looks on over a WebSocket, and may rule there where the token gives the right to it.
pub(super) struct Watcher(Access);

impl Watcher {
    /// The arbitrator's permission, where the token gives the right to it.
    pub fn permission(&self) -> Result<Arbitrator, Refused> {
        permission(self.0)
    }
}

impl<'a> FromRequest<'a> for Watcher {
    /// Browsers cannot set a header on a WebSocket, so the query may have the token as well.
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        let in_query: Option<String> = param::optional(request, "token")?;
        let presented = bearer(request).map(str::to_owned).or(in_query);
        Ok(Self(access(request, presented.as_deref())?))
    }
}
