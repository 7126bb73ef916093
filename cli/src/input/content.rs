//! The text of an argument or document: from a file, an option, or standard input.

use std::{
    io::{self, ErrorKind, IsTerminal},
    path::{Path, PathBuf},
};

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::tool_arguments::{beside_its_path, own_text};
use crate::{
    files,
    output::{Code, Failure, reader, terminal},
};

/// What stands for standard input in place of a path or a text.
pub const STDIN: &str = "-";

/// Exactly one source of a text. A command in which it may be left out changes the group.
#[derive(Args, Deserialize, JsonSchema)]
#[schemars(transform = beside_its_path)]
#[group(id = Self::GROUP, required = true, multiple = false)]
pub struct Content {
    /// Read the text from this file (UTF-8, taken verbatim); - is standard input
    #[arg(long, short, value_name = "PATH")]
    #[serde(skip)]
    file: Option<PathBuf>,
    /// The text itself; - is standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    #[serde(default, deserialize_with = "own_text")]
    #[schemars(description = "The text")]
    content: Option<String>,
    /// Read the text from standard input until it ends
    #[arg(long)]
    #[serde(skip)]
    stdin: bool,
}

impl Content {
    /// The group of its options.
    pub const GROUP: &str = "text";

    /// Whether there is a source.
    pub fn is_given(&self) -> bool {
        self.file.is_some() || self.content.is_some() || self.stdin
    }

    /// Reads the text, which has to be given.
    pub fn read(self) -> Result<String, Failure> {
        if self.is_given() { self.read_or_empty() } else { Err(missing_text()) }
    }

    /// Reads the text; empty without a source.
    pub fn read_or_empty(self) -> Result<String, Failure> {
        match (self.file, self.content) {
            (Some(path), _) => read_file("--file", &path),
            (None, Some(text)) if text != STDIN => Ok(text),
            (None, None) if !self.stdin => Ok(String::new()),
            (None, _) => read_stdin(),
        }
    }
}

/// There is no source of a text.
pub fn missing_text() -> Failure {
    let sources = if reader::has_tools() { "content or path" } else { "--file, --content or --stdin" };
    Failure::new(Code::InvalidInput, format!("the text is missing: {sources}"))
        .with_suggestion("Give the text with one of them")
}

/// Reads a text file, given with `option`.
pub fn read_file(option: &str, path: &Path) -> Result<String, Failure> {
    if path == Path::new(STDIN) {
        return read_stdin();
    }
    parse_text(files::read(path, files::MAX_BYTES), &format!("the file {}", path.display())).map_err(|failure| {
        let hint = || format!("Give {option} the path of a plain text file that can be read").into();
        Failure { suggestion: failure.suggestion.or_else(|| Some(hint())), ..failure }
    })
}

fn read_stdin() -> Result<String, Failure> {
    let stdin = io::stdin().lock();
    if stdin.is_terminal() {
        terminal::note("reading the text from the terminal; end it with Ctrl-D on a line of its own");
    }
    parse_text(files::read_to_limit(stdin, files::MAX_BYTES), "standard input")
}

/// The text in the bytes that were read of `source`. Without a suggestion it could not be read.
pub fn parse_text(read: io::Result<Vec<u8>>, source: &str) -> Result<String, Failure> {
    let bytes = read.map_err(|error| {
        let message = format!("cannot read {source}: {error}");
        if error.kind() == ErrorKind::FileTooLarge {
            return Failure::new(Code::ContentTooLarge, message)
                .with_suggestion("Split it; store long texts as documents, which arguments can cite");
        }
        Failure::new(Code::FileNotFound, message)
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let index = error.utf8_error().valid_up_to();
        Failure::new(Code::InvalidInput, format!("{source} is not UTF-8 text: byte {index} is invalid"))
            .with_suggestion("Give a text in UTF-8; binary files are not supported")
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read_bytes(bytes: &[u8]) -> Result<String, Failure> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        read_file("--file", file.path())
    }

    #[test]
    fn a_text_is_taken_verbatim() {
        let text = "\u{feff}# Über\r\n\n- end\n\n";
        assert_eq!(read_bytes(text.as_bytes()).unwrap(), text);
        assert_eq!(read_bytes(b"").unwrap(), "");
    }

    #[test]
    fn an_unreadable_file_is_not_found() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path(), &folder.path().join("missing")] {
            let failure = read_file("--file", path).unwrap_err();
            assert_eq!(failure.code, "FILE_NOT_FOUND");
            assert!(failure.message.contains(&path.display().to_string()), "{}", failure.message);
        }
    }

    #[test]
    fn a_binary_file_is_invalid() {
        let failure = read_bytes(b"text\xff\xfe").unwrap_err();
        assert_eq!(failure.code, "INVALID_INPUT");
        assert!(failure.message.contains("byte 4"), "{}", failure.message);
    }

    #[test]
    fn an_endless_stream_is_too_large() {
        let read = files::read_to_limit(io::repeat(b'a'), 1000);
        assert_eq!(parse_text(read, "standard input").unwrap_err().code, "CONTENT_TOO_LARGE");
    }
}
