//! The options of a run, what is kept of them, and what is checked before anything starts.

use std::{
    cell::{Cell, RefCell},
    env, fs,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use super::{
    HELP_TEMPLATE, RetryLimit, Runner,
    arbitrator::{self, Arbitrator},
    limits::Limits,
    program::Program,
    progress::Progress,
    run_file::RunFile,
    situation::{Situation, id_in},
};
use crate::{
    client::{
        Client,
        types::{DebateType, Info, RulingSubmit},
    },
    commands::{debate::options::debate_type, up},
    files,
    input::{content, ids},
    output::failure::{Code, Failure},
};

/// How many characters a title has at most.
const MAX_TITLE: usize = 200;

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate run plan.md --quick")]
pub struct Run {
    /// The plan to debate; without it the proposer writes one from the task
    #[arg(value_name = "PLAN")]
    plan: Option<PathBuf>,
    #[command(flatten)]
    pub given: Given,
    /// Start nothing: print who would be started, and what the first ones would be asked
    #[arg(long)]
    pub dry_run: bool,
    /// Seconds after which a program that failed is started once more
    #[arg(long, hide = true, default_value_t = 60)]
    retry_seconds: u64,
}

/// The options that are kept, or that say what to write at the end.
#[derive(Args, Clone)]
pub struct Given {
    /// What the plan is for [default: the plan's first heading]
    #[arg(long, value_name = "TEXT", conflicts_with = "task_file")]
    task: Option<String>,
    /// Read the task from this file
    #[arg(long, value_name = "PATH")]
    task_file: Option<PathBuf>,
    /// Who proposes: claude-code, codex (each also with :MODEL), or 'command:PROGRAM ARG…' [default: what is installed]
    #[arg(long, value_name = "AGENT")]
    proposer: Option<String>,
    /// Who opposes; may be repeated: each reviews the plan alone, and the first goes on
    #[arg(long = "opponent", value_name = "AGENT")]
    opponents: Vec<String>,
    /// Who rules: agreed (closes what both sides agree on, and asks you the rest), human, or an AGENT [default: agreed]
    #[arg(long, value_name = "WHO")]
    arbitrator: Option<String>,
    /// One opponent, which does the final reading itself
    #[arg(long)]
    quick: bool,
    /// After so many rounds without a ruling, 2 to 100, the proposer appeals or asks to finish [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=100))]
    rounds: Option<u64>,
    /// End at so many tokens, read (without cached ones) and written, of all programs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_tokens: Option<u64>,
    /// End at this cost in US dollars
    #[arg(long, value_name = "USD", value_parser = above_zero)]
    max_cost: Option<f64>,
    /// End after so many minutes; waits for a person do not count [default: 60]
    #[arg(long, value_name = "MINUTES", value_parser = above_zero)]
    max_minutes: Option<f64>,
    /// End a start that takes longer [default: 20]
    #[arg(long, value_name = "MINUTES", value_parser = above_zero)]
    turn_minutes: Option<f64>,
    /// The folder of the code [default: this one]
    #[arg(long, value_name = "PATH")]
    folder: Option<PathBuf>,
    /// Title of the debate [default: the plan's first heading, else the task's first line]
    #[arg(long, short, value_name = "TEXT")]
    title: Option<String>,
    /// Type of the debate [default: coding_plan_debate]
    #[arg(long, visible_alias = "type", value_name = "TYPE", value_parser = debate_type())]
    debate_type: Option<DebateType>,
    /// Go on with this debate, or open it under this id [default: a new id]
    #[arg(long, value_name = "UUID")]
    debate_id: Option<String>,
    /// Write the newest plan to this file, at every end
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Replace PLAN by the plan that the debate closed on
    #[arg(long)]
    pub in_place: bool,
    /// Replace the files of --output and --record
    #[arg(long)]
    pub force: bool,
    /// Write the record to this file: markdown if its name ends in .md, else signed JSON
    #[arg(long, value_name = "PATH")]
    pub record: Option<PathBuf>,
}

/// The options that a run which goes on has, unless they are given again.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Kept {
    pub task: String,
    pub title: String,
    pub debate_type: String,
    pub plan: Option<PathBuf>,
    pub proposer: String,
    pub opponents: Vec<String>,
    pub arbitrator: String,
    pub quick: bool,
    pub rounds: u64,
    pub max_tokens: Option<u64>,
    pub max_cost: Option<f64>,
    pub max_minutes: f64,
    pub turn_minutes: f64,
    pub folder: PathBuf,
    pub output: Option<PathBuf>,
    pub in_place: bool,
    pub record: Option<PathBuf>,
}

/// A run that may start.
pub struct Prepared {
    pub runner: Runner,
    /// The text of PLAN when the run began
    pub plan_before: Option<String>,
}

