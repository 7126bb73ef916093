//! The end of a run: the files that it was asked for, and what it tells.

use std::{fs, path::Path};

use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::{Runner, Stop, situation::Situation};
use crate::{
    client::types::Role,
    commands::debate::record,
    files,
    output::{
        atomic_file,
        envelope::Output,
        failure::{Code, Failure},
        invocation::Invocation,
        markdown::Markdown,
        warning,
    },
};

/// The end of a run.
pub struct Outcome<'a> {
    pub runner: &'a Runner,
    /// The text of PLAN when the run began
    pub plan_before: Option<&'a str>,
}

impl Outcome<'_> {
    /// Writes the files and tells what became of the debate.
    pub async fn output(self, end: Result<(), Stop>, next: Invocation) -> Result<Output, Failure> {
        let end = match end {
            Ok(()) | Err(Stop::Closed) => Ok(()),
            // Somebody may have closed the debate while something failed.
            Err(Stop::Failed(failure)) if self.is_closed().await => {
                warning::add(format!("the debate was closed while the run failed: {}", failure.message));
                Ok(())
            }
            Err(Stop::Failed(failure)) => Err(failure),
        };
        let data = self.data().await;
        match (end, data) {
            (Ok(()), Some(data)) => {
                let message = format!("The debate is closed: {}", data["outcome"].as_str().unwrap_or_default());
                Ok(Output::new(data, message).with_markdown(render).with_also(next_commands(self.runner)))
            }
            (Ok(()), None) => {
                Err(Failure::new(Code::ConnectionError, "the debate is closed, and its record cannot be read")
                    .with_next(next))
            }
            (Err(failure), data) => {
                let kept = failure.data.clone().map(|data| Value::Object(*data)).unwrap_or_else(|| json!({}));
                let failure = failure.with_next(next);
                let Some(mut data) = data else { return Err(failure) };
                for (name, value) in kept.as_object().into_iter().flatten() {
                    data[name] = value.clone();
                }
                Err(failure.with_data(data).with_markdown(render))
            }
        }
    }

    async fn is_closed(&self) -> bool {
        matches!(self.now().await, Some(now) if now.state() == "CLOSED")
    }

    /// The debate, if the server answers soon.
    async fn now(&self) -> Option<Situation> {
        let (client, id) = (&self.runner.client, self.runner.debate_id);
        let context =
            client.send_once::<IgnoredAny>(client.api.debate_get_context(&id, None, None, None)).await.ok()?;
        let issues = client.send_once::<IgnoredAny>(client.api.debate_issues(&id, Some(true), None)).await.ok()?;
        Some(Situation { context: context.data, issues: issues.data["issues"].as_array().cloned().unwrap_or_default() })
    }

    /// Writes what was asked for, and returns what the command tells; none without a debate.
    async fn data(&self) -> Option<Value> {
        let (runner, now) = (self.runner, self.now().await?);
        let client = &runner.client;
        let signed = client.send_once::<IgnoredAny>(client.api.debate_record(&runner.debate_id, None)).await.ok()?.data;
        let plan = match now.plan() {
            Some(plan) => {
                let get =
                    client.send_once::<IgnoredAny>(client.api.document_get(&plan.document, Some(plan.version))).await;
                get.ok()?.data["version"]["content"].as_str().map(str::to_owned)
            }
            None => None,
        };
        let kept = runner.kept();
        if let (Some(path), Some(plan)) = (&kept.output, &plan) {
            warn(atomic_file::write(path, plan.as_bytes(), true));
        }
        if let (Some(path), Some(plan), true) = (&kept.plan, &plan, kept.in_place && now.state() == "CLOSED") {
            self.replace(path, plan);
        }
        if let Some(path) = &kept.record {
            warn(record::write(client, runner.debate_id, &signed, path).await);
        }
        let issues = now.issues.iter().map(|issue| {
            json!({"id": issue["id"], "severity": issue["severity"], "title": issue["title"], "status": issue["status"]})
        });
        let lines = |text: Option<&str>| text.map(|text| text.lines().count());
        let before = lines(self.plan_before).or(runner.file.borrow().state.lines_before);
        let seconds = runner.limits.elapsed().as_secs();
        Some(json!({
            "debate_id": runner.debate_id,
            "debate_state": now.state(),
            "outcome": signed["record"]["outcome"],
            "plan": now.context["debate"]["plan"],
            "rounds": now.of_role("opponent").count(),
            "issues": issues.collect::<Vec<_>>(),
            "plan_lines": {"before": before, "after": lines(plan.as_deref())},
            "minutes": (seconds as f64 / 6.0).round() / 10.0,
            "agents": signed["record"]["agents"],
        }))
    }

    /// Replaces PLAN, through links, unless somebody changed it meanwhile.
    fn replace(&self, path: &Path, plan: &str) {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let present = files::read_text(&target, files::MAX_BYTES).ok();
        if present.as_deref() == Some(plan) {
            return;
        }
        if present.as_deref() == self.plan_before {
            return warn(atomic_file::write(&target, plan.as_bytes(), true));
        }
        let mut beside = path.as_os_str().to_owned();
        beside.push(".new");
        warning::add(format!("{} changed meanwhile and was left: the plan is in {}", path.display(), beside.display()));
        warn(atomic_file::write(Path::new(&beside), plan.as_bytes(), true));
    }
}

fn warn(written: Result<(), Failure>) {
    if let Err(failure) = written {
        warning::add(failure.message);
    }
}

fn next_commands(runner: &Runner) -> Vec<Invocation> {
    vec![
        super::next_command::signed_record(runner.debate_id),
        super::next_command::context(runner.debate_id, None::<Role>),
    ]
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    md.item(&format!("debate: `{}`", data["debate_id"].as_str().unwrap_or_default()));
    md.item(&format!("rounds: {}, minutes: {}", data["rounds"], data["minutes"]));
    md.item(&format!("plan: {} lines before, {} after", data["plan_lines"]["before"], data["plan_lines"]["after"]));
    for issue in data["issues"].as_array().into_iter().flatten() {
        let text = |name: &str| crate::output::sanitize::line(issue[name].as_str().unwrap_or_default());
        md.item(&format!("{} {} {}: {}", text("id"), text("severity"), text("status"), text("title")));
    }
    for row in data["agents"].as_array().into_iter().flatten() {
        let text = |name: &str| row[name].as_str().unwrap_or("–");
        let number = |name: &str| row[name].as_u64().map_or_else(|| "–".to_owned(), |number| number.to_string());
        md.item(&format!(
            "{} {} {} {}: {} starts, {} tokens read, {} written, {} micro-USD",
            text("role"),
            text("program"),
            text("model"),
            text("purpose"),
            number("starts"),
            number("input_tokens"),
            number("output_tokens"),
            number("cost_microusd")
        ));
    }
    Ok(())
}

/// What a dry run tells, for people.
pub fn render_dry_run(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    for agent in data["agents"].as_array().into_iter().flatten() {
        md.heading(2, agent["role"].as_str().unwrap_or_default());
        let words = agent["command_line"].as_array().into_iter().flatten().filter_map(Value::as_str);
        md.code(&shlex::try_join(words).unwrap_or_default());
    }
    for prompt in data["prompts"].as_array().into_iter().flatten() {
        md.heading(2, &format!("What the {} is asked", prompt["role"].as_str().unwrap_or_default()));
        md.code(prompt["prompt"].as_str().unwrap_or_default());
    }
    Ok(())
}
