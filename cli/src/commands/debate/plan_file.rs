//! The option `--plan`: a file becomes the plan's next version, which the argument then cites.

use std::{future::Future, path::PathBuf};

use clap::Args;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    client::{
        ApiError, ApiSuccess, Client,
        types::{DebateContext, DocumentHistory, DocumentSubmit, DocumentSubmitted, Plan},
    },
    input::{
        content::{self, Content},
        ids,
    },
    output::{Code, Failure},
};

/// The longest summary of a version, in characters.
const MAX_SUMMARY: usize = 500;

/// How many of the newest versions are searched for a text that was stored before.
const SEARCHED_VERSIONS: u64 = 200;

/// The text of an argument, and the plan that it comes with.
#[derive(Args)]
#[command(mut_group(Content::GROUP, |text| text.required(false)))]
pub struct ContentWithPlan {
    #[command(flatten)]
    content: Content,
    /// The plan: this file becomes its next version, unless it is the present one, and the text begins with its citation. The
    /// text itself may then be left out
    #[arg(long, value_name = "PATH")]
    plan: Option<PathBuf>,
    // The plan itself, for callers that are no shell.
    #[arg(long, value_name = "TEXT", hide = true, conflicts_with = "plan", allow_hyphen_values = true)]
    plan_text: Option<String>,
    /// What the new version changes, on one line [default: the first line of the text]
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    plan_summary: Option<String>,
}

/// The same, read.
pub struct TextWithPlan {
    content: String,
    plan: Option<String>,
    summary: Option<String>,
}

impl ContentWithPlan {
    /// Whether there is a plan.
    pub fn has_plan(&self) -> bool {
        self.plan.is_some() || self.plan_text.is_some()
    }

    /// Reads the text and the plan, of which one has to be given.
    pub fn read(self) -> Result<TextWithPlan, Failure> {
        let plan = match (self.plan, self.plan_text) {
            (Some(path), _) => Some(content::read_file("--plan", &path)?),
            (None, text) => text,
        };
        if plan.is_none() && self.plan_summary.is_some() {
            return Err(Failure::new(Code::InvalidInput, "--plan-summary is given without --plan")
                .with_suggestion("Give --plan the file with the plan"));
        }
        if plan.is_none() && !self.content.is_given() {
            return Err(Failure::new(Code::InvalidInput, "the text is missing: --file, --content or --stdin")
                .with_suggestion("Give the text with one of them, or a plan with --plan"));
        }
        Ok(TextWithPlan { content: self.content.read()?, plan, summary: self.plan_summary })
    }
}

impl TextWithPlan {
    pub fn new(content: String, plan: Option<String>) -> Self {
        Self { content, plan, summary: None }
    }

    /// A client with the time that these texts may take.
    pub fn client(&self) -> Result<Client, Failure> {
        if self.plan.is_some() { Client::for_long_texts() } else { Client::from_env() }
    }

    /// The text of the MOTION that opens a debate with this title.
    pub async fn of_motion(
        self,
        client: &Client,
        debate: Uuid,
        title: &str,
        request_id: &str,
    ) -> Result<String, Failure> {
        let Some(plan) = &self.plan else { return Ok(self.content) };
        let context = || client.api.debate_get_context(&debate, None, None, Some(0), None, None);
        let cited = match client.send::<DebateContext, _>(context).await {
            Ok(context) => stored(client, context.parsed.debate.plan.as_ref(), plan).await?,
            Err(failure) if failure.code == "DEBATE_NOT_FOUND" => {
                Some(self.store(client, debate, title, None, plan, request_id).await?)
            }
            Err(failure) => return Err(failure),
        };
        Ok(self.citing(cited))
    }

    /// The text of an argument. `probe` sends this text, or one like it, under the same request id in answer to an argument that
    /// does not exist: the server then says whether the argument would be accepted so far, and stores nothing.
    pub async fn of_argument<F>(
        self,
        client: &Client,
        debate: Uuid,
        request_id: &str,
        probe: impl Fn(Uuid, String) -> F,
    ) -> Result<String, Failure>
    where
        F: Future<Output = Result<ApiSuccess, ApiError>>,
    {
        let Some(plan) = &self.plan else { return Ok(self.content) };
        let context = || client.api.debate_get_context(&debate, None, None, Some(0), None, None);
        let now = client.send::<DebateContext, _>(context).await?.parsed.debate;
        if let Some(present) = now.plan.as_ref().filter(|present| present.sha256 == sha256([plan])) {
            let cited = Some((present.document_id, present.version));
            return Ok(self.citing(cited));
        }
        let nowhere = ids::new_id();
        let text = self.citing(Some((nowhere, 1)));
        let refusal = client.send::<serde_json::Value, _>(|| probe(nowhere, text.clone())).await.err();
        let cited = match refusal {
            // Only the target is missing.
            Some(failure) if failure.code == "ARGUMENT_NOT_FOUND" => {
                Some(self.store(client, debate, &now.title, now.plan.as_ref(), plan, request_id).await?)
            }
            Some(failure) if failure.code != "IDEMPOTENCY_CONFLICT" => return Err(failure),
            // The argument is stored already.
            Some(_) | None => stored(client, now.plan.as_ref(), plan).await?,
        };
        Ok(self.citing(cited))
    }

