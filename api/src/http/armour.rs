//! What every answer tells the browser that receives it: keep to the declared type, tell nobody, show it in no frame.

use poem::{
    Response,
    http::{
        HeaderName, HeaderValue,
        header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS},
    },
};

/// On every answer, whatever it is.
const ALWAYS: [(HeaderName, &str); 3] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Where the answer itself says nothing else, as the page and its files do.
const UNLESS_SAID: [(HeaderName, &str); 2] =
    [(CACHE_CONTROL, "no-store"), (CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'")];

/// The answer with these headers.
pub(super) fn put_on(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for (name, value) in UNLESS_SAID {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
