//! The end of a run: the files that it was asked for, and what it tells.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{
    Runner,
    debate_snapshot::{DebateSnapshot, id_in},
    turn_prompt::Prompt,
    work_folder,
};
use crate::{
    client::types::Role,
    commands::debate::{next_command, record},
    files,
    output::{Code, Failure, Invocation, Markdown, Output, atomic_file, sanitize, warning},
};

/// How long the server may take to tell what became of the debate.
const TIMEOUT: Duration = Duration::from_secs(15);

/// The most names beside PLAN that are tried.
const MAX_BESIDE: usize = 99;

impl Runner {
    /// Writes the files and tells what became of the debate.
    pub async fn outcome(&self, end: Result<(), Failure>) -> Result<Output, Failure> {
        let mut unwritten = Vec::new();
        let data = timeout(TIMEOUT, self.data(&mut unwritten)).await.unwrap_or_else(|_| {
            Err(Failure::new(Code::ConnectionError, "the server does not tell what became of the debate"))
        });
        self.tell_rulings_of_others(data.as_ref().ok());
        let is_closed = data.as_ref().is_ok_and(|data| data["debate_state"] == "CLOSED");
        let next = next_command::of_debate("debate run", self.debate_id);
        match (end, data) {
            (end, Ok(data)) if is_closed => {
                if let Err(failure) = end {
                    // Somebody closed it while something failed.
                    warning::add(format!("the debate was closed while the run failed: {}", failure.message));
                }
                if let Some(Unwritten { failure, printed_by }) = unwritten.into_iter().next() {
                    let failure = Failure::new(Code::FileNotWritten, failure.message).with_next(printed_by);
                    let how = "The debate is closed, and nothing is lost: print it, or mend the path and run again";
                    return Err(failure.with_suggestion(how).with_data(data).with_markdown(render));
                }
                let message = format!("The debate is closed: {}", data["outcome"].as_str().unwrap_or_default());
                let id = self.debate_id;
                let also = vec![next_command::signed_record(id), next_command::context(id, None::<Role>)];
                Ok(Output::new(data, message).with_markdown(render).with_also(also))
            }
            (Err(failure), Ok(mut data)) => {
                failure.data.iter().flat_map(|own| own.iter()).for_each(|(name, value)| data[name] = value.clone());
                Err(failure.with_next(next).with_data(data).with_markdown(render))
            }
            (Err(failure), _) | (Ok(()), Err(failure)) => Err(failure.with_next(next)),
            (Ok(()), Ok(_)) => {
                Err(Failure::new(Code::InternalError, "the run ended before the debate was closed").with_next(next))
            }
        }
    }

    /// Writes what was asked for, and returns what the command tells.
    async fn data(&self, unwritten: &mut Vec<Unwritten>) -> Result<Value, Failure> {
        let (client, id) = (&self.client, self.debate_id);
        let now = DebateSnapshot::read(client, id).await?;
        let now = now.ok_or_else(|| Failure::new(Code::DebateNotFound, "the debate is not open yet"))?;
        let signed = client.send::<IgnoredAny, _>(|| client.api.debate_record(&id, None)).await?.data;
        let (mut first, mut newest) = (None, None);
        if let Some(plan) = now.plan() {
            first = Some(self.version(plan.document_id, plan.first_version).await?);
            newest = Some(self.version(plan.document_id, plan.version).await?);
        }
        let options = &self.options;
        if let (Some(path), Some(plan)) = (&options.output, &newest) {
            let written = atomic_file::write(path, plan.as_bytes(), true);
            unwritten.extend(Unwritten::of(written, next_command::of_debate("debate plan", id)));
        }
        if let (Some(path), Some(first), Some(plan), true) = (&options.plan, &first, &newest, options.in_place)
            && now.state() == "CLOSED"
        {
            let written = replace(path, first, plan).map(|beside| {
                if let Some(beside) = beside {
                    let (path, beside) = (path.display(), beside.display());
                    warning::add(format!("{path} changed meanwhile and was left: the plan is in {beside}"));
                }
            });
            unwritten.extend(Unwritten::of(written, next_command::of_debate("debate plan", id)));
        }
        if let Some(path) = &options.record {
            let written = record::write(client, id, &signed, path).await;
            unwritten.extend(Unwritten::of(written, next_command::signed_record(id)));
        }
        let issues = now.issues.iter().map(|issue| {
            json!({"id": issue["id"], "severity": issue["severity"], "title": issue["title"], "status": issue["status"]})
        });
        let lines = |text: Option<String>| text.map(|text| text.lines().count());
        Ok(json!({
            "debate_id": id,
            "debate_state": now.state(),
            "outcome": signed["record"]["outcome"],
            "plan": now.context["debate"]["plan"],
            "rounds": now.of_role("opponent").count(),
            "issues": issues.collect::<Vec<_>>(),
            "plan_lines": {"before": lines(first), "after": lines(newest)},
            "minutes": (self.limits.total().as_secs_f64() / 6.0).round() / 10.0,
            "agents": signed["record"]["agents"],
            "code_changes": self.file.borrow().state.code_changes,
            "ruled_by_others": self.rulings_of_others(&now),
        }))
    }

    /// The arguments of the arbitrator that this run did not send and that were not there before it.
    fn rulings_of_others(&self, now: &DebateSnapshot) -> Vec<u64> {
        let file = self.file.borrow();
        let is_known = |argument: &Value| id_in(&argument["id"]).is_some_and(|id| file.state.known.contains(&id));
        let of_others = now.of_role("arbitrator").filter(|argument| !is_known(argument));
        of_others.filter_map(|argument| argument["seq"].as_u64()).collect()
    }

