//! The options of a run.

use std::{fs, path::PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    client::types::DebateType,
    commands::debate::options::named,
    input::content,
    output::{Code, Failure},
};

/// How many characters a title has at most.
const MAX_TITLE: usize = 200;

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

fn above_zero(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        Ok(_) | Err(_) => Err("give a number above 0, such as 1.5".to_owned()),
    }
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
    pub fn merged(self, mut before: Self, plan: Option<&str>) -> Result<Self, Failure> {
        let absolute = |path: Option<PathBuf>| path.map(|path| std::path::absolute(&path).unwrap_or(path));
        let named_task_file = absolute(self.task_file.clone());
        let task_file = self.task_file.as_deref().map(|path| content::read_file("--task-file", path)).transpose()?;
        if self.quick {
            before.arbitrator = None;
        }
        let given = Self {
            task: self.task.or(task_file),
            task_file: None,
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
        options.task_file = named_task_file;
        let folder = options.folder.unwrap_or_else(|| PathBuf::from("."));
        let found = fs::canonicalize(&folder).ok().filter(|folder| folder.is_dir());
        options.folder = Some(found.ok_or_else(|| {
            invalid(format!("--folder: {} is no folder", folder.display()), "Give the folder of the code")
        })?);
        Ok(options)
    }
}

pub fn invalid(problem: impl Into<String>, suggestion: &str) -> Failure {
    Failure::new(Code::InvalidInput, problem).with_suggestion(suggestion)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        given: Options,
    }

    fn options(line: &str, before: Options, plan: Option<&str>) -> Result<Options, Failure> {
        let words = shlex::split(&format!("run {line}")).unwrap();
        Line::try_parse_from(words).unwrap_or_else(|error| panic!("{error}")).given.merged(before, plan)
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