fn above_zero(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        Ok(_) | Err(_) => Err("give a number above 0, such as 1.5".to_owned()),
    }
}

fn invalid(problem: impl Into<String>, suggestion: &str) -> Failure {
    Failure::new(Code::InvalidInput, problem).with_suggestion(suggestion)
}

/// The first heading of a text.
fn heading(text: &str) -> Option<&str> {
    let heading = text.lines().find(|line| line.starts_with('#'))?.trim_start_matches('#').trim();
    (!heading.is_empty()).then_some(heading)
}

/// Checks all that would fail later, and starts a server where none answers.
pub async fn prepare(run: Run) -> Result<Prepared, Failure> {
    let Run { plan, given, dry_run, retry_seconds } = run;
    let id = given.debate_id.as_deref().map(|id| ids::parse_uuid("--debate-id", id)).transpose()?;
    let debate_id = id.unwrap_or_else(ids::new_id);
    if !dry_run {
        up::start_if_away().await?;
    }
    let mut file = RunFile::open(debate_id)?;
    let before = file.exists().then(|| file.state.kept.clone());
    let plan_before = plan.as_deref().or(before.as_ref().and_then(|kept| kept.plan.as_deref()));
    let plan_before = plan_before.map(|path| content::read_file("PLAN", path)).transpose()?;
    let kept = merged(&given, before.clone().unwrap_or_default(), plan, plan_before.as_deref())?;
    let (proposer, opponents, arbitrator) = programs(&kept)?;
    check_files(&given, &kept, before.as_ref())?;
    let cost_is_unknown = |program: &Program| kept.max_cost.is_some() && !program.tells_cost();
    if let Some(program) = opponents.iter().chain([&proposer]).find(|program| cost_is_unknown(program)) {
        return Err(invalid(
            format!("--max-cost cannot be held with {program}, which tells no cost"),
            "Give --max-tokens",
        ));
    }
    let seats = file.folder.join("seats");
    let client = Client::from_env()?.with_retries(RetryLimit::Unlimited).with_seats(seats.clone());
    let folder = kept.folder.clone();
    let minutes = |minutes: f64| Duration::from_secs_f64((minutes * 60.0).min(1e9));
    file.state.kept = kept.clone();
    let runner = Runner {
        client,
        debate_id,
        title: kept.title.clone(),
        proposer,
        opponents,
        arbitrator,
        folder,
        quick: kept.quick,
        given_plan: plan_before.clone(),
        turn_time: minutes(kept.turn_minutes),
        retry_pause: Duration::from_secs(retry_seconds),
        limits: Limits::new(kept.max_tokens, kept.max_cost, minutes(kept.max_minutes)),
        progress: Progress::new(),
        file: RefCell::new(file),
        is_asking: Cell::new(false),
        left_alone: Notify::new(),
    };
    if dry_run {
        // Nothing was kept before, so that nothing stays.
        if before.is_none() {
            let _ = fs::remove_dir_all(&runner.file.borrow().folder);
        }
        return Ok(Prepared { runner, plan_before });
    }
    if runner.limits.max_cost.is_some()
        && [&runner.proposer].into_iter().chain(&runner.opponents).any(Program::is_command)
    {
        runner.progress.event("what a command costs counts only where its answer tells it");
    }
    let now = runner.situation().await.map_err(|stop| match stop {
        super::Stop::Failed(failure) => failure,
        super::Stop::Closed => Failure::not_allowed("the debate is closed"),
    })?;
    check_rights(&runner, now.as_ref(), &seats).await?;
    {
        let mut file = runner.file.borrow_mut();
        file.end_former()?;
        if before.is_none() {
            file.state.known = now.iter().flat_map(Situation::arguments).filter_map(|one| id_in(&one["id"])).collect();
        }
        file.save()?;
    }
    Ok(Prepared { runner, plan_before })
}

