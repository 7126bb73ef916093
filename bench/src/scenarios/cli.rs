//! The time of `aw` commands as whole processes, beside minimal programs and the Python CLI of the original design.

use std::{
    collections::HashMap,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use uuid::Uuid;

use crate::{
    debate::{self, Debate},
    environment::Environment,
    http_client::Connection,
    results::{Recorder, Unit},
    statistics::{median, microseconds},
    subjects::aweave::{Aweave, Build, Launch, Store},
};

/// The name of the Python CLI in the results.
pub const PYTHON: &str = "Python CLI";

/// The Python CLI is slow: it only runs every so many times.
const PYTHON_INTERVAL: u32 = 4;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Program {
    Aw(Build),
    Hello,
    OneRequest,
    Python,
}

#[derive(Clone, Copy)]
enum Verb {
    GenerateId,
    Submit,
    GetContext,
}

const CASES: [(Program, Verb); 11] = [
    (Program::Hello, Verb::GenerateId),
    (Program::Aw(Build::Current), Verb::GenerateId),
    (Program::Aw(Build::Former), Verb::GenerateId),
    (Program::OneRequest, Verb::Submit),
    (Program::Aw(Build::Current), Verb::Submit),
    (Program::Aw(Build::Former), Verb::Submit),
    (Program::Python, Verb::Submit),
    (Program::OneRequest, Verb::GetContext),
    (Program::Aw(Build::Current), Verb::GetContext),
    (Program::Aw(Build::Former), Verb::GetContext),
    (Program::Python, Verb::GetContext),
];

/// The version of the Python CLI's interpreter; if the CLI is not installed, the error says how to install it.
pub fn python_version(environment: &Environment) -> Result<String, String> {
    environment.version_of(python(environment), &["--version"]).map_err(|_| {
        "put the Python command line into bench/peers/peer-cli-python; there: python3 -m venv .venv && \
         .venv/bin/pip install -r requirements.txt"
            .to_owned()
    })
}

fn python(environment: &Environment) -> PathBuf {
    environment.peer("peer-cli-python").join(".venv/bin/python")
}

/// Measures all programs, in random order.
pub async fn measure(environment: &Environment, random: &mut fastrand::Rng, recorder: &mut Recorder) -> Result<()> {
    let server = Launch::new(environment, Aweave { build: Build::Current, store: Store::Sqlite }).start().await?;
    let mut connection = Connection::open(server.address).await?;
    let has_python = python_version(environment).is_ok();
    let mut cases: Vec<_> = CASES.into_iter().map(|case| (case, Vec::new())).collect();
    cases.retain(|((program, _), _)| match program {
        Program::Aw(Build::Former) => environment.has_former_build(),
        Program::Python => has_python,
        Program::Aw(Build::Current) | Program::Hello | Program::OneRequest => true,
    });
    // A debate for each program, since `aw` takes the seats of those that it writes to.
    let mut debates = HashMap::new();
    for ((program, _), _) in &cases {
        if !debates.contains_key(program) {
            debates.insert(*program, Debate::create(&mut connection, "A debate from the command line").await?);
        }
    }
    for repetition in 0..=environment.form.commands {
        random.shuffle(&mut cases);
        for ((program, verb), times) in &mut cases {
            if *program == Program::Python && repetition % PYTHON_INTERVAL != 0 {
                continue;
            }
            let debate = debates.get_mut(program).context("each program has a debate")?;
            let mut command = command(environment, *program, *verb, server.address, server.folder.path(), debate)?;
            let took = run(&mut command).with_context(|| format!("{} {}", program.name(), verb.name()))?;
            // The first repetition warms up.
            if repetition > 0 {
                times.push(took);
            }
            if matches!(verb, Verb::Submit) {
                *debate = Debate::find(&mut connection, &debate.id).await?;
            }
        }
    }
    for ((program, verb), times) in &cases {
        let value = median(&microseconds(times)).context("the command was not run")?;
        recorder.add(program.name(), verb.name(), 0, Unit::Microseconds, value);
    }
    Ok(())
}

fn run(command: &mut Command) -> Result<Duration> {
    let start = Instant::now();
    let output = command.output()?;
    let took = start.elapsed();
    let printed = [output.stdout.as_slice(), &output.stderr].concat();
    ensure!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&printed));
    Ok(took)
}

fn command(
    environment: &Environment,
    program: Program,
    verb: Verb,
    address: SocketAddr,
    home: &Path,
    debate: &Debate,
) -> Result<Command> {
    let content = debate::content(debate.newest.seq + 1).replace('\n', " ");
    let (role, target) = (debate.newest.next_role(), debate.newest.id.as_str());
    let mut command = match program {
        Program::Hello => return Ok(Command::new(Environment::own_binary("hello")?)),
        Program::OneRequest => {
            let mut command = Command::new(Environment::own_binary("one_request")?);
            command.args([&address.to_string(), verb.name(), &debate.id]);
            if matches!(verb, Verb::Submit) {
                command.args([role, target, &Uuid::new_v4().to_string(), &content]);
            }
            return Ok(command);
        }
        Program::Aw(build) => {
            let mut command = Command::new(environment.binary(build, "aw"));
            command.arg("debate");
            command
        }
        Program::Python => {
            let mut command = Command::new(python(environment));
            command.args(["-m", "aw_debate"]).current_dir(environment.peer("peer-cli-python"));
            command
        }
    };
    command.arg(verb.name()).env("HOME", home).env("DEBATE_SERVER_URL", format!("http://{address}"));
    match verb {
        Verb::GenerateId => &mut command,
        Verb::GetContext => command.args(["--debate-id", &debate.id]),
        Verb::Submit => {
            command.args(["--debate-id", &debate.id, "--role", role, "--target-id", target, "--content", &content])
        }
    };
    Ok(command)
}

impl Program {
    fn name(self) -> &'static str {
        match self {
            Self::Aw(Build::Current) => "aw",
            Self::Aw(Build::Former) => "former aw",
            Self::Hello => "hello",
            Self::OneRequest => "one request",
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
