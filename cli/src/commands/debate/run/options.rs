//! The options of a run.

use std::{
    fs,
    path::{self, Path, PathBuf},
};

use clap::{Args, Command};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{clean_text::is_blank, program::COMMAND, title};
use crate::{
    client::{
        contract_limits::{MAX_DEBATE_TITLE, MAX_ROUNDS},
        types::DebateType,
    },
    command_line::CommandLine,
    commands::debate::options::named,
    input::content,
    output::{Code, Failure},
    programs,
};

/// The options that a run which goes on has, unless they are given again.
#[derive(Args, Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The plan to debate; without it the proposer writes one from the task
    #[arg(value_name = "PLAN")]
    pub plan: Option<PathBuf>,
    /// What the plan is for [default: the title]
    #[arg(long, value_name = "TEXT", conflicts_with = "task_file", allow_hyphen_values = true, value_parser = no_option)]
    pub task: Option<String>,
    /// Read the task from this file
    #[arg(long, value_name = "PATH")]
    #[serde(skip)]
    pub task_file: Option<PathBuf>,
    /// Who proposes: claude-code, codex, gemini, opencode, copilot (each also with :MODEL), or 'command:PROGRAM ARG…' [default: the
    /// first of claude-code, codex and gemini that are installed]
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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=MAX_ROUNDS))]
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
    /// Wait until a program's usage limit is over, where it tells a time within seven days; the wait does not count as minutes
    #[arg(long)]
    pub wait_for_limits: bool,
    /// The folder of the code [default: this one]
    #[arg(long, value_name = "PATH")]
    pub folder: Option<PathBuf>,
    /// Title of the debate [default: that of the plan's front matter, its first heading, the name of its file; without a plan the
    /// same of the task, or its first line]
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true, value_parser = no_option)]
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

/// A text that is no option of the command: that stands there where a variable of a shell is empty, and a run costs money.
fn no_option(text: &str) -> Result<String, String> {
    let name = text.split('=').next().unwrap_or_default();
    let is_named = |command: &Command| {
        command.get_arguments().any(|option| {
            let long = option.get_long_and_visible_aliases().unwrap_or_default();
            let short = option.get_short_and_visible_aliases().unwrap_or_default();
            name.strip_prefix("--").is_some_and(|name| long.contains(&name))
                || short.iter().any(|short| text == format!("-{short}"))
        })
    };
    let is_option = text.starts_with('-') && {
        let all = CommandLine::definition();
        all.find_subcommand("debate").and_then(|debate| debate.find_subcommand("run")).is_some_and(is_named)
    };
    if is_option { Err(format!("{name} is an option, and a text is missing before it")) } else { Ok(text.to_owned()) }
}

/// A path that is the same in every folder. Standard input stays what it is.
pub fn absolute(path: PathBuf) -> PathBuf {
    if path == Path::new(content::STDIN) { path } else { path::absolute(&path).unwrap_or(path) }
}

/// Refuses a path that cannot be kept as a text.
fn check_text(option: &str, path: &Path) -> Result<(), Failure> {
    if path.to_str().is_some() {
        return Ok(());
    }
    let problem = format!("{option} is {}, which is no text in UTF-8", path.display());
    Err(invalid(problem, "Give a path that is one"))
}

/// The name of an agent program, in which the words of a command that name files of this folder are absolute: it is started in
/// another one, and the run may go on from anywhere.
fn from_here(name: String) -> String {
    let Some(words) = name.strip_prefix(COMMAND).and_then(shlex::split) else { return name };
    let is_file_here = |(index, word): (usize, &String)| {
        let is_searched = index == 0 && !word.contains('/') && programs::find(word).is_some();
        !is_searched && Path::new(word).is_relative() && Path::new(word).is_file()
    };
    if !words.iter().enumerate().any(is_file_here) {
        return name;
    }
    let words = words.iter().enumerate().map(|(index, word)| {
        let path = Some(absolute(PathBuf::from(word))).filter(|_| is_file_here((index, word)));
        path.and_then(|path| path.into_os_string().into_string().ok()).unwrap_or_else(|| word.clone())
    });
    let words: Vec<_> = words.collect();
    shlex::try_join(words.iter().map(String::as_str)).map_or(name, |line| format!("{COMMAND}{line}"))
}

impl Options {
    /// The folder of the code.
    pub fn folder(&self) -> &Path {
        self.folder.as_deref().unwrap_or(Path::new("."))
    }

    pub fn debate_type(&self) -> DebateType {
        self.debate_type.unwrap_or(DebateType::CodingPlanDebate)
    }

    pub fn task(&self) -> &str {
        self.task.as_deref().unwrap_or_default()
    }

