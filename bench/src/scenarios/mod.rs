//! What is measured, one scenario a file.

pub mod cli;
pub mod growth;
pub mod idle;
pub mod start;
pub mod statements;
pub mod submit;
pub mod syncs;
pub mod viewers;
pub mod waiters;
pub mod wake;

use std::fmt::{self, Display};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// The scenarios, in the order of the report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scenario {
    /// Latency from a submit to the waiter's response
    Wake,
    /// Submits a second of 64 debates
    Submit,
    /// fdatasync calls a submit
    Syncs,
    /// Memory of held waits
    Waiters,
    /// Memory of WebSocket viewers
    Viewers,
    /// SQL statements a second while waits are held
    Statements,
    /// Memory and CPU time of an idle server
    Idle,
    /// Latency of requests against the length of the history
    Growth,
    /// Time from start to the first response
    Start,
    /// Time of `aw` commands
    Cli,
}

impl Scenario {
    /// All of them.
    pub fn all() -> &'static [Self] {
        Self::value_variants()
    }

    /// What the scenario does, for the report.
    pub fn description(self) -> &'static str {
        match self {
            Self::Wake => {
                "One client appends 1 KiB at a time to one of 16 logs in turn; another waits for it by long poll. The \
                 lower bound only writes the record to a file, calls fdatasync and passes it on."
            }
            Self::Submit => {
                "64 debates go back and forth as fast as they can. `bare statements` runs the SQL statements of an \
                 argument in 64 debates, one transaction after the other, from a program that does nothing else."
            }
            Self::Syncs => "fdatasync and fsync calls, counted by strace.",
            Self::Waiters => "Long polls over 100 debates: resident memory of each, then one argument in each debate.",
            Self::Viewers => "WebSockets that watch one debate: resident memory of each, then 20 arguments.",
            Self::Statements => "SQL statements in the server's log while 1,000 waits are held and nothing happens.",
            Self::Idle => "A server without clients.",
            Self::Growth => {
                "Requests to servers with that many debates, half of them answered, and one debate with that many \
                 arguments; the servers are asked in turn. The search finds 50 debates by three letters."
            }
            Self::Start => "From starting the process to its response to `GET /health`.",
            Self::Cli => {
                "Commands as whole processes, in random order. `one request` is a minimal program that sends the same \
                 request over a bare socket."
            }
        }
    }

    /// What the sizes of its samples count; empty if it has none.
    pub fn size_label(self) -> &'static str {
        match self {
            Self::Submit | Self::Syncs => "debates",
            Self::Waiters | Self::Statements => "waiters",
            Self::Viewers => "viewers",
            Self::Growth => "length",
            Self::Start => "arguments",
            Self::Wake | Self::Idle | Self::Cli => "",
        }
    }
}

impl Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}
