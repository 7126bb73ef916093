//! The line by which a text shows that it was written here, and unchanged since.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::guide::{Host, Language};

const START: &str = "<!-- written by aw ";
const END: &str = " -->";

/// What is kept about a text beside it, so that it can be taken back exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// For whom it is there, in the order of [`Host::ALL`]
    pub hosts: Vec<Host>,
    /// How many of the folders above it were made for it, from the innermost on
    pub folders: usize,
    /// How many line breaks were put before it; nothing where its file was made for it
    pub breaks: Option<usize>,
    /// The language that was asked for
    pub language: Option<Language>,
}

/// What a text says about who wrote it.
#[derive(Debug, PartialEq, Eq)]
pub enum Author {
    /// It was written here and is as it was
    Us(Mark),
    /// It was written here and changed since
    UsAndOthers,
    /// Nothing says that it was written here
    Others,
}

impl Mark {
    /// The text with its mark as the last line.
    pub fn sign(&self, text: &str) -> String {
        let fields = self.fields();
        format!("{text}{START}{fields}; sum {}{END}\n", sum(text, &fields))
    }

    /// The same with one host more.
    pub fn with(&self, host: Host) -> Self {
        let hosts = Host::ALL.into_iter().filter(|other| *other == host || self.hosts.contains(other)).collect();
        Self { hosts, ..self.clone() }
    }

    /// The same without that host; nothing where nobody is left.
    pub fn without(&self, host: Host) -> Option<Self> {
        let hosts: Vec<Host> = self.hosts.iter().copied().filter(|other| *other != host).collect();
        (!hosts.is_empty()).then(|| Self { hosts, ..self.clone() })
    }

    fn fields(&self) -> String {
        let hosts: Vec<&str> = self.hosts.iter().map(|host| host.name()).collect();
        let mut fields = format!("{}; for {}; folders {}", env!("CARGO_PKG_VERSION"), hosts.join(" "), self.folders);
        // Writing to a string cannot fail.
        if let Some(breaks) = self.breaks {
            let _ = write!(fields, "; breaks {breaks}");
        }
        if let Some(language) = &self.language {
            let _ = write!(fields, "; language {}", language.name());
        }
        fields
    }

    fn read(fields: &str) -> Option<Self> {
        let mut mark = Self { hosts: Vec::new(), folders: 0, breaks: None, language: None };
        for field in fields.split("; ").skip(1) {
            let (name, value) = field.split_once(' ')?;
            match name {
                "for" => {
                    let host = |name: &str| Host::ALL.into_iter().find(|host| host.name() == name);
                    mark.hosts = value.split(' ').map(host).collect::<Option<_>>()?;
                }
                "folders" => mark.folders = value.parse().ok()?,
                "breaks" => mark.breaks = Some(value.parse().ok()?),
                "language" => mark.language = Some(Language::parse(value).ok()?),
                _ => return None,
            }
        }
        Some(mark)
    }
}

impl Author {
    /// Who wrote a text, by the mark in its last line.
    pub fn of(signed: &str) -> Self {
        let Some(at) = signed.rfind(START) else { return Self::Others };
        let (text, line) = signed.split_at(at);
        let mark = line
            .strip_prefix(START)
            .and_then(|line| line.strip_suffix('\n')?.strip_suffix(END)?.rsplit_once("; sum "))
            .filter(|(fields, told)| *told == sum(text, fields))
            .and_then(|(fields, _)| Mark::read(fields));
        mark.map_or(Self::UsAndOthers, Self::Us)
    }
}

fn sum(text: &str, fields: &str) -> String {
    let digest = Sha256::new().chain_update(text).chain_update(fields).finalize();
    digest.iter().take(8).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark() -> Mark {
        Mark {
            hosts: vec![Host::Codex, Host::Cursor],
            folders: 3,
            breaks: Some(1),
            language: Some(Language::parse("tiếng Việt").unwrap()),
        }
    }

    #[test]
    fn a_mark_is_read_as_it_was_written() {
        for mark in [mark(), Mark { breaks: None, language: None, ..mark() }] {
            assert_eq!(Author::of(&mark.sign("# Text\n")), Author::Us(mark));
        }
    }

    #[test]
    fn whatever_was_changed_is_no_longer_ours_alone() {
        let signed = mark().sign("# Text\n");
        assert_eq!(Author::of("# Text\n"), Author::Others);
        for changed in [
            signed.replace("Text", "Test"),
            signed.replace("folders 3", "folders 4"),
            signed.clone() + "more\n",
            signed.trim_end().to_owned(),
        ] {
            assert_eq!(Author::of(&changed), Author::UsAndOthers, "{changed}");
        }
    }

    #[test]
    fn hosts_come_and_go() {
        let both = mark().without(Host::Cursor).unwrap().with(Host::Gemini).with(Host::Gemini);
        assert_eq!(both.hosts, [Host::Codex, Host::Gemini]);
        assert_eq!(both.without(Host::Codex).unwrap().without(Host::Gemini), None);
    }
}
