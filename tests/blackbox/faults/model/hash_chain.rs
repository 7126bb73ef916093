//! An independent implementation of the hash chain over the arguments of a debate.

use chrono::DateTime;
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{
    agent_rules,
    issue_rules::{list, number_in},
};

/// The hash that precedes the motion's.
pub fn opening(debate: &Value) -> Vec<u8> {
    let mut fields = Fields(Sha256::new_with_prefix(b"aweave debate 1"));
    fields.id(&debate["id"]);
    fields.text(&debate["title"]);
    fields.text(&debate["debate_type"]);
    fields.time(&debate["created_at"]);
    if !debate["max_rounds"].is_null() {
        fields.text(&"max_rounds".into());
        fields.number(&debate["max_rounds"]);
    }
    fields.0.finalize().to_vec()
}

/// The hash of an argument.
pub fn after(previous: &[u8], argument: &Value, late_for: Option<&str>, request_id: Option<&str>) -> Vec<u8> {
    let mut fields = Fields(Sha256::new_with_prefix(previous));
    fields.id(&argument["id"]);
    fields.id(&argument["debate_id"]);
    fields.number(&argument["seq"]);
    fields.id(&argument["parent_id"]);
    fields.text(&argument["type"]);
    fields.text(&argument["role"]);
    fields.text(&argument["content"]);
    fields.id(&late_for.into());
    fields.text(&request_id.into());
    fields.time(&argument["created_at"]);
    for option in argument["options"].as_array().into_iter().flatten() {
        fields.text(&option["label"]);
        fields.text(&option["detail"]);
        fields.flag(&option["free_form"]);
    }
    if argument["type"] == "RULING" {
        fields.flag(&argument["close"]);
        fields.number(&argument["chosen_option"]);
    }
    if let Some(changes) = argument["issue_changes"].as_array() {
        fields.text(&"issue_changes".into());
        fields.changes(changes);
    }
    if let Some(citations) = argument["citations"].as_array() {
        fields.text(&"citations".into());
        fields.number(&citations.len().into());
        for citation in citations {
            fields.id(&citation["document_id"]);
            fields.number(&citation["version"]);
            let digits = citation["sha256"].as_str().unwrap_or_default();
            let byte = |at: usize| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap_or_default();
            fields.add(Some(&(0..digits.len() / 2).map(byte).collect::<Vec<_>>()));
        }
    }
    if let Some(agents) = argument["agents"].as_array() {
        fields.text(&"agents".into());
        fields.number(&agents.len().into());
        for agent in agents {
            for name in ["program", "model", "purpose"] {
                fields.text(&agent[name]);
            }
            for name in agent_rules::NUMBERS.iter().filter(|name| !agent_rules::ADDED.contains(name)) {
                fields.number(&agent[name]);
            }
            for name in agent_rules::ADDED.iter().filter(|name| !agent[*name].is_null()) {
                fields.text(&(*name).into());
                fields.number(&agent[*name]);
            }
        }
    }
    let options = list(&argument["options"]);
    if options.iter().any(|option| option["issue_changes"].is_array()) {
        fields.text(&"option_issue_changes".into());
        options.iter().for_each(|option| fields.changes(list(&option["issue_changes"])));
    }
    fields.0.finalize().to_vec()
}

/// The hash in hexadecimal.
pub fn hex(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Hashes each field with its length before it, or with a marker for an absent field.
struct Fields(Sha256);

impl Fields {
    fn add(&mut self, field: Option<&[u8]>) {
        self.0.update(field.map_or(u64::MAX, |field| field.len() as u64).to_be_bytes());
        self.0.update(field.unwrap_or_default());
    }

    fn changes(&mut self, changes: &[Value]) {
        self.number(&changes.len().into());
        for change in changes {
            self.text(&change["change"]);
            self.number(&number_in(&change["issue"]).into());
            for name in ["severity", "title", "location", "note"] {
                self.text(&change[name]);
            }
        }
    }

    fn text(&mut self, text: &Value) {
        self.add(text.as_str().map(str::as_bytes));
    }

    fn id(&mut self, id: &Value) {
        let id = id.as_str().and_then(|id| Uuid::parse_str(id).ok());
        self.add(id.as_ref().map(|id| id.as_bytes().as_slice()));
    }

    fn number(&mut self, number: &Value) {
        let number = number.as_u64().map(u64::to_be_bytes);
        self.add(number.as_ref().map(<[u8; 8]>::as_slice));
    }

    fn flag(&mut self, flag: &Value) {
        self.add(Some(&[u8::from(*flag == true)]));
    }

    fn time(&mut self, time: &Value) {
        let time = time.as_str().and_then(|time| DateTime::parse_from_rfc3339(time).ok());
        let micros = time.map(|time| time.timestamp_micros().to_be_bytes());
        self.add(micros.as_ref().map(<[u8; 8]>::as_slice));
    }
}
