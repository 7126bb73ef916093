//! The files of the web app: `/`, `/d/{debate id}` and assets.

mod content_security_policy;

use std::borrow::Cow;

use data_encoding::HEXLOWER;
use poem::{
    Body, EndpointExt, Request, Response, Result, Route,
    error::NotFoundError,
    get, handler,
    http::{
        HeaderValue, StatusCode,
        header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY},
    },
    web::Data,
};
use rust_embed::EmbeddedFile;

use super::compression;

/// The files of the web app, by their path without a leading slash; none if it was not built.
#[derive(Clone, Copy)]
pub struct WebApp(pub fn(&str) -> Option<EmbeddedFile>);

impl WebApp {
    fn file(self, path: &str) -> Option<EmbeddedFile> {
        self.0(path)
    }
}

/// The page for all URLs of the web app.
const INDEX: &str = "index.html";

/// The page of a server that was built without the web app.
const NOT_BUILT: &str = include_str!("not_built.html");

/// The folder of files with a hash in their name, which never change.
const IMMUTABLE: &str = "_next/static/";

/// Whether a path is a page of the web app, which other sites may link to.
pub(super) fn is_page(path: &str) -> bool {
    path == "/" || path.starts_with("/d/")
}

/// The files beside the page. They have a route each, so that other paths are a 404. They are written down here, since
/// looking for them would bring the names of all files into memory, and with them much of the files between which they lie.
const TOP_LEVEL_FILES: [&str; 6] =
    ["/icon-192.png", "/icon-512.png", "/icon.svg", "/manifest.webmanifest", "/service-worker.js", "/theme.js"];

/// The routes of the pages and files.
pub(super) fn routes(web_app: WebApp) -> Route {
    let get_page = || get(page).data(web_app);
    let get_asset = || get(asset).data(web_app);
    let pages = Route::new().at("/", get_page()).at("/d/:debate_id", get_page()).at("/_next/*file", get_asset());
    TOP_LEVEL_FILES.into_iter().fold(pages, |routes, path| routes.at(path, get_asset()))
}

/// The paths of these routes, written as in `openapi.json`.
pub(super) fn templates() -> impl Iterator<Item = String> {
    ["/", "/d/{debate_id}", "/_next/{*file}"].into_iter().chain(TOP_LEVEL_FILES).map(str::to_owned)
}

fn has_extension(path: &str, extensions: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}

/// `/` and `/d/{debate id}`. The web app itself routes by the URL.
#[handler]
pub(super) fn page(request: &Request, Data(web_app): Data<&WebApp>) -> Result<Response> {
    match web_app.file(INDEX) {
        Some(file) => {
            let policy = content_security_policy::for_page(&String::from_utf8_lossy(&file.data));
            let mut response = send(request, *web_app, INDEX, file)?;
            response.headers_mut().insert("content-security-policy", policy);
            Ok(response)
        }
        None => Ok(Response::builder()
            .header(CONTENT_TYPE, "text/html; charset=utf-8")
            .header(CACHE_CONTROL, "no-cache")
            .header("content-security-policy", content_security_policy::for_page(NOT_BUILT))
            .body(NOT_BUILT)),
    }
}

/// The page for a browser that asked for a path that does not exist, which the web app says; none if it was not built.
pub(super) fn missing_page(web_app: WebApp) -> Option<Response> {
    let html = web_app.file(INDEX)?.data;
    Some(
        Response::builder()
            .status(StatusCode::NOT_FOUND)
            .header(CONTENT_TYPE, "text/html; charset=utf-8")
            .header("content-security-policy", content_security_policy::for_page(&String::from_utf8_lossy(&html)))
            .body(body(html)),
    )
}

/// The other files. A missing file is a 404 and not the page.
#[handler]
pub(super) fn asset(request: &Request, Data(web_app): Data<&WebApp>) -> Result<Response> {
    let path = request.original_uri().path().trim_start_matches('/');
    match web_app.file(path).filter(|_| !has_extension(path, &["gz"])) {
        Some(file) => {
            let mut response = send(request, *web_app, path, file)?;
            response
                .headers_mut()
                .insert("content-security-policy", HeaderValue::from_static(content_security_policy::FOR_ASSETS));
            Ok(response)
        }
        None => Err(NotFoundError.into()),
    }
}

/// A response with a file, or 304 if the client has it already.
fn send(request: &Request, web_app: WebApp, path: &str, file: EmbeddedFile) -> Result<Response> {
    let etag = format!("\"{}\"", HEXLOWER.encode(&file.metadata.sha256_hash()[..16]));
    let cache_control = if path.starts_with(IMMUTABLE) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let response = Response::builder()
        .header(CONTENT_TYPE, media_type(path, &file))
        .header(CACHE_CONTROL, cache_control)
        .header(VARY, "Accept-Encoding")
        .header(ETAG, &etag);
    if request.header(IF_NONE_MATCH).is_some_and(|known| known.split(',').any(|one| one.trim() == etag)) {
        return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    // The build of the web app stores compressed copies of large files.
    let compressed = compression::accepts_gzip(request).then(|| web_app.file(&format!("{path}.gz"))).flatten();
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

/// The value of the Content-Type header.
fn media_type(path: &str, file: &EmbeddedFile) -> String {
    let guessed = file.metadata.mimetype();
    let is_text = guessed.starts_with("text/") || path.ends_with(".js") || path.ends_with(".json");
    if is_text { format!("{guessed}; charset=utf-8") } else { guessed.to_owned() }
}
