//! Who calls: tokens, and what they give the right to (SPEC section 8).

use std::sync::Arc;

use poem::{FromRequest, Request, RequestBody, Result, http::header::AUTHORIZATION};

use super::{
    failure::Refused,
    param,
    tokens::{Access, Tokens},
};
use crate::app::Arbitrator;

/// The token in the header, where there is one such header and no more.
fn bearer(request: &Request) -> Option<&str> {
    let mut headers = request.headers().get_all(AUTHORIZATION).iter();
    let header = headers.next().filter(|_| headers.next().is_none())?.to_str().ok()?;
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