/// The options given, else those kept, else the usual ones.
fn merged(given: &Given, before: Kept, plan: Option<PathBuf>, plan_text: Option<&str>) -> Result<Kept, Failure> {
    let task = match (&given.task, &given.task_file) {
        (Some(task), _) => Some(task.clone()),
        (None, Some(path)) => Some(content::read_file("--task-file", path)?),
        (None, None) => Some(before.task.clone()).filter(|task| !task.is_empty()),
    };
    let heading = plan_text.and_then(heading).map(str::to_owned);
    let task = task.or_else(|| heading.clone()).filter(|task| !task.trim().is_empty()).ok_or_else(|| {
        invalid("there is neither a task nor a plan with a heading", "Give PLAN, a markdown file, or --task")
    })?;
    let first_line = task.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned();
    let kept_title = Some(before.title).filter(|title| !title.is_empty());
    let title = given.title.clone().or(kept_title).or(heading).unwrap_or(first_line);
    let or = |given: Option<&String>, before: String, usual: &str| {
        given.cloned().or(Some(before).filter(|text| !text.is_empty())).unwrap_or_else(|| usual.to_owned())
    };
    let number =
        |given: Option<f64>, before: f64, usual: f64| given.unwrap_or(if before > 0.0 { before } else { usual });
    let here =
        || env::current_dir().map_err(|error| invalid(format!("this folder cannot be used: {error}"), "Give --folder"));
    let folder = match (&given.folder, before.folder.as_os_str().is_empty()) {
        (Some(folder), _) => folder.clone(),
        (None, false) => before.folder,
        (None, true) => here()?,
    };
    let folder = fs::canonicalize(&folder).ok().filter(|folder| folder.is_dir()).ok_or_else(|| {
        invalid(format!("--folder: {} is no folder", folder.display()), "Give the folder of the code")
    })?;
    let absolute = |path: Option<PathBuf>| path.map(|path| std::path::absolute(&path).unwrap_or(path));
    Ok(Kept {
        task,
        title: title.chars().take(MAX_TITLE).collect(),
        debate_type: or(
            given.debate_type.map(|one| one.to_string()).as_ref(),
            before.debate_type,
            "coding_plan_debate",
        ),
        plan: absolute(plan).or(before.plan),
        proposer: or(given.proposer.as_ref(), before.proposer, ""),
        opponents: if given.opponents.is_empty() { before.opponents } else { given.opponents.clone() },
        arbitrator: or(given.arbitrator.as_ref(), before.arbitrator, "agreed"),
        quick: given.quick || before.quick,
        rounds: given.rounds.unwrap_or(if before.rounds > 0 { before.rounds } else { 3 }),
        max_tokens: given.max_tokens.or(before.max_tokens),
        max_cost: given.max_cost.or(before.max_cost),
        max_minutes: number(given.max_minutes, before.max_minutes, 60.0),
        turn_minutes: number(given.turn_minutes, before.turn_minutes, 20.0),
        folder,
        output: absolute(given.output.clone()).or(before.output),
        in_place: given.in_place || before.in_place,
        record: absolute(given.record.clone()).or(before.record),
    })
}

/// Who takes part, by default what is installed and logged in.
fn programs(kept: &Kept) -> Result<(Program, Vec<Program>, Arbitrator), Failure> {
    let is_missing = kept.proposer.is_empty() || kept.opponents.is_empty();
    let mut usable = Vec::new();
    if is_missing {
        for name in Program::KNOWN {
            let program = Program::parse("--proposer", name)?;
            if program.check("--proposer").is_ok() {
                usable.push(program);
            }
        }
    }
    let none = || {
        invalid(
            "neither claude-code nor codex is installed and logged in",
            "Install one and log in, or name programs with --proposer and --opponent, as in --proposer 'command:./agent.sh'",
        )
    };
    if is_missing && usable.len() == 1 {
        crate::output::warning::add(format!(
            "{} plays every side that is not named: two families of models see more",
            usable[0]
        ));
    }
    let proposer = match kept.proposer.as_str() {
        "" => usable.first().cloned().ok_or_else(none)?,
        named => Program::parse("--proposer", named)?,
    };
    let mut opponents =
        kept.opponents.iter().map(|name| Program::parse("--opponent", name)).collect::<Result<Vec<_>, _>>()?;
    if opponents.is_empty() {
        let other = usable.iter().find(|program| **program != proposer).or(usable.first());
        opponents.push(other.cloned().ok_or_else(none)?);
    }
    if kept.quick && opponents.len() > 1 {
        return Err(invalid("--quick takes one opponent", "Name one, or leave --quick out"));
    }
    let arbitrator = Arbitrator::parse(&kept.arbitrator)?;
    proposer.check("--proposer")?;
    opponents.iter().try_for_each(|opponent| opponent.check("--opponent"))?;
    if let Arbitrator::Agent(program) = &arbitrator {
        program.check("--arbitrator")?;
    }
    Ok((proposer, opponents, arbitrator))
}

