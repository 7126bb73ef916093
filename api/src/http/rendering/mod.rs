//! Records and transcripts as documents for people: markdown, and a page of HTML that stands by itself. Nothing is decided
//! here: templates write what the record and the arguments say.

mod text_by_others;

use std::{collections::HashMap, sync::LazyLock};

use data_encoding::BASE64;
use minijinja::{AutoEscape, Environment, Error, context, syntax::SyntaxConfig, value::Serde};
use serde::Serialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::contract::{Argument, DebateRecord};
use crate::domain::{self, ArgumentType, ChangeName, Outcome, Role};

/// The kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// The record in markdown, in the headings of MADR 4
    Markdown,
    /// The record and the transcript as a page that stands by itself
    Html,
    /// All arguments in markdown
    Transcript,
}

/// What a document shows.
#[derive(Debug, Serialize)]
pub struct Contents {
    #[serde(flatten)]
    signed: DebateRecord,
    /// All arguments up to that with which the record ends, in `seq` order
    arguments: Vec<ShownArgument>,
    /// The ids of the issues that are not settled
    unsettled: Vec<String>,
    /// The changes on which the sides did not agree
    dissent: Vec<Dissent>,
}

/// An argument, and what the others say about it.
#[derive(Debug, Serialize)]
struct ShownArgument {
    #[serde(flatten)]
    argument: Argument,
    /// The `seq` of the argument that it answers
    parent_seq: Option<u64>,
    /// The index of the option that a ruling chose, and the `seq` of that ruling
    chosen_by_ruling: Option<usize>,
    chosen_in: Option<u64>,
}

/// A change with the issue that it is about.
#[derive(Debug, Serialize)]
struct Dissent {
    issue: String,
    title: String,
    #[serde(flatten)]
    entry: domain::HistoryEntry,
}

impl Contents {
    /// The contents for a record with these arguments, signed already.
    pub fn new(record: &domain::Record, signed: DebateRecord, arguments: Vec<Argument>) -> Self {
        let dissent = record.dissent().map(|(issue, entry)| Dissent {
            issue: issue.number.to_string(),
            title: issue.title.clone(),
            entry: entry.clone(),
        });
        Self {
            dissent: dissent.collect(),
            unsettled: record.unsettled().map(|issue| issue.number.to_string()).collect(),
            arguments: shown(arguments),
            signed,
        }
    }
}

fn shown(arguments: Vec<Argument>) -> Vec<ShownArgument> {
    let seqs: HashMap<Uuid, u64> = arguments.iter().map(|argument| (argument.id, argument.seq)).collect();
    let chosen = arguments.iter().filter_map(|argument| Some((argument.chosen.clone().flatten()?, argument.seq)));
    let chosen: HashMap<u64, (usize, u64)> = chosen.map(|(chosen, seq)| (chosen.seq, (chosen.number, seq))).collect();
    let shown = |argument: Argument| ShownArgument {
        parent_seq: argument.parent_id.and_then(|id| seqs.get(&id).copied()),
        chosen_by_ruling: chosen.get(&argument.seq).map(|(number, _)| *number),
        chosen_in: chosen.get(&argument.seq).map(|(_, ruling)| *ruling),
        argument,
    };
    arguments.into_iter().map(shown).collect()
}

/// The style of the page.
const STYLE: &str = include_str!("record.css");

/// The Content-Security-Policy of the page: it has its own style, and loads and runs nothing.
static PAGE_POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = BASE64.encode(&Sha256::digest(STYLE));
    format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'")
});

/// The same for a response, which can also say that no page may embed it.
pub fn page_policy() -> String {
    format!("{}; frame-ancestors 'none'", *PAGE_POLICY)
}

