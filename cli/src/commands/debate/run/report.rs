//! What a run brings back, as data and for people.

use std::ops::Not;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::{
    SERVER_STARTED,
    code_folder::CodeChange,
    notes::{DECISIONS, NOTES},
    progress::is_told_on_one_screen,
};
use crate::{
    client::types::{Issue, Plan, RecordAgents},
    commands::debate::next_command,
    output::Markdown,
};

/// What became of the debate and of the run.
#[derive(Debug, Serialize, Deserialize)]
pub struct Report {
    pub debate_id: Uuid,
    pub url: String,
    pub debate_state: String,
    /// How the debate ended, as its record says
    pub outcome: String,
    pub plan: Option<Plan>,
    /// How many claims the opponent made
    pub rounds: usize,
    pub issues: Vec<ReportedIssue>,
    pub plan_lines: PlanLines,
    pub decisions: Vec<String>,
    pub notes: Vec<String>,
    /// Those that were written
    pub files: Vec<String>,
    pub minutes: f64,
    /// A failure may tell the programs of one argument in their place, which are not shown
    #[serde(deserialize_with = "rows")]
    pub agents: Vec<RecordAgents>,
    pub code_changes: Vec<CodeChange>,
    /// Whether that was not looked at during some starts, so that there may be more
    #[serde(default, skip_serializing_if = "Not::not")]
    pub code_unchecked: bool,
    /// The arguments of the arbitrator that the run did not send
    pub ruled_by_others: Vec<u64>,
    pub server_started: bool,
}

/// An issue at the end.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReportedIssue {
    id: String,
    severity: String,
    title: String,
    status: String,
}

/// How long the plan was and is.
#[derive(Debug, Serialize, Deserialize)]
pub struct PlanLines {
    pub before: Option<usize>,
    pub after: Option<usize>,
}

impl From<&Issue> for ReportedIssue {
    fn from(issue: &Issue) -> Self {
        let Issue { id, severity, title, status, .. } = issue.clone();
        Self { id, severity, title, status }
    }
}

fn rows<'de, D: Deserializer<'de>>(agents: D) -> Result<Vec<RecordAgents>, D::Error> {
    Ok(Vec::deserialize(Value::deserialize(agents)?).unwrap_or_default())
}

/// The report for people.
pub fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let report = Report::deserialize(data)?;
    let outcome = md.plain(&report.outcome);
    md.item(&format!("debate: `{}`, <{}>", report.debate_id, report.url));
    let rounds = next_command::count(report.rounds as u64, "round");
    let minutes = match report.minutes {
        minutes if minutes < 1.0 => "less than a minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    };
    md.item(&format!("outcome: {outcome}, after {rounds} and {minutes}"));
    match (&report.plan, &report.plan_lines) {
        (Some(plan), PlanLines { after: Some(lines), .. }) if plan.is_first_version() => {
            // The first version may be one that the proposer wrote from the task.
            let what = if md.is_for_a_person() { "unchanged since the debate opened" } else { "as it was" };
            md.item(&format!("plan: {what}, {}", next_command::count(*lines as u64, "line")));
        }
        (_, PlanLines { before: Some(before), after: Some(after) }) => {
            md.item(&format!("plan: {} before, {after} after", next_command::count(*before as u64, "line")));
        }
        _ => {}
    }
    report.files.iter().for_each(|file| md.item(&format!("written: {}", md.plain(file))));
    report.rulings_of_others(md.is_for_a_person()).iter().for_each(|told| md.item(told));
    if report.server_started && !is_told_on_one_screen() {
        md.item(SERVER_STARTED);
    }
    let issues = report
        .issues
        .iter()
        .map(|ReportedIssue { id, severity, title, status }| format!("{id} {severity} {status}: {title}"));
    section(md, "Issues", issues);
    section(md, DECISIONS, report.decisions.iter().cloned());
    section(md, NOTES, report.notes.iter().cloned());
    let used = if md.is_for_a_person() { used_apart_from_cached } else { used };
    section(md, "Agents", report.agents.iter().map(used));
    Ok(())
}

