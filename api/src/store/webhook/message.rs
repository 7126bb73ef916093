//! The body of a webhook message.

use serde::Serialize;
use uuid::Uuid;

use crate::{
    domain::{Argument, Debate, time_text},
    store::Commit,
};

/// How many characters of an argument's content a message has.
pub const MAX_CONTENT_CHARACTERS: usize = 500;

/// The body of a webhook message, as JSON in this order of the fields.
#[derive(Debug, Clone, Serialize)]
pub struct WebhookMessage<'m> {
    #[serde(rename = "type")]
    event: &'m str,
    timestamp: String,
    data: MessageData<'m>,
}

#[derive(Debug, Clone, Serialize)]
struct MessageData<'m> {
    debate_id: Uuid,
    title: &'m str,
    state: &'static str,
    url: String,
    argument: MessageArgument<'m>,
}

#[derive(Debug, Clone, Serialize)]
struct MessageArgument<'m> {
    seq: u64,
    #[serde(rename = "type")]
    argument_type: &'static str,
    role: &'static str,
    content: &'m str,
}

impl<'m> WebhookMessage<'m> {
    /// The message that tells of `event`, which happened with this commit. `web_app` is the URL of the web app without a
    /// slash at its end.
    pub fn new(event: &'m str, commit: &'m Commit, web_app: &str) -> Self {
        let Commit { debate, argument, .. } = commit;
        Self { event, timestamp: time_text(argument.created_at), data: MessageData::new(debate, argument, web_app) }
    }

    /// The JSON text.
    ///
    /// # Errors
    /// Never: no message can fail to serialise.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

impl<'m> MessageData<'m> {
    fn new(debate: &'m Debate, argument: &'m Argument, web_app: &str) -> Self {
        Self {
            debate_id: debate.id.0,
            title: debate.title.as_str(),
            state: debate.state.name().as_str(),
            url: format!("{web_app}/d/{}", debate.id),
            argument: MessageArgument {
                seq: argument.seq,
                argument_type: argument.kind.argument_type().as_str(),
                role: argument.role().as_str(),
                content: shortened(argument.content.as_str()),
            },
        }
    }
}

/// The first characters of a content.
fn shortened(content: &str) -> &str {
    content.char_indices().nth(MAX_CONTENT_CHARACTERS).map_or(content, |(end, _)| &content[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_is_shortened_to_characters_and_never_within_one() {
        for (given, expected) in [(499, 499), (500, 500), (501, 500), (10_000, 500)] {
            let content = "ệ".repeat(given);
            assert_eq!(shortened(&content).chars().count(), expected);
        }
        assert_eq!(shortened(""), "");
    }
}
