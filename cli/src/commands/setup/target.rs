//! A text of `aw` in a file: its present form, and the changes that install or remove it.

use std::path::Path;

use super::{
    allowed_tools::AllowedTools,
    change::{Change, Found},
    checksum_line::{Origin, START, Signature},
    installed_files::{Artifact, BLOCK_START},
};
use crate::{guides::Language, hosts::Host};

/// A file to install into.
pub struct Target {
    /// What is installed into it
    pub artifact: Artifact,
    /// The file
    pub found: Found,
    existing: Existing,
}

/// What is at the path now.
enum Existing {
    Nothing,
    /// A file of others, which the block can be added to
    WithoutBlock(String),
    /// A text, what is before and after it in the file, and who wrote it
    Text {
        before: String,
        text: String,
        after: String,
        origin: Origin,
    },
    /// Something that cannot be replaced by a file, and why
    Unusable(String),
}

/// What the user asked for. What is `None` stays as it was installed before.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The value of `--language`
    pub language: Option<Language>,
    /// The value of `--allowed-tools`
    pub allowed_tools: Option<AllowedTools>,
    /// Whether a changed text is replaced
    pub force: bool,
}

impl Target {
    /// Reads the file that an artifact is installed into.
    pub fn inspect(artifact: Artifact, host: Host, root: &Path) -> Self {
        let path = artifact.path(host);
        match Found::read(root, &path) {
            Ok(found) => {
                let existing = Existing::of(artifact, found.text.clone());
                Self { artifact, found, existing }
            }
            Err(reason) => Self { artifact, found: Found::unusable(root, &path), existing: Existing::Unusable(reason) },
        }
    }

    /// What the text says of itself, as far as it can be read.
    fn signature(&self) -> Option<&Signature> {
        let Existing::Text { origin, .. } = &self.existing else { return None };
        match origin {
            Origin::Unchanged(signature) => Some(signature),
            Origin::Modified(signature) => signature.as_ref(),
            Origin::Foreign => None,
        }
    }

    /// Whether the file was installed for a host.
    pub fn is_installed_for(&self, host: Host) -> bool {
        self.signature().is_some_and(|signature| signature.hosts.contains(&host))
    }

    /// Whether the text names tools once it is installed for a host.
    pub fn names_tools(&self, host: Host, options: &Options) -> bool {
        let signature = self.signed_for(host, options);
        signature.allowed_tools.is_some_and(|tools| !tools.as_str().is_empty())
    }

    /// The change that installs the artifact for a host.
    pub fn install(&self, host: Host, options: &Options) -> Change {
        let new = self.artifact.text(&self.signed_for(host, options));
        match &self.existing {
            Existing::Nothing => Change::Create(new),
            Existing::WithoutBlock(content) if content.is_empty() => Change::Update(new),
            // The block stands after an empty line.
            Existing::WithoutBlock(content) if content.ends_with('\n') => Change::Update(format!("{content}\n{new}")),
            Existing::WithoutBlock(content) => Change::Update(format!("{content}\n\n{new}")),
            Existing::Text { before, text, after, origin } => match origin {
                Origin::Unchanged(_) if *text == new => Change::None,
                Origin::Unchanged(_) => Change::Update(format!("{before}{new}{after}")),
                Origin::Modified(_) | Origin::Foreign if options.force => {
                    Change::Replace(format!("{before}{new}{after}"))
                }
                Origin::Modified(_) | Origin::Foreign => Change::Left(format!(
                    "{}; --force replaces it, and keeps the former one with .bak at the end of its name",
                    self.reason(origin)
                )),
            },
            Existing::Unusable(reason) => Change::Left(reason.clone()),
        }
    }

    /// The change that removes the artifact for a host. It stays while another host uses it.
    pub fn remove(&self, host: Host) -> Change {
        let (before, after, origin) = match &self.existing {
            Existing::Nothing | Existing::WithoutBlock(_) => return Change::None,
            Existing::Unusable(reason) => return Change::Left(reason.clone()),
            Existing::Text { before, after, origin, .. } => (before, after, origin),
        };
        match origin {
            Origin::Unchanged(signature) | Origin::Modified(Some(signature))
                if !signature.hosts.is_empty() && !signature.hosts.contains(&host) =>
            {
                Change::None
            }
            Origin::Unchanged(signature) => match signature.without(host) {
                Some(signature) => Change::Update(format!("{before}{}{after}", self.artifact.text(&signature))),
                None if before.is_empty() && after.is_empty() => Change::Delete,
                // The empty line before the block goes, too.
                None => Change::Update(format!("{}{after}", before.strip_suffix('\n').unwrap_or(before))),
            },
            Origin::Modified(_) | Origin::Foreign => Change::Left(self.reason(origin).to_owned()),
        }
    }

    /// Why it is left as it is.
    fn reason(&self, origin: &Origin) -> &'static str {
        match (origin, self.artifact) {
            (Origin::Foreign, _) => "aw did not write it",
            (_, Artifact::Block) => "the block that aw wrote into it was changed since",
            _ => "it was changed since aw wrote it",
        }
    }

    /// The signature with one host more, and with what is wanted.
    fn signed_for(&self, host: Host, options: &Options) -> Signature {
        let signature = self.signature().cloned().unwrap_or_default().with(host);
        let tools = options.allowed_tools.clone().or_else(|| signature.allowed_tools.clone());
        Signature {
            language: options.language.clone().or_else(|| signature.language.clone()),
            allowed_tools: tools.filter(|_| self.artifact.has_allowed_tools(host)),
            ..signature
        }
    }
}

impl Existing {
    fn of(artifact: Artifact, content: Option<String>) -> Self {
        let Some(content) = content else { return Self::Nothing };
        if artifact != Artifact::Block {
            let origin = Origin::of(&content);
            return Self::Text { before: String::new(), text: content, after: String::new(), origin };
        }
        // Others write the file of the block, too.
        let Some(start) = content.find(BLOCK_START) else { return Self::WithoutBlock(content) };
        // A block without a last line ends with its first.
        let last_line = content[start..].find(START).map_or(start, |at| start + at);
        let end = content[last_line..].find('\n').map_or(content.len(), |at| last_line + at + 1);
        let text = &content[start..end];
        let origin = match Origin::of(text) {
            Origin::Foreign => Origin::Modified(None),
            origin @ (Origin::Unchanged(_) | Origin::Modified(_)) => origin,
        };
        let [before, text, after] = [&content[..start], text, &content[end..]].map(str::to_owned);
        Self::Text { before, text, after, origin }
    }
}
