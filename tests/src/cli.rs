//! Runs `aw` as an agent does.

use std::{
    fs::File,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    thread::JoinHandle,
};

use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
    time::timeout,
};

use crate::{binaries, polling::DEADLINE, pty};

/// An agent: a server URL, environment variables and a home folder for `aw`.
pub struct Agent {
    env: Vec<(String, String)>,
    home: TempDir,
    /// What a command that is killed leaves in its temporary folder goes with it
    temporary: TempDir,
}

impl Agent {
    /// An agent of this server.
    pub fn new(url: &str) -> Self {
        let agent = Self {
            env: Vec::new(),
            home: TempDir::new().expect("a temporary folder"),
            temporary: TempDir::new().expect("a temporary folder"),
        };
        agent.env("DEBATE_SERVER_URL", url)
    }

    /// With an additional environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.retain(|(other, _)| other != name);
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The home folder, in which commands run.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// The folder of a project in the home folder, in which `aw mcp` is started.
    pub fn project(&self) -> PathBuf {
        let folder = self.home().join("project");
        std::fs::create_dir_all(&folder).expect("the home folder is writable");
        folder
    }

    /// Writes a file to the home folder and returns its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path: PathBuf = self.home().join(name);
        std::fs::write(&path, content).expect("the home folder is writable");
        path.to_str().expect("temporary folders have plain names").to_owned()
    }

    /// Runs `aw` without standard input and waits for it to exit.
    pub async fn run(&self, args: &[&str]) -> Run {
        self.spawn(args).finish().await
    }

    /// Runs `aw` with this standard input.
    pub async fn run_with_input(&self, args: &[&str], input: &[u8]) -> Run {
        let mut command = self.command(binaries::aw());
        let mut child = command.args(args).stdin(Stdio::piped()).spawn().expect("aw starts");
        let mut stdin = child.stdin.take().expect("piped");
        // A command that refuses its arguments may exit without reading its input.
        let _ = stdin.write_all(input).await;
        drop(stdin);
        Running { child, args: args.join(" ") }.finish().await
    }

    /// Starts `aw` in the background.
    pub fn spawn(&self, args: &[&str]) -> Running {
        // The tests may run where a hang-up is ignored, as below nohup; what they start listens to it.
        let mut command = self.command(Path::new("/usr/bin/env"));
        let child = command.arg("--default-signal=HUP").arg(binaries::aw()).args(args).spawn().expect("aw starts");
        Running { child, args: args.join(" ") }
    }

    /// Starts `aw` in the background with this terminal as its standard input and stderr.
    pub fn spawn_on(&self, args: &[&str], terminal: &File) -> Running {
        let end = || terminal.try_clone().expect("the terminal is ours");
        let mut command = self.command(binaries::aw());
        let child = command.args(args).stdin(end()).stderr(end()).spawn().expect("aw starts");
        Running { child, args: args.join(" ") }
    }

    /// Starts `aw` as a shell at a terminal does with `&`: the terminal is not for it.
    pub fn spawn_in_background_on(&self, args: &[&str], terminal: &File) -> Running {
        let end = || terminal.try_clone().expect("the terminal is ours");
        let mut command = self.command(Path::new("/usr/bin/setsid"));
        command.args(["--ctty", "/bin/sh", "-c", "set -m; \"$@\" <&0 & wait $!", "sh"]);
        let child = command.arg(binaries::aw()).args(args).stdin(end()).stderr(end()).spawn().expect("setsid starts");
        Running { child, args: args.join(" ") }
    }

    /// Runs `aw` as a person does, at a terminal with this many columns. stdout and stderr are what each shows.
    pub async fn run_at_terminal(&self, columns: u16, args: &[&str]) -> Run {
        let ((stdout, shown), (stderr, told)) = (pty::screen(columns), pty::screen(columns));
        let mut command = self.command(binaries::aw());
        if !self.env.iter().any(|(name, _)| name == "TERM") {
            command.env("TERM", "xterm-256color");
        }
        let child = command.args(args).stdout(stdout).stderr(stderr).spawn().expect("aw starts");
        // It has the terminals, too.
        drop(command);
        let run = Running { child, args: args.join(" ") }.finish().await;
        let text = |screen: JoinHandle<String>| screen.join().expect("the screen is read");
        Run { stdout: text(shown), stderr: text(told), ..run }
    }

    /// Starts `aw` in the background and reads its stdout line by line.
    pub fn stream(&self, args: &[&str]) -> CommandStream {
        let mut running = self.spawn(args);
        let stdout = running.child.stdout.take().expect("piped");
        CommandStream { running, lines: BufReader::new(stdout).lines() }
    }

    /// Runs a shell command line in which `aw` is the binary under test.
    pub async fn shell(&self, line: &str) -> Run {
        let bin = binaries::aw().parent().expect("a binary lies in a folder").to_str().expect("a plain name");
        let mut command = self.command(Path::new("/bin/sh"));
        let child = command.args(["-c", line]).env("PATH", format!("{bin}:/usr/bin:/bin")).spawn().expect("sh starts");
        Running { child, args: line.to_owned() }.finish().await
    }

    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("HOME", self.home()).env("TMPDIR", self.temporary.path()).current_dir(self.home());
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        command
    }
}

