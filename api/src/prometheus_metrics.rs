//! What `GET /metrics` shows, in the text format of Prometheus.
//!
//! Metrics belong to the process, as its log does, so they are not passed around. Nothing is counted before [`install`]. Every
//! label has few values, none of which comes from a client.

use std::{sync::OnceLock, time::Duration};

use prometheus::{
    Error, Histogram, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Registry, TextEncoder,
    register_histogram_vec_with_registry, register_histogram_with_registry, register_int_counter_vec_with_registry,
    register_int_counter_with_registry, register_int_gauge_vec_with_registry, register_int_gauge_with_registry,
};

use crate::domain::{ArgumentType, StateName};

/// Upper bounds of the buckets for requests, in seconds; waits are held for up to 60 s.
const REQUEST_SECONDS: [f64; 17] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 61.0, 120.0];

/// Upper bounds of the buckets for transactions, in seconds.
const COMMIT_SECONDS: [f64; 15] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0];

/// Upper bounds of the buckets for writes in a transaction.
const COMMIT_WRITES: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

static METRICS: OnceLock<Metrics> = OnceLock::new();

struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    request_seconds: HistogramVec,
    writes: IntCounterVec,
    history_faults: IntCounter,
    unreadable_rows: IntCounter,
    log_lines_lost: IntCounter,
    commit_writes: Histogram,
    commit_seconds: Histogram,
    held_waits: IntGauge,
    viewers: IntGauge,
    debates: IntGaugeVec,
    store_up: IntGauge,
}

/// What a write does.
#[derive(Debug, Clone, Copy)]
pub enum WriteType {
    /// Adds an argument of this type; a MOTION also creates the debate
    Argument(ArgumentType),
    /// Creates a document
    Document,
    /// Adds a version to a document
    DocumentVersion,
    /// Deletes a document
    DocumentDeletion,
    /// Frees a seat
    SeatFreeing,
}

impl WriteType {
    fn all() -> impl Iterator<Item = Self> {
        let arguments = ArgumentType::ALL.iter().copied().map(Self::Argument);
        arguments.chain([Self::Document, Self::DocumentVersion, Self::DocumentDeletion, Self::SeatFreeing])
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Argument(argument_type) => argument_type.as_str(),
            Self::Document => "DOCUMENT",
            Self::DocumentVersion => "DOCUMENT_VERSION",
            Self::DocumentDeletion => "DOCUMENT_DELETION",
            Self::SeatFreeing => "SEAT_FREEING",
        }
    }
}

/// What became of a write.
#[derive(Debug, Clone, Copy)]
pub enum WriteOutcome {
    /// It is stored
    Stored,
    /// An earlier write of the same request had stored it
    Replayed,
    /// Its debate, its document or its request id does not allow it
    Refused,
    /// The store failed
    Failed,
}

impl WriteOutcome {
    const ALL: [Self; 4] = [Self::Stored, Self::Replayed, Self::Refused, Self::Failed];

    fn as_str(self) -> &'static str {
        match self {
            Self::Stored => "stored",
            Self::Replayed => "replayed",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }
}

impl Metrics {
    fn new() -> Result<Self, Error> {
        let registry = Registry::new();
        let metrics = Self {
            requests: register_int_counter_vec_with_registry!(
                "aweave_http_requests_total",
                "HTTP requests that were answered; status 499: the client went away before; 444: the connection was closed",
                &["route", "method", "status"],
                registry
            )?,
            request_seconds: register_histogram_vec_with_registry!(
                "aweave_http_request_seconds",
                "Time from a request's head to its answer; a held wait counts as a long request",
                &["route"],
                REQUEST_SECONDS.to_vec(),
                registry
            )?,
            writes: register_int_counter_vec_with_registry!(
                "aweave_writes_total",
                "Writes that reached the writer, and what became of them",
                &["type", "outcome"],
                registry
            )?,
            history_faults: register_int_counter_with_registry!(
                "aweave_history_faults_total",
                "Reads and writes of debates that do not hold: rows that were changed behind the server or are damaged",
                registry
            )?,
            unreadable_rows: register_int_counter_with_registry!(
                "aweave_unreadable_rows_total",
                "Rows that were left out of a list because they cannot be what the server writes",
                registry
            )?,
            log_lines_lost: register_int_counter_with_registry!(
                "aweave_log_lines_lost_total",
                "Lines of the log that were not written, because nobody reads them, or the disk is full or too slow",
                registry
            )?,
            commit_writes: register_histogram_with_registry!(
                "aweave_commit_writes",
                "Writes that a transaction stored",
                COMMIT_WRITES.to_vec(),
                registry
            )?,
            commit_seconds: register_histogram_with_registry!(
                "aweave_commit_seconds",
                "Time of a transaction, until it was durable",
                COMMIT_SECONDS.to_vec(),
                registry
            )?,
            held_waits: register_int_gauge_with_registry!(
                "aweave_held_waits",
                "Waits that this server holds now",
                registry
            )?,
            viewers: register_int_gauge_with_registry!("aweave_viewers", "WebSockets that are open now", registry)?,
            debates: register_int_gauge_vec_with_registry!(
                "aweave_debates",
                "Debates in each state",
                &["state"],
                registry
            )?,
            store_up: register_int_gauge_with_registry!(
                "aweave_store_up",
                "1 if the database answers and the writer runs, otherwise 0",
                registry
            )?,
            registry,
        };
        // A counter that begins at 0 shows its first increase too.
        for write_type in WriteType::all() {
            for outcome in WriteOutcome::ALL {
                metrics.writes.with_label_values(&[write_type.as_str(), outcome.as_str()]);
            }
        }
        Ok(metrics)
    }
}

