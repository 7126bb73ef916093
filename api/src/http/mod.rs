//! The HTTP server. Only this module uses poem.

mod allowed_hosts;
mod auth;
mod clock_guard;
mod compression;
mod connection_timeouts;
mod connections;
mod contract;
mod error_codes_with_statuses;
mod error_response;
mod header_size;
mod large_bodies;
mod long_poll;
mod params;
mod poem_error;
mod rendering;
mod request_bodies;
mod request_log;
mod route_template;
mod routes;
mod seat_header;
mod security_headers;
mod web_app;
mod websocket;

use std::sync::Arc;

use poem::{
    Endpoint, EndpointExt, IntoResponse, Request, Response, Result, Route,
    error::NotFoundError,
    get, handler,
    http::{
        Method,
        header::{ACCEPT, CONTENT_TYPE},
    },
    web::Data,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub use allowed_hosts::AllowedHosts;
pub use auth::{Secret, Tokens};
pub use connections::{RequestContext, listen, serve};
pub use error_codes_with_statuses::ErrorCode;
pub use web_app::WebApp;

use crate::{app::App, domain::Limits, prometheus_metrics::MEDIA_TYPE};
use auth::Authenticated;
use contract::ErrorResponse;
use large_bodies::Room;
use request_bodies::RequestRoom;
use websocket::WebSockets;

/// The endpoint for all requests.
///
/// WebSockets close when `stopping` is cancelled. `tasks` tracks them until they have closed.
pub fn endpoint(
    app: Arc<App>,
    web_app: WebApp,
    tokens: Arc<Tokens>,
    hosts: AllowedHosts,
    stopping: CancellationToken,
    tasks: TaskTracker,
) -> impl Endpoint<Output = Response> {
    let routes = web_app::routes(web_app)
        .at("/openapi.json", get(openapi_json))
        .at("/asyncapi.yaml", get(asyncapi_yaml))
        .at("/metrics", get(metrics.data(app.clone())))
        .at("/ws", get(websocket::websocket));
    let room = Room::default();
    let routes = routes::add(routes, &app, &tokens, &room);
    let websockets = WebSockets::new(app.clone(), room.clone(), stopping, tasks);
    Root {
        web_app,
        hosts,
        limits: *app.limits(),
        tokens,
        room,
        request_room: RequestRoom::default(),
        websockets,
        routes,
    }
}

/// The outermost endpoint: checks each request before it is routed and adds headers to each response.
///
/// It is one endpoint instead of several poem middlewares because each of those would keep a copy of the request.
struct Root {
    web_app: WebApp,
    hosts: AllowedHosts,
    limits: Limits,
    tokens: Arc<Tokens>,
    room: Room,
    request_room: RequestRoom,
    websockets: WebSockets,
    routes: Route,
}

impl Endpoint for Root {
    type Output = Response;

    async fn call(&self, mut request: Request) -> Result<Response> {
        if let Err(rejection) = self.hosts.check(&request).and_then(|()| header_size::check(&request)) {
            return Ok(security_headers::add(ErrorResponse::from(rejection).into_response()));
        }
        let accepts_gzip = compression::accepts_gzip(&request);
        let uri = request.original_uri().clone();
        let wants_page =
            request.method() == Method::GET && request.header(ACCEPT).is_some_and(|types| types.contains("text/html"));
        request.set_data(self.limits);
        request.set_data(self.request_room.clone());
        request.set_data(self.tokens.clone());
        request.set_data(self.websockets.clone());
        // Boxed, so that its memory is freed before a long poll begins to wait.
        let response = match Box::pin(self.routes.call(request)).await {
            Ok(response) => response,
            Err(error) if wants_page && error.is::<NotFoundError>() => {
                web_app::missing_page(self.web_app).unwrap_or_else(|| poem_error::response(error, uri.path()))
            }
            Err(error) => poem_error::response(error, uri.path()),
        };
        let response = long_poll::finish(response).await;
        // Boxed, so that a long poll does not hold its memory while it waits.
        let response = if accepts_gzip { Box::pin(compression::gzip(response, &self.room)).await } else { response };
        Ok(security_headers::add(Box::pin(self.room.admit(response)).await))
    }
}

/// `openapi.json`, as it is checked in. `routes/tests/generate_openapi_json` writes it and compares it with the types.
pub const OPENAPI: &str = include_str!("../../../openapi.json");

#[handler]
fn openapi_json(_: Authenticated) -> Response {
    Response::builder().header(CONTENT_TYPE, "application/json").body(OPENAPI)
}

/// `asyncapi.yaml`, as it is checked in.
const ASYNCAPI: &str = include_str!("../../../asyncapi.yaml");

#[handler]
async fn metrics(_: Authenticated, app: Data<&Arc<App>>) -> Result<Response> {
    Ok(Response::builder().header(CONTENT_TYPE, MEDIA_TYPE).body(app.metrics().await?))
}

#[handler]
fn asyncapi_yaml(_: Authenticated) -> Response {
    Response::builder().header(CONTENT_TYPE, "application/yaml").body(ASYNCAPI)
}
