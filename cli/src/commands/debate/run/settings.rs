//! The options of a run, and what is checked before anything starts.

use std::{
    cell::RefCell,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    HELD, HELP_TEMPLATE, RetryLimit, Runner,
    arbitrator::{Arbitrator, Person},
    debate_snapshot::{DebateSnapshot, id_in},
    limits::Limits,
    program::Program,
    progress::Progress,
    run_file::RunFile,
};
use crate::{
    client::{
        Client,
        types::{DebateType, Info},
    },
    commands::{
        debate::{add_argument::Write, options::named},
        up,
    },
    input::{content, ids},
    output::{Code, Failure, atomic_file, warning},
};

/// How many characters a title has at most.
const MAX_TITLE: usize = 200;

/// How long a request may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(HELD + 30);

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate run plan.md --quick")]
pub struct Run {
    #[command(flatten)]
    pub given: Options,
    /// Start nothing: print who would be started, and what the first ones would be asked
    #[arg(long)]
    pub dry_run: bool,
    /// Seconds after which a program that failed is started once more
    #[arg(long, hide = true, default_value_t = 60)]
    retry_seconds: u64,
}

/// The options that a run which goes on has, unless they are given again.
#[derive(Args, Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The plan to debate; without it the proposer writes one from the task
    #[arg(value_name = "PLAN")]
    pub plan: Option<PathBuf>,
    /// What the plan is for [default: the plan's first heading]
    #[arg(long, value_name = "TEXT", conflicts_with = "task_file")]
    pub task: Option<String>,
    /// Read the task from this file
    #[arg(long, value_name = "PATH")]
    #[serde(skip)]
    pub task_file: Option<PathBuf>,
    /// Who proposes: claude-code, codex (each also with :MODEL), or 'command:PROGRAM ARG…' [default: what is installed]
    #[arg(long, value_name = "AGENT")]
    pub proposer: Option<String>,
    /// Who opposes; may be repeated: each reviews the plan alone, and the first goes on
    #[arg(long = "opponent", value_name = "AGENT")]
    pub opponents: Vec<String>,
    /// Who rules: agreed (closes what both sides agree on, and asks you the rest), human, or an AGENT [default: agreed]
    #[arg(long, value_name = "WHO")]
    pub arbitrator: Option<String>,
    /// One opponent, which does the final reading itself
    #[arg(long)]
    pub quick: bool,
    /// After so many rounds without a ruling, 2 to 100, the proposer appeals or asks to finish [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=100))]
    pub rounds: Option<u64>,
    /// End at so many tokens, read (without cached ones) and written, of all programs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_tokens: Option<u64>,
    /// End at this cost in US dollars
    #[arg(long, value_name = "USD", value_parser = above_zero)]
    pub max_cost: Option<f64>,
    /// End after so many minutes; waits for a person do not count [default: 60]
    #[arg(long, value_name = "MINUTES", value_parser = above_zero)]
    pub max_minutes: Option<f64>,
    /// End a start that takes longer [default: 20]
    #[arg(long, value_name = "MINUTES", value_parser = above_zero)]
    pub turn_minutes: Option<f64>,
    /// The folder of the code [default: this one]
    #[arg(long, value_name = "PATH")]
    pub folder: Option<PathBuf>,
    /// Title of the debate [default: the plan's first heading, else the task's first line]
    #[arg(long, short, value_name = "TEXT")]
    pub title: Option<String>,
    /// Type of the debate [default: coding_plan_debate]
    #[arg(long, visible_alias = "type", value_name = "TYPE", value_parser = named::<DebateType>())]
    pub debate_type: Option<DebateType>,
    /// Go on with this debate, or open it under this id [default: a new id]
    #[arg(long, value_name = "UUID")]
    #[serde(skip)]
    pub debate_id: Option<String>,
    /// Write the newest plan to this file, at every end
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Replace PLAN by the plan that the debate closed on
    #[arg(long)]
    pub in_place: bool,
    /// Replace the files of --output and --record
    #[arg(long)]
    #[serde(skip)]
    pub force: bool,
    /// Write the record to this file: markdown if its name ends in .md, else signed JSON
    #[arg(long, value_name = "PATH")]
    pub record: Option<PathBuf>,
}

