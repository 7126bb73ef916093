//! Records as documents for people: markdown in the headings of MADR 4, and a page of HTML that stands by itself.

use minijinja::{AutoEscape, Environment, Error, ErrorKind, context, syntax::SyntaxConfig, value::Serde};
use serde_json::Value;

use super::text_by_others;
use crate::output::{
    failure::{Code, Failure},
    issue_change::past_tense,
    markdown, sanitize,
};

const MARKDOWN: &str = include_str!("record.md.jinja");
const HTML: &str = include_str!("record.html.jinja");

/// The kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rendering {
    /// Markdown in the headings of MADR 4
    Markdown,
    /// A page that stands by itself
    Html,
}

/// The arguments whose texts a document shows.
#[derive(Debug, Clone)]
pub struct Transcript {
    /// In `seq` order, beginning with the MOTION. Markdown needs the MOTION and the APPEALs only
    pub arguments: Vec<Value>,
}

/// Renders a record, which has `record` and `signature` as the server sent them.
///
/// # Errors
/// If the record has another shape than this version of `aw` expects.
pub fn render(rendering: Rendering, signed: &Value, transcript: &Transcript) -> Result<String, Failure> {
    let (name, template) = match rendering {
        Rendering::Markdown => ("record.md", MARKDOWN),
        Rendering::Html => ("record.html", HTML),
    };
    let record = &signed["record"];
    let values = context! {
        record => minijinja::Value::from(Serde(record)),
        signature => minijinja::Value::from(Serde(&signed["signature"])),
        arguments => minijinja::Value::from(Serde(&transcript.arguments)),
        unsettled => minijinja::Value::from(Serde(unsettled(record))),
        dissent => minijinja::Value::from(Serde(dissent(record))),
    };
    let document = environment()
        .and_then(|environment| environment.render_named_str(name, template, values))
        .map_err(|error| Failure::new(Code::InternalError, format!("cannot render this record: {error}")))?;
    Ok(without_double_blank_lines(&document))
}

/// The ids of the issues that are not settled.
fn unsettled(record: &Value) -> Vec<&str> {
    let is_unsettled = |issue: &&Value| matches!(issue["status"].as_str(), Some("open" | "fixed" | "disputed"));
    list(&record["issues"]).filter(is_unsettled).filter_map(|issue| issue["id"].as_str()).collect()
}

/// The changes on which the sides did not agree: what the proposer disputed and what the arbitrator decided.
fn dissent(record: &Value) -> Vec<Value> {
    let is_dissent = |change: &&Value| matches!(change["change"].as_str(), Some("dispute" | "uphold" | "dismiss"));
    let of_issue = |issue: &Value| -> Vec<Value> {
        let with_issue = |change: &Value| {
            let mut change = change.clone();
            change["issue"] = issue["id"].clone();
            change["title"] = issue["title"].clone();
            change
        };
        list(&issue["history"]).filter(is_dissent).map(with_issue).collect()
    };
    list(&record["issues"]).flat_map(of_issue).collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The templates leave blank lines where a part is absent. Code by others is quoted or escaped and keeps its own.
fn without_double_blank_lines(document: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut is_in_code = false;
    for line in document.trim().lines() {
        is_in_code = (is_in_code || line.contains("<pre")) && !line.contains("</pre>");
        if is_in_code || !line.trim().is_empty() || lines.last().is_some_and(|last| !last.trim().is_empty()) {
            lines.push(line);
        }
    }
    lines.join("\n") + "\n"
}

fn environment() -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.set_auto_escape_callback(
        |name| {
            if name.ends_with(".html") { AutoEscape::Html } else { AutoEscape::None }
        },
    );
    environment.add_filter("quoted", |text: String| text_by_others::quoted(&text));
    environment.add_filter("line", |text: String| text_by_others::on_one_line(&text));
    environment.add_filter("visible", |text: String| sanitize::line(&text));
    environment.add_filter("html", |text: String| minijinja::Value::from_safe_string(text_by_others::html(&text)));
    environment.add_filter("time", |text: String| markdown::time(&text));
    environment.add_filter("day", |text: String| text.split('T').next().unwrap_or_default().to_owned());
    environment.add_filter("duration", duration);
    environment.add_filter("words", words);
    Ok(environment)
}

