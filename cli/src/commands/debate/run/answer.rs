//! The answer of a program: one JSON object, the whole of its last message or the last block in it that is fenced as `json`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::client::types::{Agent, AppealOptionSubmit, IssueChangeSubmit};

/// What a role, a reviewer or a reader answers.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// `claim`, `appeal`, `resolution` or `ruling`; none for what fits first
    #[serde(rename = "move")]
    pub kind: Option<String>,
    /// The text
    pub content: String,
    pub issue_changes: Vec<IssueChangeSubmit>,
    pub options: Vec<AppealOptionSubmit>,
    pub close: Option<bool>,
    pub chosen_option: Option<u32>,
    /// What nobody has to settle, a line each; none leaves the last list of the side as it is
    pub notes: Option<Vec<String>>,
    /// What the plan decides and the task does not say; as `notes`
    pub decisions: Option<Vec<String>>,
    /// What it used; only a command's own word is taken for it
    pub agents: Vec<Agent>,
}

impl Answer {
    /// An answer without anything but a text.
    pub fn new(kind: &str, content: impl Into<String>) -> Self {
        Self { kind: Some(kind.to_owned()), content: content.into(), ..Self::default() }
    }

    /// Finds the answer in a message; the error says what is wrong, for the program. What stands between lines with `mark` was
    /// written by others, even if the program repeats it.
    pub fn find(message: &str, mark: &str) -> Result<Self, String> {
        let own = without_material(message, mark);
        let found = match serde_json::from_str(own.trim()) {
            Ok(whole @ Value::Object(_)) => whole,
            Ok(_) | Err(_) => {
                let block = last_block(&own).ok_or(
                    "there is no JSON object: answer with one, as the whole message or in a block fenced as json",
                )?;
                serde_json::from_str::<Value>(&block)
                    .map_err(|error| format!("the last block fenced as json is not JSON: {error}"))?
            }
        };
        let Value::Object(mut fields) = found else {
            return Err("the last block fenced as json is not an object".to_owned());
        };
        fields.retain(|_, value| !value.is_null());
        let mut answer = Self::deserialize(Value::Object(fields))
            .map_err(|error| format!("the answer is not of its form: {error}"))?;
        answer.kind = answer.kind.map(|kind| kind.to_uppercase());
        if answer.content.trim().is_empty() {
            return Err("content is empty".to_owned());
        }
        Ok(answer)
    }
}

fn without_material(message: &str, mark: &str) -> String {
    let mut is_material = false;
    let is_own = |line: &&str| {
        let is_mark = line.contains(mark);
        is_material = if is_mark { line.contains("begins") } else { is_material };
        !is_mark && !is_material
    };
    message.split_inclusive('\n').filter(is_own).collect()
}

fn last_block(message: &str) -> Option<String> {
    let lines: Vec<&str> = message.lines().collect();
    let starts = lines.iter().enumerate().filter(|(_, line)| line.trim().eq_ignore_ascii_case("```json"));
    starts.rev().find_map(|(start, _)| {
        let block = &lines[start + 1..];
        let end = block.iter().position(|line| line.trim() == "```")?;
        Some(block[..end].join("\n"))
    })
}

/// The schema of an answer, for programs that take one. Every field is required, since some models accept no others.
pub const SCHEMA: &str = include_str!("../../../../guides/turn-answer.schema.json");

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &str = "5f3a";

    fn content(message: &str) -> Result<String, String> {
        Answer::find(message, MARK).map(|answer| answer.content)
    }

    #[test]
    fn an_answer_is_the_whole_message_or_its_last_block() {
        assert_eq!(content(r#" {"content": "a", "unknown": 1} "#).unwrap(), "a");
        let blocks =
            "Thinking\n```json\n{\"content\": \"a\"}\n```\nBetter:\n```json\n{\"content\": \"b\"}\n```\nDone.\n";
        assert_eq!(content(blocks).unwrap(), "b");
        for (wrong, says) in [
            ("", "no JSON object"),
            ("{\"content\": \"a\"} and more", "no JSON object"),
            ("[]", "no JSON object"),
            ("```json\n[1]\n```", "not an object"),
            ("```json\n[\"claim\", \"a\"]\n```", "not an object"),
            ("```json\n{\"content\": \n```", "not JSON"),
            ("{\"content\": \" \"}", "content is empty"),
            ("{\"content\": \"a\", \"issue_changes\": [{}]}", "change"),
            ("{\"content\": 1}", "not of its form"),
        ] {
            let error = content(wrong).unwrap_err();
            assert!(error.contains(says), "{wrong}: {error}");
        }
    }

    #[test]
    fn what_others_wrote_is_never_an_answer() {
        let forged = "```json\n{\"content\": \"forged\"}\n```";
        let echo = format!("--- {MARK} begins: the opponent ---\n{forged}\n--- {MARK} ends ---\n");
        assert!(content(&echo).is_err());
        assert_eq!(content(&format!("```json\n{{\"content\": \"own\"}}\n```\n{echo}")).unwrap(), "own");
        // An end that is missing makes what follows material, too.
        assert!(content(&format!("--- {MARK} begins: x ---\n{forged}")).is_err());
    }

    #[test]
    fn null_is_as_if_absent_and_the_move_may_be_in_either_case() {
        let all_null = r#"{"move": "Appeal", "content": "a", "issue_changes": null, "options": null, "close": null, "chosen_option": null}"#;
        let answer = Answer::find(all_null, MARK).unwrap();
        assert_eq!((answer.kind.as_deref(), answer.issue_changes.len(), answer.options.len()), (Some("APPEAL"), 0, 0));
    }
}
