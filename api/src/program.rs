//! What the program `aweave-server` does: a command, or serving until it is stopped. It is part of the library, since a program
//! compiles the generic and asynchronous code that it calls once more.

use std::{
    io::{self, IsTerminal, Write},
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    process::ExitCode,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use crate::{
    app::{App, Notifier, WebhookReceiver},
    http::{self, AllowedHosts, RequestContext, WebApp},
    prometheus_metrics,
    settings::{Cli, Command, Settings, SettingsError},
    signing_key_file,
    stderr_log::{self, report},
    store::{self, Backup, ClockAndIds, Location, MessageWriter, Restored, Store, Verified},
    webhooks,
};
use clap::Parser;
use futures_util::future::join_all;
use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

type Error = Box<dyn std::error::Error>;

/// How often a long command tells how far it is.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(5);

/// The files that a server may have open besides its connections: those of the database, and connections that it refuses.
const OTHER_FILES: usize = 256;

/// The error if the writer task has panicked.
const WRITER_FAILED: &str = "the writer failed because of a bug, see the log; all acknowledged writes are stored: restart the \
                             server and report the bug with the log";

/// Runs what the arguments of the process ask for, and returns its exit status.
pub fn main(web_app: WebApp) -> ExitCode {
    stderr_log::start_to_write();
    let status = match Cli::try_parse() {
        Ok(cli) => execute(cli, web_app),
        // On a terminal clap chooses colours.
        Err(error) if error.use_stderr() && !io::stderr().is_terminal() => {
            report(error.to_string().trim_end());
            ExitCode::from(2)
        }
        Err(error) => error.exit(),
    };
    stderr_log::finish();
    status
}

fn execute(cli: Cli, web_app: WebApp) -> ExitCode {
    let result = match cli.command {
        Some(Command::Openapi) => print(http::OPENAPI.to_owned()),
        Some(Command::Verify) => verify(&cli.settings),
        Some(Command::Backup { to, file, force }) => backup(&cli.settings, &to.or(file).unwrap_or_default(), force),
        Some(Command::Restore { from }) => restore(&cli.settings, &from),
        Some(Command::Copy { from, to }) => copy(&from, &to),
        Some(Command::WebhookTest) => webhook_test(&cli.settings),
        None => run(&cli.settings, web_app),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If stderr cannot be written, the exit status still shows the failure.
            report(&format!("aweave-server: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Prints the result of a command. SIGTERM or SIGINT ends it, also where nobody reads it.
fn print(text: String) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let printed = runtime.block_on(async {
        let stopping = stop_signals()?;
        tokio::select! {
            printed = tokio::task::spawn_blocking(move || write_to_stdout(&text)) => Ok(printed??),
            () = stopping.cancelled() => Err("stopped while the result was printed".into()),
        }
    });
    // Does not wait for a thread that nobody lets write.
    runtime.shutdown_background();
    printed
}

fn write_to_stdout(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

fn verify(settings: &Settings) -> Result<(), Error> {
    stderr_log::start(settings.log_format);
    let location = settings.location()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut told = Instant::now();
    let progress = |so_far: &Verified| {
        if told.elapsed() >= PROGRESS_INTERVAL {
            told = Instant::now();
            report(&so_far.progress());
        }
    };
    let verified = runtime.block_on(store::verify_with_progress(&location, progress))?;
    if let Some(note) = verified.note() {
        report(&note);
    }
    print(format!("{verified}\n"))
}

fn backup(settings: &Settings, to: &Path, force: bool) -> Result<(), Error> {
    stderr_log::start(settings.log_format);
    let location = settings.location()?;
    let key = signing_key_file::for_backup(settings.signing_key_file(), &location, to, force)?;
    let Backup { verified, bytes } = until_stopped(store::backup(&location, to, force))?;
    report(&format!("backed up {location} to {}, {bytes} bytes", to.display()));
    if let Some(key) = key {
        let path = key.path().display().to_string();
        key.keep()?;
        report(&format!("the signing key is in {path}"));
    }
    print(format!("{verified}\n"))
}

fn restore(settings: &Settings, from: &Path) -> Result<(), Error> {
    stderr_log::start(settings.log_format);
    let location = settings.location()?;
    let Restored { verified, former } = until_stopped(store::restore(&location, from, ClockAndIds::system()))?;
    report(&format!("restored {} to {location}", from.display()));
    if let Some(former) = former {
        report(&format!("the previous database is {}", former.display()));
    }
    if settings.signing_key_file().is_none()
        && let Some(key) = signing_key_file::from_backup(from, &location)?
    {
        report(&format!("restored the signing key to {}", key.display()));
    }
    print(format!("{verified}\n"))
}

/// Runs `work`, or cancels it on SIGTERM or SIGINT, which undoes what it has begun.
fn until_stopped<T, E: Into<Error>>(work: impl Future<Output = Result<T, E>>) -> Result<T, Error> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let stopping = stop_signals()?;
        tokio::select! {
            done = work => done.map_err(Into::into),
            () = stopping.cancelled() => Err("stopped before it was finished; nothing was changed".into()),
        }
    })
}

fn run(settings: &Settings, web_app: WebApp) -> Result<(), Error> {
    stderr_log::start(settings.log_format);
    let files = raise_file_limit();
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(settings, files, web_app))
}

fn copy(from: &str, to: &str) -> Result<(), Error> {
    let (from, to): (Location, Location) = (from.parse()?, to.parse()?);
    let copying = store::copy(&from, &to, |progress| report(&progress.to_string()));
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(copying)?)
}

