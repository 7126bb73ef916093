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
    arbitrator::{self, Ruler},
    debate_snapshot::DebateSnapshot,
    notes::{DECISIONS, NOTES},
    question::{self, Screen},
    turn_prompt::{READER, REVIEWER},
    work_folder,
};
use crate::{
    client::types::{Role, StateName},
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
        let is_closed = data.as_ref().is_ok_and(|data| data["debate_state"] == StateName::Closed.to_string());
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
                let failure = if failure.next.is_some() { failure } else { failure.with_next(next) };
                Err(failure.with_data(data).with_markdown(render))
            }
            (Err(failure), _) if self.left_nothing.get() => Err(failure),
            (Err(failure), _) | (Ok(()), Err(failure)) => Err(failure.with_next(next)),
            (Ok(()), Ok(_)) => {
                Err(Failure::new(Code::InternalError, "the run ended before the debate was closed").with_next(next))
            }
        }
    }

    /// Writes the plan to the file of --output, unless somebody else wrote to it meanwhile: then beside it.
    fn write_output(&self, path: &Path, plan: &str) -> Result<PathBuf, Failure> {
        let file = self.file.borrow();
        let present = files::read_text(path, files::MAX_BYTES).ok();
        let is_last = present.is_some() && present == file.read(WRITTEN);
        let is_ours = is_last || present.as_deref() == Some(plan) || fs::symlink_metadata(path).is_err();
        if !is_ours && !self.options.force {
            return write_beside(path, plan).map(|beside| left(path, beside));
        }
        file.write(WRITTEN, plan.as_bytes())?;
        atomic_file::write(path, plan.as_bytes(), true).map(|()| path.to_owned())
    }

    /// Writes what was asked for, and returns what the command tells.
    async fn data(&self, unwritten: &mut Vec<Unwritten>) -> Result<Value, Failure> {
        let (client, id) = (&self.client, self.debate_id);
        let now = DebateSnapshot::read(client, id).await?;
        let now = now.ok_or_else(|| Failure::new(Code::DebateNotFound, "the debate is not open yet"))?;
        let signed = client.send::<IgnoredAny, _>(|| client.api.debate_record(&id, None)).await?.data;
        let (mut first, mut newest) = (None, None);
        if let Some(plan) = now.plan() {
            first = Some(self.version(plan.document_id, Some(plan.first_version)).await?.text);
            newest = Some(self.version(plan.document_id, Some(plan.version)).await?.text);
        }
        let options = &self.options;
        let mut files = Vec::new();
        let mut keep = |written: Result<PathBuf, Failure>, printed_by: Invocation| match written {
            Ok(path) => files.push(path.display().to_string()),
            Err(failure) => {
                warning::add(failure.message.clone());
                unwritten.push(Unwritten { failure, printed_by });
            }
        };
        if let (Some(path), Some(plan)) = (&options.output, &newest) {
            let written = self.write_output(path, plan);
            keep(written, next_command::of_debate("debate plan", id));
        }
        if let (Some(path), Some(first), Some(plan), true) = (&options.plan, &first, &newest, options.in_place)
            && now.is_closed()
        {
            let written = replace(path, first, plan).map(|beside| match beside {
                Some(beside) => left(path, beside),
                None => path.clone(),
            });
            keep(written, next_command::of_debate("debate plan", id));
        }
        if let Some(path) = &options.record {
            let written = record::write(client, id, &signed, path).await.map(|()| path.clone());
            keep(written, next_command::signed_record(id));
        }
        let issues = now.issues.iter().map(
            |issue| json!({"id": issue.id, "severity": issue.severity, "title": issue.title, "status": issue.status}),
        );
        let lines = |text: Option<String>| text.map(|text| text.lines().count());
        let file = self.file.borrow();
        let (decisions, notes) = (file.state.notes.decisions(), file.state.notes.notes());
        Ok(json!({
            "debate_id": id,
            "url": self.url(),
            "debate_state": now.context.debate.state,
            "outcome": signed["record"]["outcome"],
            "plan": now.plan(),
            "rounds": now.of_role(Role::Opponent).count(),
            "issues": issues.collect::<Vec<_>>(),
            "plan_lines": {"before": lines(first), "after": lines(newest)},
            "decisions": decisions,
            "notes": notes,
            "files": files,
            "minutes": (self.limits.total().as_secs_f64() / 6.0).round() / 10.0,
            "agents": signed["record"]["agents"],
            "code_changes": file.state.code_changes,
            "ruled_by_others": self.rulings_of_others(&now),
            "server_started": self.has_started_server,
        }))
    }

    /// The arguments of the arbitrator that this run did not send and that were not there before it.
    fn rulings_of_others(&self, now: &DebateSnapshot) -> Vec<u64> {
        let file = self.file.borrow();
        let of_others = now.of_role(Role::Arbitrator).filter(|argument| !file.state.known.contains(&argument.id));
        of_others.map(|argument| argument.seq).collect()
    }

    fn tell_rulings_of_others(&self, data: Option<&Value>) {
        let of_others = data.and_then(|data| data["ruled_by_others"].as_array()).filter(|seqs| !seqs.is_empty());
        if let Some(seqs) = of_others {
            let seqs: Vec<_> = seqs.iter().map(Value::to_string).collect();
            self.progress.event(&format!("somebody else ruled, not this run: argument {}", seqs.join(", ")));
        }
    }

    /// What a dry run tells: who would be started, and what would be asked next. `now` is the debate, if it is there.
    pub async fn dry_run(&self, now: Option<&DebateSnapshot>) -> Result<Output, Failure> {
        let work = Path::new("WORK_FOLDER");
        let agents = self.players.programs().map(|(option, program)| {
            let line =
                program.command_line(work, &work.join(work_folder::SCHEMA), self.folder(), self.limits.dollars_left());
            json!({"role": option.trim_start_matches('-'), "command_line": line})
        });
        let prompts = match now {
            Some(now) => self.next_prompts(now).await?,
            None => self.first_prompts(),
        };
        let prompts = prompts.into_iter().map(|(role, prompt)| json!({"role": role, "prompt": prompt}));
        let data = json!({"agents": agents.collect::<Vec<_>>(), "prompts": prompts.collect::<Vec<_>>()});
        Ok(Output::new(data, "Nothing was started").with_markdown(render_dry_run))
    }

    /// What the first ones are asked in a debate that this run opens.
    fn first_prompts(&self) -> Vec<(String, String)> {
        let mut prompts = Vec::new();
        if self.plan.is_none() {
            prompts.push((Role::Proposer.to_string(), self.motion_prompt().text));
        }
        prompts.push(match self.players.opponents.len() {
            1 => (Role::Opponent.to_string(), self.first_prompt().text),
            _ => (REVIEWER.to_owned(), self.brief(true).text),
        });
        if !self.options.quick {
            prompts.push((READER.to_owned(), self.brief(false).text));
        }
        prompts
    }

    /// What is asked next in a debate that is there; nothing where nobody has to be.
    async fn next_prompts(&self, now: &DebateSnapshot) -> Result<Vec<(String, String)>, Failure> {
        let mut prompts = Vec::new();
        for role in [Role::Proposer, Role::Opponent, Role::Arbitrator] {
            let Some(turn) = now.turn(role).filter(|turn| !now.is_closed() && !turn.moves.is_empty()) else { continue };
            if role == Role::Arbitrator {
                match arbitrator::who_rules(&self.players.arbitrator, now)? {
                    Ruler::Agent => {}
                    Ruler::Agreed => continue,
                    Ruler::Person => {
                        let question = question::question(now, &self.file.borrow().state.notes, Screen::default());
                        prompts.push((role.to_string(), question));
                        continue;
                    }
                }
            }
            if role == Role::Opponent && self.first_pass_is_due(now) {
                prompts.push((REVIEWER.to_owned(), self.brief(true).text));
                continue;
            }
            if role == Role::Opponent && self.reader_due(now).is_some() {
                prompts.push((READER.to_owned(), self.brief(false).text));
            }
            if self.own_resolution(now, role).is_none() {
                let plan = self.plan_in_folder(now, role).await?;
                prompts.push((role.to_string(), self.turn_prompt(now, role, &turn.moves, &plan).text));
            }
        }
        Ok(prompts)
    }
}

