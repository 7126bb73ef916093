//! Authentication: extractors that check the token of a request.

mod tokens;

use std::sync::Arc;

use poem::{FromRequest, Request, RequestBody, Result, http::header::AUTHORIZATION};

pub use tokens::{Secret, Tokens};

use super::{error_response::Rejection, params};
use crate::app::Arbitrator;
use tokens::Access;

/// The bearer token, if there is exactly one Authorization header.
fn bearer(request: &Request) -> Option<&str> {
    let mut headers = request.headers().get_all(AUTHORIZATION).iter();
    let header = headers.next().filter(|_| headers.next().is_none())?.to_str().ok()?;
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn access(request: &Request, token: Option<&str>) -> Result<Access, Rejection> {
    match request.data::<Arc<Tokens>>() {
        Some(tokens) => tokens.access(token),
        None => Err(Rejection::AuthFailed("this server requires a token")),
    }
}

fn arbitrator(access: Access) -> Result<Arbitrator, Rejection> {
    match access {
        Access::Full => Ok(Arbitrator::checked()),
        Access::Agent | Access::Anonymous => Err(Rejection::ArbitratorOnly),
    }
}

/// The caller may use the server.
pub(in crate::http) struct Authenticated;

impl<'a> FromRequest<'a> for Authenticated {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        access(request, bearer(request))?;
        Ok(Self)
    }
}

/// The caller may use the server and asks for something that only the arbitrator may do.
pub(in crate::http) struct ArbitratorAuth(Access);

impl ArbitratorAuth {
    /// The arbitrator's permission, if the token gives it. It is checked after the body.
    pub fn permission(&self) -> Result<Arbitrator, Rejection> {
        arbitrator(self.0)
    }
}

impl<'a> FromRequest<'a> for ArbitratorAuth {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        match access(request, bearer(request))? {
            Access::Anonymous if bearer(request).is_none() => {
                Err(Rejection::AuthFailed("rulings, interventions and freeing a seat require the arbitrator's token")
                    .into())
            }
            Access::Anonymous => Err(Rejection::AuthFailed("this is not the arbitrator's token").into()),
            access @ (Access::Agent | Access::Full) => Ok(Self(access)),
        }
    }
}

/// The caller may open a WebSocket, and may rule there if the token gives the permission.
pub(in crate::http) struct WebSocketAuth(Access);

impl WebSocketAuth {
    /// The arbitrator's permission, if the token gives it.
    pub fn permission(&self) -> Result<Arbitrator, Rejection> {
        arbitrator(self.0)
    }
}

impl<'a> FromRequest<'a> for WebSocketAuth {
    /// Browsers cannot set headers for a WebSocket, so the token may also be a query parameter.
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        let in_query: Option<String> = params::optional(request, "token")?;
        let token = bearer(request).map(str::to_owned).or(in_query);
        Ok(Self(access(request, token.as_deref())?))
    }
}