impl Report {
    /// Says which rulings were somebody else's, if any was.
    pub fn rulings_of_others(&self, is_for_a_person: bool) -> Option<String> {
        let seqs: Vec<_> = self.ruled_by_others.iter().map(ToString::to_string).collect();
        // Somebody else may be the same person, in the web app.
        let words = if is_for_a_person { "ruled elsewhere" } else { "somebody else ruled, not this run" };
        (!seqs.is_empty()).then(|| format!("{words}: argument {}", seqs.join(", ")))
    }
}

fn section(md: &mut Markdown, title: &str, lines: impl Iterator<Item = String>) {
    let mut lines = lines.peekable();
    if lines.peek().is_some() {
        md.heading(2, title);
    }
    lines.for_each(|line| md.item(&md.plain(&line)));
}

/// What the starts of a program used.
fn used(row: &RecordAgents) -> String {
    used_in(row, &[(row.input_tokens, "tokens read"), (row.output_tokens, "written")])
}

/// The same as limits and progress count it: without what was read from a cache, which is told besides.
fn used_apart_from_cached(row: &RecordAgents) -> String {
    let cached = row.cached_tokens.filter(|cached| *cached > 0);
    let read = row.input_tokens.map(|input| input.saturating_sub(cached.unwrap_or_default()));
    used_in(row, &[(read, "tokens read"), (row.output_tokens, "written"), (cached, "more read from a cache")])
}

/// What the starts of a program used, with these numbers of tokens.
fn used_in(row: &RecordAgents, tokens: &[(Option<u64>, &str)]) -> String {
    let words = [Some(&row.role), row.program.as_ref(), row.model.as_ref()];
    let words: Vec<&str> = words.into_iter().flatten().map(String::as_str).collect();
    let purpose = row.purpose.as_ref().map(|purpose| format!(" ({purpose})")).unwrap_or_default();
    let starts = next_command::count(row.starts, "start");
    let counted = tokens.iter().filter_map(|(number, words)| Some(format!("{} {words}", (*number)?)));
    let counted = [starts].into_iter().chain(counted);
    let cost = row.cost_microusd.map(|cost| format!("${:.2}", cost as f64 / 1e6));
    format!("{}{purpose}: {}", words.join(" "), counted.chain(cost).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use serde_json::json;

    use super::*;
    use crate::output::{Format, Output, format_choice::Layout};

    #[test]
    fn the_end_of_a_run_at_a_terminal() {
        let id = Uuid::from_u128(0x1234_5678_9abc_4def_8123_4567_89ab_cdef);
        let issue = |id: &str, severity: &str, status: &str, title: &str| json!({"id": id, "severity": severity, "title": title, "status": status});
        let data = json!({
            "debate_id": id,
            "url": format!("http://127.0.0.1:3456/d/{id}"),
            "debate_state": "CLOSED",
            "outcome": "agreed",
            "plan": null,
            "rounds": 2,
            "issues": [
                issue("I1", "high", "resolved", "Prices that were cached before a restart are lost, and nobody notices"),
                issue("I2", "low", "deferred", "No test"),
            ],
            "plan_lines": {"before": 33, "after": 34},
            "decisions": ["Old rows stay as they are; the other way costs a migration that takes the service down for an hour"],
            "notes": ["The cache is per process"],
            "files": ["/home/ada/shop/docs/plans/2026-11-27-cache-the-prices/better.md", "/home/ada/shop/decision.md"],
            "minutes": 4.2,
            "agents": [
                {"role": "proposer", "program": "claude-code", "model": "opus", "purpose": "turn", "starts": 2,
                 "input_tokens": 30800, "cached_tokens": 18000, "output_tokens": 900, "cost_microusd": 140_000},
                {"role": "opponent", "program": "codex", "purpose": "failed", "starts": 1},
            ],
            "code_changes": [],
            "ruled_by_others": [4, 7],
            "server_started": true,
        });
        let also = [next_command::signed_record(id)];
        let output = Output::new(data, "The debate is closed: agreed").with_markdown(render).with_also(also);
        let layout = Layout { columns: 80, has_colours: false, now: DateTime::<Utc>::UNIX_EPOCH };
        insta::assert_snapshot!(output.print(Format::Terminal(layout)));
    }
}
