//! `floor`: the limit of a durable log that wakes its readers. It takes 1 KiB, has that put on disk, and passes it on to
//! who waits. No JSON, no rules.
//!
//!     floor bare file FILE           over blocks that are there already: no index, no history
//!     floor bare sqlite DATABASE     as a turn of a debate, in a database that aweave-server made: what SQLite takes for that
//!     floor http sqlite DATABASE     the same over HTTP
//!     floor http handed DATABASE     the same, handed to a thread for SQLite
//!
//! It prints the port it listens on. All else is done by one thread: what has come by then is written and put on disk
//! together.

mod bare;
mod file;
mod hand;
mod http;
mod log;
mod sqlite;

use std::{
    env,
    io::{self, Write},
    net::Ipv4Addr,
    path::Path,
};

use hand::Hand;
use log::{Log, Storing};
use tokio::{
    net::TcpListener,
    runtime,
    task::{LocalSet, spawn_local},
};

const USAGE: &str = "usage: floor bare|http file|sqlite|handed PATH";

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [protocol @ ("bare" | "http"), kind, path] = arguments[..] else { return Err(io::Error::other(USAGE)) };
    let turns = || sqlite::Turns::open(Path::new(path)).map_err(io::Error::other);
    let storing = match kind {
        "file" => Storing::Here(Box::new(file::Blocks::make(Path::new(path))?)),
        "sqlite" => Storing::Here(Box::new(turns()?)),
        "handed" => Storing::There(Hand::over(Box::new(turns()?))),
        _ => return Err(io::Error::other(USAGE)),
    };
    let runtime = runtime::Builder::new_current_thread().enable_io().build()?;
    LocalSet::new().block_on(&runtime, run(protocol == "http", storing))
}

async fn run(over_http: bool, storing: Storing) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    writeln!(io::stdout(), "{}", listener.local_addr()?.port())?;
    let log = Log::new();
    let accept = async {
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            let log = log.clone();
            // Whoever hangs up ends only his own task.
            spawn_local(async move {
                if over_http { http::serve(stream, log).await } else { bare::serve(stream, log).await }
            });
        }
    };
    tokio::select! {
        ended = accept => ended,
        ended = log.write(storing) => ended,
    }
}
