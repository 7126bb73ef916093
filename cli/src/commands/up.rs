//! `aw up`: starts a server in the background, unless one answers, and opens the web app.

use std::{
    io::{self, ErrorKind, IsTerminal},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use clap::{Args, value_parser};
use progenitor_client::ClientInfo;
use rustix::process::Pid;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::{
    net::TcpStream,
    time::{Instant, sleep, timeout},
};

use super::{
    HELP_TEMPLATE,
    background_server::{BackgroundServer, Running, Started},
    block_on, browser,
};
use crate::{
    client::{Client, retry::RequestError, settings::ServerUrl},
    hosts::Host,
    output::{Code, Failure, Markdown, Output, terminal},
};

/// How long a server may take until it answers.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// After this time it is told that the server is starting.
const SILENCE: Duration = Duration::from_secs(2);

/// How often a server that starts is asked.
const START_INTERVAL: Duration = Duration::from_millis(50);

/// How long one request may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Args)]
#[command(
    help_template = HELP_TEMPLATE,
    before_help = "\
Example:
  aw up",
    after_help = "\
The server keeps running after this command and its terminal have ended. `aw down` stops it.
Its settings come from the environment of this command (see `aweave-server --help`).
Its log is ~/.aweave/server.log."
)]
pub struct Up {
    /// Port of this machine [default: the port of DEBATE_SERVER_URL, or 3456]
    #[arg(long, value_name = "PORT", value_parser = value_parser!(u16).range(1..))]
    port: Option<u16>,
    /// Do not open the web app in a browser
    #[arg(long)]
    no_open: bool,
}

impl Up {
    pub fn run(self) -> Result<Output, Failure> {
        let configured = ServerUrl::from_env()?;
        let mut address = configured.address_to_start_at()?;
        let other_port = self.port.filter(|port| *port != address.port());
        let url = match other_port {
            Some(port) => {
                address.set_port(port);
                ServerUrl::parse(&format!("http://{address}"))?
            }
            None => configured,
        };
        let client = Client::new(url, None, REQUEST_TIMEOUT)?;
        let files = BackgroundServer::lock()?;
        // An agent signs in nowhere.
        let for_a_person = io::stdout().is_terminal() && Host::current().is_none();
        let (running, started) = block_on(find_or_start(&files, &client, address, for_a_person))?;
        let has_started = started.is_some();
        let sign_in_line = started.and_then(|mut started| started.sign_in_line());
        let log = files.log_path.clone();
        drop(files);

        let url = client.api.baseurl();
        let page = format!("{url}/");
        let sentence = match running {
            Some(_) if has_started => format!("Started aweave-server, which answers at {url}; `aw down` stops it"),
            Some(_) => format!("A server that `aw up` started answers at {url}; `aw down` stops it"),
            None => format!("A server that something else started answers at {url}; `aw down` leaves it alone"),
        };
        let mut sentences = vec![sentence];
        if other_port.is_some() {
            sentences.push(format!("Other commands find it with DEBATE_SERVER_URL={url}"));
        }
        if let Some(line) = sign_in_line {
            // The browser would open a page that asks for the token.
            sentences.push(format!("To {line}"));
        } else if !self.no_open {
            sentences.push(browser::open(&page));
        }
        let data = Told {
            url: page,
            started: has_started,
            pid: running.map(|running| Pid::as_raw(Some(running.pid))),
            log: running.map(|_| log.display().to_string()),
        };
        let next =
            if other_port.is_some() { format!("DEBATE_SERVER_URL={url} aw doctor") } else { "aw doctor".to_owned() };
        Ok(Output::new(json!(data), sentences.join(". ")).with_markdown(render).with_next(next))
    }
}

/// What is told of the server that answers.
#[derive(Serialize, Deserialize)]
struct Told {
    url: String,
    started: bool,
    pid: Option<i32>,
    log: Option<String>,
}

/// The end of the log of a server that does not answer.
#[derive(Serialize, Deserialize)]
struct Log {
    log: String,
    log_lines: Vec<String>,
}

/// Starts a server as `aw up` does, if none answers at an address of this machine. Says whether it did.
pub async fn start_if_away() -> Result<bool, Failure> {
    let url = ServerUrl::from_env()?;
    let Ok(address) = url.address_to_start_at() else { return Ok(false) };
    let client = Client::new(url, None, REQUEST_TIMEOUT)?;
    if health(&client).await.is_ok() {
        return Ok(false);
    }
    let files = BackgroundServer::lock()?;
    find_or_start(&files, &client, address, false).await.map(|(_, started)| started.is_some())
}

