//! The Date header of responses, from the clock that is injected: hyper's own panics where the system's clock shows a time before 1970 or
//! after 9999.

use chrono::{DateTime, Utc};
use poem::{
    Response,
    http::{HeaderValue, header::DATE},
};

/// Adds the header.
pub(super) fn add(mut response: Response, now: DateTime<Utc>) -> Response {
    // Digits, letters and spaces are always valid.
    if let Ok(date) = HeaderValue::from_str(&now.format("%a, %d %b %Y %H:%M:%S GMT").to_string()) {
        response.headers_mut().insert(DATE, date);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_has_the_form_of_http() {
        let response = add(Response::default(), DateTime::from_timestamp(784_111_777, 0).unwrap());
        assert_eq!(response.header(DATE), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
    }
}