/// A file that could not be written.
/// What was last written to the file of --output, in the folder of the run.
const WRITTEN: &str = "output.md";

/// Says that a file is left as somebody made it, and where the plan is.
fn left(path: &Path, beside: PathBuf) -> PathBuf {
    let (path, shown) = (path.display(), beside.display());
    warning::add(format!("{path} changed meanwhile and was left: the plan is in {shown}"));
    beside
}

struct Unwritten {
    failure: Failure,
    /// The command that prints what belongs there
    printed_by: Invocation,
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
    write_beside(path, plan).map(Some)
}

/// Writes the plan beside a file that somebody changed.
fn write_beside(path: &Path, plan: &str) -> Result<PathBuf, Failure> {
    let mut written = Ok(path.to_owned());
    for beside in beside(path) {
        // What is there with other contents is somebody's.
        written = atomic_file::write_unless_equal(&beside, plan, false).map(|()| beside.clone());
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
    let text = |name: &str| data[name].as_str().unwrap_or_default();
    md.item(&format!("debate: `{}`, <{}>", text("debate_id"), text("url")));
    let outcome = data["outcome"].as_str().map_or_else(|| "not closed yet".to_owned(), sanitize::line);
    md.item(&format!("outcome: {outcome}, after {} rounds and {} minutes", data["rounds"], data["minutes"]));
    if let (Some(before), Some(after)) = (data["plan_lines"]["before"].as_u64(), data["plan_lines"]["after"].as_u64()) {
        md.item(&format!("plan: {before} lines before, {after} after"));
    }
    let lines = |name: &str| data[name].as_array().into_iter().flatten();
    for file in lines("files").filter_map(Value::as_str) {
        md.item(&format!("written: {}", sanitize::line(file)));
    }
    let rulings: Vec<_> = lines("ruled_by_others").map(Value::to_string).collect();
    if !rulings.is_empty() {
        md.item(&format!("somebody else ruled, not this run: argument {}", rulings.join(", ")));
    }
    if data["server_started"] == true {
        md.item("a server was started, which stays; `aw down` stops it");
    }
    heading(md, "Issues", !data["issues"].as_array().is_none_or(Vec::is_empty));
    for issue in lines("issues") {
        let text = |name: &str| sanitize::line(issue[name].as_str().unwrap_or_default());
        md.item(&format!("{} {} {}: {}", text("id"), text("severity"), text("status"), text("title")));
    }
    for (name, title) in [("decisions", DECISIONS), ("notes", NOTES)] {
        heading(md, title, lines(name).next().is_some());
        lines(name).filter_map(Value::as_str).for_each(|line| md.item(&sanitize::line(line)));
    }
    heading(md, "Agents", lines("agents").next().is_some());
    for row in lines("agents") {
        let words = ["role", "program", "model", "purpose"].map(|name| row[name].as_str().unwrap_or("–"));
        let counted = [("starts", "starts"), ("input_tokens", "tokens read"), ("output_tokens", "written")];
        let counted = counted.iter().filter_map(|(name, words)| Some(format!("{} {words}", row[name].as_u64()?)));
        let cost = row["cost_microusd"].as_u64().map(|cost| format!("${:.2}", cost as f64 / 1e6));
        let used: Vec<_> = counted.chain(cost).collect();
        md.item(&format!("{}: {}", words.join(" "), used.join(", ")));
    }
    Ok(())
}

fn heading(md: &mut Markdown, title: &str, is_needed: bool) {
    if is_needed {
        md.heading(2, title);
    }
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