/// Renders a document.
///
/// # Errors
/// If a template does not fit the contents.
pub fn render(document: Document, contents: &impl Serialize) -> Result<String, Error> {
    let (name, template) = match document {
        Document::Markdown => ("record.md", include_str!("record.md.jinja")),
        Document::Html => ("record.html", include_str!("record.html.jinja")),
        Document::Transcript => ("transcript.md", include_str!("transcript.md.jinja")),
    };
    let roles: Vec<&str> = Role::ALL.iter().map(|role| role.as_str()).collect();
    let values = context! { roles, style => STYLE, policy => &*PAGE_POLICY, ..minijinja::Value::from(Serde(contents)) };
    Ok(without_double_blank_lines(&environment()?.render_named_str(name, template, values)?))
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
    environment.add_filter("visible", |text: String| hidden_characters::line(&text));
    environment.add_filter("html", |text: String| minijinja::Value::from_safe_string(text_by_others::html(&text)));
    environment.add_filter("time", |text: String| time(&text));
    environment.add_filter("day", |text: String| text.split('T').next().unwrap_or_default().to_owned());
    environment.add_filter("duration", duration);
    environment.add_filter("words", words);
    environment.add_filter("status", status);
    environment.add_filter("grouped", grouped);
    environment.add_filter("dollars", dollars);
    environment.add_filter("count", count);
    environment.add_filter("beginning", beginning);
    environment.add_filter("own_words", own_words);
    environment.add_filter("run_lists", |text: String| text_by_others::sections(&text, &RUN_LISTS));
    Ok(environment)
}

/// A time of the contract with seconds only.
fn time(text: &str) -> String {
    let seconds = text.trim_end_matches('Z').split('.').next().unwrap_or_default();
    format!("{} UTC", seconds.replace('T', " "))
}

