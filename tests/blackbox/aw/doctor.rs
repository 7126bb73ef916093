//! `aw doctor`, `aw --version`, `aw completions` and `aw man`.

use std::{
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    binaries,
    cli::Agent,
    debate::{Debate, text},
    os, polling,
    report::report_skipped,
    server::{Server, Settings},
    stub_server::{Reply, StubServer},
    usual_port::{self, UsualPort},
    webhook_receiver::{Reception, WebhookReceiver},
};
use tokio::time::timeout;

use crate::webhooks::sending_to;

fn check<'a>(data: &'a Value, name: &str) -> &'a Value {
    let checks = data["checks"].as_array().unwrap_or_else(|| panic!("no checks: {data}"));
    checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("no {name}: {data}"))
}

#[tokio::test]
async fn a_healthy_server_and_a_complete_setup_pass_all_checks() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let first = agent.run(&["doctor"]).await;
    assert_eq!(check(&first.data(), "skills")["status"], "warning");
    for name in ["server", "token", "version", "webhooks", "host"] {
        assert_eq!(check(&first.data(), name)["status"], "ok", "{name}");
    }
    // What works, what is missing, and what to look at.
    let message = text(&first.document()["metadata"]["message"]);
    let told = ["aw and its server work", "no agent program is installed", "look at skills"];
    assert_eq!(
        message.split("; ").map(|part| told.iter().any(|told| part.starts_with(told))).collect::<Vec<_>>(),
        [true; 3]
    );
    let setup = text(&first.document()["metadata"]["next"]);
    assert!(setup.starts_with("aw setup "), "{setup}");
    agent.shell(&setup).await.data();
    assert_eq!(check(&agent.run(&["doctor"]).await.data(), "skills")["status"], "ok");
}

#[tokio::test]
async fn a_file_that_was_changed_is_broken_and_one_of_another_version_is_not() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    agent.run(&["setup", "claude-code"]).await.data();
    let skill = agent.home().join(".claude/skills/aweave-debate-opponent/SKILL.md");
    let text_before = fs::read_to_string(&skill).unwrap();
    fs::write(&skill, text_before.replace("opponent", "friend")).unwrap();
    for columns in [None, Some(80)] {
        let run = match columns {
            None => agent.run(&["doctor"]).await,
            Some(columns) => agent.run_at_terminal(columns, &["doctor"]).await,
        };
        assert_eq!(run.exit, 4, "{run:?}");
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(said.contains("files of aw were changed: claude-code (project)"), "{said}");
        assert!(said.contains("aw setup claude-code --project --check"), "{said}");
    }
    let document = agent.run(&["doctor"]).await.failure(4, "SETUP_INCOMPLETE");
    assert_eq!(check(&document["content"][0]["data"], "skills")["status"], "failed");
    fs::remove_file(&skill).unwrap();
    assert_eq!(check(&agent.run(&["doctor"]).await.data(), "skills")["status"], "warning");

    let other = Agent::new(&server.url());
    other.file("AGENTS.md", "<!-- aw setup: written by a program up to the line that says so -->\n");
    other.run(&["doctor"]).await.failure(4, "SETUP_INCOMPLETE");
}

#[tokio::test]
async fn what_aw_never_wrote_is_no_changed_file_of_it() {
    type Make = fn(&std::path::Path);
    let server = Server::shared().await;
    let elsewhere = tempfile::tempdir().unwrap();
    fs::create_dir(elsewhere.path().join("skills")).unwrap();
    fs::write(elsewhere.path().join("AGENTS.md"), "# Ours\n").unwrap();
    let link = |name: &str, to: &str| {
        let agent = Agent::new(&server.url());
        std::os::unix::fs::symlink(elsewhere.path().join(to), agent.home().join(name)).unwrap();
        agent
    };
    let file = |make: Make| {
        let agent = Agent::new(&server.url());
        make(&agent.home().join("AGENTS.md"));
        agent
    };
    let skill = Agent::new(&server.url());
    let folder = skill.home().join(".claude/skills/aweave-debate-opponent");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("SKILL.md"), "# Mine\n").unwrap();
    for agent in [
        link(".claude", ""),
        link(".agents", ""),
        link("AGENTS.md", "AGENTS.md"),
        link("AGENTS.md", "nothing"),
        file(|path| fs::write(path, b"caf\xe9\n").unwrap()),
        file(|path| fs::create_dir(path).unwrap()),
        skill,
    ] {
        let skills = check(&agent.run(&["doctor"]).await.data(), "skills").clone();
        assert_eq!(skills["status"], "warning", "{skills}");
        assert!(text(&skills["detail"]).contains("no agent is set up"), "{skills}");
    }
}

