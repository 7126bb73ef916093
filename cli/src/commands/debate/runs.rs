//! `aw debate runs`: what runs keep on this machine.

use std::time::Duration;

use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    HELP_TEMPLATE, next_command,
    run::run_file::{self, KeptRun},
};
use crate::{
    client::{
        Client, refuse_in_a_run,
        types::{DebateContext, ErrorCode, StateName},
    },
    output::{Failure, Markdown, Output, markdown::time, sanitize},
};

/// How long a day is.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate runs --remove-older-than 30",
after_help = "\
`aw debate run` keeps in ~/.aweave/runs what every program was asked and said, and the keys of the seats.")]
pub struct Runs {
    /// Remove those that changed longer ago than so many days, do not run, and whose debate is closed or not on the server
    #[arg(long, value_name = "DAYS")]
    remove_older_than: Option<u32>,
}

impl Runs {
    pub async fn run(self) -> Result<Output, Failure> {
        refuse_in_a_run().map_err(Failure::not_allowed)?;
        let mut runs = run_file::kept_runs()?;
        let Some(days) = self.remove_older_than else {
            let next = runs.first().map(|run| next_command::of_debate("debate run", run.debate_id));
            let message = match runs.len() as u64 {
                0 => "There are no runs in ~/.aweave/runs: `aw debate run` begins one".to_owned(),
                count => format!("{} in ~/.aweave/runs", next_command::count(count, "run")),
            };
            let output = Output::new(json!({"runs": listed(&runs)}), message).with_markdown(render);
            return Ok(next.into_iter().fold(output, Output::with_next));
        };
        let client = Client::from_env()?;
        let age = DAY.saturating_mul(days);
        let is_old = |run: &KeptRun| run.updated_at.is_none_or(|at| at.elapsed().is_ok_and(|since| since > age));
        let mut removed = Vec::new();
        for run in runs.iter().filter(|run| is_old(run) && !run.live) {
            // It may have been started meanwhile.
            if is_over(&client, run.debate_id).await? && run.remove()? {
                removed.push(run.debate_id);
            }
        }
        runs.retain(|run| !removed.contains(&run.debate_id));
        let message = match removed.len() as u64 {
            0 => "There is no such run to remove".to_owned(),
            count => format!("Removed {}", next_command::count(count, "run")),
        };
        Ok(Output::new(json!({"runs": listed(&runs), "removed": removed}), message).with_markdown(render))
    }
}

/// Whether the debate is closed, or not on the server.
async fn is_over(client: &Client, id: Uuid) -> Result<bool, Failure> {
    let context = || client.api.debate_get_context(&id, None, None, Some(0), None, None);
    match client.send::<DebateContext, _>(context).await {
        Ok(context) => Ok(context.parsed.debate.state == StateName::Closed.to_string()),
        Err(failure) if failure.is(ErrorCode::DebateNotFound) => Ok(true),
        Err(failure) => Err(failure),
    }
}

fn listed(runs: &[KeptRun]) -> Value {
    runs.iter().map(KeptRun::json).collect()
}

/// What is shown of the runs.
#[derive(Deserialize)]
struct ShownRuns {
    runs: Vec<Shown>,
}

/// What is shown of a run.
#[derive(Deserialize)]
struct Shown {
    debate_id: String,
    title: Option<String>,
    updated_at: Option<String>,
    bytes: u64,
    live: bool,
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let row = |Shown { debate_id, title, updated_at, bytes, live }| {
        let title = sanitize::line(&or_dash(title));
        let live = if live { "runs" } else { "" };
        [debate_id, title, time(&or_dash(updated_at)), bytes.to_string(), live.to_owned()]
    };
    let rows: Vec<_> = ShownRuns::deserialize(data)?.runs.into_iter().map(row).collect();
    if !rows.is_empty() {
        md.table(&["debate", "title", "changed", "bytes", ""], &rows);
    }
    Ok(())
}
