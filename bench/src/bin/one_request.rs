//! `least`: the least that a program costs which asks the server, to hold `aw debate submit` and `get-context` against.
//! One request over one connection, the answer as it came, and nothing else.
//!
//!     least ADDRESS submit DEBATE_ID ROLE TARGET_ID REQUEST_ID CONTENT
//!     least ADDRESS get-context DEBATE_ID

use std::{
    env,
    io::{self, ErrorKind, Read, Write},
    net::TcpStream,
    process::ExitCode,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let asked = match arguments[..] {
        [address, "submit", debate, role, target, request, content] => {
            submit(address, debate, role, target, request, content)
        }
        [address, "get-context", debate] => ask(
            address,
            &format!("GET /debates/{debate}?limit=10 HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"),
        ),
        _ => return ExitCode::from(2),
    };
    match asked {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// The content is put into the JSON as it is: it has to be plain.
fn submit(address: &str, debate: &str, role: &str, target: &str, request: &str, content: &str) -> io::Result<()> {
    let body =
        format!(r#"{{"role":"{role}","target_id":"{target}","client_request_id":"{request}","content":"{content}"}}"#);
    let head = format!(
        "POST /debates/{debate}/arguments HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    ask(address, &(head + &body))
}

/// Prints the body of a good answer.
fn ask(address: &str, request: &str) -> io::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let body = answer.windows(4).position(|window| window == b"\r\n\r\n").ok_or(ErrorKind::InvalidData)? + 4;
    if !answer.starts_with(b"HTTP/1.1 20") {
        return Err(ErrorKind::InvalidData.into());
    }
    io::stdout().write_all(&answer[body..])
}