#[tokio::test]
async fn programs_are_asked_at_once() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let bin = agent.home().join("bin");
    fs::create_dir(&bin).unwrap();
    // Each answers once the other was started.
    for (name, other) in [("codex", "gemini"), ("gemini", "codex")] {
        let here = bin.display();
        let script = format!(
            "#!/bin/sh\n: > {here}/{name}.started\nwhile [ ! -e {here}/{other}.started ]; do sleep 0.02; done\necho 9.8.7\n"
        );
        fs::write(bin.join(name), script).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let agent = agent.env("PATH", &format!("{}:/usr/bin:/bin", bin.display()));
    let agents = check(&agent.run(&["doctor"]).await.data(), "agents").clone();
    for name in ["codex", "gemini"] {
        assert!(text(&agents["detail"]).contains(&format!("{name}: 9.8.7")), "{agents}");
    }
}

/// What somebody new needs comes first: the programs, then the server.
#[tokio::test]
async fn on_a_fresh_machine_nothing_is_broken() {
    let Some(_port) = UsualPort::take() else {
        return report_skipped("aw doctor on a fresh machine", usual_port::TAKEN);
    };
    let agent = || Agent::new("").env("PATH", "/usr/bin:/bin");
    let run = agent().run(&["doctor"]).await;
    let data = run.data();
    let names: Vec<_> = data["checks"].as_array().unwrap().iter().map(|check| text(&check["name"])).collect();
    assert_eq!(names[..2], ["agents", "server"]);
    assert_eq!(
        (&check(&data, "agents")["status"], &check(&data, "server")["status"]),
        (&json!("absent"), &json!("absent"))
    );
    assert_eq!(check(&data, "agents")["parts"][0]["status"], "absent");
    assert_eq!(run.document()["metadata"]["next"], "aw up");
    let message = text(&run.document()["metadata"]["message"]);
    for told in ["no server runs yet", "no agent program is installed", "look at skills"] {
        assert!(message.contains(told), "{told} is missing: {message}");
    }
    let markdown = agent().run(&["doctor", "--format", "markdown"]).await;
    let terminal = agent().env("NO_COLOR", "1").run_at_terminal(80, &["doctor"]).await;
    assert_eq!((markdown.exit, terminal.exit), (0, 0));
    for (page, bold) in [(&markdown.stdout, "**"), (&terminal.stdout, "")] {
        let lines: Vec<&str> = page.lines().collect();
        assert!(lines[0].starts_with(&format!("– {bold}claude-code{bold}: not installed")), "{page}");
        let server = format!("– {bold}server{bold}: none is running at 127.0.0.1:3456");
        let programs = lines.iter().take_while(|line| !line.starts_with(&server)).count();
        assert!(programs > 1 && programs < lines.len(), "{page}");
        assert!(lines[..programs].iter().all(|line| line.contains("not installed")), "{page}");
    }
    let words = terminal.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Next: aw debate by-hand Or: aw setup agents-md --project aw up"), "{words}");
    assert!(
        words.contains("Install one with `npm install --global` (@anthropic-ai/claude-code, @openai/codex"),
        "{words}"
    );
    // Whoever names a server means it.
    let named = Agent::new("http://127.0.0.1:3456").run(&["doctor"]).await.failure(3, "CONNECTION_ERROR");
    assert_eq!(check(&named["content"][0]["data"], "server")["status"], "failed");
    assert_eq!(named["metadata"]["next"], "aw up");
}

