//! What is answered while the clock shows a time before 1970 or after 9999. hyper makes a Date header of the system's time whenever it is
//! polled, and panics: so it is not polled.

use std::{fmt::Write, io};

use poem::IntoResponse;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::{contract::ErrorResponse, security_headers};
use crate::app::Error;

/// Ends once the clock is out of its range where the connection would be polled.
pub(super) async fn while_in_range<T>(is_in_range: fn() -> bool, connection: impl Future<Output = T>) -> Option<T> {
    let mut connection = std::pin::pin!(connection);
    std::future::poll_fn(|context| match is_in_range() {
        true => connection.as_mut().poll(context).map(Some),
        false => std::task::Poll::Ready(None),
    })
    .await
}

/// Answers whatever the client sends with the error, and closes the connection.
pub(super) async fn refuse(mut stream: TcpStream) -> io::Result<()> {
    stream.write_all(&answer().await).await?;
    stream.shutdown().await?;
    // Closed with something that was not read, the connection would be reset, and the answer lost.
    let mut unread = [0; 4096];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}

async fn answer() -> Vec<u8> {
    let mut response = security_headers::add(ErrorResponse::from(Error::ClockOutOfRange).into_response());
    // The body is in memory: this does not wait, and cannot fail.
    let body = response.take_body().into_vec().await.unwrap_or_default();
    let mut head = format!("HTTP/1.1 {}\r\n", response.status());
    for (name, value) in response.headers() {
        // Writing to a string does not fail, and the headers are texts of the program.
        let _ = write!(head, "{name}: {}\r\n", value.to_str().unwrap_or_default());
    }
    let _ = write!(head, "content-length: {}\r\nconnection: close\r\n\r\n", body.len());
    [head.into_bytes(), body].concat()
}
