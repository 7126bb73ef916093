//! What clients send (SPEC section 4). Unknown fields are ignored, doubled ones refused.

use std::fmt;

use poem_openapi::Object;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};
use uuid::Uuid;

use super::document::JsonObject;
use crate::domain::{DebateType, Limits, Metadata, Side, Summary, TextRule, Title};

/// A body whose texts have limits, which are told before anything else that is wrong with it.
pub trait HasLimits {
    /// The fields that hold a limited text or object, with their rules.
    fn limited(limits: &Limits) -> Vec<(&'static str, TextRule)>;

    /// What its longest field may have, in bytes.
    fn longest(limits: &Limits) -> usize {
        limits.max_content_bytes
    }
}

/// Opens a debate.
#[derive(Debug, Object, Deserialize)]
#[oai(rename = "DebateCreate")]
pub struct CreateBody {
    /// A UUID of the proposer's choice
    pub debate_id: Uuid,
    /// 1 to 200 characters
    pub title: String,
    /// What it is about
    pub debate_type: DebateType,
    /// What the MOTION says: 1 to 10,240 bytes of UTF-8
    pub motion_content: String,
    /// What makes the request repeatable: 1 to 128 of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: String,
}

impl HasLimits for CreateBody {
    fn limited(limits: &Limits) -> Vec<(&'static str, TextRule)> {
        vec![("title", Title::RULE), ("motion_content", limits.content())]
    }
}

/// Adds a CLAIM.
#[derive(Debug, Object, Deserialize)]
#[oai(rename = "ArgumentSubmit")]
pub struct ClaimBody {
    /// Whose CLAIM it is
    pub role: Side,
    /// The argument that it answers
    pub target_id: Uuid,
    /// What it says: 1 to 10,240 bytes of UTF-8
    pub content: String,
    /// What makes the request repeatable: 1 to 128 of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: String,
}

impl HasLimits for ClaimBody {
    fn limited(limits: &Limits) -> Vec<(&'static str, TextRule)> {
        vec![("content", limits.content())]
    }
}

/// One way out of what an APPEAL asks.
#[derive(Debug, Object, Deserialize)]
#[oai(rename = "AppealOptionSubmit")]
pub struct OptionBody {
    /// What it is called; not empty
    pub label: String,
    /// What it means
    pub detail: Option<String>,
    /// Whether the arbitrator is to fill it in
    pub free_form: Option<bool>,
}

/// Asks the arbitrator to decide.
#[derive(Debug, Object, Deserialize)]
#[oai(rename = "AppealSubmit")]
pub struct AppealBody {
    /// The argument that it is about
    pub target_id: Uuid,
    /// What is asked, with its context: 1 to 10,240 bytes of UTF-8
    pub content: String,
    /// What makes the request repeatable: 1 to 128 of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: String,
    /// What the arbitrator may choose from; "Something else" is added where none is `free_form`
    #[serde(default, deserialize_with = "objects")]
    pub options: Option<Vec<OptionBody>>,
}

/// Options that are objects: serde would take a list of the fields' values as well.
fn objects<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<OptionBody>>, D::Error> {
    struct Fielded(OptionBody);

    impl<'de> Deserialize<'de> for Fielded {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(Fields)
        }
    }

    struct Fields;

    impl<'de> Visitor<'de> for Fields {
        type Value = Fielded;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Fielded, A::Error> {
            OptionBody::deserialize(MapAccessDeserializer::new(fields)).map(Fielded)
        }
    }

    let given = Option::<Vec<Fielded>>::deserialize(deserializer)?;
    Ok(given.map(|options| options.into_iter().map(|Fielded(option)| option).collect()))
}

impl HasLimits for AppealBody {
    fn limited(limits: &Limits) -> Vec<(&'static str, TextRule)> {
        vec![("content", limits.content())]
    }
}

/// Asks the arbitrator to close.
#[derive(Debug, Object, Deserialize)]
#[oai(rename = "ResolutionSubmit")]
pub struct ResolutionBody {
    /// The argument that it answers
    pub target_id: Uuid,
    /// What was agreed: 1 to 10,240 bytes of UTF-8
    pub content: String,
    /// What makes the request repeatable: 1 to 128 of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: String,
}

impl HasLimits for ResolutionBody {
    fn limited(limits: &Limits) -> Vec<(&'static str, TextRule)> {
        vec![("content", limits.content())]
    }
}

/// Decides, and may close.
#[derive(Debug, Object, Deserialize)]
#[oai(rename = "RulingSubmit")]
pub struct RulingBody {
    /// What is decided: 1 to 10,240 bytes of UTF-8
    pub content: String,
    /// Whether to end the debate; false by default
    pub close: Option<bool>,
    /// Which of the appeal's options it takes, counted from 0
    pub chosen_option: Option<u32>,
    /// What makes the request repeatable: 1 to 128 of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: Option<String>,
}

impl HasLimits for RulingBody {
    fn limited(limits: &Limits) -> Vec<(&'static str, TextRule)> {
        vec![("content", limits.content())]
    }
}

/// Stops both sides until a ruling.
#[derive(Debug, Object, Deserialize)]
#[oai(rename = "InterventionSubmit")]
pub struct InterventionBody {
    /// Why; empty by default, at most 10,240 bytes of UTF-8
    pub content: Option<String>,
    /// What makes the request repeatable: 1 to 128 of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: Option<String>,
}

impl HasLimits for InterventionBody {
    fn limited(limits: &Limits) -> Vec<(&'static str, TextRule)> {
        vec![("content", limits.intervention())]
    }
}

/// What a version of a document is to say.
#[derive(Debug, Object, Deserialize)]
#[oai(rename = "DocumentSubmit")]
pub struct DocumentBody {
    /// What it is about: at most 500 characters
    pub summary: String,
    /// The text itself: at most 1,048,576 bytes of UTF-8
    pub content: String,
    /// Whatever is to be kept with it: an object of at most 65,536 bytes; empty by default
    pub metadata: Option<JsonObject>,
    /// What makes the request repeatable: 1 to 128 of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: Option<String>,
}

impl HasLimits for DocumentBody {
    fn limited(limits: &Limits) -> Vec<(&'static str, TextRule)> {
        vec![("summary", Summary::RULE), ("content", limits.document()), ("metadata", Metadata::RULE)]
    }

    fn longest(limits: &Limits) -> usize {
        limits.max_document_bytes.max(Metadata::RULE.limit)
    }
}
