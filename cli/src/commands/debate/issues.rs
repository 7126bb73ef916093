//! `aw debate issues`: the points of a debate.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    HELP_TEMPLATE,
    options::{DebateId, named},
};
use crate::{
    client::{
        Response,
        types::{DebateContext, DebateIssues, Issue, IssueCounts, IssueStatus},
    },
    input::tool_arguments::name_of,
    output::{Failure, Markdown, Output, reader::option},
};

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate issues --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --format markdown")]
pub struct Issues {
    #[command(flatten)]
    #[serde(flatten)]
    debate_id: DebateId,
    /// Only issues in this status
    #[arg(long, value_parser = named::<IssueStatus>())]
    #[serde(default)]
    #[schemars(description = "", schema_with = "name_of::<IssueStatus>")]
    status: Option<IssueStatus>,
    /// Settled issues, too
    #[arg(long)]
    #[serde(default)]
    all: bool,
}

impl Issues {
    pub async fn run(self) -> Result<Output, Failure> {
        let (client, debate_id) = self.debate_id.connect().await?;
        let wants_unsettled = self.status.is_none() && !self.all;
        let (data, counts) = if wants_unsettled {
            // A debate comes with the issues that are not settled.
            let context = || client.api.debate_get_context(&debate_id, None, None, Some(0), None, None);
            let Response { mut data, parsed } = client.send::<DebateContext, _>(context).await?;
            let data = json!({"issues": data["issues"].take(), "counts": data["debate"]["issue_counts"].take()});
            (data, parsed.debate.issue_counts)
        } else {
            let issues = || client.api.debate_issues(&debate_id, None, self.status);
            let Response { data, parsed } = client.send::<DebateIssues, _>(issues).await?;
            (data, parsed.counts)
        };
        let mut message = unsettled(&counts);
        if wants_unsettled && settled(&counts) > 0 {
            message += &format!("; {} prints the settled ones, too", option("--all"));
        }
        let none_in = self.status.filter(|_| data["issues"].as_array().is_some_and(Vec::is_empty));
        if let Some(status) = none_in {
            message = format!("No issue is {status}. {message}");
        }
        Ok(Output::new(data, message).with_markdown(|data, md| {
            let issues = DebateIssues::deserialize(data)?.issues;
            if !issues.is_empty() {
                md.heading(1, "Issues");
                md.issues(&issues);
            }
            Ok(())
        }))
    }
}

/// How many issues are not settled, in words.
pub fn unsettled(counts: &IssueCounts) -> String {
    match (counts.unsettled, settled(counts)) {
        (0, 0) => "No issue was raised".to_owned(),
        (0, _) => "All issues are settled".to_owned(),
        (unsettled, _) => {
            let block = if counts.blocking == 1 { "blocks" } else { "block" };
            format!("{unsettled} not settled, of which {} {block} completion", counts.blocking)
        }
    }
}

/// How many issues there are.
pub fn raised(counts: &IssueCounts) -> u32 {
    counts.unsettled + settled(counts)
}

fn settled(counts: &IssueCounts) -> u32 {
    counts.resolved + counts.withdrawn + counts.dismissed + counts.deferred
}

impl Markdown {
    /// Adds a table of issues.
    pub fn issues(&mut self, issues: &[Issue]) {
        let row = |issue: &Issue| {
            let marks = marks(issue).join(", ");
            let Issue { id, severity, status, title, location, note, .. } = issue.clone();
            [id, severity, status, marks, title, location.unwrap_or_default(), note.unwrap_or_default()]
        };
        let rows: Vec<_> = issues.iter().map(row).collect();
        self.table(&["", "severity", "status", "marks", "title", "location", "note"], &rows);
    }

    /// Adds the issues that are not settled, if there are any.
    pub fn unsettled_issues(&mut self, issues: &[Issue]) {
        if !issues.is_empty() {
            self.heading(2, "Issues that are not settled");
            self.issues(issues);
        }
    }

    /// For a person as [`Self::unsettled_issues`]; for an agent, who has read the titles, one line with the status of each, if there are any. Whether one blocks follows from its severity.
    pub fn issue_statuses(&mut self, name: &str, issues: &[Issue]) {
        if self.has_titles() {
            return self.unsettled_issues(issues);
        }
        let status = |issue: &Issue| {
            let marks: Vec<_> = marks(issue).into_iter().filter(|mark| *mark != BLOCKING).collect();
            match marks.join(", ") {
                marks if marks.is_empty() => format!("{} {} {}", issue.id, issue.severity, issue.status),
                marks => format!("{} {} {} ({marks})", issue.id, issue.severity, issue.status),
            }
        };
        if !issues.is_empty() {
            self.paragraph(&format!("{name}: {}", issues.iter().map(status).collect::<Vec<_>>().join(", ")));
        }
    }
}

const BLOCKING: &str = "blocking";

/// What holds of an issue besides its status.
fn marks(issue: &Issue) -> Vec<&'static str> {
    let marks = [
        (issue.blocking, BLOCKING),
        (issue.upheld, "upheld"),
        (issue.referred, "referred"),
        (issue.stalled, "stalled"),
    ];
    marks.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| name).collect()
}
