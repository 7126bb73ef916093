//! Why the server cannot be reached, where waiting does not help.

use std::{
    env,
    error::Error,
    io::{self, ErrorKind},
    iter::successors,
};

use crate::output::reader;

/// A cause that stays until somebody removes it.
#[derive(Debug, PartialEq, Eq)]
pub struct LastingCause {
    /// The cause in words
    pub reason: &'static str,
    /// What somebody in a shell does about it
    suggestion: &'static str,
    /// What a client of the tools does about it, if that is something else
    for_tools: Option<&'static str>,
}

/// The system does not let this program connect.
const FORBIDDEN: LastingCause = LastingCause {
    reason: "this program has no permission to connect to it, as in a sandbox",
    suggestion: "Waiting does not help: let aw run outside of the sandbox, alone on its line, or allow it the network; \
                 `aw setup codex --user` writes the rules for codex",
    for_tools: Some("Waiting does not help: your user has to let the server of these tools use the network"),
};

/// There is no network, not even to this machine itself.
const NO_NETWORK: LastingCause = LastingCause { reason: "this program has no network, as in a sandbox", ..FORBIDDEN };

/// No machine has the name in the URL.
const UNKNOWN_NAME: LastingCause = LastingCause {
    reason: "no machine has this name",
    suggestion: "Waiting does not help: correct the name in DEBATE_SERVER_URL",
    for_tools: None,
};

/// Another program answers.
const NOT_HTTP: LastingCause = LastingCause {
    reason: "another program uses its port, which does not speak HTTP",
    suggestion: "Waiting does not help: stop that program, or set DEBATE_SERVER_URL to the server's own port",
    for_tools: None,
};

/// What resolvers say of a name that does not exist (glibc, its form for a name without an address, musl, macOS). The
/// standard library keeps no code of it.
const NAME_ERRORS: [&str; 4] = [
    "Name or service not known",
    "No address associated with hostname",
    "Name does not resolve",
    "nodename nor servname provided",
];

impl LastingCause {
    /// What its reader does about it.
    pub fn suggestion(&self) -> &'static str {
        self.for_tools.filter(|_| reader::has_tools()).unwrap_or(self.suggestion)
    }

    /// The cause of an error of the HTTP client, if it is one that stays. A server that was reached before is away, whatever a sandbox
    /// says of itself: codex says so to commands that it let out of it, too.
    pub fn of(error: &(dyn Error + 'static), is_loopback: bool, was_reached: bool) -> Option<Self> {
        let causes = || successors(Some(error), |error: &&(dyn Error + 'static)| (*error).source());
        if causes().filter_map(|cause| cause.downcast_ref::<hyper::Error>()).any(hyper::Error::is_parse) {
            return Some(NOT_HTTP);
        }
        let error = causes().find_map(|cause| cause.downcast_ref::<io::Error>())?;
        let has_no_network = [ErrorKind::NetworkUnreachable, ErrorKind::NetworkDown].contains(&error.kind());
        let is_in_a_sandbox = || env::var_os("CODEX_SANDBOX_NETWORK_DISABLED").is_some_and(|value| !value.is_empty());
        if error.kind() == ErrorKind::PermissionDenied {
            Some(FORBIDDEN)
        } else if has_no_network && is_loopback || !was_reached && is_in_a_sandbox() {
            Some(NO_NETWORK)
        } else {
            let text = error.to_string();
            NAME_ERRORS.iter().any(|unknown| text.contains(unknown)).then_some(UNKNOWN_NAME)
        }
    }
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn only_causes_that_stay_are_told_from_a_server_that_is_away() {
        let cause = |error: io::Error, is_loopback| LastingCause::of(&error, is_loopback, false);
        let system = |errno: Errno| io::Error::from(errno);
        for is_loopback in [false, true] {
            for errno in [Errno::PERM, Errno::ACCESS] {
                assert_eq!(cause(system(errno), is_loopback), Some(FORBIDDEN));
            }
            for errno in [Errno::CONNREFUSED, Errno::CONNRESET, Errno::TIMEDOUT, Errno::HOSTUNREACH, Errno::PIPE] {
                assert_eq!(cause(system(errno), is_loopback), None, "{errno}");
            }
        }
        assert_eq!(cause(system(Errno::NETUNREACH), true), Some(NO_NETWORK));
        assert_eq!(cause(system(Errno::NETUNREACH), false), None, "a network may come back");
        let lookup = |text: &str| io::Error::other(format!("failed to lookup address information: {text}"));
        assert_eq!(cause(lookup("Name or service not known"), false), Some(UNKNOWN_NAME));
        assert_eq!(cause(lookup("Temporary failure in name resolution"), false), None);
    }
}
