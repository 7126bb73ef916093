//! Changes of issues in request bodies.

use poem_openapi::Object;
use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

use crate::domain::{CHANGE_NOTE, ISSUE_LOCATION, ISSUE_TITLE, MAX_CHANGES};

/// The size of 50 changes with texts of full length in which each code point is escaped as two `\uXXXX`, in bytes.
pub const MAX_CHANGES_BYTES: usize =
    MAX_CHANGES * (12 * (ISSUE_TITLE.limit + ISSUE_LOCATION.limit + CHANGE_NOTE.limit) + 512);

/// A change of an issue that an argument is to carry.
///
/// `raise` needs `severity` and `title`, `regrade` needs `issue` and `severity`, `dispute`, `reopen` and `defer` need `issue` and
/// `note`, the others need `issue`.
#[derive(Debug, Object, Deserialize)]
pub struct IssueChangeSubmit {
    /// What it does. The opponent's CLAIM: `raise`, `resolve`, `withdraw`, `defer`, `reopen`, `regrade`. The proposer's CLAIM:
    /// `fix`, `dispute`. An APPEAL: `refer`. A RULING: `raise`, `regrade`, `uphold`, `dismiss`, `defer`, `reopen`.
    pub change: String,
    /// The id of the issue, such as `I1`; not on `raise`
    pub issue: Option<String>,
    /// Only on `raise` and `regrade`: `critical`, `high`, `medium` or `low`
    pub severity: Option<String>,
    /// Only on `raise`: what is wrong, in one line of 1 to 200 characters
    pub title: Option<String>,
    /// Only on `raise`: where it is, in one line of at most 300 characters
    pub location: Option<String>,
    /// An explanation of at most 1,000 characters
    pub note: Option<String>,
}

/// The field `issue_changes` of a body that cannot carry any: it may be absent, null or empty.
#[derive(Debug, Default, Clone, Copy)]
pub struct NoIssueChanges;

impl<'de> Deserialize<'de> for NoIssueChanges {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = Box::<RawValue>::deserialize(deserializer)?;
        let text: String = given.get().split_ascii_whitespace().collect();
        match text.as_str() {
            "null" | "[]" => Ok(Self),
            _ => Err(de::Error::custom("an argument of this type carries no changes of issues; leave it out")),
        }
    }
}
