//! Names, logs and counts every request, and names it in its answer.

use std::time::Instant;

use poem::{
    Response,
    http::{HeaderMap, HeaderName, HeaderValue, Method},
};
use uuid::Uuid;

use super::route_template;
use crate::{app::CorrelationId, prometheus_metrics};

/// The header with the id of a request, in the request and in its answer.
const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The status that is logged if the client went away before the answer. No response has it; nginx logs the same.
const CLIENT_GONE: u16 = 499;

/// The status that is logged if the connection is closed without an answer, as nginx does.
const NOT_ANSWERED: u16 = 444;

/// Paths that monitoring asks for all the time.
const QUIET: [&str; 2] = ["/health", "/metrics"];

/// A request that is not answered yet. It is logged when it is answered, or dropped because the client went away.
pub(super) struct LoggedRequest {
    id: CorrelationId,
    method: &'static str,
    route: &'static str,
    started: Instant,
    status: u16,
}

impl LoggedRequest {
    /// Begins with the request's head. Its id is the caller's, if that is valid, otherwise `random_id`.
    pub fn new(method: &Method, path: &str, headers: &HeaderMap, random_id: fn() -> Uuid) -> Self {
        let mut given = headers.get_all(X_REQUEST_ID).iter();
        let given = given.next().filter(|_| given.next().is_none()).and_then(|id| id.to_str().ok());
        Self {
            id: CorrelationId::given_or(given, random_id),
            method: known(method),
            route: route_template::of(path),
            started: Instant::now(),
            status: CLIENT_GONE,
        }
    }

    /// The id of the request.
    pub fn id(&self) -> &CorrelationId {
        &self.id
    }

    /// Adds the id to the answer and logs the request.
    pub fn answered(mut self, mut response: Response) -> Response {
        self.status = response.status().as_u16();
        if let Ok(id) = HeaderValue::from_str(self.id.as_str()) {
            response.headers_mut().insert(X_REQUEST_ID, id);
        }
        response
    }

    /// Logs the request, whose connection is closed without an answer.
    pub fn not_answered(mut self) {
        self.status = NOT_ANSWERED;
    }
}

impl Drop for LoggedRequest {
    fn drop(&mut self) {
        let Self { id, method, route, started, status } = self;
        let time = started.elapsed();
        prometheus_metrics::request(route, method, *status, time);
        let ms = (time.as_secs_f64() * 1e6).round() / 1e3;
        if QUIET.contains(route) {
            tracing::debug!(target: "request", method, route, status, ms, request_id = %id, "request");
        } else {
            tracing::info!(target: "request", method, route, status, ms, request_id = %id, "request");
        }
    }
}

/// The method if it is a standard one. Clients may send any word, which belongs neither into the log nor into a label.
fn known(method: &Method) -> &'static str {
    const KNOWN: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];
    KNOWN.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}