    /// These options, else those of an earlier start of the run.
    pub fn merged(self, mut before: Self) -> Result<Self, Failure> {
        let task_file = self.task_file.as_deref().map(|path| content::read_file("--task-file", path)).transpose();
        let task_file = task_file.map_err(unreadable)?;
        let (named_task_file, force) = (self.task_file.clone().map(absolute), self.force);
        let is_folder_kept = self.folder.is_none() && before.folder.is_some();
        if self.quick {
            before.arbitrator = None;
        }
        let given = Self {
            task: self.task.or(task_file),
            task_file: None,
            plan: self.plan.map(absolute),
            output: self.output.map(absolute),
            record: self.record.map(absolute),
            proposer: self.proposer.map(from_here),
            opponents: self.opponents.into_iter().map(from_here).collect(),
            arbitrator: self.arbitrator.map(from_here),
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
        let paths = [("PLAN", &given.plan), ("--output", &given.output), ("--record", &given.record)];
        for (option, path) in paths.into_iter().chain([("--folder", &given.folder)]) {
            path.as_deref().map_or(Ok(()), |path| check_text(option, path))?;
        }
        let merged = merge().map_err(|error: serde_json::Error| format!("the options cannot be kept: {error}"));
        let mut options: Self = merged.map_err(|problem| invalid(problem, "Give others"))?;
        options.task_file = named_task_file;
        options.force = force;
        let folder = options.folder.unwrap_or_else(|| PathBuf::from("."));
        let found = fs::canonicalize(&folder).and_then(|found| fs::read_dir(&found).map(|_| found));
        let found = found.map_err(|error| {
            let problem = format!("--folder: cannot read the folder {}: {error}", folder.display());
            of_earlier_run("--folder", is_folder_kept)(invalid(problem, "Give the folder of the code"))
        })?;
        check_text("--folder", &found)?;
        options.folder = Some(found);
        Ok(options)
    }

    /// Works out the title and the task, as far as they are not given. `of_debate` is the task of a debate that is there.
    pub fn complete(&mut self, plan: Option<&str>, of_debate: Option<String>) -> Result<(), Failure> {
        let task = self.task.take().filter(|task| !is_blank(task)).or(of_debate);
        let path = self.plan.as_deref().unwrap_or(Path::new(PLAN));
        let title = self.title.take().or_else(|| plan.map(|plan| title::of_plan(plan, path)));
        let title = title.or_else(|| task.as_deref().map(title::of_task)).ok_or_else(no_task)?;
        let title = shortened(&title);
        self.task = Some(task.unwrap_or_else(|| title.clone()));
        self.title = Some(title);
        Ok(())
    }

    /// Refuses options that lead to no debate, unless there may be one already.
    pub fn check_task(&self, has_plan: bool) -> Result<(), Failure> {
        let has_task = self.task.as_deref().is_some_and(|task| !is_blank(task));
        if has_plan || has_task { Ok(()) } else { Err(no_task()) }
    }
}

/// A title of a debate, which may be so long.
pub fn shortened(title: &str) -> String {
    title.chars().take(MAX_DEBATE_TITLE).collect()
}

/// What a plan is called that has neither a title nor a name.
const PLAN: &str = "plan";

fn no_task() -> Failure {
    invalid("there is neither a task nor a plan", "Give PLAN, a markdown file, or --task")
}

/// What says of a refused path that the earlier run was given it with this option, if it was.
pub fn of_earlier_run(option: &str, is_former: bool) -> impl Fn(Failure) -> Failure {
    move |failure| {
        if !is_former {
            return failure;
        }
        let message = format!("{}; it is {option} of the earlier run", failure.message);
        Failure { message, ..failure }.with_suggestion(format!("Give {option} another path"))
    }
}

/// A file that cannot be read is a wrong option, which is told before anything starts. One that is too large is told as it is.
pub fn unreadable(failure: Failure) -> Failure {
    if failure.is_own(Code::ContentTooLarge) {
        return failure;
    }
    Failure { code: invalid("", "").code, ..failure }
}

pub fn invalid(problem: impl Into<String>, suggestion: &str) -> Failure {
    Failure::new(Code::InvalidInput, problem).with_suggestion(suggestion)
}

#[cfg(test)]
mod tests {
    use std::{
        ffi::OsString,
        os::unix::{ffi::OsStringExt, fs::symlink},
    };

    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        given: Options,
    }

    fn options(line: &str, before: Options) -> Result<Options, Failure> {
        let words = shlex::split(&format!("run {line}")).unwrap();
        Line::try_parse_from(words).unwrap_or_else(|error| panic!("{error}")).given.merged(before)
    }

