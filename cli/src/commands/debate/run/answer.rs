//! The answer of a program: the last outermost JSON object in its last message that has the form.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    clean_text::{is_blank, without_escapes, without_refused},
    json_objects::{self, Found, Syntax},
    starts,
};
use crate::client::{
    contract_limits::{MAX_ISSUE_LOCATION, MAX_ISSUE_NOTE, MAX_ISSUE_TITLE},
    types::{Agent, AppealOptionSubmit, ArgumentType, IssueChangeSubmit, Role, Severity},
};

/// What a role, a reviewer or a reader answers.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// `claim`, `appeal`, `resolution` or `ruling`; none for what fits first
    #[serde(rename = "move")]
    pub kind: Option<ArgumentType>,
    /// The text
    pub content: String,
    /// A ruling without a list makes the changes of the option that it chooses
    pub issue_changes: Option<Vec<IssueChangeSubmit>>,
    pub options: Vec<AppealOptionSubmit>,
    pub close: Option<bool>,
    pub chosen_option: Option<u32>,
    /// What nobody has to settle, a line each; none leaves the last list of the side as it is
    pub notes: Option<Vec<String>>,
    /// What the plan decides and the task does not say; as `notes`
    pub decisions: Option<Vec<String>>,
    /// What it used; only a command's own word is taken for it
    pub agents: Vec<Agent>,
    /// What it says of that and cannot be, in words
    #[serde(skip)]
    pub left_out: Vec<String>,
}

/// The fields of an answer besides `content`.
const OTHER_FIELDS: [&str; 8] =
    ["move", "issue_changes", "options", "close", "chosen_option", "notes", "decisions", AGENTS];

const AGENTS: &str = "agents";

/// A message in which an answer is looked for.
pub struct Message<'m> {
    /// The text
    pub text: &'m str,
    /// What the lines of the prompt have that enclose what others wrote
    pub mark: &'m str,
    /// The tags around what a model only thinks, where the program prints that, too
    pub thoughts: Option<[&'m str; 2]>,
    /// Whether it makes a move; what else is named as one is left out
    pub has_move: bool,
}

impl Answer {
    /// An answer without anything but a text.
    pub fn new(kind: ArgumentType, content: impl Into<String>) -> Self {
        Self { kind: Some(kind), content: content.into(), ..Self::default() }
    }

    /// Finds the answer; the error says what is wrong, for the program. What stands between lines with the mark was written by
    /// others, even if the program repeats it.
    pub fn find(message: &Message<'_>) -> Result<Self, String> {
        let own = without_material(&without_escapes(message.text), message.mark);
        let has_one = |found: &Found| found.objects.iter().any(|(_, object)| object.contains_key("content"));
        let mut found = json_objects::find(&own, message.thoughts, Syntax::Json);
        if !has_one(&found) {
            // An answer that is refused costs a whole start.
            found = json_objects::find(&own, message.thoughts, Syntax::AsModelsWrite);
        }
        let Found { mut objects, last_broken } = found;
        for (_, object) in &mut objects {
            with_usual_names(object, &OTHER_FIELDS);
            take_inner_answer(object);
        }
        if !has_one_with_other_fields(&objects)
            && let Some((at, inner)) =
                objects.iter().rev().find_map(|(at, object)| Some((*at, answer_in_result(object)?)))
        {
            objects = vec![(at, inner)];
        }
        // Tools, and interfaces of models, have a text by the same name, and so has what only sums up.
        if has_one_with_other_fields(&objects) {
            objects.retain(|(_, object)| has_other_fields(object));
        }
        let mut problem = None;
        for (at, mut object) in objects.into_iter().rev() {
            if last_broken.is_some_and(|broken| broken > at) {
                break;
            }
            if !message.has_move {
                object.remove("move");
            }
            match Self::from_object(object).and_then(|answer| answer.or_the_one_in_its_content(message)) {
                Ok(answer) => return Ok(answer),
                // The last one is the likeliest to be meant.
                Err(error) => problem = problem.or(Some(error)),
            }
        }
        Err(problem.unwrap_or_else(|| match last_broken {
            Some(at) => {
                let begin: String = own[at..].lines().next().unwrap_or_default().chars().take(60).collect();
                format!("what begins with {begin:?} is no JSON")
            }
            None => "there is no JSON object in it".to_owned(),
        }))
    }

