//! What a waiter is told (SPEC section 5).

use poem_openapi::Object;
use serde::Serialize;
use uuid::Uuid;

use super::debate::ArgumentView;
use crate::app::Waited;

/// News for a waiter, or none in time.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "WaitAnswer")]
pub struct WaitData {
    /// Whether `argument` comes after the one that the waiter had seen
    pub has_new_argument: bool,
    /// The debate
    pub debate_id: Uuid,
    /// The `seq` of the argument that the waiter had seen; 0 for none
    pub last_seen_seq: u64,
    /// The hash of the argument that the waiter had seen, as it is stored now, in hexadecimal; absent for none
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_seen_hash: Option<String>,
    /// The `seq` of the debate's newest argument
    pub last_seq: u64,
    /// The hash of the debate's newest argument, in hexadecimal
    pub head: String,
    /// Where the debate stands
    pub debate_state: String,
    /// What the waiter is to do next
    pub action: String,
    /// The newest of what the waiter has not seen; the debate's newest where it is closed or a ruling is due
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument: Option<ArgumentView>,
    /// What else the waiter has not seen, in order; usually empty
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Vec<ArgumentView>>,
    /// What to give as `argument_id` to the next wait: the debate's newest argument, whoever wrote it
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_argument_id_to_wait: Option<Uuid>,
}

impl From<Waited> for WaitData {
    fn from(waited: Waited) -> Self {
        let (has_new_argument, argument, earlier, next) = match waited.news {
            Some(news) => (
                news.is_new,
                Some((&*news.argument).into()),
                Some(news.earlier.iter().map(|argument| (&**argument).into()).collect()),
                Some(news.newest_id.0),
            ),
            None => (false, None, None, None),
        };
        Self {
            has_new_argument,
            debate_id: waited.debate_id.0,
            last_seen_seq: waited.last_seen_seq,
            last_seen_hash: waited.last_seen_hash.map(|hash| hash.to_string()),
            last_seq: waited.last_seq,
            head: waited.head.to_string(),
            debate_state: waited.state.as_str().to_owned(),
            action: waited.action.as_str().to_owned(),
            argument,
            earlier,
            next_argument_id_to_wait: next,
        }
    }
}
