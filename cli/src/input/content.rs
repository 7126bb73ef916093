//! The text of an argument or document: from a file, an option, or standard input.

use std::{
    fs::File,
    io::{self, IsTerminal, Read},
    path::{Path, PathBuf},
};

use clap::Args;

use crate::output::{
    failure::{Code, Failure},
    terminal,
};

/// Upper limit of a text. It only bounds memory; the server has much lower limits of its own. A larger request body would
/// also make the server close the connection instead of answering with an error.
const MAX_BYTES: u64 = 64 << 20;

/// Exactly one source of a text.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct Content {
    /// Read the text from this file (UTF-8, taken verbatim)
    #[arg(long, short, value_name = "PATH")]
    file: Option<PathBuf>,
    /// The text itself
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    content: Option<String>,
    /// Read the text from standard input until it ends
    #[arg(long)]
    stdin: bool,
}

impl Content {
    /// Reads the text.
    pub fn read(self) -> Result<String, Failure> {
        match (self.file, self.content) {
            (Some(path), _) => read_file("--file", &path),
            (None, Some(text)) => Ok(text),
            (None, None) => read_stdin(),
        }
    }
}

/// A text that may be left out: none or one source.
#[derive(Args)]
#[group(multiple = false)]
pub struct OptionalContent {
    /// Read the text from this file (UTF-8, taken verbatim)
    #[arg(long, short, value_name = "PATH")]
    file: Option<PathBuf>,
    /// The text itself
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    content: Option<String>,
    /// Read the text from standard input until it ends
    #[arg(long)]
    stdin: bool,
}

impl OptionalContent {
    /// Reads the text; empty without a source.
    pub fn read(self) -> Result<String, Failure> {
        match self {
            Self { file: None, content: None, stdin: false } => Ok(String::new()),
            Self { file, content, stdin } => Content { file, content, stdin }.read(),
        }
    }
}

/// Reads a text file, given with `option`.
pub fn read_file(option: &str, path: &Path) -> Result<String, Failure> {
    let failure = |error: io::Error| {
        Failure::new(Code::FileNotFound, format!("cannot read the file {}: {error}", path.display()))
            .with_suggestion(format!("Give {option} the path of a readable text file"))
    };
    let bytes = File::open(path).and_then(read_limited).map_err(failure)?;
    parse_text(bytes, &format!("the file {}", path.display()))
}

fn read_stdin() -> Result<String, Failure> {
    let stdin = io::stdin().lock();
    if stdin.is_terminal() {
        terminal::note("reading the text from the terminal; end it with Ctrl-D on a line of its own");
    }
    let bytes = read_limited(stdin)
        .map_err(|error| Failure::new(Code::InvalidInput, format!("cannot read standard input: {error}")))?;
    parse_text(bytes, "standard input")
}

/// Reads one byte more than the limit, so that the caller sees that the text is too large.
fn read_limited(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn parse_text(bytes: Vec<u8>, source: &str) -> Result<String, Failure> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::new(Code::ContentTooLarge, format!("{source} has more than {MAX_BYTES} bytes"))
            .with_suggestion("Split it; store long texts as documents, which arguments can cite"));
    }
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
        let bytes = read_limited(io::repeat(b'a')).unwrap();
        assert_eq!(parse_text(bytes, "standard input").unwrap_err().code, "CONTENT_TOO_LARGE");
    }
}