    #[test]
    fn title_and_task_come_from_the_plan_the_task_or_the_debate() {
        let of = |line: &str, plan: Option<&str>, of_debate: Option<&str>| {
            let mut options = options(line, Options::default())?;
            options.complete(plan, of_debate.map(str::to_owned))?;
            Ok::<_, Failure>([options.title.unwrap(), options.task.unwrap()])
        };
        let plan = Some("intro\n# Cache prices \nmore");
        for (line, plan, of_debate, expected) in [
            ("plan.md", plan, None, ["Cache prices", "Cache prices"]),
            ("plan.md --title T", plan, None, ["T", "T"]),
            ("plan.md --title T --task Why", plan, None, ["T", "Why"]),
            ("plan.md --task ' '", plan, None, ["Cache prices", "Cache prices"]),
            ("docs/cache.md", Some("no heading"), None, ["cache.md", "cache.md"]),
            ("-", Some("no heading"), None, ["-", "-"]),
            ("--task '\n First line \nsecond'", None, None, ["First line", "\n First line \nsecond"]),
            ("--title Prices", None, Some("Cache them"), ["Prices", "Cache them"]),
            ("--title Prices --task ' '", None, Some("Cache them"), ["Prices", "Cache them"]),
            ("--title Prices --task Why", None, Some("Cache them"), ["Prices", "Why"]),
        ] {
            assert_eq!(of(line, plan, of_debate).unwrap(), expected, "{line}");
        }
        let long = "é".repeat(300);
        for (line, plan) in [(format!("--task {long}"), None), (String::new(), Some(format!("# {long}")))] {
            assert_eq!(of(&line, plan.as_deref(), None).unwrap()[0].chars().count(), 200);
        }
        for line in ["", "--task ' '"] {
            assert_eq!(of(line, None, None).unwrap_err().code, "INVALID_INPUT", "{line}");
            assert!(options(line, Options::default()).unwrap().check_task(false).is_err());
        }
    }

    #[test]
    fn an_option_is_no_text_and_other_texts_with_hyphens_are() {
        for option in ["--task", "--title", "-t"] {
            for wrong in ["--quick", "--dry-run", "--output=x", "--type", "--format", "--help", "-o", "-h"] {
                let words = ["run", option, wrong, "--rounds", "4"];
                let error = Line::try_parse_from(words).err().unwrap_or_else(|| panic!("{option} {wrong}"));
                assert!(error.to_string().contains("a text is missing"), "{error}");
            }
            for right in ["- Make it fast", "-", "--", "--x", "--quickly", "-5 %", "-ox", "quick"] {
                let given =
                    Line::try_parse_from(["run", option, right]).unwrap_or_else(|error| panic!("{error}")).given;
                assert_eq!(given.task.or(given.title).as_deref(), Some(right));
            }
        }
        assert!(Line::try_parse_from(["run", "--task=--x"]).is_ok());
    }

    #[test]
    fn words_of_a_command_that_name_files_here_are_absolute() {
        // Tests run in the folder of this crate.
        let here = std::env::current_dir().unwrap().display().to_string();
        for (given, kept) in [
            ("command:./build.rs src/main.rs x", format!("command:{here}/build.rs {here}/src/main.rs x")),
            ("command:sh build.rs --as src", format!("command:sh {here}/build.rs --as src")),
            ("command:build.rs 'a b'", format!("command:{here}/build.rs 'a b'")),
            ("command:./no/such 'a  b'", "command:./no/such 'a  b'".to_owned()),
            ("command:'", "command:'".to_owned()),
            ("codex", "codex".to_owned()),
        ] {
            assert_eq!(from_here(given.to_owned()), kept);
        }
    }

    #[test]
    fn options_that_are_given_again_replace_those_kept() {
        let line = "plan.md --task a --opponent codex --opponent claude-code --max-tokens 5 --rounds 4 --in-place \
                    --arbitrator human --debate-type general_debate";
        let first = options(line, Options::default()).unwrap();
        assert!(first.plan.as_ref().unwrap().is_absolute() && first.folder.as_ref().unwrap().is_absolute());
        let second = options("--max-tokens 9 --opponent codex", first.clone()).unwrap();
        assert_eq!(
            (second.max_tokens, second.rounds, second.opponents.join(" ")),
            (Some(9), Some(4), "codex".to_owned())
        );
        assert_eq!((second.task(), second.in_place, &second.plan), ("a", true, &first.plan));
        assert_eq!(second.debate_type.unwrap().to_string(), "general_debate");
        // What is quick leaves agreed rulings to the run, unless somebody else is named.
        let quick = options("--quick", first).unwrap();
        assert_eq!((quick.quick, quick.arbitrator), (true, None));
    }

    #[test]
    fn a_path_that_is_no_text_is_named() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(OsString::from_vec(b"\xff".to_vec()));
        fs::create_dir(&folder).unwrap();
        let link = home.path().join("link");
        symlink(&folder, &link).unwrap();
        let path = || Some(folder.join("x.md"));
        for (option, given) in [
            ("PLAN", Options { plan: path(), ..Options::default() }),
            ("--output", Options { output: path(), ..Options::default() }),
            ("--record", Options { record: path(), ..Options::default() }),
            ("--folder", Options { folder: Some(folder.clone()), ..Options::default() }),
            ("--folder", Options { folder: Some(link), ..Options::default() }),
        ] {
            let message = given.merged(Options::default()).unwrap_err().message;
            assert!(message.contains(&format!("{option} is /")) && message.contains("/\u{fffd}"), "{message}");
        }
    }

    #[test]
    fn numbers_are_above_zero() {
        for wrong in ["0", "-1", "inf", "nan", "x"] {
            assert!(above_zero(wrong).is_err(), "{wrong}");
        }
        assert_eq!(above_zero("0.25"), Ok(0.25));
    }
}