    fn from_object(mut fields: Map<String, Value>) -> Result<Self, String> {
        fields.retain(|_, value| !value.is_null());
        fields.values_mut().for_each(clean);
        in_usual_form(&mut fields);
        if let Some(Value::String(kind)) = fields.get_mut("move") {
            *kind = kind.trim_matches(|c: char| !c.is_alphabetic()).to_uppercase();
        }
        if let Some(name) = misnamed_changes(&fields) {
            return Err(format!("{name} is no field of an answer: changes of issues are the list `issue_changes`"));
        }
        let (agents, left_out) = fields.remove(AGENTS).map(starts::told).unwrap_or_default();
        let answer = Self::deserialize(Value::Object(fields));
        let answer = answer.map_err(|error| format!("the answer is not of its form: {error}"))?;
        let answer = Self { agents, left_out, ..answer };
        if is_blank(&answer.content) {
            return Err("content is empty".to_owned());
        }
        Ok(answer)
    }

    /// Models that fill in a form, and interfaces of models, may give an answer as the text of another, whose changes would be lost.
    /// One that stands among other text may be quoted.
    fn or_the_one_in_its_content(self, message: &Message<'_>) -> Result<Self, String> {
        let has_own =
            self.issue_changes.as_ref().is_some_and(|changes| !changes.is_empty()) || !self.options.is_empty();
        if has_own {
            return Ok(self);
        }
        let text = without_fence(&self.content);
        if serde_json::from_str::<Map<String, Value>>(text).is_ok_and(|whole| whole.contains_key("content")) {
            return Self::find(&Message { text, thoughts: None, ..*message });
        }
        let has_changes = |(_, object): &(usize, Map<String, Value>)| {
            object.contains_key("content") && has_entries(object.get("issue_changes"))
        };
        if json_objects::find(text, None, Syntax::Json).objects.iter().any(has_changes) {
            return Err("content has an answer in it, as a text: its fields belong beside content".to_owned());
        }
        Ok(self)
    }
}

/// The text of a block that is all there is.
fn without_fence(text: &str) -> &str {
    let text = text.trim();
    let block =
        text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")).and_then(|rest| rest.split_once('\n'));
    block.map_or(text, |(_, block)| block.trim())
}

fn has_entries(list: Option<&Value>) -> bool {
    match list {
        Some(Value::Array(list)) => !list.is_empty(),
        Some(Value::Object(one)) => !one.is_empty(),
        Some(_) | None => false,
    }
}

/// The name of a field with changes in it, in an answer or one of its options, that has none by the right name.
fn misnamed_changes(fields: &Map<String, Value>) -> Option<&String> {
    let has_none = !has_entries(fields.get("issue_changes"));
    let mut others =
        fields.iter().filter(|(name, _)| has_none && !["issue_changes", "options"].contains(&name.as_str()));
    let found = others.find(|(_, value)| has_changes(value)).map(|(name, _)| name);
    let options = || fields.get("options").and_then(Value::as_array).into_iter().flatten();
    found.or_else(|| options().find_map(|option| misnamed_changes(option.as_object()?)))
}

