//! The text of an argument or of a document: from a file, from the command line or from standard input, exactly one of them.

use std::{
    fs::File,
    io::{self, IsTerminal, Read},
    path::{Path, PathBuf},
};

use clap::Args;

use crate::{
    error::{Code, Failure},
    output,
};

/// How much is read at most. The server's own limits are far below and its to set; this one keeps an endless stream from
/// filling the memory, and a body so small that the server can still refuse it in words: of a larger one it hangs up.
const MOST_BYTES: u64 = 64 << 20;

/// Where the text comes from.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct Content {
    /// Read the text from this file (UTF-8, taken verbatim)
    #[arg(long, short, value_name = "PATH")]
    file: Option<PathBuf>,
    /// The text itself
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    content: Option<String>,
    /// Read the text from standard input, to its end
    #[arg(long)]
    stdin: bool,
}

impl Content {
    /// Reads the text. Standard input is touched only when it was asked for.
    pub fn read(self) -> Result<String, Failure> {
        match (self.file, self.content) {
            (Some(path), _) => from_file(&path),
            (None, Some(text)) => Ok(text),
            (None, None) => from_stdin(),
        }
    }
}

fn from_file(path: &Path) -> Result<String, Failure> {
    let cannot = |error: io::Error| {
        Failure::new(Code::FileNotFound, format!("cannot read the file {}: {error}", path.display()))
            .suggest("Give --file the path of a readable text file, or use --content or --stdin")
    };
    let file = File::open(path).map_err(cannot)?;
    let name = format!("the file {}", path.display());
    text(bounded(file).map_err(cannot)?, &name)
}

fn from_stdin() -> Result<String, Failure> {
    let stdin = io::stdin().lock();
    if stdin.is_terminal() {
        output::note("reading the text from the terminal; end it with Ctrl-D on a line of its own");
    }
    let bytes = bounded(stdin)
        .map_err(|error| Failure::new(Code::InvalidInput, format!("cannot read standard input: {error}")))?;
    text(bytes, "standard input")
}

/// One byte more than allowed is enough to know that it is too much.
fn bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn text(bytes: Vec<u8>, name: &str) -> Result<String, Failure> {
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Failure::new(Code::ContentTooLarge, format!("{name} has more than {MOST_BYTES} bytes"))
            .suggest("Split it; long texts go into documents, which arguments cite"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::new(Code::InvalidInput, format!("{name} is not UTF-8 text: byte {at} is wrong"))
            .suggest("Give a text in UTF-8; a binary file is not taken")
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read_file(bytes: &[u8]) -> Result<String, Failure> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        from_file(file.path())
    }

    #[test]
    fn a_text_is_taken_verbatim() {
        let text = "\u{feff}# Über\r\n\n- end\n\n";
        assert_eq!(read_file(text.as_bytes()).unwrap(), text);
        assert_eq!(read_file(b"").unwrap(), "");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_found() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path(), &folder.path().join("missing")] {
            let failure = from_file(path).unwrap_err();
            assert_eq!(failure.code, "FILE_NOT_FOUND");
            assert!(failure.message.contains(&path.display().to_string()), "{}", failure.message);
        }
    }

    #[test]
    fn a_binary_file_is_invalid_and_told_where() {
        let failure = read_file(b"text\xff\xfe").unwrap_err();
        assert_eq!(failure.code, "INVALID_INPUT");
        assert!(failure.message.contains("byte 4"), "{}", failure.message);
    }

    #[test]
    fn an_endless_stream_is_too_large() {
        let bytes = bounded(io::repeat(b'a')).unwrap();
        assert_eq!(text(bytes, "standard input").unwrap_err().code, "CONTENT_TOO_LARGE");
    }
}
