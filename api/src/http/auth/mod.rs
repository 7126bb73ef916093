//! Authentication: extractors that check the token of a request.

mod tokens;
mod wrong_tokens;

use std::{net::IpAddr, sync::Arc};

use poem::{Addr, FromRequest, Request, RequestBody, Result, http::header::AUTHORIZATION};

pub use tokens::{Secret, Tokens};

use super::{connections::CloseConnection, error_response::Rejection, params};
use crate::app::{Arbitrator, CorrelationId};
use tokens::Access;
use wrong_tokens::TooManyWait;

/// The bearer token, if there is exactly one Authorization header.
fn bearer(request: &Request) -> Option<&str> {
    let mut headers = request.headers().get_all(AUTHORIZATION).iter();
    let header = headers.next().filter(|_| headers.next().is_none())?.to_str().ok()?;
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// What the caller may do. A wrong token is answered late.
async fn access(request: &Request, token: Option<&str>) -> Result<Access> {
    let Some(tokens) = request.data::<Arc<Tokens>>() else {
        return Err(Rejection::AuthFailed("this server requires a token").into());
    };
    let access = tokens.access(token);
    if token.is_some() && access.is_err() {
        hold_back(Caller::of(request).as_ref(), tokens).await?;
    }
    Ok(access?)
}

/// Who sent a request, which has an id.
pub(in crate::http) struct Caller(IpAddr, CorrelationId);

impl Caller {
    /// The caller of a request; none if it came over no network.
    pub fn of(request: &Request) -> Option<Self> {
        let Addr::SocketAddr(address) = &request.remote_addr().0 else { return None };
        Some(Self(address.ip(), request.data::<CorrelationId>()?.clone()))
    }
}

/// Waits as long as a wrong token, or a wrong code of a sign-in link, of this caller costs.
///
/// # Errors
/// The connection has to be closed without an answer where too many of its address wait.
async fn hold_back(caller: Option<&Caller>, tokens: &Tokens) -> Result<(), CloseConnection> {
    let Some(Caller(address, request_id)) = caller else { return Ok(()) };
    tokens.wrong().hold_back(*address, request_id).await.map_err(|TooManyWait| CloseConnection)
}

/// Exchanges the code of a sign-in link for a token. A wrong one is answered late.
pub(in crate::http) async fn sign_in(tokens: &Tokens, caller: Option<&Caller>, code: &str) -> Result<String> {
    let signed_in = tokens.sign_in(code);
    if signed_in.is_err() {
        hold_back(caller, tokens).await?;
    }
    Ok(signed_in?)
}

/// What the caller may do where the arbitrator's token makes a difference. One that is not it is answered late even if the caller
/// needs none for the rest.
async fn identified(request: &Request, token: Option<&str>) -> Result<Access> {
    let access = access(request, token).await?;
    if let (Access::Anonymous, Some(_), Some(tokens)) = (access, token, request.data::<Arc<Tokens>>()) {
        hold_back(Caller::of(request).as_ref(), tokens).await?;
    }
    Ok(access)
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
        access(request, bearer(request)).await?;
        Ok(Self)
    }
}

/// The caller may use the server, and asks what the token permits.
pub(in crate::http) struct Permission {
    /// Whether the token gives the arbitrator's permission
    pub may_rule: bool,
}

impl<'a> FromRequest<'a> for Permission {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        let access = identified(request, bearer(request)).await?;
        Ok(Self { may_rule: arbitrator(access).is_ok() })
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
        let token = bearer(request);
        match (identified(request, token).await?, token) {
            (Access::Anonymous, None) => {
                Err(Rejection::AuthFailed("rulings, interventions and freeing a seat require the arbitrator's token")
                    .into())
            }
            (Access::Anonymous, Some(_)) => Err(Rejection::AuthFailed("this is not the arbitrator's token").into()),
            (access @ (Access::Agent | Access::Full), _) => Ok(Self(access)),
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
        Ok(Self(identified(request, token.as_deref()).await?))
    }
}
