//! What a command costs as a whole process, beside the least program that does the same and the original design's.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use uuid::Uuid;

use crate::{
    debate::{self, Debate},
    http::Connection,
    peers::ours::Launch,
    record::{Recorder, Unit},
    setup::Setup,
    statistics::{median, microseconds},
};

/// The name among the figures.
pub const NAME: &str = "cli";

/// The name of the original design's command line among the figures.
pub const PYTHON: &str = "Python CLI";

/// The slow one is run once where the others are run so many times.
const SLOW: u32 = 4;

/// Which program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Program {
    Aw,
    Hello,
    Least,
    Python,
}

/// What it is to do.
#[derive(Clone, Copy)]
enum Verb {
    GenerateId,
    Submit,
    GetContext,
}

/// Who can do what.
const CASES: [(Program, Verb); 8] = [
    (Program::Hello, Verb::GenerateId),
    (Program::Aw, Verb::GenerateId),
    (Program::Least, Verb::Submit),
    (Program::Aw, Verb::Submit),
    (Program::Python, Verb::Submit),
    (Program::Least, Verb::GetContext),
    (Program::Aw, Verb::GetContext),
    (Program::Python, Verb::GetContext),
];

/// Which Python the original design's command line is run by, where it is there; else how to get it.
pub fn python_version(setup: &Setup) -> Result<String, String> {
    setup.version_of(python(setup), &["--version"]).map_err(|_| {
        "put the Python command line into bench/peers/peer-cli-python; there: python3 -m venv .venv && \
         .venv/bin/pip install -r requirements.txt"
            .to_owned()
    })
}

fn python(setup: &Setup) -> PathBuf {
    setup.peer("peer-cli-python").join(".venv/bin/python")
}

/// Measures all of them, in random order.
pub async fn measure(setup: &Setup, random: &mut fastrand::Rng, figures: &mut Recorder<'_>) -> Result<()> {
    let server = Launch::new(setup).start().await?;
    let mut connection = Connection::open(server.address).await?;
    let mut debate = Debate::create(&mut connection, "A debate from the command line").await?;
    let mut cases: Vec<_> = CASES.to_vec();
    let with_python = python_version(setup).is_ok();
    cases.retain(|(program, _)| with_python || *program != Program::Python);
    let mut cases: Vec<_> = cases.into_iter().map(|case| (case, Vec::new())).collect();
    for time in 0..=setup.form.commands {
        random.shuffle(&mut cases);
        for ((program, verb), times) in &mut cases {
            if *program == Program::Python && time % SLOW != 0 {
                continue;
            }
            let mut command = command(setup, *program, *verb, server.address, server.folder.path(), &debate)?;
            let took = run(&mut command).with_context(|| format!("{} {}", program.name(), verb.name()))?;
            // The first warms up.
            if time > 0 {
                times.push(took);
            }
            if matches!(verb, Verb::Submit) {
                debate = Debate::find(&mut connection, &debate.id).await?;
            }
        }
    }
    for ((program, verb), times) in &cases {
        let middle = median(&microseconds(times)).context("the command was run")?;
        figures.add(program.name(), verb.name(), 1, Unit::Microseconds, middle);
    }
    Ok(())
}

/// From before the process is there until it is gone.
fn run(command: &mut Command) -> Result<Duration> {
    let start = Instant::now();
    let output = command.output()?;
    let took = start.elapsed();
    let said = || [output.stdout.as_slice(), &output.stderr].concat();
    ensure!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&said()));
    Ok(took)
}

fn command(
    setup: &Setup,
    program: Program,
    verb: Verb,
    address: SocketAddr,
    home: &Path,
    debate: &Debate,
) -> Result<Command> {
    let content = debate::content(debate.newest.seq + 1).replace('\n', " ");
    let (role, target) = (debate.newest.answered_by(), debate.newest.id.as_str());
    let mut command = match program {
        Program::Hello => Command::new(Setup::beside("hello")?),
        Program::Least => Command::new(Setup::beside("least")?),
        Program::Aw => Command::new(setup.aw()),
        Program::Python => Command::new(python(setup)),
    };
    match (program, verb) {
        (Program::Hello, _) => {}
        (Program::Least, Verb::Submit) => {
            let request = Uuid::new_v4().to_string();
            command.args([&address.to_string(), "submit", &debate.id, role, target, &request, &content]);
        }
        (Program::Least, Verb::GetContext | Verb::GenerateId) => {
            command.args([&address.to_string(), "get-context", &debate.id]);
        }
        (Program::Aw | Program::Python, verb) => {
            if program == Program::Python {
                command.args(["-m", "aw_debate"]).current_dir(setup.peer("peer-cli-python"));
            } else {
                command.arg("debate");
            }
            command.arg(verb.name());
            command.env("HOME", home).env("DEBATE_SERVER_URL", format!("http://{address}"));
            match verb {
                Verb::GenerateId => {}
                Verb::GetContext => {
                    command.args(["--debate-id", &debate.id]);
                }
                Verb::Submit => {
                    command.args(["--debate-id", &debate.id, "--role", role, "--target-id", target]);
                    command.args(["--content", &content]);
                }
            }
        }
    }
    Ok(command)
}

impl Program {
    fn name(self) -> &'static str {
        match self {
            Self::Aw => "aw",
            Self::Hello => "hello",
            Self::Least => "least",
            Self::Python => PYTHON,
        }
    }
}

impl Verb {
    fn name(self) -> &'static str {
        match self {
            Self::GenerateId => "generate-id",
            Self::Submit => "submit",
            Self::GetContext => "get-context",
        }
    }
}