/// Starts to count.
///
/// # Errors
/// If two metrics have the same name, which is a bug.
pub fn install() -> Result<(), Error> {
    let metrics = Metrics::new()?;
    METRICS.get_or_init(|| metrics);
    Ok(())
}

/// Counts an HTTP request. `route` is the template of its path.
pub fn request(route: &str, method: &str, status: u16, time: Duration) {
    if let Some(metrics) = METRICS.get() {
        metrics.requests.with_label_values(&[route, method, &status.to_string()]).inc();
        metrics.request_seconds.with_label_values(&[route]).observe(time.as_secs_f64());
    }
}

/// Counts a write.
pub fn write(write_type: WriteType, outcome: WriteOutcome) {
    if let Some(metrics) = METRICS.get() {
        metrics.writes.with_label_values(&[write_type.as_str(), outcome.as_str()]).inc();
    }
}

/// Counts that what is stored of a debate was found not to hold.
pub fn history_fault() {
    if let Some(metrics) = METRICS.get() {
        metrics.history_faults.inc();
    }
}

/// Counts a row that was left out of a list because it cannot be what the server writes.
pub fn unreadable_row() {
    if let Some(metrics) = METRICS.get() {
        metrics.unreadable_rows.inc();
    }
}

/// Counts lines of the log that were not written.
pub fn log_lines_lost(lines: u64) {
    if let Some(metrics) = METRICS.get() {
        metrics.log_lines_lost.inc_by(lines);
    }
}

/// Counts a transaction that stored `writes`.
pub fn commit(writes: usize, time: Duration) {
    if let Some(metrics) = METRICS.get() {
        metrics.commit_writes.observe(writes as f64);
        metrics.commit_seconds.observe(time.as_secs_f64());
    }
}

/// Counts a viewer until the returned value is dropped.
pub fn viewer() -> Viewer {
    if let Some(metrics) = METRICS.get() {
        metrics.viewers.inc();
    }
    Viewer(())
}

/// A viewer that is counted.
#[derive(Debug)]
pub struct Viewer(());

impl Drop for Viewer {
    fn drop(&mut self) {
        if let Some(metrics) = METRICS.get() {
            metrics.viewers.dec();
        }
    }
}

/// What is looked up for each answer of `GET /metrics`.
#[derive(Debug)]
pub struct Sample {
    /// The waits that are held
    pub held_waits: usize,
    /// The number of debates in each state; `None` if the store does not answer
    pub debates: Option<Vec<(StateName, i64)>>,
}

/// All metrics.
///
/// # Errors
/// If they cannot be written as text, which is a bug.
pub fn text(sample: &Sample) -> Result<String, Error> {
    let Some(metrics) = METRICS.get() else { return Ok(String::new()) };
    metrics.held_waits.set(sample.held_waits.try_into().unwrap_or(i64::MAX));
    metrics.store_up.set(sample.debates.is_some().into());
    match &sample.debates {
        Some(debates) => {
            for (state, count) in debates {
                metrics.debates.with_label_values(&[state.as_str()]).set(*count);
            }
        }
        // Numbers that nobody can look up now are better absent than old.
        None => metrics.debates.reset(),
    }
    TextEncoder::new().encode_to_string(&metrics.registry.gather())
}

/// The media type of [`text`].
pub const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";
