//! How large the head of a request may be.
//!
//! hyper refuses a head with a bare status, and closes. What it is let read is therefore more than what is taken, so
//! that whoever sends somewhat too much is told.

use poem::Request;

use super::failure::Refused;

/// The most that a head may take, in bytes, and about what a connection that waits keeps of it.
pub(super) const LIMIT: usize = 8 * 1024;

/// The most headers of one request; browsers send some twenty.
const MOST_HEADERS: usize = 64;

/// The most bytes of a head that are read.
pub(super) const READ: usize = 4 * LIMIT;

/// The most headers that are read.
pub(super) const READ_HEADERS: usize = 100;

/// Refuses a head that is too large.
pub(super) fn check(request: &Request) -> Result<(), Refused> {
    let headers = request.headers();
    if headers.len() > MOST_HEADERS {
        return Err(Refused::Headers { limit: MOST_HEADERS, actual: headers.len() });
    }
    // Between the words of the first line and at the ends of lines stands what is counted here as well.
    let first = request.method().as_str().len() + target(request) + " HTTP/1.1\r\n\r\n".len() + 1;
    let each = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    let actual = first + each.sum::<usize>();
    if actual > LIMIT { Err(Refused::Head { limit: LIMIT, actual }) } else { Ok(()) }
}

/// How long the target is as it was sent.
fn target(request: &Request) -> usize {
    let uri = request.original_uri();
    let origin = uri.scheme_str().map_or(0, |scheme| scheme.len() + "://".len());
    origin
        + uri.authority().map_or(0, |name| name.as_str().len())
        + uri.path_and_query().map_or(0, |path| path.as_str().len())
}
