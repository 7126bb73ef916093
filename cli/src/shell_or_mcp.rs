//! Who runs a command: somebody in a shell, or `aw mcp` for a client of its tools.

use std::{convert::Infallible, future::pending, time::Duration};

use crate::{
    cancellation::{self, Cancelled},
    client::settings,
    output::{Failure, Format, Invocation},
};

/// How long a wait lasts for a client of the tools that does not say it.
pub const TOOL_WAIT: Duration = Duration::from_secs(240);

/// Who runs a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// Somebody who reads the output in this format. Signals end the command, and stderr tells that it goes on.
    Shell(Format),
    /// A client of the tools, which ends a call by dropping it.
    Tool,
}

impl Caller {
    /// The format of the output; a client of the tools gets JSON.
    pub fn format(self) -> Format {
        match self {
            Self::Shell(format) => format,
            Self::Tool => Format::Json,
        }
    }

    /// How long a wait lasts without `--timeout`.
    pub fn default_wait(self) -> Result<Duration, Failure> {
        match self {
            Self::Shell(_) => settings::wait_deadline(),
            Self::Tool => Ok(TOOL_WAIT),
        }
    }

    /// Completes when the command should stop by itself.
    pub async fn cancelled(self) -> Cancelled {
        match self {
            Self::Shell(_) => cancellation::cancelled().await,
            Self::Tool => pending().await,
        }
    }

    /// Runs `heartbeat` for a shell only.
    pub async fn heartbeat(self, heartbeat: impl Future<Output = Infallible>) -> Infallible {
        match self {
            Self::Shell(_) => heartbeat.await,
            Self::Tool => pending().await,
        }
    }

    /// The command with the format that the caller reads.
    pub fn in_format(self, command: Invocation) -> Invocation {
        match self {
            Self::Shell(Format::Markdown) => command.shell_option("format", "markdown"),
            Self::Shell(Format::Json | Format::Plain | Format::Html | Format::Terminal(_)) | Self::Tool => command,
        }
    }
}