/// A duration in its largest unit and the one below that.
fn duration(seconds: u64) -> String {
    let units = [(seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")];
    let Some(first) = units.iter().position(|(count, _)| *count > 0) else { return "0 s".to_owned() };
    let largest = units[first..].iter().take(2).filter(|(count, _)| *count > 0);
    largest.map(|(count, unit)| format!("{count} {unit}")).collect::<Vec<_>>().join(" ")
}

/// What the names of the contract mean, in words.
fn words(name: String) -> Result<&'static str, Error> {
    Ok(match name.as_str() {
        "agreed" => "The sides agreed: the debate was closed on a request to finish.",
        "ruled" => "The arbitrator decided: the debate was closed without an agreement of the sides.",
        "open" => "Nothing is decided yet: the debate is open.",
        "APPEAL" => "an appeal",
        "RESOLUTION" => "a request to finish",
        "INTERVENTION" => "an intervention",
        "refer" => "referred to the arbitrator",
        change => past_tense(change)
            .ok_or_else(|| Error::new(ErrorKind::InvalidOperation, "this version of aw does not know all names"))?,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The record of the examples in the contract, with the texts of its debate.
    fn example() -> (Value, Transcript) {
        let openapi: Value = serde_json::from_str(include_str!("../../../openapi.json")).unwrap();
        let example = |path: &str, name: &str| {
            openapi["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["examples"][name]["value"]
                ["data"]
                .clone()
        };
        let context = example("/debates/{id}", "found");
        let mut arguments = vec![context["motion"].clone()];
        arguments.extend(context["arguments"].as_array().unwrap().iter().cloned());
        (example("/debates/{id}/record", "signed"), Transcript { arguments })
    }

    #[test]
    fn the_record_in_markdown() {
        let (signed, transcript) = example();
        insta::assert_snapshot!(render(Rendering::Markdown, &signed, &transcript).unwrap());
    }

    #[test]
    fn the_record_as_a_page() {
        let (signed, transcript) = example();
        insta::assert_snapshot!(render(Rendering::Html, &signed, &transcript).unwrap());
    }

    #[test]
    fn texts_by_others_stay_in_their_places() {
        let (mut signed, mut transcript) = example();
        let hostile = "x\n\n## Decision Outcome\n\n| a |\n---\n</details><script>alert(1)</script>";
        let line = "# T | <script>alert(1)</script> *x*";
        signed["record"]["debate"]["title"] = line.into();
        signed["record"]["decision"]["content"] = hostile.into();
        signed["record"]["rulings"][0]["content"] = hostile.into();
        signed["record"]["rulings"][0]["options"][0] = json!({"label": line, "detail": hostile});
        signed["record"]["issues"][0]["title"] = line.into();
        signed["record"]["issues"][0]["note"] = hostile.into();
        signed["record"]["plan"]["summary"] = line.into();
        transcript.arguments[0]["content"] = hostile.into();
        let markdown = render(Rendering::Markdown, &signed, &transcript).unwrap();
        let headings: Vec<_> = markdown.lines().filter(|line| line.starts_with("## ")).collect();
        assert_eq!(
            headings,
            ["## Context and Problem Statement", "## Considered Options", "## Decision Outcome", "## More Information"]
        );
        assert!(!markdown.lines().any(|line| line.trim_start().starts_with('<')), "{markdown}");
        let html = render(Rendering::Html, &signed, &transcript).unwrap();
        assert!(!html.contains("<script"), "{html}");
        assert_eq!(html.matches("<details").count(), html.matches("</details>").count());
    }

    #[test]
    fn durations_have_two_units_at_most() {
        for (seconds, expected) in
            [(0, "0 s"), (59, "59 s"), (60, "1 min"), (3_661, "1 h 1 min"), (90_000, "1 d 1 h"), (86_405, "1 d")]
        {
            assert_eq!(duration(seconds), expected);
        }
    }
}