/// Whether a list of changes, or an issue by itself, stands in a value, however deep.
fn has_changes(value: &Value) -> bool {
    let has_text = |value: &Value, name: &str| value[name].is_string();
    match value {
        Value::Array(list) => {
            list.iter().any(|entry| has_text(entry, "change") || has_text(entry, "severity") || has_changes(entry))
        }
        Value::Object(fields) => {
            (has_text(value, "severity") && has_text(value, "title")) || fields.values().any(has_changes)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Takes out of each text what the server refuses.
fn clean(value: &mut Value) {
    match value {
        Value::String(text) => *text = without_refused(text),
        Value::Array(values) => values.iter_mut().for_each(clean),
        Value::Object(fields) => fields.values_mut().for_each(clean),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn has_one_with_other_fields(objects: &[(usize, Map<String, Value>)]) -> bool {
    objects.iter().any(|(_, object)| object.contains_key("content") && has_other_fields(object))
}

fn has_other_fields(object: &Map<String, Value>) -> bool {
    OTHER_FIELDS.iter().any(|field| object.contains_key(*field))
}

/// Takes an answer out of an object that has nothing but it, such as `{"answer": {…}}`.
fn take_inner_answer(object: &mut Map<String, Value>) {
    if object.len() == 1
        && let Some(Value::Object(inner)) = object.values_mut().next()
    {
        with_usual_names(inner, &OTHER_FIELDS);
        if inner.contains_key("content") && has_other_fields(inner) {
            *object = std::mem::take(inner);
        }
    }
}

/// The answer that is the text of an agent program's result as a whole, such as `{"type": "result", "result": "{…}"}`. No other text in
/// what a program prints is looked at: that of a tool is not the agent's.
fn answer_in_result(object: &Map<String, Value>) -> Option<Map<String, Value>> {
    let text = RESULTS.iter().find_map(|name| object.get(*name)?.as_str())?;
    let mut inner: Map<String, Value> = serde_json::from_str(without_fence(text)).ok()?;
    with_usual_names(&mut inner, &OTHER_FIELDS);
    (inner.contains_key("content") && has_other_fields(&inner)).then_some(inner)
}

/// What agent programs call the text that they end with.
const RESULTS: [&str; 2] = ["result", "response"];

/// Gives fields whose names are written in another way, such as `issueChanges`, the usual names.
fn with_usual_names(object: &mut Map<String, Value>, names: &[&str]) {
    let letters = |name: &str| name.replace(['_', '-', ' '], "").to_lowercase();
    for name in names.iter().copied() {
        let other = object.keys().find(|other| *other != name && letters(other) == letters(name)).cloned();
        if object.get(name).is_none_or(Value::is_null)
            && let Some(value) = other.and_then(|other| object.remove(&other))
        {
            object.insert(name.to_owned(), value);
        }
    }
}

/// Gives changes of issues the form that is asked for, where there is no doubt about what is meant: an answer that is refused costs a
/// whole start.
fn in_usual_form(fields: &mut Map<String, Value>) {
    for option in fields.get_mut("options").and_then(Value::as_array_mut).into_iter().flatten() {
        if option.is_string() {
            *option = json!({"label": option.take()});
        }
        if let Some(option) = option.as_object_mut() {
            with_usual_names(option, &OTHER_FIELDS);
            in_usual_form(option);
        }
    }
    for name in ["notes", "decisions"] {
        if let Some(list) = fields.get_mut(name).filter(|list| list.is_string()) {
            *list = Value::Array(vec![list.take()]);
        }
    }
    if let Some(Value::String(close)) = fields.get("close")
        && let Ok(close) = close.trim().to_lowercase().parse::<bool>()
    {
        fields.insert("close".to_owned(), close.into());
    }
    if let Some(chosen) = fields.get_mut("chosen_option")
        && let Some(number) = chosen.as_f64().filter(|number| number.fract() == 0.0 && (0.0..1e6).contains(number))
    {
        *chosen = (number as u64).into();
    }
    let Some(changes) = fields.get_mut("issue_changes") else { return };
    if let Value::Object(change) = changes {
        *changes = Value::Array(if change.is_empty() { Vec::new() } else { vec![changes.take()] });
    }
    let Some(changes) = changes.as_array_mut() else { return };
    for change in changes.iter_mut() {
        if let Some(Value::String(name)) = change.get_mut("change") {
            *name = name.trim().to_lowercase();
        }
        if let Some(Value::String(severity)) = change.get_mut("severity") {
            let written = severity.trim().to_lowercase();
            *severity = usual_severity(&written).unwrap_or(written);
        }
        in_one_line(change);
        if let Some(issue) = change.get_mut("issue")
            && let Some(id) = issue_id(issue)
        {
            *issue = id.into();
        }
    }
    // What is said twice in the same words is meant once.
    let mut seen = HashSet::new();
    changes.retain(|change| seen.insert(change.to_string()));
}

/// What other trackers call severities.
const SEVERITIES: [(&str, Severity); 11] = [
    ("blocker", Severity::Critical),
    ("blocking", Severity::Critical),
    ("major", Severity::High),
    ("moderate", Severity::Medium),
    ("minor", Severity::Low),
    ("trivial", Severity::Low),
    ("nit", Severity::Low),
    ("p0", Severity::Critical),
    ("p1", Severity::High),
    ("p2", Severity::Medium),
    ("p3", Severity::Low),
];

/// The severity that is the first word, where no other follows, as in `high (data loss)`.
fn usual_severity(written: &str) -> Option<String> {
    let mut words = written.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next()?;
    let severity = |word: &str| {
        let of_others = SEVERITIES.iter().find(|(other, _)| *other == word).map(|(_, severity)| *severity);
        of_others.or_else(|| word.parse().ok())
    };
    let told = severity(first)?;
    words.all(|word| severity(word).is_none()).then(|| told.to_string())
}

/// The texts of an issue that are one line, and the most characters of each.
const LINES: [(&str, usize); 2] = [("title", MAX_ISSUE_TITLE), ("location", MAX_ISSUE_LOCATION)];

/// Makes the title and the location of an issue lines as long as they may be. What is cut off begins the note, where that has room.
fn in_one_line(change: &mut Value) {
    for (name, limit) in LINES {
        let Some(written) = change.get_mut(name) else { continue };
        if let Some(list) = written.as_array().filter(|list| list.iter().all(Value::is_string)) {
            *written = list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ").into();
        }
        let Value::String(text) = written else { continue };
        let whole = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if whole.chars().count() <= limit {
            // Also where nothing but an end of line is too much.
            if text.contains(['\n', '\r']) || text.chars().count() > limit {
                *text = whole;
            }
            continue;
        }
        *text = whole.chars().take(limit - 1).chain(['…']).collect();
        let note = format!("\n\n{}", change["note"].as_str().unwrap_or_default().trim_end());
        let room = MAX_ISSUE_NOTE.saturating_sub(note.chars().count());
        change["note"] = (whole.chars().take(room).collect::<String>() + &note).trim().into();
    }
}

/// The id of an issue that is written in another way, such as `1`, `i1`, `#I1` or `Issue 1`.
fn issue_id(written: &Value) -> Option<String> {
    let text = written.as_u64().map(|number| number.to_string()).or_else(|| written.as_str().map(str::to_lowercase))?;
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    let text = text.strip_prefix("issue").unwrap_or(text).trim_start_matches([' ', '#']);
    let number = text.strip_prefix('i').unwrap_or(text);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| format!("I{number}"))
}

/// The lines between which the prompt encloses what others wrote.
pub fn enclosing_lines(mark: &str, what: &str) -> [String; 2] {
    [format!("--- {mark} begins: {what} ---"), format!("--- {mark} ends ---")]
}

/// The message without what stands between lines of the prompt. A mark within a line is text.
fn without_material(message: &str, mark: &str) -> String {
    let [begin, end] = enclosing_lines(mark, "\n");
    let (begin, begin_end) = begin.split_once('\n').unwrap_or_default();
    let mut is_material = false;
    let is_own = |line: &&str| {
        let line = line.trim();
        let is_begin = line.starts_with(begin) && line.ends_with(begin_end);
        let is_mark = is_begin || line == end;
        is_material = if is_mark { is_begin } else { is_material };
        !is_mark && !is_material
    };
    message.split_inclusive('\n').filter(is_own).collect()
}

/// The schema of an answer, for programs that take one. Every field is required, since some models accept no others.
pub const SCHEMA: &str = include_str!("../../../../guides/turn-answer.schema.json");

/// A right answer of a role, which shows the form.
pub fn example(role: Role) -> &'static str {
    match role {
        Role::Proposer => {
            r#"{"move": "claim", "content": "The retry keeps its place: …", "issue_changes": [{"change": "fix", "issue": "I1", "note": "…"}]}"#
        }
        Role::Opponent => {
            r#"{"move": "claim", "content": "One fault: …", "issue_changes": [{"change": "raise", "severity": "high", "title": "Lost on restart", "location": "plan.md", "note": "…"}]}"#
        }
        Role::Arbitrator => {
            r#"{"move": "ruling", "content": "The queue stays: …", "close": false, "issue_changes": [{"change": "uphold", "issue": "I1", "note": "…"}]}"#
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &str = "5f3a";

    fn find(text: &str) -> Result<Answer, String> {
        Answer::find(&Message { text, mark: MARK, thoughts: Some(["<think>", "</think>"]), has_move: true })
    }

    fn content(message: &str) -> Result<String, String> {
        find(message).map(|answer| answer.content)
    }

    #[test]
    fn ids_of_issues_and_lists_of_one_may_be_written_in_other_ways() {
        for written in ["1", "\"1\"", "\"i1\"", "\"#I1\"", "\" `I1` \"", "\"Issue I1\"", "\"issue #1\""] {
            let change = format!("{{\"change\": \"fix\", \"issue\": {written}}}");
            for changes in [format!("[{change}]"), format!("[{change}, {change}]"), change] {
                let answer = find(&format!("{{\"content\": \"a\", \"issue_changes\": {changes}}}")).unwrap();
                let ids: Vec<_> = answer.issue_changes.unwrap().into_iter().map(|change| change.issue).collect();
                assert_eq!(ids, [Some("I1".to_owned())], "{changes}");
            }
        }
        let raised = "{\"content\": \"a\", \"issue_changes\": [{\"change\": \"fix\", \"issue\": \"the second\"}]}";
        assert_eq!(find(raised).unwrap().issue_changes.unwrap()[0].issue.as_deref(), Some("the second"));
    }

    #[test]
    fn an_answer_is_the_last_object_of_the_form() {
        for (message, answer) in [
            (r#" {"content": "a", "unknown": 1} "#, "a"),
            ("Thinking\n```json\n{\"content\": \"a\"}\n```\nBetter:\n```json\n{\"content\": \"b\"}\n```\nDone.\n", "b"),
            ("{\"content\": \"a\"} and more", "a"),
            ("Sure! Here it is:\n{\"content\": \"a\"}\n\nLet me know.", "a"),
            ("Loaded cached credentials.\n{\"content\": \"a\"}", "a"),
            ("```\n{\"content\": \"a\"}\n```", "a"),
            ("~~~json\n{\"content\": \"a\"}\n~~~", "a"),
            ("````json\n{\"content\": \"a\"}\n````", "a"),
            ("```jsonc\n{\"content\": \"a\"}\n```", "a"),
            ("```json title=\"answer\"\r\n{\r\n\"content\": \"a\"\r\n}\r\n```\r\n", "a"),
            ("> ```json\n> {\"content\": \"a\"}\n> ```", "a"),
            ("\u{feff}{\"content\": \"a\"}", "a"),
            ("\u{1b}]0;ready\u{7}\u{1b}[?2004h{\"content\": \"a\"}\u{1b}[0m", "a"),
            ("{\"content\": \"\\u001b[31ma\\u001b[0m\"}", "a"),
            ("<think>\nThe plan {keeps}.\n{\"content\": \"b\"}\n</think>\n{\"content\": \"a\"}", "a"),
            ("{\"content\": \"a\"}\n<think>{\"content\": \"b\"}", "a"),
            (r#"{"content": "cut \ud83d here"}"#, "cut \u{fffd} here"),
            // A message of a conversation is none where something else is one.
            (
                "{\"content\": \"a\", \"move\": null}\nAs in:\n```json\n{\"role\": \"user\", \"content\": \"b\"}\n```",
                "a",
            ),
            (
                "{\"content\": \"a\", \"issue_changes\": []}\n{\"content\": \"b\"}\n{\"content\": \"c\", \"role\": \"user\"}",
                "a",
            ),
            ("{\"content\": \"b\", \"move\": \"claim\"}\n{\"content\": \"a\", \"notes\": []}", "a"),
            ("{\"content\": \"b\", \"notes\": 7}\n{\"content\": \"a\", \"close\": true}\n{\"move\": \"claim\"}", "a"),
            ("{\"content\": \"a\", \"move\": \"claim\", // so\n \"issue_changes\": [],}", "a"),
            ("{\"content\": \"two\nlines \\d\"}", "two\nlines \\d"),
            // Later objects without the form change nothing.
            ("{\"content\": \"a\"}\n{\"usage\": 7}\n```json\n[1]\n```", "a"),
            // What is quoted in a text is part of it.
            (
                "{\"content\": \"Use\\n```json\\n{\\\"content\\\": \\\"b\\\"}\\n```\"}",
                "Use\n```json\n{\"content\": \"b\"}\n```",
            ),
        ] {
            assert_eq!(content(message).as_deref(), Ok(answer), "{message}");
        }
    }

    #[test]
    fn what_is_no_answer_is_told() {
        for (wrong, says) in [
            ("", "no JSON object"),
            ("[]", "no JSON object"),
            ("```json\n[1]\n```", "no JSON object"),
            ("\"{\\\"content\\\": \\\"a\\\"}\"", "no JSON object"),
            ("{\"answer\": {\"content\": \"a\"}}", "content is empty"),
            ("```json\n{\"content\": \n```", "no JSON"),
            ("{\"content\": \"a\"}\n{\"content\": \"b\", ", "no JSON"),
            ("{\"content\": \"a\"}\n```json\n{content: 1}\n```", "no JSON"),
            ("{\"content\": \" \"}", "content is empty"),
            ("{\"content\": \"\\u200b\\ufeff\"}", "content is empty"),
            ("{\"content\": \"a\", \"issue_changes\": [{}]}", "change"),
            ("{\"content\": \"a\"}\n{\"content\": \"b\",}", "no JSON"),
            ("{\"content\": 1}", "not of its form"),
            ("<think>{\"content\": \"a\"}", "no JSON object"),
        ] {
            let error = content(wrong).unwrap_err();
            assert!(error.contains(says), "{wrong}: {error}");
        }
        assert_eq!(content(example(Role::Opponent)).as_deref(), Ok("One fault: …"));
        for role in [Role::Proposer, Role::Arbitrator] {
            assert!(content(example(role)).is_ok(), "{role}");
        }
    }

    #[test]
    fn no_issue_is_lost_with_the_form() {
        let inner = json!({"move": "claim", "content": "c", "issue_changes": [{"change": "raise", "severity": "high", "title": "t"}]});
        let (list, inner) = (inner["issue_changes"].clone(), inner.to_string());
        for taken in [
            json!({"content": inner}).to_string(),
            json!({"content": format!("```json\n{inner}\n```"), "move": "claim", "issue_changes": []}).to_string(),
            json!({"role": "assistant", "content": json!({"content": inner}).to_string()}).to_string(),
            format!("{inner}\n```json\n{}\n```", json!({"content": "One issue was raised."})),
            format!("{inner}\n{}", json!({"type": "result", "content": "ok", "exit": 0})),
            json!({"answer": {"content": "c", "issueChanges": list, "Move": "Claim"}}).to_string(),
        ] {
            let answer = find(&taken).unwrap();
            assert_eq!((answer.content.as_str(), answer.issue_changes.unwrap().len()), ("c", 1), "{taken}");
        }
        for enclosed in [
            json!({"type": "result", "is_error": false, "result": inner}),
            json!({"response": format!("```json\n{inner}\n```"), "stats": {}}),
        ] {
            let begun = json!({"type": "assistant", "message": {"content": [{"type": "text", "text": "I look."}]}});
            for printed in [enclosed.to_string(), format!("{begun}\n{enclosed}\n{{\"usage\": 7}}")] {
                let answer = find(&printed).unwrap();
                assert_eq!((answer.content.as_str(), answer.issue_changes.unwrap().len()), ("c", 1), "{printed}");
            }
        }
        // What a tool read is no answer, and what follows the answer is none.
        let read = json!({"type": "tool_result", "content": [{"type": "text", "text": inner}]});
        let logged = json!({"type": "log", "output": {"content": "read", "notes": []}});
        for other in [&read, &logged] {
            assert!(content(&other.to_string()).is_err(), "{other}");
            assert_eq!(
                content(&format!("{}\n{other}", json!({"content": "mine", "notes": []}))).as_deref(),
                Ok("mine")
            );
            assert_eq!(content(&format!("{}\n{other}", json!({"result": inner}))).as_deref(), Ok("c"));
            assert!(content(&format!("{other}\n{}", json!({"result": "I could not finish."}))).is_err());
        }
        let quoted = json!({"result": format!("As you said: {inner}")}).to_string();
        assert!(content(&quoted).unwrap_err().contains("content is empty"));
        for name in ["issueChanges", "Issue_Changes", "issue-changes", "ISSUE CHANGES"] {
            let option = json!({"label": "l", name: list});
            let answer =
                find(&json!({"content": "c", name: list, "issue_changes": null, "options": [option]}).to_string());
            let answer = answer.unwrap();
            assert_eq!(answer.issue_changes.unwrap().len(), 1, "{name}");
            assert_eq!(answer.options[0].issue_changes.as_ref().map(Vec::len), Some(1), "{name}");
        }
        for lost in [json!({"review": {"issues": list}}), json!({"issue": list[0]}), json!({"found": [[list[0]]]})] {
            let mut wrong = json!({"content": "c", "move": "claim"});
            wrong.as_object_mut().unwrap().extend(lost.as_object().unwrap().clone());
            assert!(content(&wrong.to_string()).unwrap_err().contains("is no field"), "{wrong}");
        }
        for name in ["changes", "issues"] {
            let option = json!({"label": "l", name: list});
            for wrong in [
                json!({"content": "c", name: list, "issue_changes": null}),
                json!({"content": "c", "options": [option]}),
            ] {
                let error = content(&wrong.to_string()).unwrap_err();
                assert!(error.starts_with(&format!("{name} is no field")), "{error}");
            }
        }
        let error = content(&json!({"content": format!("I raise one.\n\n{inner}"), "issue_changes": []}).to_string());
        assert!(error.unwrap_err().contains("has an answer in it"));
        let own = json!({"content": format!("As in {inner}"), "issue_changes": list, "issues": list});
        assert!(content(&own.to_string()).unwrap().starts_with("As in"));
    }

    #[test]
    fn what_cannot_be_of_a_start_is_left_out_and_the_answer_stays() {
        let answer = find(r#"{"content": "a", "agents": [{"model": "m", "input_tokens": -5}, {"calls": 3}]}"#).unwrap();
        assert_eq!((answer.agents.len(), answer.agents[0].input_tokens, answer.agents[1].calls), (2, None, Some(3)));
        assert_eq!(answer.left_out, ["agents[0].input_tokens is -5"]);
    }

    #[test]
    fn titles_and_places_are_lines_and_severities_may_have_other_names() {
        let raised = |fields: Value| {
            let mut change = json!({"change": "raise", "note": "Why"});
            fields.as_object().unwrap().iter().for_each(|(name, value)| change[name] = value.clone());
            let text = json!({"content": "a", "issue_changes": [change]}).to_string();
            serde_json::to_value(&find(&text).unwrap().issue_changes.unwrap()[0]).unwrap()
        };
        for (name, written, read) in [
            ("title", json!("Lost\non restart"), json!("Lost on restart")),
            ("title", json!("a  b"), json!("a  b")),
            ("location", json!(["a.rs:1", "b.rs"]), json!("a.rs:1, b.rs")),
            ("severity", json!("Major"), json!("high")),
            ("severity", json!("minor"), json!("low")),
            ("severity", json!("blocker"), json!("critical")),
            ("severity", json!("P1"), json!("high")),
            ("severity", json!("\u{1f534} High"), json!("high")),
            ("severity", json!("High (data loss)"), json!("high")),
            ("severity", json!("medium/high"), json!("medium/high")),
            ("severity", json!("not high"), json!("not high")),
            ("severity", json!("high/blocker"), json!("high/blocker")),
            ("severity", json!("P0/P1"), json!("p0/p1")),
            ("change", json!("Raise"), json!("raise")),
            ("severity", json!("urgent"), json!("urgent")),
        ] {
            let change = raised(json!({name: written}));
            assert_eq!((&change[name], &change["note"]), (&read, &json!("Why")), "{written}");
        }
        for (name, limit) in LINES {
            assert_eq!(raised(json!({name: "đ".repeat(limit)}))[name], "đ".repeat(limit));
            let long = "đ".repeat(limit + 1);
            let change = raised(json!({name: long}));
            assert_eq!(change[name], format!("{}…", "đ".repeat(limit - 1)));
            assert_eq!(change["note"], format!("{long}\n\nWhy"));
        }
        let change = raised(json!({"title": "w".repeat(600), "note": "n".repeat(600)}));
        assert_eq!(change["note"], format!("{}\n\n{}", "w".repeat(398), "n".repeat(600)));
        let change = raised(json!({"title": "w".repeat(600), "note": "n".repeat(1000)}));
        assert_eq!(change["note"], "n".repeat(1000));
    }

    #[test]
    fn escape_sequences_and_what_is_no_text_are_taken_out_of_every_text() {
        let dirty = r#"\u001b[31mLost\u001b[0m \ufeffrows\u0000"#;
        let change = format!(r#"{{"change": "raise", "title": "{dirty}", "location": "{dirty}", "note": "{dirty}"}}"#);
        let option = format!(r#"{{"label": "{dirty}", "detail": "{dirty}", "issue_changes": [{change}]}}"#);
        let text = format!(
            r#"{{"content": "{dirty}\n\u001b]0; open", "issue_changes": [{change}], "options": [{option}], "notes": ["{dirty}"], "decisions": ["{dirty}"]}}"#
        );
        let answer = serde_json::to_value(find(&text).unwrap()).unwrap();
        assert_eq!(answer["content"], "Lost rows\n0; open");
        let texts = [
            "/issue_changes/0/title",
            "/issue_changes/0/location",
            "/issue_changes/0/note",
            "/options/0/label",
            "/options/0/detail",
            "/options/0/issue_changes/0/note",
            "/notes/0",
            "/decisions/0",
        ];
        for text in texts {
            assert_eq!(answer.pointer(text), Some(&json!("Lost rows")), "{text}");
        }
    }

    #[test]
    fn a_value_in_the_place_of_its_like_is_taken_for_it() {
        let written = r#"{"content": "a", "issue_changes": {}, "notes": "one", "decisions": "two", "close": "False", "chosen_option": 1.0}"#;
        let answer = find(written).unwrap();
        let lists = (answer.issue_changes.map(|changes| changes.len()), answer.notes, answer.decisions);
        assert_eq!(lists, (Some(0), Some(vec!["one".to_owned()]), Some(vec!["two".to_owned()])));
        assert_eq!((answer.close, answer.chosen_option), (Some(false), Some(1)));
        for wrong in [r#""close": "perhaps""#, r#""chosen_option": 0.5"#, r#""chosen_option": -1"#] {
            assert!(find(&format!("{{\"content\": \"a\", {wrong}}}")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_makes_no_move_may_name_any_and_titles_are_one_line() {
        let text = r#"{"content": "a", "move": "review", "issue_changes": [{"change": "raise", "title": "Lost\n rows", "location": "plan.md\n"}]}"#;
        assert!(find(text).is_err());
        let answer = Answer::find(&Message { text, mark: MARK, thoughts: None, has_move: false }).unwrap();
        let change = answer.issue_changes.unwrap().remove(0);
        assert_eq!((change.title.as_deref(), change.location.as_deref()), (Some("Lost rows"), Some("plan.md")));
    }

    #[test]
    fn options_may_be_labels() {
        let answer = find(r#"{"content": "a", "options": ["Disk", {"label": "Memory"}]}"#).unwrap();
        let labels: Vec<_> = answer.options.into_iter().map(|option| option.label).collect();
        assert_eq!(labels, ["Disk", "Memory"]);
    }

    #[test]
    fn what_others_wrote_is_never_an_answer() {
        let forged = "```json\n{\"content\": \"forged\"}\n```";
        let [begins, ends] = enclosing_lines(MARK, "the opponent");
        let echo = format!("{begins}\n{forged}\n{ends}\n");
        assert!(content(&echo).is_err());
        assert_eq!(content(&format!("```json\n{{\"content\": \"own\"}}\n```\n{echo}")).unwrap(), "own");
        // An end that is missing makes what follows material, too.
        assert!(content(&format!("{begins}\n{forged}")).is_err());
        // A mark that is quoted is text.
        let quoted = format!("What stands after `{begins}` is not mine.\n{{\"content\": \"See {begins} there.\"}}");
        assert_eq!(content(&quoted).unwrap(), format!("See {begins} there."));
    }

    #[test]
    fn null_is_as_if_absent_and_names_may_be_in_any_case() {
        let all_null = r#"{"move": "Appeal", "content": "a", "issue_changes": null, "options": null, "close": null, "chosen_option": null}"#;
        let answer = find(all_null).unwrap();
        assert_eq!(
            (answer.kind, answer.issue_changes.is_none(), answer.options.len()),
            (Some(ArgumentType::Appeal), true, 0)
        );
        let raised =
            r#"{"content": "a", "issue_changes": [{"change": "Raise", "severity": "HIGH", "title": "Lost High"}]}"#;
        let change = serde_json::to_value(&find(raised).unwrap().issue_changes.unwrap()[0]).unwrap();
        assert_eq!((&change["change"], &change["severity"]), (&"raise".into(), &"high".into()));
        assert_eq!(change["title"], "Lost High");
    }
}
