//! `GET /info`

use std::sync::Arc;

use poem_openapi::OpenApi;

use super::{ReadResult, ok};
use crate::{
    domain::{DebateType, Limits, Metadata, Summary, Title},
    http::{
        auth::{Authenticated, Tokens},
        contract::{Info, InfoLimits},
    },
};

pub struct InfoRoute {
    limits: Limits,
    tokens: Arc<Tokens>,
}

impl InfoRoute {
    pub fn new(limits: Limits, tokens: Arc<Tokens>) -> Self {
        Self { limits, tokens }
    }
}

#[OpenApi]
impl InfoRoute {
    /// Get the version, the limits and the settings of the server
    #[oai(path = "/info", method = "get", operation_id = "info")]
    async fn info(&self, _auth: Authenticated) -> ReadResult<Info> {
        let limit = |limit: usize| limit as u64;
        ok(Info {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            contract: env!("CARGO_PKG_VERSION").to_owned(),
            limits: InfoLimits {
                max_content_bytes: limit(self.limits.max_content_bytes),
                max_document_bytes: limit(self.limits.max_document_bytes),
                max_title_characters: limit(Title::RULE.limit),
                max_summary_characters: limit(Summary::RULE.limit),
                max_metadata_bytes: limit(Metadata::RULE.limit),
            },
            debate_types: DebateType::ALL.iter().map(|debate_type| debate_type.as_str().to_owned()).collect(),
            auth: if self.tokens.always_required() { "token" } else { "none" }.to_owned(),
            arbitrator_token: self.tokens.required_to_rule(),
            public_key: None,
        })
    }
}
