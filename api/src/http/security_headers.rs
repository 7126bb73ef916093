//! Response headers that protect browsers.

use poem::{
    Response,
    http::{
        HeaderName, HeaderValue,
        header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS},
    },
};

/// Headers of every response.
const ALWAYS: [(HeaderName, &str); 3] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Headers of responses that do not set them already, as the web app's files do.
const DEFAULTS: [(HeaderName, &str); 2] =
    [(CACHE_CONTROL, "no-store"), (CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'")];

/// Adds the headers to a response.
pub(super) fn add(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for (name, value) in DEFAULTS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
