//! `GET /info`

use std::sync::Arc;

use poem_openapi::OpenApi;

use super::{ReadResult, ok};
use crate::{
    app::{App, SigningKey, WebhookSummary},
    domain::{
        CHANGE_NOTE, DebateType, ISSUE_LOCATION, ISSUE_TITLE, Limits, MAX_CHANGES, MAX_ISSUES, Metadata, Rounds,
        Summary, Title,
    },
    http::{
        auth::{Permission, Tokens},
        contract::{Info, InfoLimits, issue_change_rules},
    },
};

pub struct InfoRoute {
    pub app: Arc<App>,
    pub tokens: Arc<Tokens>,
}

#[OpenApi]
impl InfoRoute {
    /// Get the version, the limits and the settings of the server
    ///
    /// `limits` has all limits on texts and numbers, in bytes of UTF-8 or in characters, which are Unicode code points. A text
    /// over its limit is `CONTENT_TOO_LARGE`.
    #[oai(path = "/info", method = "get", operation_id = "info")]
    async fn info(&self, permission: Permission) -> ReadResult<Info> {
        let (needs_token, has_arbitrator_token) = (self.tokens.always_required(), self.tokens.required_to_rule());
        let public_key = self.app.signing_key().map(SigningKey::public_key);
        let info = answer(self.app.limits(), needs_token, has_arbitrator_token, public_key);
        let WebhookSummary { receivers, taking, failing } = self.app.webhook_summary();
        ok(Info {
            may_rule: permission.may_rule,
            webhooks: receivers as u64,
            webhooks_taking: taking as u64,
            webhooks_failing: failing as u64,
            ..info
        })
    }
}

/// The answer of a server with these limits and settings.
pub(super) fn answer(
    limits: &Limits,
    needs_token: bool,
    has_arbitrator_token: bool,
    public_key: Option<String>,
) -> Info {
    let limit = |limit: usize| limit as u64;
    Info {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        contract: env!("CARGO_PKG_VERSION").to_owned(),
        limits: InfoLimits {
            max_content_bytes: limit(limits.max_content_bytes),
            max_document_bytes: limit(limits.max_document_bytes),
            max_title_characters: limit(Title::RULE.limit),
            max_summary_characters: limit(Summary::RULE.limit),
            max_metadata_bytes: limit(Metadata::RULE.limit),
            max_issues: limit(MAX_ISSUES),
            max_issue_changes: limit(MAX_CHANGES),
            max_issue_title_characters: limit(ISSUE_TITLE.limit),
            max_issue_location_characters: limit(ISSUE_LOCATION.limit),
            max_note_characters: limit(CHANGE_NOTE.limit),
            max_rounds: Rounds::MAX.into(),
        },
        debate_types: DebateType::ALL.iter().map(|debate_type| debate_type.as_str().to_owned()).collect(),
        auth: if needs_token { "token" } else { "none" }.to_owned(),
        arbitrator_token: has_arbitrator_token,
        issue_changes: issue_change_rules(),
        may_rule: !has_arbitrator_token,
        public_key,
        webhooks: 0,
        webhooks_taking: 0,
        webhooks_failing: 0,
    }
}
