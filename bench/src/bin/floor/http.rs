//! HTTP: `POST /TOPIC` appends a body of 1 KiB, `GET /TOPIC?SEEN` waits for more appends than were seen and is answered with
//! the newest and, in the header `count`, how many there are.

use std::io;

use http_body_util::{BodyExt, Full};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Bytes, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, sync::oneshot};

use crate::log::{Log, RECORD};

pub async fn serve(stream: TcpStream, log: Log) -> io::Result<()> {
    let service = service_fn(move |request| answer(request, log.clone()));
    http1::Builder::new().serve_connection(TokioIo::new(stream), service).await.map_err(io::Error::other)
}

async fn answer(request: Request<Incoming>, log: Log) -> io::Result<Response<Full<Bytes>>> {
    let topic = request.uri().path().trim_start_matches('/').parse().map_err(io::Error::other)?;
    if request.method() == Method::POST {
        let body = request.into_body().collect().await.map_err(io::Error::other)?.to_bytes();
        let record: [u8; RECORD] = body[..].try_into().map_err(io::Error::other)?;
        let (done, told) = oneshot::channel();
        log.append(topic, record, move || {
            let _ = done.send(());
        });
        told.await.map_err(io::Error::other)?;
        return respond(Response::builder().status(StatusCode::NO_CONTENT), Bytes::new());
    }
    let seen = request.uri().query().unwrap_or_default().parse().map_err(io::Error::other)?;
    let (wake, woken) = oneshot::channel();
    log.wait(topic, seen, move |count, newest| {
        let _ = wake.send((count, Bytes::copy_from_slice(newest)));
    });
    let (count, newest) = woken.await.map_err(io::Error::other)?;
    respond(Response::builder().header("count", count), newest)
}

fn respond(head: hyper::http::response::Builder, body: Bytes) -> io::Result<Response<Full<Bytes>>> {
    head.body(Full::new(body)).map_err(io::Error::other)
}
