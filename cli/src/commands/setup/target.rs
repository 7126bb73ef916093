//! A text of `aw` in a file: its present form, and the changes that install or remove it.

use super::{
    Scope,
    allowed_tools::AllowedTools,
    change::{Change, Found},
    checksum_line::{Origin, START, Signature},
    installed_files::{Artifact, BLOCK_START},
};
use crate::{client::types::Role, guides::Language, hosts::Host, output::Failure};

/// A file to install into.
pub struct Target {
    /// What is installed into it
    pub artifact: Artifact,
    /// The file
    pub found: Found,
    /// What is in it, or why it cannot be used
    existing: Result<Existing, String>,
}

/// A text in a file, and what is before and after it.
#[derive(Default)]
struct Existing {
    before: String,
    /// With the line breaks that `aw` writes
    text: String,
    after: String,
    /// Whether lines end with CR and LF, as git and some editors have them: that is no change of the text
    has_crlf: bool,
    /// Who wrote the text; `None` if there is none yet
    origin: Option<Origin>,
    /// Whether there are several blocks, or one without its first or last line: where they are and which counts is for their user to say
    is_damaged: bool,
}

/// Why a damaged block is left.
pub const DAMAGED: &str = "it has several blocks that aw wrote, or one without its first or last line: take them out";

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
    ///
    /// # Errors
    /// Where the user's home is unknown.
    pub fn inspect(artifact: Artifact, host: Host, scope: Scope) -> Result<Self, Failure> {
        let found = Found::read(scope.place(host, &artifact.path(host))?);
        let existing = found.text.as_ref().map(|text| Existing::of(artifact, text.as_deref())).map_err(Clone::clone);
        Ok(Self { artifact, found, existing })
    }

    /// Whether it belongs to one of these roles, or to none.
    pub fn is_of(&self, roles: &[Role]) -> bool {
        self.artifact.role().is_none_or(|role| roles.contains(&role))
    }

    /// Whether there is nothing in it that `aw` wrote for this host: the file is not there, somebody else's, or cannot be read.
    pub fn is_of_others(&self, host: Host) -> bool {
        match self.existing.as_ref().map(|existing| &existing.origin) {
            Err(_) | Ok(None | Some(Origin::Foreign)) => true,
            Ok(Some(Origin::Unchanged(signature))) => !signature.hosts.contains(&host),
            Ok(Some(Origin::Modified(signature))) => {
                signature.as_ref().is_some_and(|signature| !signature.hosts.contains(&host))
            }
        }
    }

    /// Whether somebody changed what `aw` wrote.
    pub fn is_modified(&self) -> bool {
        self.existing.as_ref().is_ok_and(|existing| matches!(existing.origin, Some(Origin::Modified(_))))
    }

    /// Whether what is in it can be neither replaced nor removed.
    pub fn is_damaged(&self) -> bool {
        self.existing.as_ref().is_ok_and(|existing| existing.is_damaged)
    }

    /// What the text says of itself, as far as it can be read.
    fn signature(&self) -> Option<&Signature> {
        match self.existing.as_ref().ok()?.origin.as_ref()? {
            Origin::Unchanged(signature) => Some(signature),
            Origin::Modified(signature) => signature.as_ref(),
            Origin::Foreign => None,
        }
    }

    /// Whether the file was installed for a host.
    pub fn is_installed_for(&self, host: Host) -> bool {
        self.signature().is_some_and(|signature| signature.hosts.contains(&host))
    }

    /// The change that installs the artifact for a host; the reason if the file is left as it is.
    pub fn install(&self, host: Host, options: &Options) -> Result<Change, String> {
        let existing = self.existing.as_ref().map_err(Clone::clone)?;
        let Existing { text, origin, .. } = existing;
        let new = self.artifact.text(&self.signed_for(host, options));
        let whole = existing.with(&new);
        Ok(match origin {
            None if self.found.text == Ok(None) => Change::Create(whole),
            Some(Origin::Unchanged(_)) if *text == new => Change::None,
            None | Some(Origin::Unchanged(_)) => Change::Update(whole),
            Some(_) if existing.is_damaged => return Err(DAMAGED.to_owned()),
            Some(Origin::Modified(_) | Origin::Foreign) if options.force => Change::Replace(whole),
            Some(origin) => {
                let reason = self.reason(origin);
                return Err(format!(
                    "{reason}; --force replaces it, and keeps the former one with .bak at the end of its name"
                ));
            }
        })
    }

    /// The change that removes the artifact for a host, as for [`Self::install`]. It stays while another host uses it.
    pub fn remove(&self, host: Host) -> Result<Change, String> {
        let existing = self.existing.as_ref().map_err(Clone::clone)?;
        let Existing { before, after, origin, .. } = existing;
        let of_others = |signature: &Signature| !signature.hosts.is_empty() && !signature.hosts.contains(&host);
        Ok(match origin {
            None => Change::None,
            Some(_) if existing.is_damaged => return Err(DAMAGED.to_owned()),
            Some(Origin::Unchanged(signature) | Origin::Modified(Some(signature))) if of_others(signature) => {
                Change::None
            }
            Some(Origin::Unchanged(signature)) => match signature.without(host) {
                Some(signature) => Change::Update(existing.with(&self.artifact.text(&signature))),
                None if before.is_empty() && after.is_empty() && !self.is_linked_block() => Change::Delete,
                None => Change::Update(existing.without_text()),
            },
            Some(origin) => return Err(self.reason(origin).to_owned()),
        })
    }

    /// Whether the file is somebody else's although it has nothing but what `aw` wrote: they made a link to it.
    fn is_linked_block(&self) -> bool {
        self.artifact == Artifact::Block && self.found.is_link
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
    pub fn signed_for(&self, host: Host, options: &Options) -> Signature {
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
    fn of(artifact: Artifact, content: Option<&str>) -> Self {
        let Some(content) = content else { return Self::default() };
        let has_crlf = |text: &str| text.split_once('\n').is_some_and(|(line, _)| line.ends_with('\r'));
        // Editors that leave out the last line break do not change the text, either.
        let with_own_breaks = |text: &str| {
            let text = if has_crlf(text) { text.replace("\r\n", "\n") } else { text.to_owned() };
            if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" }
        };
        if artifact != Artifact::Block {
            let text = with_own_breaks(content);
            return Self { origin: Some(Origin::of(&text)), text, has_crlf: has_crlf(content), ..Self::default() };
        }
        // Others write the file of the block, too.
        let mut starts = content.match_indices(BLOCK_START.trim_end()).map(|(at, _)| at);
        let mut ends = content.match_indices(START).map(|(at, _)| at);
        let (start, last_line) = (starts.next(), ends.next());
        if (start, last_line) == (None, None) {
            // So a file that was empty is told from one that was made for the block, and whether the last line had an end.
            let before = content.to_owned() + if has_crlf(content) { "\r\n" } else { "\n" };
            return Self { before, has_crlf: has_crlf(content), ..Self::default() };
        }
        let only_one = starts.next().is_none() && ends.next().is_none();
        let Some((start, last_line)) = start.zip(last_line).filter(|(start, last_line)| only_one && start < last_line)
        else {
            return Self { origin: Some(Origin::Modified(None)), is_damaged: true, ..Self::default() };
        };
        let end = content[last_line..].find('\n').map_or(content.len(), |at| last_line + at + 1);
        let has_crlf = has_crlf(&content[start..end]);
        let text = with_own_breaks(&content[start..end]);
        let origin = Some(Origin::of(&text));
        let [before, after] = [&content[..start], &content[end..]].map(str::to_owned);
        Self { before, text, after, origin, has_crlf, is_damaged: false }
    }

    /// The file as it was before the text came with a line break before it.
    fn without_text(&self) -> String {
        let Self { before, after, .. } = self;
        let kept = before.strip_suffix(if self.has_crlf { "\r\n" } else { "\n" }).unwrap_or(before);
        let is_ended = kept.is_empty() || kept.ends_with('\n') || after.is_empty();
        format!("{}{after}", if is_ended { kept } else { before })
    }

    /// The whole file with this text.
    fn with(&self, text: &str) -> String {
        let text = if self.has_crlf { text.replace('\n', "\r\n") } else { text.to_owned() };
        format!("{}{text}{}", self.before, self.after)
    }
}