/// Who takes part.
pub struct Players {
    pub proposer: Program,
    pub opponents: Vec<Program>,
    pub arbitrator: Arbitrator,
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

impl Options {
    pub fn task(&self) -> &str {
        self.task.as_deref().unwrap_or_default()
    }

    /// These options, else those of an earlier start of the run, else what follows from them.
    fn merged(self, mut before: Self, plan: Option<&str>) -> Result<Self, Failure> {
        let absolute = |path: Option<PathBuf>| path.map(|path| std::path::absolute(&path).unwrap_or(path));
        let task_file = self.task_file.as_deref().map(|path| content::read_file("--task-file", path)).transpose()?;
        if self.quick {
            before.arbitrator = None;
        }
        let given = Self {
            task: self.task.or(task_file),
            plan: absolute(self.plan),
            output: absolute(self.output),
            record: absolute(self.record),
            ..self
        };
        let merge = || {
            let mut options = serde_json::to_value(&before)?;
            for (name, value) in serde_json::to_value(&given)?.as_object().into_iter().flatten() {
                if ![json!(null), json!(false), json!([])].contains(value) {
                    options[name] = value.clone();
                }
            }
            serde_json::from_value(options)
        };
        let mut options: Self = merge().map_err(|error: serde_json::Error| {
            invalid(format!("the options cannot be kept: {error}"), "Give paths that are text in UTF-8")
        })?;

        let heading = plan.and_then(heading).map(str::to_owned);
        let task = options.task.take().or_else(|| heading.clone()).filter(|task| !task.trim().is_empty());
        let task = task.ok_or_else(|| {
            invalid("there is neither a task nor a plan with a heading", "Give PLAN, a markdown file, or --task")
        })?;
        let first_line = task.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let title = options.title.or(heading).unwrap_or_else(|| first_line.to_owned());
        options.title = Some(title.chars().take(MAX_TITLE).collect());
        options.task = Some(task);
        let folder = options.folder.unwrap_or_else(|| PathBuf::from("."));
        let found = fs::canonicalize(&folder).ok().filter(|folder| folder.is_dir());
        options.folder = Some(found.ok_or_else(|| {
            invalid(format!("--folder: {} is no folder", folder.display()), "Give the folder of the code")
        })?);
        Ok(options)
    }

    /// Who takes part, by default what is installed and logged in.
    async fn players(&mut self) -> Result<Players, Failure> {
        let proposer = self.proposer.as_deref().map(|name| Program::parse("--proposer", name)).transpose()?;
        let opponents = self.opponents.iter().map(|name| Program::parse("--opponent", name));
        let mut opponents = opponents.collect::<Result<Vec<_>, _>>()?;
        let mut usable = Vec::new();
        if proposer.is_none() || opponents.is_empty() {
            for program in Program::known() {
                if program.check("").await.is_ok() {
                    usable.push(program);
                }
            }
        }
        let beside = |other: Option<&Program>| {
            let another = usable.iter().find(|one| other.is_none_or(|other| other.name() != one.name()));
            let one = another.or(usable.first()).ok_or_else(|| {
                invalid(
                    "neither claude-code nor codex is installed and logged in",
                    "Install one and log in, or name programs with --proposer and --opponent, as in --proposer \
                     'command:./agent.sh'",
                )
            })?;
            if other.is_some_and(|other| other.name() == one.name()) {
                warning::add(format!("{one} plays both sides: two families of models see more than one"));
            }
            Ok::<_, Failure>(one.clone())
        };
        let proposer = proposer.map_or_else(|| beside(opponents.first()), Ok)?;
        if opponents.is_empty() {
            opponents.push(beside(Some(&proposer))?);
        }
        if self.quick && opponents.len() > 1 {
            return Err(invalid("--quick takes one opponent", "Name one, or leave --quick out"));
        }
        let arbitrator = Arbitrator::parse(self.arbitrator.as_deref().unwrap_or("agreed"))?;
        // Who goes on is who began, whatever is installed then.
        self.proposer = Some(proposer.to_string());
        self.opponents = opponents.iter().map(ToString::to_string).collect();
        let players = Players { proposer, opponents, arbitrator };
        let without_cost = players.programs().find(|(_, program)| self.max_cost.is_some() && !program.tells_cost());
        if let Some((_, program)) = without_cost {
            let problem = format!("--max-cost cannot be held with {program}, which tells no cost");
            return Err(invalid(problem, "Give --max-tokens"));
        }
        Ok(players)
    }