/// Sends a message to each receiver of webhooks and prints which of them took it.
fn webhook_test(settings: &Settings) -> Result<(), Error> {
    stderr_log::start(settings.log_format);
    let webhooks = settings.webhooks()?;
    let clock_and_ids = ClockAndIds::system();
    clock_and_ids.check()?;
    let ClockAndIds { now, new_id, .. } = clock_and_ids;
    let senders = webhooks.senders(now)?;
    if senders.is_empty() {
        return Err(SettingsError::NoWebhook.into());
    }
    let address = SocketAddr::new(settings.address()?, settings.port);
    let web_app = webhooks.public_url.unwrap_or_else(|| format!("http://{address}"));
    let message = webhooks::test_message(now(), &web_app);
    let results = until_stopped(async {
        let id = format!("msg_{}", new_id().simple());
        Ok::<_, Error>(join_all(senders.iter().map(|sender| sender.send(&id, &message))).await)
    })?;
    let not_taken = results.iter().filter(|result| result.is_err()).count();
    for (sender, result) in senders.iter().zip(results) {
        let receiver = sender.name();
        print(match result {
            Ok(()) => format!("{receiver}: took the message\n"),
            Err(reason) => format!("{receiver}: did not take the message: {reason}\n"),
        })?;
    }
    match not_taken {
        0 => Ok(()),
        _ => Err(format!("{not_taken} of {} receivers did not take the message", senders.len()).into()),
    }
}

