//! The signature line at the end of an installed text: a checksum, and what is needed to remove the text again.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::guides::{Host, Language};

const START: &str = "<!-- written by aw ";
const END: &str = " -->";

/// What a signature says about the text above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The hosts that use the text, in the order of [`Host::ALL`]
    pub hosts: Vec<Host>,
    /// How many of the folders above the file were created for it, counted from the innermost
    pub folders: usize,
    /// How many line breaks were added before the text; `None` if the file was created for it
    pub breaks: Option<usize>,
    /// The value of `--language`
    pub language: Option<Language>,
}

/// Who wrote a text.
#[derive(Debug, PartialEq, Eq)]
pub enum Origin {
    /// `aw` wrote it, and it is unchanged
    Unchanged(Signature),
    /// `aw` wrote it, and it was modified since
    Modified,
    /// It has no signature
    Foreign,
}

impl Signature {
    /// Appends the signature line to a text.
    pub fn sign(&self, text: &str) -> String {
        let fields = self.fields();
        format!("{text}{START}{fields}; sum {}{END}\n", sum(text, &fields))
    }

    /// Adds a host.
    pub fn with(&self, host: Host) -> Self {
        let hosts = Host::ALL.into_iter().filter(|other| *other == host || self.hosts.contains(other)).collect();
        Self { hosts, ..self.clone() }
    }

    /// Removes a host; `None` if no host is left.
    pub fn without(&self, host: Host) -> Option<Self> {
        let hosts: Vec<Host> = self.hosts.iter().copied().filter(|other| *other != host).collect();
        (!hosts.is_empty()).then(|| Self { hosts, ..self.clone() })
    }

    fn fields(&self) -> String {
        let hosts: Vec<&str> = self.hosts.iter().map(|host| host.name()).collect();
        let mut fields = format!("{}; for {}; folders {}", env!("CARGO_PKG_VERSION"), hosts.join(" "), self.folders);
        if let Some(breaks) = self.breaks {
            fields += &format!("; breaks {breaks}");
        }
        if let Some(language) = &self.language {
            fields += &format!("; language {}", language.name());
        }
        fields
    }

    fn read(fields: &str) -> Option<Self> {
        let mut signature = Self { hosts: Vec::new(), folders: 0, breaks: None, language: None };
        for field in fields.split("; ").skip(1) {
            let (name, value) = field.split_once(' ')?;
            match name {
                "for" => {
                    let host = |name: &str| Host::ALL.into_iter().find(|host| host.name() == name);
                    signature.hosts = value.split(' ').map(host).collect::<Option<_>>()?;
                }
                "folders" => signature.folders = value.parse().ok()?,
                "breaks" => signature.breaks = Some(value.parse().ok()?),
                "language" => signature.language = Some(Language::parse(value).ok()?),
                _ => return None,
            }
        }
        Some(signature)
    }
}

impl Origin {
    /// Checks the signature in the last line of a text.
    pub fn of(signed: &str) -> Self {
        let Some(at) = signed.rfind(START) else { return Self::Foreign };
        let (text, line) = signed.split_at(at);
        let signature = line
            .strip_prefix(START)
            .and_then(|line| line.strip_suffix('\n')?.strip_suffix(END)?.rsplit_once("; sum "))
            .filter(|(fields, checksum)| *checksum == sum(text, fields))
            .and_then(|(fields, _)| Signature::read(fields));
        signature.map_or(Self::Modified, Self::Unchanged)
    }
}

/// The first 16 hex digits of the SHA-256 of the text and the fields.
fn sum(text: &str, fields: &str) -> String {
    let digest = Sha256::new().chain_update(text).chain_update(fields).finalize();
    digest.iter().take(8).fold(String::new(), |mut hex, byte| {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature() -> Signature {
        Signature {
            hosts: vec![Host::Codex, Host::Cursor],
            folders: 3,
            breaks: Some(1),
            language: Some(Language::parse("tiếng Việt").unwrap()),
        }
    }

    #[test]
    fn a_signature_is_read_as_it_was_written() {
        for signature in [signature(), Signature { breaks: None, language: None, ..signature() }] {
            assert_eq!(Origin::of(&signature.sign("# Text\n")), Origin::Unchanged(signature));
        }
    }

    #[test]
    fn a_changed_text_is_modified() {
        let signed = signature().sign("# Text\n");
        assert_eq!(Origin::of("# Text\n"), Origin::Foreign);
        for changed in [
            signed.replace("Text", "Test"),
            signed.replace("folders 3", "folders 4"),
            signed.clone() + "more\n",
            signed.trim_end().to_owned(),
        ] {
            assert_eq!(Origin::of(&changed), Origin::Modified, "{changed}");
        }
    }

    #[test]
    fn hosts_are_added_and_removed() {
        let both = signature().without(Host::Cursor).unwrap().with(Host::Gemini).with(Host::Gemini);
        assert_eq!(both.hosts, [Host::Codex, Host::Gemini]);
        assert_eq!(both.without(Host::Codex).unwrap().without(Host::Gemini), None);
    }
}
