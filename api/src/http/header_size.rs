//! Limits on the size of the request line and the headers.
//!
//! hyper answers a request over its own limits with a bare status and closes the connection. Its limits are therefore higher
//! than ours, so that a request slightly over our limits gets an error response.

use poem::Request;

use super::error_response::Rejection;

/// The maximum size of the request line and the headers in bytes. A waiting connection keeps about as much memory.
pub(super) const MAX_BYTES: usize = 8 * 1024;

/// The maximum number of headers; browsers send about twenty.
const MAX_HEADERS: usize = 64;

/// The limit of hyper on the size in bytes.
pub(super) const HYPER_MAX_BYTES: usize = 4 * MAX_BYTES;

/// The limit of hyper on the number of headers.
pub(super) const HYPER_MAX_HEADERS: usize = 100;

/// Rejects a request whose request line and headers are too large.
pub(super) fn check(request: &Request) -> Result<(), Rejection> {
    let headers = request.headers();
    if headers.len() > MAX_HEADERS {
        return Err(Rejection::TooManyHeaders { limit: MAX_HEADERS, actual: headers.len() });
    }
    // The separators and line ends that hyper has removed are counted too.
    let request_line = request.method().as_str().len() + target_len(request) + " HTTP/1.1\r\n\r\n".len() + 1;
    let header_lines = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    let actual = request_line + header_lines.sum::<usize>();
    if actual > MAX_BYTES { Err(Rejection::HeadersTooLarge { limit: MAX_BYTES, actual }) } else { Ok(()) }
}

/// The length of the request target as the client sent it.
fn target_len(request: &Request) -> usize {
    let uri = request.original_uri();
    let scheme = uri.scheme_str().map_or(0, |scheme| scheme.len() + "://".len());
    scheme
        + uri.authority().map_or(0, |authority| authority.as_str().len())
        + uri.path_and_query().map_or(0, |path| path.as_str().len())
}