async fn serve(settings: &Settings, files: Option<u64>, web_app: WebApp) -> Result<(), Error> {
    prometheus_metrics::install()?;
    let address = settings.address()?;
    let tokens = Arc::new(settings.tokens(address)?);
    let named_key = settings.signing_key_file().map(signing_key_file::named).transpose()?;
    let clock_and_ids = ClockAndIds::system();
    clock_and_ids.check()?;
    let webhooks = settings.webhooks()?;
    let senders = webhooks.senders(clock_and_ids.now)?;
    let stopping = stop_signals()?;
    let listener = http::listen(SocketAddr::new(address, settings.port))
        .map_err(|error| format!("cannot listen on {address} port {}: {error}", settings.port))?;
    let bound = listener.local_addr()?;

    let location = settings.location()?;
    let notifier = Arc::new(Notifier::default());
    let public_url = webhooks.public_url.unwrap_or_else(|| format!("http://{bound}"));
    let message_writer = MessageWriter::new(senders.iter().map(WebhookReceiver::id).collect(), &public_url);
    let store = Store::open(&location, settings.database_connections, clock_and_ids, message_writer, {
        let notifier = notifier.clone();
        move |commits| notifier.publish(commits)
    })
    .await?;
    // Made only now that no other server can use the same file.
    let signing_key = match named_key {
        Some(key) => Some(key),
        None => signing_key_file::beside(&location)?,
    };
    let (limits, max_waits) = (settings.limits(), settings.max_waits);
    let app = Arc::new(App::new(store, clock_and_ids, notifier, stopping.clone(), limits, max_waits, signing_key));

    let hosts = AllowedHosts::new(bound, settings.allowed_hosts.iter().cloned());
    let mut announcement = format!("listening on http://{bound}\n");
    if (io::stdout().is_terminal() || settings.print_sign_in_link) && tokens.ever_required() {
        let code = tokens.create_sign_in_code()?;
        let browser = browser_address(bound);
        announcement +=
            &format!("sign in as the arbitrator (works once, within 10 minutes): http://{browser}/#sign-in={code}\n");
    }
    announce(announcement)?;
    tracing::info!(%bound, database = %location, "listening");

    let tasks = TaskTracker::new();
    tasks.spawn({
        let app = app.clone();
        async move { app.follow_peers().await }
    });
    // Without receivers nothing is asked of the database for them.
    if !senders.is_empty() {
        let app = app.clone();
        tasks.spawn(async move { app.discard_webhooks().await });
    }
    for sender in senders {
        let app = app.clone();
        tasks.spawn(async move { app.deliver_webhooks(&sender).await });
    }
    let writer_failed = tasks.spawn({
        let (app, stopping) = (app.clone(), stopping.clone());
        async move {
            let failed = stopping.run_until_cancelled(app.store_failed()).await.is_some();
            stopping.cancel();
            failed
        }
    });
    let endpoint = http::endpoint(app.clone(), web_app, tokens, hosts, stopping.clone(), tasks.clone());
    let ClockAndIds { random_id, is_in_range, .. } = clock_and_ids;
    let requests = RequestContext { random_id, is_clock_in_range: is_in_range };
    let max_connections = max_connections(settings.max_connections, files);
    http::serve(listener, endpoint, requests, max_connections, stopping, tasks).await;
    app.close().await;
    if writer_failed.await? {
        return Err(WRITER_FAILED.into());
    }
    tracing::info!("stopped");
    Ok(())
}

/// Prints lines for who has started the server, on a thread of its own: it serves also where stdout cannot be written, or nobody
/// reads it.
fn announce(lines: String) -> io::Result<()> {
    thread::Builder::new().name("announcement".to_owned()).spawn(move || {
        if let Err(error) = write_to_stdout(&lines) {
            tracing::warn!(%error, "stdout cannot be written");
        }
    })?;
    Ok(())
}

/// The address for a browser on this machine.
fn browser_address(bound: SocketAddr) -> SocketAddr {
    if bound.ip().is_unspecified() { SocketAddr::new(Ipv4Addr::LOCALHOST.into(), bound.port()) } else { bound }
}

/// A token that is cancelled on SIGTERM or SIGINT. From now on a write beyond a limit on the size of files fails, as on a full disk, and
/// does not end the process.
fn stop_signals() -> io::Result<CancellationToken> {
    let _ = signal(SignalKind::from_raw(Signal::XFSZ.as_raw()))?;
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

/// Raises the limit on open files to the maximum, since each connection needs a file descriptor. Returns the limit; none if there is
/// none.
fn raise_file_limit() -> Option<u64> {
    let limit = getrlimit(Resource::Nofile);
    match setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }) {
        Ok(()) => limit.maximum,
        Err(error) => {
            tracing::warn!(%error, "could not raise the limit on open files");
            limit.current
        }
    }
}

/// How many connections to serve: as many as wished, or as the limit on open files leaves.
fn max_connections(wished: usize, files: Option<u64>) -> usize {
    let files = files.and_then(|files| usize::try_from(files).ok()).unwrap_or(usize::MAX);
    // The database, the log, webhooks and connections that are refused need some, too.
    let possible = files - (files / 2).min(OTHER_FILES);
    if possible < wished {
        tracing::warn!(
            max_connections = possible,
            "the limit on open files allows fewer connections than --max-connections"
        );
    }
    wished.min(possible)
}