/// The server that answers, if `aw up` started it, and what is known of it where this did so.
async fn find_or_start(
    files: &BackgroundServer,
    client: &Client,
    address: SocketAddr,
    for_a_person: bool,
) -> Result<(Option<Running>, Option<Started>), Failure> {
    if let Some(running) = files.running()? {
        if running.port != address.port() {
            let message = format!("`aw up` has already started a server, on port {}", running.port);
            return Err(Failure::new(Code::InvalidInput, message).with_suggestion(format!(
                "Use that one (`aw up --port {}`), or stop it with `aw down` first",
                running.port
            )));
        }
        if let Some(other) = other_loopback_address_in_use(address).await {
            let message = format!("`aw up` has already started a server, which listens at {other}");
            return Err(Failure::new(Code::InvalidInput, message).with_suggestion(format!(
                "Use that one (DEBATE_SERVER_URL=http://{other}), or stop it with `aw down` first"
            )));
        }
        return wait_until_it_answers(files, client, 0).await.map(|running| (Some(running), None));
    }
    if is_taken(address).await {
        return match health(client).await {
            Ok(()) => Ok((None, None)),
            Err(error) if error.failure.server_error.is_some() => Err(*error.failure),
            Err(_) => Err(port_taken(address)),
        };
    }
    let started = files.start(address, for_a_person)?;
    wait_until_it_answers(files, client, started.log_size).await.map(|running| (Some(running), Some(started)))
}

/// Whether a program listens at this address.
pub(super) async fn is_taken(address: SocketAddr) -> bool {
    let connected = timeout(REQUEST_TIMEOUT, TcpStream::connect(address)).await;
    !matches!(connected, Ok(Err(error)) if error.kind() == ErrorKind::ConnectionRefused)
}

/// The other of the two loopback addresses, if a program listens there and none at this one.
async fn other_loopback_address_in_use(address: SocketAddr) -> Option<SocketAddr> {
    let other: IpAddr = if address.is_ipv4() { Ipv6Addr::LOCALHOST.into() } else { Ipv4Addr::LOCALHOST.into() };
    let other = SocketAddr::new(other, address.port());
    let is_in_use = !is_taken(address).await && TcpStream::connect(other).await.is_ok();
    is_in_use.then_some(other)
}

async fn health(client: &Client) -> Result<(), RequestError> {
    client.send_once::<Value>(client.api.health()).await.map(|_| ())
}

fn port_taken(address: SocketAddr) -> Failure {
    let port = address.port();
    let message = format!("port {port} is taken by a program that does not answer as an aweave server does");
    let other = if port < u16::MAX { port + 1 } else { port - 1 };
    Failure::new(Code::ConnectionError, message)
        .with_suggestion("Stop that program, or give --port another port")
        .with_next(format!("aw up --port {other}"))
}

/// Waits until the background server answers. `log_size` is the size of the log before it was started.
async fn wait_until_it_answers(files: &BackgroundServer, client: &Client, log_size: u64) -> Result<Running, Failure> {
    let begin = Instant::now();
    let deadline = begin + START_TIMEOUT;
    let mut is_told = false;
    loop {
        if !is_told && begin.elapsed() > SILENCE {
            terminal::note(format_args!("aweave-server is starting; its log is {}", files.log_path.display()));
            is_told = true;
        }
        let answer = health(client).await;
        let Some(running) = files.running()? else {
            files.remove_files();
            return Err(with_log(files, log_size, "aweave-server has ended".to_owned())
                .with_suggestion("Correct what its log tells, and run `aw up` again"));
        };
        match answer {
            Ok(()) => return Ok(running),
            Err(_) if Instant::now() < deadline => sleep(START_INTERVAL).await,
            Err(error) => {
                let message = format!("aweave-server runs, but {}", error.failure.message);
                return Err(with_log(files, log_size, message)
                    .with_suggestion("Run `aw up` again to wait on, or `aw down` to stop it"));
            }
        }
    }
}

/// A failure that shows the end of the log.
fn with_log(files: &BackgroundServer, log_size: u64, message: String) -> Failure {
    let lines = files.log_lines(log_size);
    let message = match lines.last() {
        Some(line) => format!("{message}; the end of its log is: {line}"),
        None => message,
    };
    Failure::new(Code::ConnectionError, message)
        .with_data(json!(Log { log: files.log_path.display().to_string(), log_lines: lines }))
        .with_markdown(render_log)
        .with_next("aw up")
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    // The message tells the address.
    let Told { pid, log, .. } = Told::deserialize(data)?;
    if let (Some(pid), Some(log)) = (pid, log) {
        md.item(&format!("process: {pid}"));
        md.item(&format!("log: {}", md.plain(&log)));
    }
    Ok(())
}

fn render_log(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let Log { log, log_lines } = Log::deserialize(data)?;
    md.item(&format!("log: {}", md.plain(&log)));
    // A person reads the last line in the error.
    let shown =
        if md.is_for_a_person() { log_lines.split_last().map_or(&[][..], |(_, others)| others) } else { &log_lines };
    if !shown.is_empty() {
        md.code(&shown.join("\n"));
    }
    Ok(())
}