    fn tell_rulings_of_others(&self, data: Option<&Value>) {
        let of_others = data.and_then(|data| data["ruled_by_others"].as_array()).filter(|seqs| !seqs.is_empty());
        if let Some(seqs) = of_others {
            let seqs: Vec<_> = seqs.iter().map(Value::to_string).collect();
            self.progress.event(&format!("somebody else ruled, not this run: argument {}", seqs.join(", ")));
        }
    }

    /// What a dry run tells: who would be started, and what the first ones would be asked.
    pub fn dry_run(&self) -> Output {
        let work = Path::new("WORK_FOLDER");
        let agents = self.players.programs().map(|(option, program)| {
            let line = program.command_line(work, &work.join(work_folder::SCHEMA), self.limits.dollars_left());
            json!({"role": option.trim_start_matches('-'), "command_line": line})
        });
        let prompt = |role: &str, prompt: Prompt| json!({"role": role, "prompt": prompt.text});
        let mut prompts = Vec::new();
        if self.plan.is_none() {
            prompts.push(prompt("proposer", self.motion_prompt()));
        }
        prompts.push(match self.players.opponents.len() {
            1 => prompt("opponent", self.first_prompt()),
            _ => prompt("reviewer", self.brief(true)),
        });
        if !self.options.quick {
            prompts.push(prompt("reader", self.brief(false)));
        }
        let data = json!({"agents": agents.collect::<Vec<_>>(), "prompts": prompts});
        Output::new(data, "Nothing was started").with_markdown(render_dry_run)
    }
}

/// A file that could not be written.
struct Unwritten {
    failure: Failure,
    /// The command that prints what belongs there
    printed_by: Invocation,
}

impl Unwritten {
    fn of(written: Result<(), Failure>, printed_by: Invocation) -> Option<Self> {
        let failure = written.err()?;
        warning::add(failure.message.clone());
        Some(Self { failure, printed_by })
    }
}

/// Replaces PLAN, through links, unless it is no longer what was debated: then the plan is written beside it, to the file that is
/// returned.
fn replace(path: &Path, first: &str, plan: &str) -> Result<Option<PathBuf>, Failure> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let present = files::read_text(&target, files::MAX_BYTES).ok();
    if present.as_deref() == Some(plan) {
        return Ok(None);
    }
    if present.as_deref() == Some(first) {
        return atomic_file::write(&target, plan.as_bytes(), true).map(|()| None);
    }
    let mut written = Ok(None);
    for beside in beside(path) {
        // What is there with other contents is somebody's.
        written = atomic_file::write_unless_equal(&beside, plan, false).map(|()| Some(beside.clone()));
        if written.is_ok() || fs::symlink_metadata(&beside).is_err() {
            break;
        }
    }
    written
}

/// The names beside PLAN, in the order in which they are tried.
fn beside(path: &Path) -> impl Iterator<Item = PathBuf> {
    let with = |end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    [with(".new")].into_iter().chain((2..=MAX_BESIDE).map(move |number| with(&format!(".new.{number}"))))
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    md.item(&format!("debate: `{}`", data["debate_id"].as_str().unwrap_or_default()));
    md.item(&format!("rounds: {}, minutes: {}", data["rounds"], data["minutes"]));
    md.item(&format!("plan: {} lines before, {} after", data["plan_lines"]["before"], data["plan_lines"]["after"]));
    for issue in data["issues"].as_array().into_iter().flatten() {
        let text = |name: &str| sanitize::line(issue[name].as_str().unwrap_or_default());
        md.item(&format!("{} {} {}: {}", text("id"), text("severity"), text("status"), text("title")));
    }
    for row in data["agents"].as_array().into_iter().flatten() {
        let words = ["role", "program", "model", "purpose"].map(|name| row[name].as_str().unwrap_or("–"));
        let [starts, read, written, cost] = ["starts", "input_tokens", "output_tokens", "cost_microusd"]
            .map(|name| row[name].as_u64().map_or_else(|| "–".to_owned(), |number| number.to_string()));
        let used = format!("{starts} starts, {read} tokens read, {written} written, {cost} micro-USD");
        md.item(&format!("{}: {used}", words.join(" ")));
    }
    Ok(())
}

fn render_dry_run(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_replaced_through_links() {
        let folder = tempfile::tempdir().unwrap();
        let (plan, link) = (folder.path().join("plan.md"), folder.path().join("link.md"));
        std::os::unix::fs::symlink(&plan, &link).unwrap();
        let read = |path: &Path| files::read_text(path, 99).ok();
        fs::write(&plan, "first").unwrap();
        replace(&link, "first", "agreed").unwrap();
        assert!(read(&plan).as_deref() == Some("agreed") && fs::symlink_metadata(&link).unwrap().is_symlink());
        replace(&link, "first", "agreed").unwrap();
        assert!(!folder.path().join("link.md.new").exists());
    }

    #[test]
    fn what_is_beside_a_changed_plan_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let read = |name: &str| files::read_text(&at(name), 99).ok();
        fs::write(at("plan.md"), "mine").unwrap();
        fs::write(at("plan.md.new"), "mine too").unwrap();
        for _ in 0..2 {
            replace(&at("plan.md"), "first", "agreed").unwrap();
            assert_eq!(read("plan.md.new").as_deref(), Some("mine too"));
            assert_eq!(read("plan.md.new.2").as_deref(), Some("agreed"));
        }
        replace(&at("plan.md"), "first", "better").unwrap();
        assert_eq!((read("plan.md.new.3").as_deref(), read("plan.md").as_deref()), (Some("better"), Some("mine")));
        assert!(replace(&at("missing/plan.md"), "first", "agreed").is_err());
    }
}
