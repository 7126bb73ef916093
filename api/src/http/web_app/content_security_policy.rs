//! The Content-Security-Policy of the web app: it may run its own scripts and nothing else.

use data_encoding::BASE64;
use poem::http::HeaderValue;
use sha2::{Digest, Sha256};

/// The policy of assets. A web worker has the policy of its script and may load the rest of itself.
pub(super) const FOR_ASSETS: &str = "default-src 'none'; script-src 'self'; frame-ancestors 'none'";

/// The policy of a page. Its inline scripts are allowed by their hashes.
pub(super) fn for_page(html: &str) -> HeaderValue {
    let hashes: String =
        inline_scripts(html).map(|script| format!(" 'sha256-{}'", BASE64.encode(&Sha256::digest(script)))).collect();
    let policy = format!(
        "default-src 'none'; script-src 'self'{hashes}; style-src 'self' 'unsafe-inline'; font-src 'self'; \
         img-src 'self' data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'"
    );
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// The text of each inline script.
fn inline_scripts(html: &str) -> impl Iterator<Item = &str> {
    html.split("<script").skip(1).filter_map(|rest| {
        let (attributes, rest) = rest.split_once('>')?;
        let (script, _) = rest.split_once("</script>")?;
        (!attributes.contains("src=")).then_some(script)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_has_the_hashes_of_inline_scripts() {
        let html = r#"<script src="/a.js" async=""></script><script>one()</script><script id="x">two()</script>"#;
        assert_eq!(inline_scripts(html).collect::<Vec<_>>(), ["one()", "two()"]);
        let policy = for_page("<script>alert(1)</script>");
        let policy = policy.to_str().unwrap();
        assert!(policy.contains("script-src 'self' 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"));
    }
}
