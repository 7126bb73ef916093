//! The tokens: from the environment or from files, never from the command line, which everybody on the machine can read.

use std::{
    env,
    fs::File,
    io::{self, Read},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use super::SettingsError;
use crate::http::{Secret, Tokens};

const AUTH: &str = "DEBATE_AUTH_TOKEN";
const ARBITRATOR: &str = "DEBATE_ARBITRATOR_TOKEN";

/// The most bytes that a file with a token is read for.
const LONGEST: u64 = 4 * 1024;

/// The tokens that the environment holds or names files with.
///
/// # Errors
/// Where both are the same, one is given twice or cannot be read, or one could not be sent in a header.
pub fn tokens() -> Result<Tokens, SettingsError> {
    let auth = token(AUTH, "DEBATE_AUTH_TOKEN_FILE")?;
    let arbitrator = token(ARBITRATOR, "DEBATE_ARBITRATOR_TOKEN_FILE")?;
    if auth.is_some() && auth == arbitrator {
        return Err(SettingsError::SameToken);
    }
    let secret = |token: Option<String>| token.as_deref().map(Secret::new);
    Ok(Tokens::new(secret(auth), secret(arbitrator)))
}

fn token(name: &'static str, file: &str) -> Result<Option<String>, SettingsError> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let token = match (set(name), set(file).map(PathBuf::from)) {
        (None, None) => return Ok(None),
        (Some(_), Some(_)) => return Err(SettingsError::TokenTwice { name }),
        (Some(value), None) => value.into_string().map_err(|_| SettingsError::Token(name))?,
        (None, Some(path)) => {
            let wrong = |reason: String| SettingsError::TokenFile { name, path: path.display().to_string(), reason };
            let token = read(&path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
            if token.is_empty() {
                return Err(wrong("is empty".to_owned()));
            }
            token
        }
    };
    if token.bytes().all(|byte| byte.is_ascii_graphic()) { Ok(Some(token)) } else { Err(SettingsError::Token(name)) }
}

/// What the file holds, without the end of its line.
fn read(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    if file.metadata()?.permissions().mode() & 0o077 != 0 {
        tracing::warn!(path = %path.display(), "others than its owner may read this file with a token: chmod 600 it");
    }
    let mut text = String::new();
    file.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        return Err(io::Error::other(format!("it has more than {LONGEST} bytes")));
    }
    let line = text.strip_suffix('\n').unwrap_or(&text);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}
