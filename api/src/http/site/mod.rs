//! The web app's files, compiled into the server: `/`, `/d/{debate id}` and assets (SPEC section 4).

mod policy;

use std::borrow::Cow;

use poem::{
    Body, Request, Response, Result, Route,
    error::NotFoundError,
    get, handler,
    http::{
        HeaderValue, StatusCode,
        header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY},
    },
};
use rust_embed::{Embed, EmbeddedFile};

/// `web/out`, as it was when the server was built; empty where it had not been.
#[derive(Embed)]
#[folder = "../web/out"]
#[allow_missing = true]
struct Files;

/// The page that every address of the app begins with.
const PAGE: &str = "index.html";

/// What a server without the web app says on its page.
const NOT_BUILT: &str = include_str!("not_built.html");

/// Files with a hash in their name never change.
const HASHED: &str = "_next/static/";

/// Whether a path is an address of the web app, which links may lead to.
pub(super) fn is_page(path: &str) -> bool {
    path == "/" || path.starts_with("/d/")
}

/// The web app's addresses and files.
pub(super) fn routes() -> Route {
    let pages = Route::new().at("/", get(page)).at("/d/:debate_id", get(page)).at("/_next/*file", get(asset));
    // What stands beside the page: each by name, so that whatever is missing is missing.
    let beside = Files::iter().filter(|path| !path.contains('/') && !has_extension(path, &["html", "txt", "gz"]));
    beside.fold(pages, |routes, path| routes.at(format!("/{path}"), get(asset)))
}

fn has_extension(path: &str, extensions: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}

/// `/` and `/d/{debate id}`: the app finds its way by the address.
#[handler]
pub(super) fn page(request: &Request) -> Result<Response> {
    match Files::get(PAGE) {
        Some(file) => {
            let policy = policy::for_page(&String::from_utf8_lossy(&file.data));
            let mut response = send(request, PAGE, file)?;
            response.headers_mut().insert("content-security-policy", policy);
            Ok(response)
        }
        None => Ok(Response::builder()
            .header(CONTENT_TYPE, "text/html; charset=utf-8")
            .header(CACHE_CONTROL, "no-cache")
            .header("content-security-policy", policy::for_page(NOT_BUILT))
            .body(NOT_BUILT)),
    }
}

/// Every other file of the app. One that is missing is missing, not the page.
#[handler]
pub(super) fn asset(request: &Request) -> Result<Response> {
    let path = request.original_uri().path().trim_start_matches('/');
    match Files::get(path).filter(|_| !has_extension(path, &["gz"])) {
        Some(file) => {
            let mut response = send(request, path, file)?;
            response.headers_mut().insert("content-security-policy", HeaderValue::from_static(policy::FOR_FILES));
            Ok(response)
        }
        None => Err(NotFoundError.into()),
    }
}

fn send(request: &Request, path: &str, file: EmbeddedFile) -> Result<Response> {
    let tag = format!("\"{}\"", hex::encode(&file.metadata.sha256_hash()[..16]));
    let lifetime = if path.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let response = Response::builder()
        .header(CONTENT_TYPE, media_type(path, &file))
        .header(CACHE_CONTROL, lifetime)
        .header(VARY, "Accept-Encoding")
        .header(ETAG, &tag);
    if request.header(IF_NONE_MATCH).is_some_and(|known| known.split(',').any(|one| one.trim() == tag)) {
        return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    // The build leaves a compressed copy beside what is worth it.
    let compressed = accepts_gzip(request).then(|| Files::get(&format!("{path}.gz"))).flatten();
    Ok(match compressed {
        Some(compressed) => response.header(CONTENT_ENCODING, "gzip").body(body(compressed.data)),
        None => response.body(body(file.data)),
    })
}

fn body(data: Cow<'static, [u8]>) -> Body {
    match data {
        Cow::Borrowed(bytes) => Body::from_bytes(bytes::Bytes::from_static(bytes)),
        Cow::Owned(bytes) => Body::from_vec(bytes),
    }
}

fn media_type(path: &str, file: &EmbeddedFile) -> String {
    let guessed = file.metadata.mimetype();
    let is_text = guessed.starts_with("text/") || path.ends_with(".js") || path.ends_with(".json");
    if is_text { format!("{guessed}; charset=utf-8") } else { guessed.to_owned() }
}

fn accepts_gzip(request: &Request) -> bool {
    request.header(ACCEPT_ENCODING).is_some_and(|accepted| {
        accepted.split(',').any(|one| {
            let mut parts = one.split(';').map(str::trim);
            parts.next() == Some("gzip") && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
        })
    })
}
