//! The model of citations: what texts cite, and which of it exists.

use serde_json::{Value, json};

use super::{field_rules::canonical_id, model_document::Document};

/// What a text cites.
#[derive(Debug, Default)]
pub struct Cited {
    /// The versions that exist, as arguments keep them
    pub known: Vec<Value>,
    /// The others
    pub unknown: Vec<Value>,
}

impl Cited {
    /// Looks up what a text cites, each version once.
    pub fn look_up(text: &Value, documents: &[Document]) -> Self {
        let mut cited = Self::default();
        for (id, version) in cited_in(text.as_str().unwrap_or_default()) {
            let found = documents.iter().find(|document| document.id == id);
            let mut citation = json!({"document_id": id, "version": version});
            let is_new =
                |list: &[Value]| list.iter().all(|other| other["document_id"] != id || other["version"] != version);
            match found.and_then(|document| document.sha256(version)) {
                Some(sha256) if is_new(&cited.known) => {
                    citation["sha256"] = sha256.clone();
                    cited.known.push(citation);
                }
                None if is_new(&cited.unknown) => cited.unknown.push(citation),
                Some(_) | None => {}
            }
        }
        cited
    }
}

/// The citations of a text that are not among what the opponent has seen.
pub fn unseen<'a>(citations: &Value, seen: impl Iterator<Item = &'a Value>) -> Vec<Value> {
    let without_hash =
        |citation: &Value| json!({"document_id": citation["document_id"], "version": citation["version"]});
    let of = |citations: &Value| citations.as_array().into_iter().flatten().map(without_hash).collect::<Vec<_>>();
    let seen: Vec<Value> = seen.flat_map(of).collect();
    of(citations).into_iter().filter(|citation| !seen.contains(citation)).collect()
}

fn cited_in(text: &str) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("doc_id=") {
        rest = &rest[at + "doc_id=".len()..];
        found.extend(citation(rest));
    }
    found
}

fn citation(text: &str) -> Option<(String, u64)> {
    let words: Vec<&str> = text.splitn(2, ' ').collect();
    let [id, after] = words[..] else { return None };
    let number = after.trim_start_matches(' ').strip_prefix('v')?;
    let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    let follows = number[end..].chars().next();
    if !(1..=9).contains(&end) || follows.is_some_and(char::is_alphanumeric) {
        return None;
    }
    Some((canonical_id(id)?, number[..end].parse().ok()?))
}
