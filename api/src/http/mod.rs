//! The only code that knows poem: contract types, endpoints, guards, and the one place that turns errors into answers.

mod armour;
mod caller;
mod contract;
mod failure;
mod guard;
mod head;
mod input;
mod later;
mod live;
mod param;
mod parse;
mod routes;
mod serve;
mod site;
mod tokens;

use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use poem::{Endpoint, IntoResponse, Request, Response, Result, Route, get, handler, http::header::CONTENT_TYPE};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub use guard::AllowedHosts;
pub use routes::openapi;
pub use serve::{listen, serve};
pub use tokens::{Secret, Tokens};

use crate::{app::App, domain::Limits};
use caller::Caller;
use contract::Failure;
use live::Live;

/// The whole of what the server answers.
///
/// Live connections end when `stopping` is cancelled; until they have, they count as `open`.
pub fn endpoint(
    app: Arc<App>,
    tokens: Arc<Tokens>,
    hosts: AllowedHosts,
    stopping: CancellationToken,
    open: TaskTracker,
) -> impl Endpoint<Output = Response> {
    let routes = site::routes()
        .at("/openapi.json", get(contract_file))
        .at("/ws", get(live::live))
        .nest_no_strip("/debates", routes::debates(app.clone()))
        .nest_no_strip("/documents", routes::documents(app.clone()))
        .nest_no_strip("/health", routes::health(app.clone()))
        .nest_no_strip("/sign-in", routes::sign_in(tokens.clone()));
    Edge { hosts, limits: *app.limits(), tokens, live: Live::new(app, stopping, open), routes }
}

/// Where every request comes in and every answer goes out.
///
/// One step instead of poem's layers, each of which would keep a copy of the request.
struct Edge {
    hosts: AllowedHosts,
    limits: Limits,
    tokens: Arc<Tokens>,
    live: Live,
    routes: Route,
}

impl Endpoint for Edge {
    type Output = Response;

    async fn call(&self, mut request: Request) -> Result<Response> {
        if let Err(refused) = self.hosts.check(&request).and_then(|()| head::check(&request)) {
            return Ok(armour::put_on(Failure::from(refused).into_response()));
        }
        request.set_data(self.limits);
        request.set_data(self.tokens.clone());
        request.set_data(self.live.clone());
        // In a box of its own, which is gone when the answer is waited for.
        let response = match Box::pin(self.routes.call(request)).await {
            Ok(response) => response,
            Err(error) => failure::from_poem(error),
        };
        Ok(armour::put_on(later::answer(response).await))
    }
}

/// `openapi.json`, built once, when it is first asked for: a server that nobody asks has no use for it.
static CONTRACT: LazyLock<Bytes> = LazyLock::new(|| openapi().into());

#[handler]
fn contract_file(_caller: Caller) -> Response {
    Response::builder().header(CONTENT_TYPE, "application/json").body(CONTRACT.clone())
}