/// Files are written at the end only, so that what keeps them from being written is told now.
fn check_files(given: &Given, kept: &Kept, before: Option<&Kept>) -> Result<(), Failure> {
    let was_ours = |path: &Path| {
        before.is_some_and(|before| [&before.output, &before.record].iter().any(|one| one.as_deref() == Some(path)))
    };
    for (option, path) in [("--output", &kept.output), ("--record", &kept.record)] {
        let Some(path) = path else { continue };
        let folder = path.parent().filter(|folder| folder.is_dir());
        let folder = folder.ok_or_else(|| {
            invalid(format!("{option}: the folder of {} is not there", path.display()), "Make it first")
        })?;
        tempfile::tempfile_in(folder).map_err(|error| {
            invalid(format!("{option}: nothing can be written beside {}: {error}", path.display()), "Give another path")
        })?;
        if path.exists() && !given.force && !was_ours(path) {
            return Err(invalid(format!("{option}: {} already exists", path.display()), "Give --force to replace it"));
        }
    }
    match (&kept.plan, kept.in_place) {
        (None, true) => Err(invalid("--in-place needs PLAN", "Give PLAN, or --output")),
        (Some(plan), true) => files::open_with(plan, OFlags::WRONLY, Mode::empty()).map(drop).map_err(|error| {
            invalid(
                format!("--in-place: {} cannot be written: {error}", plan.display()),
                "Make it writable, or give --output",
            )
        }),
        (_, false) => Ok(()),
    }
}

/// The token has to permit what the run does, and no other key may have a seat.
async fn check_rights(runner: &Runner, now: Option<&Situation>, seats: &Path) -> Result<(), Failure> {
    let client = &runner.client;
    let info = client.send::<Info, _>(|| client.api.info()).await?.parsed;
    let rules = runner.arbitrator != Arbitrator::Human || arbitrator::has_terminal();
    if info.arbitrator_token && rules {
        // The right is checked before the debate is looked up, which does not exist.
        let body = RulingSubmit {
            content: "-".to_owned(),
            close: None,
            chosen_option: None,
            issue_changes: Vec::new(),
            agents: Vec::new(),
            client_request_id: None,
        };
        let probe = ids::new_id();
        let answer = client.send::<serde_json::Value, _>(|| client.api.debate_ruling(&probe, &body)).await;
        if let Err(failure) =
            answer.map(drop).or_else(|failure| if failure.code == "DEBATE_NOT_FOUND" { Ok(()) } else { Err(failure) })
        {
            return Err(
                failure.with_suggestion("Set DEBATE_AUTH_TOKEN to the arbitrator's token, or give --arbitrator human")
            );
        }
    }
    let Some(now) = now else { return Ok(()) };
    for role in ["proposer", "opponent"] {
        let has_key = fs::read_dir(seats).is_ok_and(|mut files| {
            files.any(|file| file.is_ok_and(|file| file.file_name().to_string_lossy().contains(&format!(".{role}."))))
        });
        if now.context["debate"]["seats"][role] == true && !has_key && now.state() != "CLOSED" {
            let message = format!("the seat of the {role} belongs to the holder of another key");
            return Err(Failure::new(Code::SeatTaken, message).with_suggestion(format!(
                "Free it with `aw debate free-seat --debate-id {} --role {role}`",
                runner.debate_id
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        run: Run,
    }

    fn kept(line: &str, before: Kept, plan: Option<&str>) -> Result<Kept, Failure> {
        let words = shlex::split(&format!("run {line}")).unwrap();
        let Run { plan: path, given, .. } = Line::try_parse_from(words).unwrap_or_else(|error| panic!("{error}")).run;
        merged(&given, before, path, plan)
    }

    #[test]
    fn title_and_task_come_from_the_plan_or_the_task() {
        let of_plan = kept("plan.md", Kept::default(), Some("intro\n## Cache prices \nmore")).unwrap();
        assert_eq!((of_plan.title.as_str(), of_plan.task.as_str()), ("Cache prices", "Cache prices"));
        let of_task = kept("--task '\n First line \nsecond'", Kept::default(), None).unwrap();
        assert_eq!((of_task.title.as_str(), of_task.rounds, of_task.max_minutes), ("First line", 3, 60.0));
        let long = kept(&format!("--task {}", "é".repeat(300)), Kept::default(), None).unwrap();
        assert_eq!(long.title.chars().count(), 200);
        assert_eq!(kept("", Kept::default(), None).unwrap_err().code, "INVALID_INPUT");
        assert_eq!(kept("plan.md", Kept::default(), Some("no heading")).unwrap_err().code, "INVALID_INPUT");
    }

    #[test]
    fn options_that_are_given_again_replace_those_kept() {
        let first =
            kept("--task a --opponent codex --opponent claude-code --max-tokens 5 --rounds 4", Kept::default(), None)
                .unwrap();
        let second = kept("--max-tokens 9 --opponent codex", first, None).unwrap();
        assert_eq!((second.max_tokens, second.rounds, second.opponents.len()), (Some(9), 4, 1));
        assert_eq!(second.task, "a");
    }

    #[test]
    fn numbers_are_above_zero() {
        for wrong in ["0", "-1", "inf", "nan", "x"] {
            assert!(above_zero(wrong).is_err(), "{wrong}");
        }
        assert_eq!(above_zero("0.25"), Ok(0.25));
    }
}