#[tokio::test]
async fn an_agent_program_that_is_there_is_told_with_its_version() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let bin = agent.home().join("bin");
    fs::create_dir(&bin).unwrap();
    let program = bin.join("claude");
    fs::write(&program, "#!/bin/sh\n[ \"$1\" != auth ] || exit 1\necho 9.8.7\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let agent =
        agent.env("PATH", &format!("{}:/usr/bin:/bin", bin.display())).env("GITHUB_TOKEN", "x").env("NO_COLOR", "1");
    let agents = check(&agent.run(&["doctor"]).await.data(), "agents").clone();
    assert_eq!(agents["status"], "warning", "{agents}");
    assert!(text(&agents["detail"]).contains("claude-code: 9.8.7, not logged in"), "{agents}");
    // A person is led on to a run, and a program that reads JSON to what it always was.
    let next = agent.run(&["doctor"]).await.document()["metadata"]["next"].clone();
    let shown = async || {
        let page = agent.run_at_terminal(100, &["doctor"]).await.stdout;
        page.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let page = shown().await;
    assert!(page.contains("Next: claude auth login Or: aw setup claude-code --user aw debate list"), "{page}");
    fs::write(&program, "#!/bin/sh\necho 9.8.7\n").unwrap();
    let page = shown().await;
    let run = "Next: aw debate run plan.md --quick --output better.md Or: aw setup claude-code --user aw debate list";
    assert!(page.contains(run), "{page}");
    // On a machine that may have these, only what is so with them can be tried.
    for name in ["bwrap", "socat"] {
        fs::copy(&program, bin.join(name)).unwrap();
    }
    assert!(!shown().await.contains("bubblewrap"), "{}", shown().await);
    if cfg!(target_os = "linux") && !["/usr/bin/bwrap", "/usr/bin/socat"].iter().all(|file| fs::exists(file).unwrap()) {
        fs::remove_file(bin.join("bwrap")).unwrap();
        fs::remove_file(bin.join("socat")).unwrap();
        assert!(shown().await.contains("its sandbox needs bubblewrap and socat"), "{}", shown().await);
    }
    assert_eq!(agent.run(&["doctor"]).await.document()["metadata"]["next"], next);
    fs::rename(&program, bin.join("copilot")).unwrap();
    let page = shown().await;
    assert!(page.contains("--output better.md --proposer copilot --opponent copilot Or:"), "{page}");
    fs::rename(bin.join("copilot"), &program).unwrap();
    let agents = check(&agent.run(&["doctor"]).await.data(), "agents").clone();
    assert_eq!(agents["status"], "ok", "{agents}");
    assert!(text(&agents["detail"]).contains("claude-code: 9.8.7, logged in"), "{agents}");
    // As version managers have it, outside of folders for which they know a version.
    fs::write(&program, "#!/bin/sh\necho 'No version is set' >&2; exit 126\n").unwrap();
    let agents = check(&agent.run(&["doctor"]).await.data(), "agents").clone();
    assert_eq!(agents["status"], "warning", "{agents}");
    let told = format!("claude-code: `{} --version` does not work", program.display());
    assert!(text(&agents["detail"]).contains(&told), "{agents}");
    assert!(text(&agents["detail"]).contains("No version is set"), "{agents}");
}

#[rstest]
#[case::away(Reply::HangUp, 3, "CONNECTION_ERROR", &["server"])]
#[case::without_its_store(Reply::Fail(503, "STORE_UNAVAILABLE"), 3, "STORE_UNAVAILABLE", &["server"])]
#[tokio::test]
async fn a_failing_server_is_reported_with_all_other_checks(
    #[case] reply: Reply,
    #[case] exit: i32,
    #[case] code: &str,
    #[case] failed: &[&str],
) {
    let stub = StubServer::start(vec![reply]).await;
    let document = Agent::new(&stub.url()).run(&["doctor"]).await.failure(exit, code);
    let data = &document["content"][0]["data"];
    failed.iter().for_each(|name| assert_eq!(check(data, name)["status"], "failed", "{data}"));
    assert_eq!(check(data, "skills")["status"], "warning");
}

/// Runs the health check of the image with its settings, for a server at this URL. Returns its exit status; none if it is ended after
/// the time that it has, as a check that fails is.
async fn health_check_of_the_image(url: &str) -> Option<i32> {
    let image = fs::read_to_string(binaries::workspace().join("packaging/Containerfile")).unwrap();
    let check = image.lines().find_map(|line| line.strip_prefix("HEALTHCHECK ")).unwrap();
    let (options, command) = check.split_once(" CMD ").unwrap();
    let seconds = options.split(' ').find_map(|option| option.strip_prefix("--timeout=")?.strip_suffix('s')).unwrap();
    let command: Vec<String> = serde_json::from_str(command).unwrap();
    let url_in_the_image = "DEBATE_SERVER_URL=http://127.0.0.1:3456";
    assert!(command[0] == "aw" && image.contains(url_in_the_image), "{image}");
    let args: Vec<&str> = command[1..].iter().map(String::as_str).collect();
    let agent = Agent::new(url).env("DEBATE_SERVER_HOST", "0.0.0.0").env("DEBATE_AUTH_TOKEN", "sixteen-characters");
    let within = Duration::from_secs(seconds.parse().unwrap());
    timeout(within, agent.run(&args)).await.ok().map(|run| run.exit)
}

#[tokio::test]
async fn the_health_check_of_the_image_passes_where_the_server_is_up_and_nowhere_else() {
    let server = Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", "sixteen-characters")).await;
    assert_eq!(health_check_of_the_image(&server.url()).await, Some(0));
    let nobody = format!("http://127.0.0.1:{}", os::free_port());
    assert_ne!(health_check_of_the_image(&nobody).await, Some(0));
    let foreign = StubServer::start(vec![Reply::Succeed(200, json!({"status": "up"}))]).await;
    assert_ne!(health_check_of_the_image(&foreign.url()).await, Some(0));
    // A server that accepts connections and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    assert_ne!(health_check_of_the_image(&format!("http://{}", silent.local_addr().unwrap())).await, Some(0));
}

#[tokio::test]
async fn it_tells_whether_the_receivers_of_webhooks_take_messages() {
    let takes = WebhookReceiver::start().await;
    let repaired = Arc::new(AtomicBool::new(false));
    let fails = WebhookReceiver::with({
        let repaired = repaired.clone();
        move |_| Reception::Answer(if repaired.load(Ordering::Relaxed) { 204 } else { 500 })
    })
    .await;
    let server = Server::with(sending_to(&[&takes, &fails])).await;
    let agent = Agent::new(&server.url());
    let webhooks = async || check(&agent.run(&["doctor"]).await.data(), "webhooks").clone();
    let before = webhooks().await;
    assert!(before["status"] == "ok" && text(&before["detail"]).contains("had nothing to send"), "{before}");

    Debate::create(&server.client()).await;
    let counts = async || {
        let info = server.client().get("/info").await.data(200);
        ["webhooks", "webhooks_taking", "webhooks_failing"].map(|field| info[field].as_u64().unwrap())
    };
    let told = async |expected: [u64; 3]| {
        let until = async {
            while counts().await != expected {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(polling::DEADLINE, until).await.expect("the counts are told");
    };
    told([2, 1, 1]).await;
    let failing = webhooks().await;
    assert!(failing["status"] == "warning" && text(&failing["detail"]).starts_with("1 of 2 did not take"), "{failing}");
    assert!(text(&failing["detail"]).contains("webhook-test"), "{failing}");
    repaired.store(true, Ordering::Relaxed);
    told([2, 2, 0]).await;
    let after = webhooks().await;
    assert!(after["status"] == "ok" && text(&after["detail"]).contains("all took the last message"), "{after}");
}

#[tokio::test]
async fn a_wrong_token_and_an_older_server_are_detected() {
    let server = Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", "agents")).await;
    let agent = Agent::new(&server.url());
    let document = agent.run(&["doctor"]).await.failure(6, "AUTH_FAILED");
    let data = &document["content"][0]["data"];
    assert_eq!((&check(data, "server")["status"], &check(data, "token")["status"]), (&json!("ok"), &json!("failed")));
    let agent = agent.env("DEBATE_AUTH_TOKEN", "agents");
    assert_eq!(check(&agent.run(&["doctor"]).await.data(), "token")["status"], "ok");

    // The contract of this server has no operations.
    let list = Reply::Succeed(200, json!({"debates": [], "total": 0}));
    let stub = StubServer::start(vec![Reply::Succeed(200, json!({"status": "ok"})), list]).await;
    let version = check(&Agent::new(&stub.url()).run(&["doctor"]).await.data(), "version").clone();
    assert_eq!(version["status"], "warning");
    assert!(text(&version["detail"]).contains("debate_create"), "{version}");
}

#[tokio::test]
async fn markdown_shows_all_checks_after_a_failure() {
    let server = Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", "agents")).await;
    let page = Agent::new(&server.url()).run(&["doctor", "--format", "markdown"]).await.stdout;
    assert!(page.starts_with("# Error: AUTH_FAILED\n"), "{page}");
    for line in ["\n✓ **server**: ", "\n✗ **token**: ", "\n! **skills**: ", "\n✓ **host**: "] {
        assert_eq!(page.matches(line).count(), 1, "{line} in {page}");
    }
}

#[rstest]
#[case("CLAUDECODE", "1", "120000 ms here, 600000")]
#[case("GEMINI_CLI", "1", "300 seconds")]
#[case("CODEX_SANDBOX", "seatbelt", "`yield_time_ms` 300000")]
#[case("CODEX_CI", "1", "alone on its line")]
#[case("COPILOT_CLI", "1", "`initial_wait` at 600")]
#[case("OPENCODE", "1", "1860000")]
#[tokio::test]
async fn the_host_and_its_limits_are_recognised(#[case] name: &str, #[case] value: &str, #[case] says: &str) {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url()).env(name, value);
    let detail = text(&check(&agent.run(&["doctor"]).await.data(), "host")["detail"]);
    assert!(detail.contains(says), "{detail}");
}

#[tokio::test]
async fn the_version_is_printed_as_text_or_json() {
    let agent = Agent::new("http://127.0.0.1:1");
    for args in [["--version", "--json"], ["--json", "--version"], ["-V", "--json"]] {
        let data = agent.run(&args).await.data();
        assert!(data["version"].is_string() && data["contract"].is_string(), "{data}");
    }
    assert!(agent.run(&["--version"]).await.stdout.starts_with("aw "));
    agent.run(&["--json", "debate", "generate-id"]).await.failure(4, "INVALID_INPUT");
}

#[tokio::test]
async fn completions_and_manual_pages_cover_every_command() {
    let agent = Agent::new("http://127.0.0.1:1");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let completions = agent.run(&["completions", shell]).await;
        assert!(completions.exit == 0 && completions.stdout.contains("request-completion"), "{shell}");
    }
    agent.run(&["completions", "tcsh"]).await.failure(4, "INVALID_INPUT");
    let page = agent.run(&["man", "debate", "wait"]).await.stdout;
    assert!(page.contains(".TH") && page.contains("argument\\-id"), "{page}");
    agent.run(&["man", "debate", "argue"]).await.failure(4, "INVALID_INPUT");
    let pages = agent.run(&["man", "--output", "man1"]).await.data()["pages"].clone();
    for page in pages.as_array().unwrap() {
        assert!(fs::read_to_string(agent.home().join("man1").join(text(page))).unwrap().contains(".SH NAME"), "{page}");
    }
    assert!(pages.as_array().unwrap().contains(&json!("aw-debate-request-completion.1")), "{pages}");
}

/// Prints what fish or bash offers after the line that is given to it.
const FISH: &str = r#"source aw.fish; complete -C "$argv[1]""#;
const BASH: &str = r#". ./aw.bash; COMP_WORDS=($1); [[ $1 == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));
    _aw aw "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"; printf '%s\n' "${COMPREPLY[@]}""#;

#[tokio::test]
async fn shells_offer_the_values_of_options_files_and_folders() {
    let agent = Agent::new("http://127.0.0.1:1");
    fs::create_dir(agent.home().join("folder")).unwrap();
    agent.file("plan.md", "");
    for (shell, options, script) in [("fish", &["--no-config", "-c"][..], FISH), ("bash", &["--norc", "-c"], BASH)] {
        let file = format!("aw.{shell}");
        agent.file(&file, agent.run(&["completions", shell]).await.stdout);
        let offered = |line: &str| {
            let mut command = Command::new(shell);
            command.args(options).arg(script).current_dir(agent.home()).env("HOME", agent.home());
            // bash takes what follows the script as $0 and on.
            command.args((shell == "bash").then_some("bash")).arg(line);
            command.output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        };
        if offered("aw ").is_err() {
            report_skipped("completions", &format!("there is no {shell}"));
            continue;
        }
        for (line, offers, not) in [
            ("aw debate list --state ", &["AWAITING_OPPONENT", "CLOSED"][..], "plan.md"),
            ("aw debate submit --role ", &["proposer", "opponent"], "arbitrator"),
            ("aw debate wait --role a", &["arbitrator"], "proposer"),
            ("aw debate guide --host ", &["codex", "agents-md"], "plan.md"),
            ("aw debate run --proposer ", &["codex", "claude-code"], "plan.md"),
            ("aw docs get x --format ", &["plain", "json"], "plan.md"),
            ("aw setup ", &["opencode", "agents-md"], "plan.md"),
            ("aw completions ", &["fish", "powershell"], "plan.md"),
            ("aw debate submit --file ", &["plan.md", "folder"], "CLOSED"),
            ("aw mcp --allow-path ", &["folder"], "plan.md"),
        ] {
            let found = offered(line).unwrap();
            let words: Vec<&str> =
                found.lines().map(|line| line.split(['\t', ' ', '/']).next().unwrap_or_default()).collect();
            // bash itself adds the folders.
            let offers = if shell == "bash" && line.ends_with("-path ") { &[] } else { offers };
            assert!(offers.iter().all(|offer| words.contains(offer)), "{shell}: {line}: {found}");
            assert!(!words.contains(&not), "{shell}: {line}: {found}");
        }
    }
}
