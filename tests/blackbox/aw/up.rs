//! `aw up` and `aw down`.

use std::{
    fs,
    net::TcpListener,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::PathBuf,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rstest::rstest;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::{Value, json};
use tests::{
    binaries,
    cli::{Agent, Run},
    debate::text,
    os, polling,
    report::report_skipped,
    server::{Server, Settings},
    stub_server::{Reply, StubServer},
};

/// A home folder and a port, on which a background server may run until the end of the test.
struct Machine {
    // Before the home folder, since fields are dropped in this order.
    _down_at_end: DownAtEnd,
    agent: Agent,
    port: u16,
}

impl Machine {
    fn new() -> Self {
        Self::at(os::free_port())
    }

    fn at(port: u16) -> Self {
        let agent = Agent::new(&format!("http://127.0.0.1:{port}"));
        Self { _down_at_end: DownAtEnd::of(&agent), agent, port }
    }

    fn env(self, name: &str, value: &str) -> Self {
        Self { agent: self.agent.env(name, value), ..self }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.agent.home().join(".aweave").join(name)
    }

    async fn up(&self) -> Run {
        self.agent.run(&["up", "--no-open"]).await
    }

    async fn down(&self) -> Run {
        self.agent.run(&["down"]).await
    }

    /// Starts the server and returns its process id.
    async fn start(&self) -> Pid {
        let data = self.up().await.data();
        assert_eq!(data["started"], true, "{data}");
        pid(&data)
    }

    async fn answers(&self) -> bool {
        self.agent.run(&["debate", "list"]).await.exit == 0
    }
}

/// Stops the background server of a home folder when it is dropped.
pub struct DownAtEnd(PathBuf);

impl DownAtEnd {
    /// That of this agent, which outlives it.
    pub fn of(agent: &Agent) -> Self {
        Self(agent.home().to_owned())
    }
}

impl Drop for DownAtEnd {
    fn drop(&mut self) {
        let status = Command::new(binaries::aw()).arg("down").env("HOME", &self.0).stdout(Stdio::null()).status();
        assert!(thread::panicking() || status.is_ok_and(|status| status.success()), "the server still runs");
    }
}

fn pid(data: &Value) -> Pid {
    let pid = data["pid"].as_i64().unwrap_or_else(|| panic!("no pid: {data}"));
    Pid::from_raw(pid.try_into().unwrap()).unwrap()
}

fn message(run: &Run) -> String {
    text(&run.document()["metadata"]["message"])
}

#[tokio::test]
async fn up_starts_a_server_and_down_stops_it() {
    let machine = Machine::new();
    let away = machine.agent.run(&["debate", "list"]).await.failure(3, "CONNECTION_ERROR");
    assert!(text(&away["error"]["suggestion"]).contains("`aw up`"), "{away}");
    let doctor = machine.agent.run(&["doctor"]).await.failure(3, "CONNECTION_ERROR");
    assert_eq!(doctor["metadata"]["next"], "aw up");
    assert!(text(&doctor["error"]["suggestion"]).contains("`aw up`"), "{doctor}");

    let up = machine.up().await;
    let data = up.data();
    assert_eq!((&data["started"], &data["url"]), (&json!(true), &json!(format!("http://127.0.0.1:{}/", machine.port))));
    assert!(message(&up).contains("`aw down`"), "{up:?}");
    assert_eq!(up.document()["metadata"]["next"], "aw doctor");
    machine.agent.run(&["debate", "list"]).await.data();
    assert!(fs::read_to_string(text(&data["log"])).unwrap().contains("listening"));
    assert_eq!(fs::read_to_string(machine.file("server.pid")).unwrap(), format!("{}\n", data["pid"]));
    assert_eq!(fs::read_to_string(machine.file("server.port")).unwrap(), format!("{}\n", machine.port));

    let down = machine.down().await;
    assert_eq!(down.data(), json!({"stopped": true, "pid": data["pid"]}));
    assert!(fs::read_to_string(text(&data["log"])).unwrap().contains("stopping on SIGTERM"));
    assert!(TcpListener::bind(("127.0.0.1", machine.port)).is_ok(), "the port is free again");
    assert!(!machine.file("server.pid").exists() && !machine.file("server.port").exists());
}

#[tokio::test]
async fn up_finds_the_server_that_it_started_before() {
    let machine = Machine::new();
    let server = machine.start().await;
    let second = machine.up().await;
    assert_eq!((&second.data()["started"], pid(&second.data())), (&json!(false), server));
    assert!(message(&second).contains("`aw up` started"), "{second:?}");
    let port = os::free_port().to_string();
    let other = machine.agent.run(&["up", "--no-open", "--port", &port]).await.failure(4, "INVALID_INPUT");
    assert!(text(&other["error"]["message"]).contains(&machine.port.to_string()), "{other}");
}

#[tokio::test]
async fn of_several_at_once_one_starts_the_server_and_the_others_find_it() {
    let machine = Machine::new();
    let commands: Vec<_> = (0..4).map(|_| machine.agent.spawn(&["up", "--no-open"])).collect();
    let mut found = Vec::new();
    for command in commands {
        found.push(command.finish().await.data());
    }
    assert_eq!(found.iter().filter(|data| data["started"] == true).count(), 1, "{found:?}");
    assert!(found.iter().all(|data| data["pid"] == found[0]["pid"]), "{found:?}");
}

#[tokio::test]
async fn where_a_token_is_needed_a_person_gets_the_link_to_sign_in_and_nobody_else() {
    const TOKEN: &str = "a-token-of-16-characters";
    let machine = Machine::new().env("DEBATE_AUTH_TOKEN", TOKEN);
    let run = machine.agent.run_at_terminal(200, &["up", "--no-open"]).await;
    let link =
        run.stdout.split_whitespace().find(|word| word.contains("/#sign-in=")).unwrap_or_else(|| panic!("{run:?}"));
    let code = link.split_once("/#sign-in=").unwrap().1;
    let log = fs::read_to_string(machine.file("server.log")).unwrap();
    assert!(!log.contains(code), "{log}");
    let again = machine.agent.run_at_terminal(200, &["up", "--no-open"]).await;
    assert!(again.exit == 0 && !again.stdout.contains("sign-in"), "{again:?}");
    machine.down().await.data();
    let in_a_pipe = Machine::new().env("DEBATE_AUTH_TOKEN", TOKEN);
    let agent_at_a_terminal = Machine::new().env("DEBATE_AUTH_TOKEN", TOKEN).env("CLAUDECODE", "1");
    for (machine, run) in [
        (&in_a_pipe, in_a_pipe.agent.run(&["up", "--no-open"]).await),
        (&agent_at_a_terminal, agent_at_a_terminal.agent.run_at_terminal(200, &["up", "--no-open"]).await),
    ] {
        assert!(run.exit == 0 && !run.stdout.contains("sign-in"), "{run:?}");
        let log = fs::read_to_string(machine.file("server.log")).unwrap();
        assert!(!log.contains("sign-in="), "{log}");
    }
}

#[tokio::test]
async fn down_without_a_server_says_so() {
    let machine = Machine::new();
    let down = machine.down().await;
    assert_eq!(down.data(), json!({"stopped": false, "pid": null}));
    assert!(message(&down).contains("nothing to stop"), "{down:?}");
}

#[tokio::test]
async fn down_with_remove_log_leaves_the_debates_and_keys_only() {
    let machine = Machine::new();
    machine.start().await;
    for _ in 0..2 {
        machine.agent.run(&["down", "--remove-log"]).await.data();
        let files =
            fs::read_dir(machine.file("")).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut files: Vec<_> = files.collect();
        files.sort();
        assert_eq!(files, ["debate.db", "signing.key"]);
    }
}

#[tokio::test]
async fn the_server_survives_the_end_of_its_parent_and_the_hang_up_of_the_terminal() {
    let machine = Machine::new();
    let script = format!("'{}' up --no-open && echo up && exec sleep 600", binaries::aw().display());
    let mut shell = Command::new("/bin/sh")
        .args(["-c", &script])
        .env("HOME", machine.agent.home())
        .env("DEBATE_SERVER_URL", format!("http://127.0.0.1:{}", machine.port))
        .current_dir(machine.agent.home())
        .stdout(fs::File::create(machine.agent.home().join("printed")).unwrap())
        .process_group(0)
        .spawn()
        .unwrap();
    let printed = || fs::read_to_string(machine.agent.home().join("printed")).unwrap();
    polling::until("the server is started", || printed().contains("\nup\n").then_some(())).await;
    let group = Pid::from_child(&shell);
    // The first two are ignored where the tests run in the background.
    for signal in [Signal::INT, Signal::HUP, Signal::TERM] {
        kill_process_group(group, signal).unwrap();
    }
    shell.wait().unwrap();
    assert!(machine.answers().await);
}

#[tokio::test]
async fn the_server_keeps_nothing_of_whoever_started_it() {
    let machine = Machine::new();
    // A substitution ends when all have closed its pipe, of which the third descriptor is another end.
    let script = "cd project && x=$(exec 3>&1; aw up --no-open >/dev/null 2>&1) && echo ended";
    fs::create_dir(machine.agent.home().join("project")).unwrap();
    let run = machine.agent.shell(script).await;
    assert_eq!((&*run.stdout, run.exit), ("ended\n", 0), "{run:?}");
    let pid = fs::read_to_string(machine.file("server.pid")).unwrap();
    if let Ok(folder) = fs::read_link(format!("/proc/{}/cwd", pid.trim())) {
        assert_eq!(folder, machine.file("").canonicalize().unwrap());
    }
    machine.down().await.data();
    // Paths that begin in the caller's folder stay what they are.
    let machine = Machine::new().env("DEBATE_DB_PATH", "here.db");
    machine.start().await;
    assert!(machine.agent.home().join("here.db").exists());
}

#[tokio::test]
async fn no_server_is_started_on_port_0() {
    for host in ["127.0.0.1", "localhost", "[::1]"] {
        let agent = Agent::new(&format!("http://{host}:0"));
        let failure = agent.run(&["up", "--no-open"]).await.failure(4, "INVALID_INPUT");
        assert!(text(&failure["error"]["message"]).contains("port 0"), "{failure}");
        assert!(!agent.home().join(".aweave/server.pid").exists());
    }
}

#[tokio::test]
async fn up_starts_a_server_again_after_it_was_killed() {
    let machine = Machine::new();
    let first = machine.start().await;
    kill_process(first, Signal::KILL).unwrap();
    polling::until("the server ends", || TcpListener::bind(("127.0.0.1", machine.port)).ok().map(drop)).await;
    assert_ne!(machine.start().await, first);
    assert!(machine.answers().await);
}

#[tokio::test]
async fn a_server_of_something_else_is_found_and_left_alone() {
    let server = Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", "agents")).await;
    let machine = Machine::at(server.address().port());
    let up = machine.up().await;
    assert_eq!((&up.data()["started"], &up.data()["pid"]), (&json!(false), &Value::Null));
    assert!(message(&up).contains("something else"), "{up:?}");
    assert_eq!(machine.down().await.data()["stopped"], false);
    assert_eq!(server.client().get("/health").await.data(200)["status"], "ok");
}

#[rstest]
#[case::by_something_that_hangs_up(Reply::HangUp)]
#[case::by_something_that_answers_otherwise(Reply::Fail(200, "NOT_IN_THE_FORMAT"))]
#[tokio::test]
async fn a_port_taken_by_another_program_is_an_error(#[case] reply: Reply) {
    let stub = StubServer::start(vec![reply]).await;
    let port: u16 = stub.url().rsplit_once(':').unwrap().1.parse().unwrap();
    let machine = Machine::at(port);
    let taken = machine.up().await.failure(3, "CONNECTION_ERROR");
    assert!(text(&taken["error"]["message"]).contains(&format!("port {port} is taken")), "{taken}");
    assert!(text(&taken["error"]["suggestion"]).contains("--port"), "{taken}");
    assert!(!machine.file("server.pid").exists(), "nothing was started");
}

#[tokio::test]
async fn a_server_at_the_other_loopback_address_is_named_at_once() {
    for (first, second) in [("127.0.0.1", "[::1]"), ("[::1]", "127.0.0.1")] {
        if first == "[::1]" && TcpListener::bind("[::1]:0").is_err() {
            return report_skipped("a server at [::1]", "this machine has no such address");
        }
        let machine = Machine::new();
        let url = |host: &str| format!("http://{host}:{}", machine.port);
        let up =
            async |host: &str| machine.agent.shell(&format!("DEBATE_SERVER_URL='{}' aw up --no-open", url(host))).await;
        up(first).await.data();
        let begin = Instant::now();
        let refused = up(second).await.failure(4, "INVALID_INPUT");
        assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
        assert!(text(&refused["error"]["suggestion"]).contains(&url(first)), "{refused}");
        up(first).await.data();
        machine.down().await.data();
    }
}

#[tokio::test]
async fn a_home_that_is_no_whole_path_gets_no_files() {
    let agent = Agent::new("http://127.0.0.1:1");
    fs::create_dir(agent.home().join("rel")).unwrap();
    for home in ["", "rel", "./rel", "."] {
        let up = agent.shell(&format!("HOME='{home}' aw up --no-open")).await.failure(4, "INVALID_INPUT");
        assert!(text(&up["error"]["message"]).starts_with("HOME is not set to a whole path"), "{up}");
        assert_eq!(fs::read_dir(agent.home().join("rel")).unwrap().count(), 0, "{home}");
        assert!(!agent.home().join(".aweave").exists(), "{home}");
        // Without any the system says where this user is at home.
        if !home.is_empty() {
            let setup = agent.shell(&format!("HOME='{home}' aw setup codex --user --dry-run")).await;
            setup.failure(4, "INVALID_INPUT");
        }
    }
}

#[tokio::test]
async fn another_port_is_named_for_the_other_commands() {
    let machine = Machine::new();
    let port = os::free_port().to_string();
    let up = machine.agent.run(&["up", "--no-open", "--port", &port]).await;
    assert_eq!(up.data()["url"], format!("http://127.0.0.1:{port}/"));
    let variable = format!("DEBATE_SERVER_URL=http://127.0.0.1:{port}");
    assert!(message(&up).contains(&variable), "{up:?}");
    let next = text(&up.document()["metadata"]["next"]);
    let checks = machine.agent.shell(&next).await.data()["checks"].clone();
    let server = checks.as_array().unwrap().iter().find(|check| check["name"] == "server").unwrap();
    assert_eq!(server["status"], "ok", "{next}");
    machine.agent.run(&["up", "--port", "0"]).await.failure(4, "INVALID_INPUT");
}

#[rstest]
#[case::another_machine("http://debates.example:3456", "another machine")]
#[case::tls("https://127.0.0.1:3456", "plain HTTP")]
#[case::path("http://127.0.0.1:3456/team", "no path")]
#[tokio::test]
async fn a_url_at_which_no_server_can_be_started_is_refused(#[case] url: &str, #[case] says: &str) {
    let machine = Machine::new().env("DEBATE_SERVER_URL", url);
    for args in [&["up", "--no-open"][..], &["up", "--no-open", "--port", "3456"]] {
        let refused = machine.agent.run(args).await.failure(4, "INVALID_INPUT");
        assert!(refused["error"].to_string().contains(url) && refused["error"].to_string().contains(says), "{refused}");
    }
}

#[tokio::test]
async fn a_server_that_cannot_start_is_reported_with_its_log() {
    let machine = Machine::new();
    machine.start().await;
    machine.down().await;
    let earlier = fs::read_to_string(machine.file("server.log")).unwrap();
    let path = machine.agent.file("plain file", "");
    let machine = machine.env("DEBATE_DB_PATH", &format!("{path}/debate.db"));
    let failed = machine.up().await.failure(3, "CONNECTION_ERROR");
    assert!(text(&failed["error"]["message"]).contains(&path), "{failed}");
    let data = &failed["content"][0]["data"];
    let lines: Vec<String> = data["log_lines"].as_array().unwrap().iter().map(text).collect();
    assert!(lines.iter().any(|line| line.contains(&path)), "{data}");
    assert!(lines.iter().all(|line| !earlier.contains(line.as_str())), "lines of an earlier server: {data}");
    assert_eq!(data["log"], machine.file("server.log").to_str().unwrap());
    assert!(!machine.file("server.pid").exists());
    let markdown = machine.agent.run(&["up", "--no-open", "--format", "markdown"]).await.stdout;
    assert!(markdown.starts_with("# Error: CONNECTION_ERROR\n") && markdown.contains(&lines[0]), "{markdown}");
}

#[tokio::test]
async fn a_home_that_cannot_be_written_is_reported() {
    let machine = Machine::new();
    let plain_file = machine.agent.file("plain file", "");
    let agent = Agent::new("http://127.0.0.1:1");
    let elsewhere = agent.env("HOME", &plain_file);
    for args in [&["up", "--no-open"][..], &["down"]] {
        let failed = elsewhere.run(args).await.failure(4, "FILE_NOT_FOUND");
        assert!(text(&failed["error"]["message"]).contains(&plain_file), "{failed}");
    }
}

#[tokio::test]
async fn a_pid_file_that_was_left_over_ends_no_process() {
    let machine = Machine::new();
    let mut stranger = tokio::process::Command::new("sleep").arg("600").kill_on_drop(true).spawn().unwrap();
    let its_pid = stranger.id().unwrap().to_string();
    fs::create_dir_all(machine.file("")).unwrap();
    fs::write(machine.file("server.port"), format!("{}\n", machine.port)).unwrap();
    for pid in [&its_pid, "no number"] {
        fs::write(machine.file("server.pid"), pid).unwrap();
        assert_eq!(machine.down().await.data()["stopped"], false);
    }
    fs::write(machine.file("server.pid"), &its_pid).unwrap();
    assert_ne!(machine.start().await.to_string(), its_pid);

    // Also not where the file was changed while a server runs.
    let own = fs::read_to_string(machine.file("server.pid")).unwrap();
    fs::write(machine.file("server.pid"), &its_pid).unwrap();
    let down = machine.down().await;
    fs::write(machine.file("server.pid"), own).unwrap();
    let refused = down.failure(3, "INTERNAL_ERROR");
    assert!(text(&refused["error"]["message"]).contains(&its_pid), "{refused}");
    assert!(machine.answers().await);
    assert_eq!(stranger.try_wait().unwrap(), None, "the stranger still runs");
}

#[tokio::test]
async fn the_server_is_the_one_beside_aw_or_on_the_path() {
    let machine = Machine::new();
    let aw = machine.agent.home().join("aw");
    fs::copy(binaries::aw(), &aw).unwrap();
    let run = |path: &str| {
        let command = format!("PATH='{path}' '{}' up --no-open", aw.display());
        let agent = &machine.agent;
        async move { agent.shell(&command).await }
    };
    let missing = run("/nowhere").await.failure(4, "FILE_NOT_FOUND");
    assert!(text(&missing["error"]["message"]).contains("aweave-server"), "{missing}");
    let folder = binaries::server().parent().unwrap().to_str().unwrap();
    assert_eq!(run(folder).await.data()["started"], true);
}

#[tokio::test]
async fn up_opens_the_web_app_unless_it_is_told_not_to() {
    let machine = Machine::new();
    let bin = machine.agent.home().join("bin");
    fs::create_dir(&bin).unwrap();
    let script = machine.agent.file("bin/xdg-open", "#!/bin/sh\necho \"$1\" > seen.new; /bin/mv seen.new seen\n");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let machine = machine.env("DISPLAY", ":99").env("PATH", bin.to_str().unwrap());
    machine.start().await;
    let seen = machine.agent.home().join("seen");
    let page = machine.agent.run(&["up"]).await.data()["url"].clone();
    let seen = polling::until("the browser is started", || fs::read_to_string(&seen).ok()).await;
    assert_eq!(seen.trim_end(), text(&page));
    let up = machine.up().await;
    assert!(!message(&up).contains("browser"), "{up:?}");
}

#[tokio::test]
async fn both_commands_print_markdown() {
    let machine = Machine::new();
    let up = machine.agent.run(&["up", "--no-open", "--format", "markdown"]).await.stdout;
    let address = format!("answers at http://127.0.0.1:{};", machine.port);
    assert!(up.contains(&address) && up.contains("server.log"), "{up}");
    let down = machine.agent.run(&["down", "--format", "markdown"]).await.stdout;
    assert!(down.starts_with("Stopped aweave-server"), "{down}");
}