/// A duration in its largest unit and the one below that.
fn duration(seconds: u64) -> String {
    let units = [(seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")];
    let Some(first) = units.iter().position(|(count, _)| *count > 0) else { return "less than 1 s".to_owned() };
    let largest = units[first..].iter().take(2).filter(|(count, _)| *count > 0);
    largest.map(|(count, unit)| format!("{count} {unit}")).collect::<Vec<_>>().join(" ")
}

/// A number as people write it: `164,800`; a dash where it is not known.
fn grouped(number: Option<u64>) -> String {
    let Some(number) = number else { return "–".to_owned() };
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// Millionths of a dollar as dollars, to the cent where that says something.
fn dollars(micro_usd: Option<u64>) -> String {
    match micro_usd {
        None => "–".to_owned(),
        Some(few @ 1..5_000) => format!("$0.{few:06}").trim_end_matches('0').to_owned(),
        Some(micro_usd) => {
            let cents = (micro_usd + 5_000) / 10_000;
            format!("${}.{:02}", grouped(Some(cents / 100)), cents % 100)
        }
    }
}

/// A number with a noun: `1 round`, `2 rounds`.
fn count(number: u64, noun: String) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// What the first paragraph of a text says, cut to what one reads at a glance: where a sentence ends, else a word.
fn beginning(text: String) -> String {
    const CHARACTERS: usize = 300;
    let (paragraph, is_all) = text_by_others::first_paragraph(&text);
    let room = paragraph.char_indices().nth(CHARACTERS).map_or(paragraph.len(), |(at, _)| at);
    if room == paragraph.len() {
        return if is_all { paragraph } else { paragraph + " …" };
    }
    let shown = &paragraph[..room];
    let sentence = ['.', '!', '?'].into_iter().filter_map(|end| shown.rfind(&format!("{end} "))).max();
    match (sentence, shown.rfind(' ')) {
        (Some(at), _) => format!("{} …", &shown[..=at]),
        (None, Some(at)) => format!("{}…", &shown[..at]),
        (None, None) => format!("{shown}…"),
    }
}

/// What a ruling says beyond the option that it chose. The web app and `aw` begin its text with the option's.
fn own_words(content: String, label: String, detail: Option<String>) -> String {
    let content = content.trim();
    let after = |line: &str, text: &str| {
        let rest = text.strip_prefix(line).filter(|rest| rest.is_empty() || rest.starts_with(['\r', '\n']))?;
        Some(rest.trim_start().to_owned())
    };
    let chosen = [format!("**{label}**"), format!("As the option says: {label}")];
    match chosen.iter().find_map(|chosen| after(chosen, content)) {
        Some(rest) => detail.and_then(|detail| after(detail.trim(), &rest)).unwrap_or(rest),
        None => content.to_owned(),
    }
}

/// The headings under which a request to finish says what a plan decides and what was noted: runs write them, and guides name them.
const RUN_LISTS: [&str; 2] = ["Decided for you", "Notes for whoever implements it"];

/// The status that MADR has for an outcome.
fn status(outcome: String) -> String {
    match outcome.parse() {
        Ok(Outcome::Agreed) => "accepted".to_owned(),
        Ok(Outcome::Ruled) => "decided by the arbitrator".to_owned(),
        Ok(Outcome::Open) => "proposed".to_owned(),
        Err(_) => outcome,
    }
}

/// What an outcome, an argument type or a change is called in a sentence.
fn words(name: String) -> String {
    let words = if let Ok(outcome) = name.parse() {
        match outcome {
            Outcome::Agreed => "The sides agreed: the debate was closed on a request to finish.",
            Outcome::Ruled => "The arbitrator decided: the debate was closed without an agreement of the sides.",
            Outcome::Open => "Nothing is decided yet: the debate is open.",
        }
    } else if let Ok(argument_type) = name.parse() {
        match argument_type {
            ArgumentType::Motion => "the motion",
            ArgumentType::Claim => "a claim",
            ArgumentType::Appeal => "an appeal",
            ArgumentType::Resolution => "a request to finish",
            ArgumentType::Intervention => "an intervention",
            ArgumentType::Ruling => "a ruling",
        }
    } else if let Ok(change) = name.parse() {
        match change {
            ChangeName::Raise => "raised",
            ChangeName::Fix => "fixed",
            ChangeName::Dispute => "disputed",
            ChangeName::Refer => "referred to the arbitrator",
            ChangeName::Resolve => "resolved",
            ChangeName::Withdraw => "withdrawn",
            ChangeName::Reopen => "reopened",
            ChangeName::Regrade => "regraded",
            ChangeName::Uphold => "upheld",
            ChangeName::Dismiss => "dismissed",
            ChangeName::Defer => "deferred",
        }
    } else {
        return name;
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// The record of the examples in the contract, with the arguments of its debate.
    fn example() -> Value {
        let openapi: Value = serde_json::from_str(include_str!("../../../../openapi.json")).unwrap();
        let example = |path: &str, name: &str| {
            openapi["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["examples"][name]["value"]
                ["data"]
                .clone()
        };
        let context = example("/debates/{id}", "found");
        let mut arguments = vec![context["motion"].clone()];
        arguments.extend(context["arguments"].as_array().unwrap().iter().cloned());
        arguments.push(json!({
            "id": Uuid::from_u128(9), "type": "APPEAL", "role": "proposer", "seq": 9, "content": "Which one?",
            "created_at": "2026-03-02T10:09:08.123456Z", "parent_seq": 2, "chosen_by_ruling": 1,
            "options": [{"label": "Per shard", "detail": "as now"}, {"label": "Global"}],
            "issue_changes": [{"change": "refer", "issue": "I1", "note": "We disagree."}],
        }));
        arguments.push(json!({
            "id": Uuid::from_u128(10), "type": "RULING", "role": "arbitrator", "seq": 10, "content": "",
            "created_at": "2026-03-02T10:10:00Z", "close": true, "chosen_option": 1, "chosen": {"seq": 9, "number": 1, "label": "Global"},
            "issue_changes": [{"change": "raise", "issue": "I2", "severity": "low", "title": "A", "location": "b:1"}],
        }));
        let mut contents = example("/debates/{id}/record", "signed");
        contents["arguments"] = arguments.into();
        let mut deferred = contents["record"]["issues"][0].clone();
        for (name, value) in [("id", "I8"), ("status", "deferred"), ("deferred_by", "opponent"), ("note", "Next year")]
        {
            deferred[name] = value.into();
        }
        contents["record"]["issues"].as_array_mut().unwrap().push(deferred);
        contents["unsettled"] = json!([]);
        contents["dissent"] = json!([{"issue": "I1", "title": "A fault", "change": "uphold", "role": "arbitrator",
                                      "seq": 6, "note": "It has to be fixed."}]);
        contents
    }

    fn rendered(document: Document, contents: &Value) -> String {
        render(document, contents).unwrap()
    }

    #[test]
    fn the_record_in_markdown() {
        insta::assert_snapshot!(rendered(Document::Markdown, &example()));
    }

    #[test]
    fn issues_that_are_not_settled_stand_with_their_titles() {
        let mut contents = example();
        contents["record"]["issues"][0]["title"] = "Half an index".into();
        contents["record"]["issues"][0]["severity"] = "high".into();
        contents["record"]["issues"][0]["upheld"] = true.into();
        contents["unsettled"] = json!([contents["record"]["issues"][0]["id"]]);
        let markdown = rendered(Document::Markdown, &contents);
        let listed = "Issues that are not settled:\n\n- I1 (high), \"Half an index\", which was upheld\n";
        assert!(markdown.contains(listed) && !markdown.contains("No issue is left open"), "{markdown}");
        let page = rendered(Document::Html, &contents);
        assert!(page.contains("<li>I1 (high), Half an index, which was upheld</li>"), "{page}");
    }

    #[test]
    fn what_ends_with_a_full_stop_gets_no_second_one() {
        let mut contents = example();
        contents["record"]["plan"]["summary"] = "Not until November.".into();
        contents["record"]["rulings"][0] = json!({"seq": 4, "content": "Later.", "on": "APPEAL", "on_seq": 3, "close": false,
                                                  "options": [{"label": "Keep it."}], "chosen_option": 0});
        let markdown = rendered(Document::Markdown, &contents);
        assert!(markdown.contains("**Keep it.** Later."), "{markdown}");
        assert!(markdown.contains("\"Not until November.\"\n"), "{markdown}");
    }

    #[test]
    fn a_ruling_by_an_option_is_told_in_the_arbitrators_own_words() {
        let own_words = |content: &str| own_words(content.to_owned(), "Global".to_owned(), Some("as now".to_owned()));
        assert_eq!(own_words("**Global**\n\nas now\n\nUntil May."), "Until May.");
        assert_eq!(own_words("**Global**\n\nUntil May."), "Until May.");
        assert_eq!(own_words("As the option says: Global"), "");
        for whole in ["As now.\n\n**Global**", "as now is not enough", "**Global**ly, as now"] {
            assert_eq!(own_words(whole), whole);
        }
        assert_eq!(own_words("**Global**\n\nas nowhere else"), "as nowhere else");
        let mut contents = example();
        contents["record"]["rulings"][0] = json!({"seq": 4, "content": "**Global**\n\nUntil May.", "on": "APPEAL", "on_seq": 3,
                                                  "close": false, "options": [{"label": "Global"}], "chosen_option": 0});
        assert!(rendered(Document::Markdown, &contents).contains("**Global**. Until May.\n"));
        assert!(rendered(Document::Html, &contents).contains("<strong>Global</strong>. Until May.</p>"));
    }

    #[test]
    fn an_appeal_that_waits_for_its_ruling_is_shown_with_its_options() {
        let mut contents = example();
        contents["record"]["rulings"] = json!([]);
        contents["arguments"].as_array_mut().unwrap().retain(|argument| argument["seq"] != 10);
        contents["arguments"].as_array_mut().unwrap().last_mut().unwrap()["chosen_by_ruling"] = json!(null);
        for document in [Document::Markdown, Document::Html] {
            let rendered = rendered(document, &contents);
            assert!(rendered.contains("What the appeal in argument 9 asks, which is not ruled on yet"), "{rendered}");
            assert!(rendered.contains("Per shard") && !rendered.contains("No appeal put"), "{rendered}");
            assert!(!rendered.contains("chosen"), "{rendered}");
        }
    }

    #[test]
    fn the_record_as_a_page() {
        insta::assert_snapshot!(rendered(Document::Html, &example()));
    }

    #[test]
    fn the_transcript() {
        insta::assert_snapshot!(rendered(Document::Transcript, &example()));
    }

    #[test]
    fn the_policy_of_the_page_allows_its_style_and_nothing_else() {
        let page = rendered(Document::Html, &example());
        let style = page.split("<style>").nth(1).and_then(|rest| rest.split("</style>").next()).unwrap();
        let hash = BASE64.encode(&Sha256::digest(style));
        assert!(page.contains(&format!("content=\"default-src 'none'; style-src 'sha256-{hash}'; ")), "{page}");
        assert!(!page.contains("style=\""), "{page}");
    }

    #[test]
    fn texts_by_others_stay_in_their_places() {
        let mut contents = example();
        let hostile = "x\n\n## Decision Outcome\n\n| a |\n---\n</details><script>alert(1)</script>";
        let line = "# T | <script>alert(1)</script> *x*";
        contents["record"]["debate"]["title"] = line.into();
        contents["record"]["decision"]["content"] = hostile.into();
        contents["record"]["rulings"][0]["content"] = hostile.into();
        contents["record"]["rulings"][0]["options"][0] = json!({"label": line, "detail": hostile});
        for issue in contents["record"]["issues"].as_array_mut().unwrap() {
            issue["title"] = line.into();
            issue["note"] = hostile.into();
        }
        contents["record"]["plan"]["summary"] = line.into();
        contents["dissent"][0]["title"] = line.into();
        contents["dissent"][0]["note"] = hostile.into();
        for argument in contents["arguments"].as_array_mut().unwrap() {
            argument["content"] = hostile.into();
            argument["options"] = json!([{"label": line, "detail": hostile}]);
            argument["chosen"] = json!({"seq": 1, "number": 0, "label": line});
            argument["issue_changes"] = json!([{"change": "raise", "issue": "I1", "severity": "low", "title": line,
                                                "location": line, "note": hostile}]);
        }
        let markdown = rendered(Document::Markdown, &contents);
        let transcript = rendered(Document::Transcript, &contents);
        let headings = |text: &str| -> Vec<String> {
            text.lines().filter(|line| line.trim_start().starts_with("## ")).map(str::to_owned).collect()
        };
        assert_eq!(
            headings(&markdown),
            ["## Context and Problem Statement", "## Considered Options", "## Decision Outcome", "## More Information"]
        );
        assert_eq!(headings(&transcript).len(), contents["arguments"].as_array().unwrap().len());
        assert!(headings(&transcript).iter().all(|heading| heading.starts_with("## #")), "{transcript}");
        for text in [&markdown, &transcript] {
            assert!(!text.lines().any(|line| line.trim_start().starts_with('<')), "{text}");
        }
        let html = rendered(Document::Html, &contents);
        assert!(!html.contains("<script"), "{html}");
        assert_eq!(html.matches("<details").count(), html.matches("</details>").count());
    }

    #[test]
    fn the_decision_has_what_the_request_to_finish_lists() {
        let lists = "## Decided for you\n\n- Old rows stay\n\n## Notes for whoever implements it\n\n- Name it";
        let mut contents = example();
        let newest = contents["arguments"].as_array().unwrap().len() - 1;
        contents["arguments"][newest]["type"] = "RESOLUTION".into();
        contents["arguments"][newest]["content"] = format!("All is settled.\n\n{lists}\n\n# More\n\nNot this.").into();
        let markdown = rendered(Document::Markdown, &contents);
        let listed = "The request to finish in argument 10 lists:\n\n> **Decided for you**\n>\n> - Old rows stay\n>\n> **Notes for whoever \
                      implements it**\n>\n> - Name it\n\n### Consequences";
        assert!(markdown.contains(listed), "{markdown}");
        let html = rendered(Document::Html, &contents);
        let place = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text} is missing: {html}"));
        assert!(place("Old rows stay") < place("id=\"consequences\""));
        assert!(!html[..place("id=\"consequences\"")].contains("Not this."), "{html}");
        contents["arguments"][newest]["content"] = "All is settled.".into();
        assert!(!rendered(Document::Markdown, &contents).contains("lists:"));
    }

    #[test]
    fn what_was_decided_stands_first_in_the_record() {
        let contents = example();
        let markdown = rendered(Document::Markdown, &contents);
        let lead = markdown.split("\n## ").next().unwrap();
        assert!(lead.ends_with(
            "# Delete abandoned drafts\n\nRuled in argument 6: **Keep attachments**. Attachments stay for now. Say so in the plan.\n\n\
             Ruled in argument 9: The job never deletes drafts that are marked for the audit. Add this to the plan.\n"
        ), "{lead}");
        for text in [markdown, rendered(Document::Html, &contents)] {
            assert!(!text.to_lowercase().contains("micro-usd"), "{text}");
        }
    }

    #[test]
    fn the_last_ruling_is_told_once_and_an_issue_to_be_fixed_with_its_note() {
        let mut contents = example();
        let record = &mut contents["record"];
        let text = "**Keep attachments**\n\nThe rule is wanted.";
        record["rulings"][0]["content"] = text.into();
        record["rulings"][0]["close"] = true.into();
        record["decision"]["content"] = text.into();
        record["issues"][0]["upheld"] = true.into();
        record["issues"][0]["note"] = "While the first units move.".into();
        contents["unsettled"] = json!([contents["record"]["issues"][0]["id"]]);
        for text in [rendered(Document::Markdown, &contents), rendered(Document::Html, &contents)] {
            assert_eq!(text.matches("The rule is wanted.").count(), 1, "{text}");
            assert!(text.contains(", which was upheld: While the first units move."), "{text}");
            assert!(text.contains("Ruled in argument 6: "), "{text}");
        }
    }

    #[test]
    fn figures_are_as_people_write_them() {
        for (number, expected) in [(None, "–"), (Some(0), "0"), (Some(999), "999"), (Some(164_800), "164,800")] {
            assert_eq!(grouped(number), expected);
        }
        let costs = [(None, "–"), (Some(0), "$0.00"), (Some(1_234), "$0.001234"), (Some(856_000), "$0.86")];
        for (micro_usd, expected) in costs.into_iter().chain([(Some(1_234_567_890), "$1,234.57")]) {
            assert_eq!(dollars(micro_usd), expected);
        }
    }

    #[test]
    fn a_ruling_begins_with_what_its_first_paragraph_says() {
        let sentence = "**Roles** go live `unit` by unit, *the smallest first*,\nwithout <b>all</b> else.";
        let said = "Roles go live unit by unit, the smallest first, without <b>all</b> else.";
        for (text, expected) in [
            (" Agreed. ".to_owned(), "Agreed.".to_owned()),
            (String::new(), String::new()),
            ("\n # So it is.\nBecause\n".to_owned(), "So it is. …".to_owned()),
            ("- One\n- Two".to_owned(), "One …".to_owned()),
            (sentence.to_owned(), said.to_owned()),
            (format!("{sentence} ").repeat(5), format!("{} …", [said; 4].join(" "))),
            ("word ".repeat(90), format!("{}…", "word ".repeat(60).trim())),
            ("不".repeat(400), format!("{}…", "不".repeat(300))),
        ] {
            assert_eq!(beginning(text), expected);
        }
    }

    #[test]
    fn durations_have_two_units_at_most() {
        for (seconds, expected) in [
            (0, "less than 1 s"),
            (59, "59 s"),
            (60, "1 min"),
            (3_661, "1 h 1 min"),
            (90_000, "1 d 1 h"),
            (86_405, "1 d"),
        ] {
            assert_eq!(duration(seconds), expected);
        }
    }
}
