//! `aweave-server`: puts the parts together, serves until it is told to stop, and stops in order.

use std::{
    io::{self, IsTerminal, Write},
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    process::ExitCode,
    sync::Arc,
};

use api::{
    app::{App, Wakeups},
    http::{self, AllowedHosts},
    settings::{self, Cli, Command, LogFormat, Settings},
    store::{self, Backup, ClockAndIds, Location, Restored, Store},
};
use clap::Parser;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing_subscriber::EnvFilter;

type Failed = Box<dyn std::error::Error>;

/// What is said where going on would be worse than starting anew.
const FAILED: &str = "what writes to the database ended by a fault in this program, which is told above; everything that was \
                      acknowledged is stored: start the server again, and report the fault with what it logged";

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Some(Command::Openapi) => print(&http::openapi()).map_err(Failed::from),
        Some(Command::Verify) => verify(&cli.settings),
        Some(Command::Backup { to, force }) => backup(&cli.settings, &to, force),
        Some(Command::Restore { from }) => restore(&cli.settings, &from),
        Some(Command::Copy { from, to }) => copy(&from, &to),
        None => run(&cli.settings),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Where even this cannot be written, the exit code still tells.
            let _ = writeln!(io::stderr(), "aweave-server: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

fn verify(settings: &Settings) -> Result<(), Failed> {
    start_log(settings.log_format);
    let location = settings.location()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let verified = runtime.block_on(store::verify(&location))?;
    Ok(print(&format!("{verified}\n"))?)
}

fn backup(settings: &Settings, to: &Path, force: bool) -> Result<(), Failed> {
    start_log(settings.log_format);
    let location = settings.location()?;
    let Backup { verified, bytes } = unless_stopped(store::backup(&location, to, force))?;
    tell(&format!("{location} is backed up in {}, {bytes} bytes", to.display()));
    Ok(print(&format!("{verified}\n"))?)
}

fn restore(settings: &Settings, from: &Path) -> Result<(), Failed> {
    start_log(settings.log_format);
    let location = settings.location()?;
    let Restored { verified, former } = unless_stopped(store::restore(&location, from, ClockAndIds::system()))?;
    tell(&format!("{} is restored to {location}", from.display()));
    if let Some(former) = former {
        tell(&format!("what was there before is {}", former.display()));
    }
    Ok(print(&format!("{verified}\n"))?)
}

/// Does this unless SIGTERM or SIGINT comes before it is done, which takes back what is half done.
fn unless_stopped<T, E: Into<Failed>>(work: impl Future<Output = Result<T, E>>) -> Result<T, Failed> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let stopping = stop_signals()?;
        tokio::select! {
            done = work => done.map_err(Into::into),
            () = stopping.cancelled() => Err("stopped before it was done, so nothing was changed".into()),
        }
    })
}

/// Says something besides what is printed. Whoever does not listen to it wants the work done all the same.
fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

fn run(settings: &Settings) -> Result<(), Failed> {
    start_log(settings.log_format);
    raise_file_limit();
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(settings))
}

fn copy(from: &str, to: &str) -> Result<(), Failed> {
    let (from, to): (Location, Location) = (from.parse()?, to.parse()?);
    let copying = store::copy(&from, &to, |progress| tell(&progress.to_string()));
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(copying)?)
}

async fn serve(settings: &Settings) -> Result<(), Failed> {
    let tokens = Arc::new(settings::tokens()?);
    let address = settings.address(&tokens)?;
    let stopping = stop_signals()?;
    let listener = http::listen(SocketAddr::new(address, settings.port))
        .map_err(|error| format!("{address} port {} cannot be listened on: {error}", settings.port))?;
    let bound = listener.local_addr()?;

    let location = settings.location()?;
    let wakeups = Arc::new(Wakeups::default());
    let clock_and_ids = ClockAndIds::system();
    let store = Store::open(&location, settings.database_connections, clock_and_ids, {
        let wakeups = wakeups.clone();
        move |commits| wakeups.publish(commits)
    })
    .await?;
    let app =
        Arc::new(App::new(store, clock_and_ids, wakeups, stopping.clone(), settings.limits(), settings.max_waits));

    let hosts = AllowedHosts::new(bound.port(), settings.allowed_hosts.iter().cloned());
    print(&format!("listening on http://{bound}\n"))?;
    if io::stdout().is_terminal() && tokens.some_need_one() {
        let code = tokens.offer_code()?;
        print(&format!(
            "sign in as the arbitrator, once within 10 minutes: http://{}/#sign-in={code}\n",
            shown(bound)
        ))?;
    }
    tracing::info!(%bound, database = %location, "serving");

    let open = TaskTracker::new();
    open.spawn({
        let app = app.clone();
        async move { app.follow_peers().await }
    });
    let failed = open.spawn({
        let (app, stopping) = (app.clone(), stopping.clone());
        async move {
            let failed = stopping.run_until_cancelled(app.store_failed()).await.is_some();
            stopping.cancel();
            failed
        }
    });
    let endpoint = http::endpoint(app.clone(), tokens, hosts, stopping.clone(), open.clone());
    http::serve(listener, endpoint, settings.max_connections, stopping, open).await;
    app.close().await;
    if failed.await? {
        return Err(FAILED.into());
    }
    tracing::info!("stopped");
    Ok(())
}

/// The address that a browser on this machine reaches the server by.
fn shown(bound: SocketAddr) -> SocketAddr {
    if bound.ip().is_unspecified() { SocketAddr::new(Ipv4Addr::LOCALHOST.into(), bound.port()) } else { bound }
}

/// Done on SIGTERM or SIGINT.
fn stop_signals() -> io::Result<CancellationToken> {
    let stopping = CancellationToken::new();
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::spawn({
        let stopping = stopping.clone();
        async move {
            tokio::select! {
                _ = terminate.recv() => tracing::info!("stopping on SIGTERM"),
                _ = interrupt.recv() => tracing::info!("stopping on SIGINT"),
            }
            stopping.cancel();
        }
    });
    Ok(stopping)
}

fn start_log(format: Option<LogFormat>) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let by_default = if io::stderr().is_terminal() { LogFormat::Pretty } else { LogFormat::Json };
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    match format.unwrap_or(by_default) {
        LogFormat::Pretty => log.init(),
        LogFormat::Json => log.json().init(),
    }
}

/// Each held wait takes a descriptor: take as many as this process may have.
fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }) {
        tracing::warn!(%error, "the limit on open files could not be raised");
    }
}