    /// Files are written at the end only, so that what keeps them from being written is told now.
    fn check_files(&self, force: bool, before: &Self) -> Result<(), Failure> {
        let was_ours = |path: &PathBuf| [&before.output, &before.record].contains(&&Some(path.clone()));
        for path in [&self.output, &self.record].into_iter().flatten() {
            atomic_file::check(path, force || was_ours(path))?;
        }
        match (&self.plan, self.in_place) {
            (None, true) => Err(invalid("--in-place needs PLAN", "Give PLAN, or --output")),
            (Some(plan), true) => atomic_file::check(&fs::canonicalize(plan).unwrap_or_else(|_| plan.clone()), true),
            (_, false) => Ok(()),
        }
    }
}

impl Players {
    /// The programs, each with the option that names it.
    pub fn programs(&self) -> impl Iterator<Item = (&'static str, &Program)> {
        let arbitrator = match &self.arbitrator {
            Arbitrator::Agent(program) => Some(("--arbitrator", program)),
            Arbitrator::Agreed | Arbitrator::Human => None,
        };
        let opponents = self.opponents.iter().map(|opponent| ("--opponent", opponent));
        [("--proposer", &self.proposer)].into_iter().chain(opponents).chain(arbitrator)
    }
}

/// Checks all that would fail later, and starts a server where none answers.
pub async fn prepare(run: Run) -> Result<Runner, Failure> {
    let Run { given, dry_run, retry_seconds } = run;
    let id = given.debate_id.as_deref().map(|id| ids::parse_uuid("--debate-id", id)).transpose()?;
    let debate_id = id.unwrap_or_else(ids::new_id);
    let mut file = RunFile::read_only(debate_id)?;
    let (is_new, before, force) = (!file.exists(), file.state.options.clone(), given.force);
    // Once the debate is open its plan is what counts.
    let plan = given.plan.as_deref().or(before.plan.as_deref()).filter(|_| file.state.known.is_empty());
    let plan = plan.map(|path| content::read_file("PLAN", path)).transpose()?;
    let mut options = given.merged(before.clone(), plan.as_deref())?;
    options.check_files(force, &before)?;
    let players = options.players().await?;
    let seats = file.folder.join("seats");
    let mut client = Client::with_timeout(REQUEST_TIMEOUT)?.with_retries(RetryLimit::Unlimited);
    client.seats = Some(seats.clone());
    let minutes = |minutes: f64| Duration::from_secs_f64((minutes * 60.0).min(1e9));
    let earlier = Duration::from_secs(file.state.seconds);
    let limits = Limits::new(&options, minutes(options.max_minutes.unwrap_or(60.0)), earlier);
    let mut now = None;
    if !dry_run {
        up::start_if_away().await?;
        now = limits.within_time(DebateSnapshot::read(&client, debate_id)).await?;
    }
    let is_closed = now.as_ref().is_some_and(|now| now.state() == "CLOSED");
    if !is_closed {
        for (option, program) in players.programs() {
            program.check(option).await?;
        }
    }
    if !dry_run {
        limits.within_time(check_rights(&client, &players.arbitrator, now.as_ref(), &seats)).await?;
        file.lock()?;
        file.end_former()?;
        file.state.options = options.clone();
        if is_new {
            let arguments = now.iter().flat_map(DebateSnapshot::arguments);
            file.state.known = arguments.filter_map(|argument| id_in(&argument["id"])).collect();
        }
        file.save()?;
    }
    Ok(Runner {
        client,
        debate_id,
        turn_time: minutes(options.turn_minutes.unwrap_or(20.0)),
        options,
        players,
        plan,
        retry_pause: Duration::from_secs(retry_seconds),
        limits,
        progress: Progress::new(),
        file: RefCell::new(file),
        person: Person::default(),
    })
}

/// The token has to permit what the run does, and no other key may have a seat.
async fn check_rights(
    client: &Client,
    arbitrator: &Arbitrator,
    now: Option<&DebateSnapshot>,
    seats: &Path,
) -> Result<(), Failure> {
    let rules = *arbitrator != Arbitrator::Human || Person::has_terminal();
    if rules && client.send::<Info, _>(|| client.api.info()).await?.parsed.arbitrator_token {
        // The right is checked before the debate is looked up, which does not exist.
        let (nowhere, body) = (ids::new_id(), json!({"move": "RULING", "content": "-"}));
        let refusal = client.send::<Value, _>(|| Write::send(body.clone(), client, nowhere, None)).await.err();
        if let Some(failure) = refusal.filter(|failure| failure.code != "DEBATE_NOT_FOUND") {
            let how = "Set DEBATE_AUTH_TOKEN to the arbitrator's token, or give --arbitrator human";
            return Err(failure.with_suggestion(how));
        }
    }
    let Some(now) = now.filter(|now| now.state() != "CLOSED") else { return Ok(()) };
    for role in ["proposer", "opponent"] {
        let mut keys = fs::read_dir(seats).into_iter().flatten().flatten();
        let has_key = keys.any(|file| file.file_name().to_string_lossy().contains(&format!(".{role}.")));
        if now.context["debate"]["seats"][role] == true && !has_key {
            let message = format!("the seat of the {role} belongs to the holder of another key");
            let id = now.context["debate"]["id"].as_str().unwrap_or_default();
            let how = format!("Free it with `aw debate free-seat --debate-id {id} --role {role}`");
            return Err(Failure::new(Code::SeatTaken, message).with_suggestion(how));
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

    fn options(line: &str, before: Options, plan: Option<&str>) -> Result<Options, Failure> {
        let words = shlex::split(&format!("run {line}")).unwrap();
        Line::try_parse_from(words).unwrap_or_else(|error| panic!("{error}")).run.given.merged(before, plan)
    }

    #[test]
    fn title_and_task_come_from_the_plan_or_the_task() {
        let of = |line: &str, plan: Option<&str>| {
            let options = options(line, Options::default(), plan)?;
            Ok::<_, Failure>((options.title.unwrap(), options.task.unwrap()))
        };
        let both = |text: &str| (text.to_owned(), text.to_owned());
        assert_eq!(of("plan.md", Some("intro\n## Cache prices \nmore")).unwrap(), both("Cache prices"));
        assert_eq!(of("plan.md --title T --task Why", Some("# Cache")).unwrap(), ("T".to_owned(), "Why".to_owned()));
        assert_eq!(of("--task '\n First line \nsecond'", None).unwrap().0, "First line");
        assert_eq!(of(&format!("--task {}", "é".repeat(300)), None).unwrap().0.chars().count(), 200);
        for (line, plan) in [("", None), ("plan.md", Some("no heading")), ("--task ' '", None)] {
            assert_eq!(of(line, plan).unwrap_err().code, "INVALID_INPUT", "{line}");
        }
    }

    #[test]
    fn options_that_are_given_again_replace_those_kept() {
        let line = "plan.md --task a --opponent codex --opponent claude-code --max-tokens 5 --rounds 4 --in-place \
                    --arbitrator human --debate-type general_debate";
        let first = options(line, Options::default(), None).unwrap();
        assert!(first.plan.as_ref().unwrap().is_absolute() && first.folder.as_ref().unwrap().is_absolute());
        let second = options("--max-tokens 9 --opponent codex", first.clone(), None).unwrap();
        assert_eq!(
            (second.max_tokens, second.rounds, second.opponents.join(" ")),
            (Some(9), Some(4), "codex".to_owned())
        );
        assert_eq!((second.task(), second.in_place, &second.plan), ("a", true, &first.plan));
        assert_eq!(second.debate_type.unwrap().to_string(), "general_debate");
        // What is quick leaves agreed rulings to the run, unless somebody else is named.
        let quick = options("--quick", first, None).unwrap();
        assert_eq!((quick.quick, quick.arbitrator), (true, None));
    }

    #[test]
    fn numbers_are_above_zero() {
        for wrong in ["0", "-1", "inf", "nan", "x"] {
            assert!(above_zero(wrong).is_err(), "{wrong}");
        }
        assert_eq!(above_zero("0.25"), Ok(0.25));
    }
}
