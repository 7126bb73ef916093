//! The signature line at the end of an installed text: a checksum, for whom the text is, and what it was asked to be.

use sha2::{Digest, Sha256};

use super::allowed_tools::AllowedTools;
use crate::{guides::Language, hosts::Host};

/// How the line starts.
pub const START: &str = "<!-- written by aw ";
const END: &str = " -->";
/// The end of the whole line; nothing may follow it.
const LINE_END: &str = " -->\n";

/// What a signature says about the text above it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signature {
    /// The hosts that use the text, in the order of [`Host::ALL`]
    pub hosts: Vec<Host>,
    /// The value of `--language`
    pub language: Option<Language>,
    /// The value of `--allowed-tools`
    pub allowed_tools: Option<AllowedTools>,
}

/// Who wrote a text.
#[derive(Debug, PartialEq, Eq)]
pub enum Origin {
    /// `aw` wrote it, and it is unchanged
    Unchanged(Signature),
    /// `aw` wrote it, and it was modified since; with what the signature says, if it can still be read
    Modified(Option<Signature>),
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
        let mut fields = format!("{}; for {}", env!("CARGO_PKG_VERSION"), hosts.join(" "));
        if let Some(language) = &self.language {
            fields += &format!("; language {}", language.name());
        }
        if let Some(tools) = &self.allowed_tools {
            fields += &format!("; tools {}", tools.as_str());
        }
        fields
    }

    fn read(fields: &str) -> Option<Self> {
        let mut signature = Self::default();
        for field in fields.split("; ").skip(1) {
            let (name, value) = field.split_once(' ')?;
            match name {
                "for" => {
                    let host = |name: &str| Host::ALL.into_iter().find(|host| host.name() == name);
                    signature.hosts = value.split(' ').map(host).collect::<Option<_>>()?;
                }
                "language" => signature.language = Some(Language::parse(value).ok()?),
                "tools" => signature.allowed_tools = Some(AllowedTools::parse(value).ok()?),
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
        let parts = line.strip_prefix(START).and_then(|line| line.trim_end().strip_suffix(END)?.rsplit_once("; sum "));
        let Some((fields, checksum)) = parts else { return Self::Modified(None) };
        match Signature::read(fields) {
            Some(signature) if checksum == sum(text, fields) && line.ends_with(LINE_END) => Self::Unchanged(signature),
            signature => Self::Modified(signature),
        }
    }
}

/// The first 16 hex digits of the SHA-256 of the text and the fields.
fn sum(text: &str, fields: &str) -> String {
    let digest = Sha256::new().chain_update(text).chain_update(fields).finalize();
    format!("{digest:x}")[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature() -> Signature {
        Signature {
            hosts: vec![Host::Codex, Host::Cursor],
            language: Some(Language::parse("tiếng Việt").unwrap()),
            allowed_tools: Some(AllowedTools::parse("Read, Bash(aw *)").unwrap()),
        }
    }

    #[test]
    fn a_signature_is_read_as_it_was_written() {
        let short = Signature { language: None, allowed_tools: None, ..signature() };
        for signature in [signature(), short] {
            assert_eq!(Origin::of(&signature.sign("# Text\n")), Origin::Unchanged(signature));
        }
    }

    #[test]
    fn a_changed_text_is_modified() {
        let signed = signature().sign("# Text\n");
        assert_eq!(Origin::of("# Text\n"), Origin::Foreign);
        assert_eq!(Origin::of(&signed.replace("Text", "Test")), Origin::Modified(Some(signature())));
        for changed in [
            signed.replace("Text", "Test"),
            signed.replace("for codex", "for gemini"),
            signed.clone() + "more\n",
            signed.trim_end().to_owned(),
        ] {
            assert!(matches!(Origin::of(&changed), Origin::Modified(_)), "{changed}");
        }
    }

    #[test]
    fn hosts_are_added_and_removed() {
        let both = signature().without(Host::Cursor).unwrap().with(Host::Gemini).with(Host::Gemini);
        assert_eq!(both.hosts, [Host::Codex, Host::Gemini]);
        assert_eq!(both.without(Host::Codex).unwrap().without(Host::Gemini), None);
    }
}
