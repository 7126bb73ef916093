//! The exit statuses of `aw`, and which error codes lead to them.

use std::process::ExitCode;

use super::failure::Code;
use crate::client::types::ErrorCode;

/// The exit statuses, which scripts may rely on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// The command succeeded; also a wait that timed out
    Success = 0,
    /// No such debate, argument or document
    NotFound = 2,
    /// The server cannot be reached, failed, or is not an aweave server
    Server = 3,
    /// Wrong usage or invalid input
    Input = 4,
    /// Not allowed in this state or for this role
    NotAllowed = 5,
    /// The token is missing, wrong, or does not permit this, or the seat is another's
    Forbidden = 6,
    /// A run stopped at one of its limits or before a ruling, and can go on
    Stopped = 7,
    /// A run was ended by SIGHUP
    HungUp = 129,
    /// A run was ended by SIGINT
    Interrupted = 130,
    /// A run was ended by SIGQUIT
    Quit = 131,
    /// A run was ended by SIGTERM
    Terminated = 143,
}

impl ExitStatus {
    /// The exit status of a run that the signal of this name ended.
    pub fn of_signal(name: &str) -> Self {
        match name {
            "SIGHUP" => Self::HungUp,
            "SIGQUIT" => Self::Quit,
            "SIGTERM" => Self::Terminated,
            _ => Self::Interrupted,
        }
    }

    /// Whether a signal led to it.
    pub fn is_of_a_signal(self) -> bool {
        matches!(self, Self::HungUp | Self::Interrupted | Self::Quit | Self::Terminated)
    }

    /// The exit status for a failure with this error code. One that neither the contract nor the command line has is of a server
    /// of another version.
    pub fn of_code(code: &str) -> Self {
        match (code.parse(), Code::named(code)) {
            (Ok(code), _) => Self::of_server_code(code),
            (Err(_), Some(code)) => Self::of_own_code(code),
            (Err(_), None) => Self::Server,
        }
    }

    fn of_server_code(code: ErrorCode) -> Self {
        match code {
            ErrorCode::DebateNotFound | ErrorCode::ArgumentNotFound | ErrorCode::DocumentNotFound => Self::NotFound,
            ErrorCode::InvalidInput
            | ErrorCode::ContentTooLarge
            | ErrorCode::UnsupportedMediaType
            | ErrorCode::IdempotencyConflict
            | ErrorCode::DebateExists => Self::Input,
            ErrorCode::ActionNotAllowed | ErrorCode::IssuesOpen => Self::NotAllowed,
            ErrorCode::AuthFailed | ErrorCode::Forbidden | ErrorCode::SeatTaken => Self::Forbidden,
            ErrorCode::NotFound
            | ErrorCode::MethodNotAllowed
            | ErrorCode::HistoryInvalid
            | ErrorCode::InternalError
            | ErrorCode::StoreUnavailable
            | ErrorCode::Overloaded => Self::Server,
        }
    }

    fn of_own_code(code: Code) -> Self {
        match code {
            Code::DebateNotFound | Code::ArgumentNotFound | Code::DocumentNotFound => Self::NotFound,
            Code::InvalidInput
            | Code::FileNotFound
            | Code::ContentTooLarge
            | Code::RecordInvalid
            | Code::SetupIncomplete => Self::Input,
            Code::ActionNotAllowed => Self::NotAllowed,
            Code::Forbidden | Code::SeatTaken => Self::Forbidden,
            Code::LimitReached | Code::RulingDue => Self::Stopped,
            Code::Interrupted => Self::Interrupted,
            Code::ConnectionError | Code::InternalError | Code::AgentFailed | Code::FileNotWritten => Self::Server,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::failure::Failure;

    /// Those that are known are in the table of the reference.
    #[test]
    fn a_code_of_another_version_is_one_of_the_server() {
        assert_eq!(["NEW_ONE", ""].map(ExitStatus::of_code), [ExitStatus::Server; 2]);
    }

    const SERVER_CODES: (&str, &str) = ("<!-- generated: error codes -->", "<!-- end -->");
    const EXIT_STATUSES: (&str, &str) = ("<!-- generated: exit statuses -->\n", "<!-- end -->");

    /// The codes of the server are in a table that the server's own tests generate.
    fn all_codes(reference: &str) -> Vec<String> {
        let (_, table) = reference.split_once(SERVER_CODES.0).unwrap();
        let (table, _) = table.split_once(SERVER_CODES.1).unwrap();
        let codes = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        let own = [
            Code::FileNotFound,
            Code::ConnectionError,
            Code::RecordInvalid,
            Code::SetupIncomplete,
            Code::AgentFailed,
            Code::LimitReached,
            Code::RulingDue,
            Code::Interrupted,
            Code::FileNotWritten,
        ]
        .map(|code| Failure::new(code, "").code);
        codes.map(str::to_owned).chain(own).collect()
    }

    /// Generates the table of exit statuses; `INSTA_UPDATE=always` writes it.
    #[test]
    fn the_exit_statuses_of_the_reference_are_current() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference.md");
        let written = crate::files::read_text(&path, crate::files::MAX_BYTES).unwrap();
        let statuses = [
            (ExitStatus::Success, "success, also a `wait` that timed out"),
            (ExitStatus::NotFound, "there is no such thing"),
            (ExitStatus::Server, "the server is away or failed, and every other code"),
            (ExitStatus::Input, "wrong usage or wrong input"),
            (ExitStatus::NotAllowed, "not allowed in this state or role"),
            (ExitStatus::Forbidden, "the token is missing or wrong, or does not allow this, or the seat is another's"),
            (ExitStatus::Stopped, "`aw debate run` stopped at a limit or before a ruling, and can go on"),
            (
                ExitStatus::Interrupted,
                "a signal ended `aw debate run`: 130 SIGINT, 129 SIGHUP, 131 SIGQUIT, 143 SIGTERM",
            ),
        ];
        let mut table = "| status | meaning | codes |\n|---|---|---|\n".to_owned();
        for (status, meaning) in statuses {
            let codes = all_codes(&written).into_iter().filter(|code| ExitStatus::of_code(code) == status);
            let codes: Vec<String> = codes.map(|code| format!("`{code}`")).collect();
            table += &format!("| {} | {meaning} | {} |\n", status as u8, codes.join(", "));
        }
        let (before, rest) = written.split_once(EXIT_STATUSES.0).unwrap();
        let (_, after) = rest.split_once(EXIT_STATUSES.1).unwrap();
        let current = format!("{before}{}\n{table}\n{}{after}", EXIT_STATUSES.0, EXIT_STATUSES.1);
        if std::env::var("INSTA_UPDATE").as_deref() == Ok("always") {
            std::fs::write(&path, &current).unwrap();
            return;
        }
        assert_eq!(
            written, current,
            "docs/reference.md is not current: INSTA_UPDATE=always cargo test -p cli writes it"
        );
    }
}