    /// Stores the plan as the next version, or the first.
    async fn store(
        &self,
        client: &Client,
        debate: Uuid,
        title: &str,
        present: Option<&Plan>,
        plan: &str,
        request_id: &str,
    ) -> Result<(Uuid, u64), Failure> {
        let body = DocumentSubmit {
            summary: if present.is_some() { self.summary(title) } else { title.to_owned() },
            content: plan.to_owned(),
            metadata: None,
            client_request_id: Some(sha256([&*debate.to_string(), "\n", request_id, "\n", plan, "\n"])),
        };
        let stored = client
            .write::<DocumentSubmitted, _>(request_id, || async {
                match present {
                    Some(present) => client.api.document_submit(&present.document_id, &body).await,
                    None => client.api.document_create(&body).await,
                }
            })
            .await?;
        Ok((stored.parsed.version.document_id, stored.parsed.version.version))
    }

    /// What a version changes: what the caller says, else the first line of the text, else the debate's title.
    fn summary(&self, title: &str) -> String {
        let line = self.content.lines().map(str::trim).find(|line| !line.is_empty());
        let summary = self.summary.as_deref().or(line).unwrap_or(title);
        if self.summary.is_some() { summary.to_owned() } else { summary.chars().take(MAX_SUMMARY).collect() }
    }

    fn citing(&self, cited: Option<(Uuid, u64)>) -> String {
        match cited.map(|(document, version)| format!("Plan: doc_id={document} v{version}")) {
            Some(citation) if self.content.is_empty() => citation,
            Some(citation) => format!("{citation}\n\n{}", self.content),
            None => self.content.clone(),
        }
    }
}

/// The version with this text: the present one, else the newest of those before. Without one it is the number of a version that
/// does not exist, with which the server tells that the stored argument is another one.
async fn stored(client: &Client, present: Option<&Plan>, plan: &str) -> Result<Option<(Uuid, u64)>, Failure> {
    let Some(present) = present else { return Ok(None) };
    let (document, digest) = (present.document_id, sha256([plan]));
    if present.sha256 == digest {
        return Ok(Some((document, present.version)));
    }
    let history = || client.api.document_history(&document, Some(SEARCHED_VERSIONS), None);
    let history = client.send::<DocumentHistory, _>(history).await?.parsed;
    let same = history.versions.iter().find(|version| version.sha256 == digest).map(|version| version.version);
    Ok(Some((document, same.unwrap_or(history.document.latest_version.saturating_add(1)))))
}

/// The SHA-256 of these texts one after another, in hexadecimal.
fn sha256<'a>(texts: impl IntoIterator<Item = &'a (impl AsRef<[u8]> + ?Sized + 'a)>) -> String {
    let digest = texts.into_iter().fold(Sha256::new(), |digest, text| digest.chain_update(text));
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(content: &str, summary: Option<&str>) -> TextWithPlan {
        TextWithPlan {
            summary: summary.map(str::to_owned),
            ..TextWithPlan::new(content.to_owned(), Some(String::new()))
        }
    }

    #[test]
    fn the_text_begins_with_the_citation_of_the_plan() {
        let id = Uuid::from_u128(7);
        assert_eq!(text("Why.", None).citing(Some((id, 2))), format!("Plan: doc_id={id} v2\n\nWhy."));
        assert_eq!(text("", None).citing(Some((id, 2))), format!("Plan: doc_id={id} v2"));
        assert_eq!(text("Why.", None).citing(None), "Why.");
    }

    #[test]
    fn a_version_is_summed_up_by_its_author_or_by_the_first_line_of_the_text() {
        assert_eq!(text("\n  \n One.\nTwo.", None).summary("Title"), "One.");
        assert_eq!(text("One.", Some("Said")).summary("Title"), "Said");
        assert_eq!(text(" \n", None).summary("Title"), "Title");
        assert_eq!(text(&"ệ".repeat(600), None).summary("Title").chars().count(), 500);
    }

    #[test]
    fn the_request_id_of_a_version_follows_from_debate_request_and_bytes() {
        // printf 'd\nr\np\n' | sha256sum
        let expected = "a7230bbf8a5bdc6eed74ea7768e220654ec66b007fa1aa3acbccddd1dcc06252";
        assert_eq!(sha256(["d", "\n", "r", "\n", "p", "\n"]), expected);
    }
}
