//! The stored data as a server returns it.

use std::collections::BTreeSet;

use serde_json::Value;
use tests::{client::Client, debate::text};

use super::{
    model::model_issues::{Ledger, Source},
    write_log::Write,
};

/// An argument, or a version of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The id of the debate or document
    pub of: String,
    /// `seq` or version number
    pub number: u64,
    /// The content
    pub content: String,
    /// The rest: an argument's hash and citations, or a version's summary, metadata and hash
    pub rest: String,
}

impl Item {
    /// The item in the response to a write.
    pub fn promised(data: &Value) -> Self {
        match data.get("argument") {
            Some(argument) => Self::argument(argument),
            None => Self::version(&data["version"]),
        }
    }

    fn argument(value: &Value) -> Self {
        let number = value["seq"].as_u64().expect("a number");
        let rest = format!("{} {}", text(&value["hash"]), value["citations"]);
        Self { of: text(&value["debate_id"]), number, content: text(&value["content"]), rest }
    }

    fn version(value: &Value) -> Self {
        let number = value["version"].as_u64().expect("a number");
        let rest = format!("{} {} {}", text(&value["summary"]), value["metadata"], text(&value["sha256"]));
        Self { of: text(&value["document_id"]), number, content: text(&value["content"]), rest }
    }
}

/// A debate.
#[derive(Debug)]
pub struct History {
    /// The state
    pub state: String,
    /// The `seq` of the newest argument
    pub last_seq: u64,
    /// The arguments, with the fields that decide the state and the issues
    pub arguments: Vec<Value>,
    /// The issues, without what follows from their other fields
    pub issues: Vec<Value>,
}

/// The fields of an issue that follow from others.
const DERIVED: [&str; 4] = ["stalled", "settled", "blocking", "may"];

impl History {
    /// The issues that the arguments lead to.
    pub fn expected_issues(&self) -> Vec<Value> {
        let mut ledger = Ledger::default();
        for (argument, seq) in self.arguments.iter().zip(1..) {
            let role = ["proposer", "opponent", "arbitrator"].into_iter().find(|role| argument["role"] == *role);
            let (kind, argument_id) = (text(&argument["type"]), text(&argument["id"]));
            let source =
                Source { kind: &kind, role: role.expect("a role"), seq, argument_id: &argument_id, same_plan: false };
            ledger.apply(&argument["issue_changes"], &source, false);
        }
        Self::issues(&ledger.response(None, false))
    }

    /// The issues in the response to `GET /debates/{id}/issues`.
    fn issues(response: &Value) -> Vec<Value> {
        let mut issues = response["issues"].as_array().expect("a list").clone();
        for issue in &mut issues {
            issue.as_object_mut().expect("an issue is an object").retain(|name, _| !DERIVED.contains(&name.as_str()));
        }
        issues
    }
}

/// All data that the writes of a test stored.
#[derive(Debug, Default)]
pub struct Stored {
    /// Arguments and versions, in order within each debate and document
    pub items: Vec<Item>,
    /// The debates
    pub histories: Vec<History>,
}

impl Stored {
    /// Reads the debates and documents of these writes from a server.
    ///
    /// # Errors
    /// A request that failed.
    pub async fn read_from_server(client: &Client, writes: &[Write]) -> Result<Self, String> {
        let mut stored = Self::default();
        for about in writes.iter().filter_map(Write::about).collect::<BTreeSet<_>>() {
            if about.starts_with("/debates") {
                let Some(data) = ask(client, &about).await? else { continue };
                let rest = data["arguments"].as_array().expect("a list");
                let arguments: Vec<Value> = std::iter::once(&data["motion"]).chain(rest).cloned().collect();
                stored.items.extend(arguments.iter().map(Item::argument));
                let (state, last_seq) = (text(&data["debate"]["state"]), &data["debate"]["last_seq"]);
                let last_seq = last_seq.as_u64().expect("a number");
                let issues = ask(client, &format!("{about}/issues")).await?;
                let issues = History::issues(&issues.ok_or_else(|| format!("{about} has no issues"))?);
                stored.histories.push(History { state, last_seq, arguments, issues });
            } else {
                let Some(newest) = ask(client, &about).await? else { continue };
                for number in 1..=newest["document"]["latest_version"].as_u64().expect("a number") {
                    let version = ask(client, &format!("{about}?version={number}")).await?;
                    let version = version.ok_or_else(|| format!("{about} has no version {number}"))?;
                    stored.items.push(Item::version(&version["version"]));
                }
            }
        }
        Ok(stored)
    }
}

/// Reads a resource; `None` if it does not exist.
async fn ask(client: &Client, path: &str) -> Result<Option<Value>, String> {
    let answer = client.try_send(&client.request("GET", path)).await.map_err(|e| format!("{path}: {e}"))?;
    match answer.status {
        200 => Ok(Some(answer.data(200))),
        404 => Ok(None),
        _ => Err(answer.to_string()),
    }
}