/// A command that prints one JSON document per line.
pub struct CommandStream {
    running: Running,
    lines: Lines<BufReader<ChildStdout>>,
}

impl CommandStream {
    /// The next line, parsed.
    pub async fn next(&mut self) -> Value {
        let line = timeout(DEADLINE, self.lines.next_line()).await;
        let line = line.unwrap_or_else(|_| panic!("aw {} says nothing for {DEADLINE:?}", self.running.args));
        let line = line.expect("aw is a child process").unwrap_or_else(|| panic!("aw {} has ended", self.running.args));
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("not JSON ({e}): {line}"))
    }

    /// The command's process id.
    pub fn pid(&self) -> u32 {
        self.running.pid()
    }

    /// Closes the command's stdout and waits for it to exit.
    pub async fn abandon(self) -> Run {
        drop(self.lines);
        self.running.abandon().await
    }

    /// Waits for the command to exit. It must not print another line.
    pub async fn finish(mut self) -> Run {
        let rest =
            timeout(DEADLINE, self.lines.next_line()).await.expect("it ends in time").expect("aw is a child process");
        assert_eq!(rest, None, "aw {} says one thing more", self.running.args);
        self.running.finish().await
    }
}

/// A running command.
pub struct Running {
    child: Child,
    args: String,
}

impl Running {
    /// The command's process id.
    pub fn pid(&self) -> u32 {
        self.child.id().expect("it is still running")
    }

    /// Whether the command has exited.
    pub fn has_exited(&mut self) -> bool {
        self.child.try_wait().expect("aw is a child process").is_some()
    }

    /// Closes the command's stdout and waits for it to exit.
    pub async fn abandon(mut self) -> Run {
        drop(self.child.stdout.take());
        self.finish().await
    }

    /// Waits for the command to exit.
    pub async fn finish(self) -> Run {
        self.finish_as(|status| status.code()).await
    }

    /// Waits until the command has exited or a signal has ended it, which is status 128 and its number, as for shells.
    pub async fn finish_or_die(self) -> Run {
        self.finish_as(|status| status.code().or_else(|| Some(128 + status.signal()?))).await
    }

    async fn finish_as(self, exit: impl FnOnce(ExitStatus) -> Option<i32>) -> Run {
        let output = timeout(DEADLINE, self.child.wait_with_output()).await;
        let output = output.unwrap_or_else(|_| panic!("aw {} still runs after {DEADLINE:?}", self.args));
        let output = output.expect("aw is a child process");
        Run {
            exit: exit(output.status).unwrap_or_else(|| panic!("aw {} died of {}", self.args, output.status)),
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
            args: self.args,
        }
    }
}

/// The result of a command.
#[derive(Debug)]
pub struct Run {
    /// The exit status.
    pub exit: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The arguments.
    pub args: String,
}

impl Run {
    /// The one JSON document on stdout, after a check of its structure.
    #[track_caller]
    pub fn document(&self) -> Value {
        let mut documents = serde_json::Deserializer::from_str(&self.stdout).into_iter::<Value>();
        let document = documents.next().unwrap_or_else(|| panic!("nothing on stdout: {self:?}"));
        let document = document.unwrap_or_else(|e| panic!("not JSON ({e}): {self:?}"));
        assert!(documents.next().is_none(), "more than one document on stdout: {self:?}");
        let blocks = document["content"].as_array().unwrap_or_else(|| panic!("no content: {self:?}"));
        assert!(blocks.len() == 1 && blocks[0]["type"] == "json", "not one JSON block: {self:?}");
        document
    }

    /// The data of a successful command.
    #[track_caller]
    pub fn data(&self) -> Value {
        let document = self.document();
        assert!(self.exit == 0 && document["success"] == true, "expected success: {self:?}");
        assert!(document.get("error").is_none(), "an error in a success: {self:?}");
        document["content"][0]["data"].clone()
    }

    /// The document of a command that failed with this exit status and code.
    #[track_caller]
    pub fn failure(&self, exit: i32, code: &str) -> Value {
        let document = self.document();
        assert_eq!(self.exit, exit, "exit status: {self:?}");
        assert!(document["success"] == false && document["error"]["code"] == code, "expected {code}: {self:?}");
        let message = document["error"]["message"].as_str();
        assert!(message.is_some_and(|text| !text.is_empty()), "no message: {self:?}");
        document
    }
}
