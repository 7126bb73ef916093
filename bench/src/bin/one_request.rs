//! `one_request`: the least that a client process costs, to compare `aw debate submit` and `get-context` with. It sends one
//! request over one connection and prints the body of the response.
//!
//!     one_request ADDRESS submit DEBATE_ID ROLE TARGET_ID REQUEST_ID CONTENT
//!     one_request ADDRESS get-context DEBATE_ID

use std::{
    env,
    io::{self, ErrorKind, Read, Write},
    net::TcpStream,
    process::ExitCode,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let response = match arguments[..] {
        [address, "submit", debate, role, target, request, content] => {
            submit(address, debate, role, target, request, content)
        }
        [address, "get-context", debate] => send(
            address,
            &format!("GET /debates/{debate}?limit=10 HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"),
        ),
        _ => return ExitCode::from(2),
    };
    match response {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// The content must not need escaping in JSON.
fn submit(address: &str, debate: &str, role: &str, target: &str, request: &str, content: &str) -> io::Result<()> {
    let body =
        format!(r#"{{"role":"{role}","target_id":"{target}","client_request_id":"{request}","content":"{content}"}}"#);
    let head = format!(
        "POST /debates/{debate}/arguments HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    send(address, &(head + &body))
}

/// Sends the request and prints the body of a successful response.
fn send(address: &str, request: &str) -> io::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.write_all(request.as_bytes())?;
    let mut response = Vec::new();
    stream.read_to_end(&mut response)?;
    let body = response.windows(4).position(|window| window == b"\r\n\r\n").ok_or(ErrorKind::InvalidData)? + 4;
    if !response.starts_with(b"HTTP/1.1 20") {
        return Err(ErrorKind::InvalidData.into());
    }
    io::stdout().write_all(&response[body..])
}
