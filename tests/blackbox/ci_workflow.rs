//! The steps of the workflow in `docs/ci`, as they stand there, with scripted agents and in a fresh checkout.

use std::{
    collections::HashMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use serde_yaml::Value as Yaml;
use tempfile::TempDir;
use tests::{binaries, fixtures, server::Server};

/// A runner of jobs: a checkout whose last commit changes a plan, and the outputs of the steps so far.
struct Runner {
    folder: TempDir,
    server: String,
    outputs: HashMap<String, String>,
    /// In place of what the workflow says
    variables: Vec<(&'static str, String)>,
}

impl Runner {
    fn new(server: &Server, mode: &str) -> Self {
        let agent = format!("command:{} {mode} agent", fixtures::path("agent.sh").display());
        let variables = vec![
            ("PROPOSER", agent.clone()),
            ("OPPONENT", agent),
            ("OPTIONS", "--quick --retry-seconds 0 --max-minutes 5".to_owned()),
        ];
        let folder = TempDir::new().unwrap();
        let runner = Self { folder, server: server.url(), outputs: HashMap::new(), variables };
        for name in ["code/plans", "code/.github", "temp", "home", "log"] {
            fs::create_dir_all(runner.at(name)).unwrap();
        }
        fs::copy(docs("comment.mjs"), runner.at("code/.github/comment.mjs")).unwrap();
        fs::write(runner.at("code/plans/old.md"), "# Old\n").unwrap();
        runner.git("init --quiet --initial-branch main");
        runner.commit();
        fs::write(runner.at("code/plans/cache.md"), "# Cache the price list\n\nStep one.\n").unwrap();
        runner.commit();
        runner
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn git(&self, arguments: &str) -> String {
        let run = Command::new("git").args(arguments.split(' ')).current_dir(self.at("code")).output().unwrap();
        assert!(run.status.success(), "{arguments}: {run:?}");
        String::from_utf8(run.stdout).unwrap().trim().to_owned()
    }

    fn commit(&self) {
        self.git("add .");
        self.git("-c user.name=A -c user.email=a@example.com -c commit.gpgsign=false commit --quiet -m plan");
    }

    /// The value of an expression of the workflow.
    fn value(&self, expression: &str) -> String {
        if expression.starts_with("secrets.") {
            return "secret".to_owned();
        }
        if expression == "github.event.pull_request.base.sha" {
            return self.git("rev-parse HEAD~1");
        }
        self.outputs.get(expression).cloned().unwrap_or_default()
    }

    /// Runs all steps that are scripts but the one that installs programs. Returns the status of the first that fails.
    fn run(&mut self) -> i32 {
        let workflow: Yaml = serde_yaml::from_str(&fs::read_to_string(docs("debate-plan.yml")).unwrap()).unwrap();
        let steps = workflow["jobs"]["debate"]["steps"].as_sequence().unwrap();
        let scripts = steps.iter().filter(|step| !step["run"].is_null() && step["name"] != "Install");
        assert_eq!(scripts.clone().count(), 5);
        for step in scripts {
            if step["if"] == "steps.plan.outputs.path" && self.output("plan.outputs.path").is_empty() {
                continue;
            }
            let status = self.step(step);
            if status != 0 {
                return status;
            }
        }
        0
    }

    fn step(&mut self, step: &Yaml) -> i32 {
        let (output, summary) = (self.at("temp/output"), self.at("temp/summary"));
        fs::write(&output, "").unwrap();
        let script = step["run"].as_str().unwrap();
        assert!(!script.contains("${{"), "an expression in a script is a way to inject: {script}");
        let beside = binaries::aw().parent().unwrap().display().to_string();
        let path = format!("{beside}:{}", env::var("PATH").unwrap());
        let mut command = Command::new("bash");
        command.args(["-e", "-c", script]).current_dir(self.at("code")).env_clear().env("PATH", path);
        command.env("HOME", self.at("home")).env("CI", "true").env("RUNNER_TEMP", self.at("temp"));
        command.env("GITHUB_OUTPUT", &output).env("GITHUB_STEP_SUMMARY", &summary);
        command.env("AGENT_LOG", self.at("log")).env("DEBATE_SERVER_URL", &self.server);
        for (name, value) in step["env"].as_mapping().into_iter().flatten() {
            let (name, value) = (name.as_str().unwrap(), value.as_str().unwrap());
            let expression = value.strip_prefix("${{").and_then(|rest| rest.strip_suffix("}}"));
            let given = self.variables.iter().find(|(other, _)| *other == name).map(|(_, value)| value.clone());
            let value = expression.map_or(value.to_owned(), |expression| self.value(expression.trim()));
            command.env(name, given.unwrap_or(value));
        }
        let run = command.output().unwrap();
        if let Some(id) = step["id"].as_str() {
            for (name, value) in outputs(&fs::read_to_string(&output).unwrap()) {
                self.outputs.insert(format!("steps.{id}.outputs.{name}"), value);
            }
        }
        run.status.code().unwrap_or_else(|| panic!("{run:?}"))
    }

    fn output(&self, name: &str) -> &str {
        self.outputs.get(&format!("steps.{name}")).map_or("", String::as_str)
    }
}

fn docs(name: &str) -> PathBuf {
    binaries::workspace().join("docs/ci").join(name)
}

/// The outputs that a step wrote: `name=value`, or several lines between two marks.
fn outputs(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        match (line.split_once('='), line.split_once("<<")) {
            (_, Some((name, mark))) => {
                let value: Vec<_> = lines.by_ref().take_while(|line| *line != mark).collect();
                found.push((name.to_owned(), value.join("\n")));
            }
            (Some((name, value)), None) => found.push((name.to_owned(), value.to_owned())),
            (None, None) => panic!("no output: {line}"),
        }
    }
    found
}

fn record(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[tokio::test]
async fn a_closed_debate_ends_with_0_and_leaves_record_and_comment() {
    let server = Server::start().await;
    let mut runner = Runner::new(&server, "plain");
    assert_eq!(runner.run(), 0, "{:?}", runner.outputs);
    assert_eq!(runner.output("plan.outputs.path"), "plans/cache.md");
    let comment = runner.output("comment.outputs.comment");
    for line in [
        "### Debate about `plans/cache.md`",
        "Both sides agree on the plan.",
        "| I1 | high | resolved | `Lost on restart` | `plan.md` |",
    ] {
        assert!(comment.lines().any(|other| other == line), "{line} is missing: {comment}");
    }
    assert_eq!(fs::read_to_string(runner.at("temp/summary")).unwrap().trim_end(), comment.trim_end());
    assert_eq!(record(&runner.at("code/record/record.json"))["record"]["outcome"], "agreed");
    assert!(fs::read_to_string(runner.at("code/record/plan.md")).unwrap().contains("Step 2."));
    assert!(fs::read_to_string(runner.at("code/record/record.html")).unwrap().contains("Lost on restart"));
}

#[tokio::test]
async fn any_name_of_a_plan_is_taken_and_none_is_no_failure() {
    let server = Server::start().await;
    let mut runner = Runner::new(&server, "plain");
    let name = "plans/my \"big\" kế-hoạch.md";
    fs::rename(runner.at("code/plans/cache.md"), runner.at("code").join(name)).unwrap();
    runner.git("add .");
    runner.git("-c user.name=A -c user.email=a@example.com commit --quiet --amend -m plan");
    assert_eq!(runner.run(), 0, "{:?}", runner.outputs);
    assert_eq!(runner.output("plan.outputs.path"), name);
    assert!(runner.output("comment.outputs.comment").contains(name), "{:?}", runner.outputs);

    fs::remove_file(runner.at("code").join(name)).unwrap();
    runner.outputs.clear();
    fs::remove_dir_all(runner.at("code/record")).unwrap();
    runner.commit();
    assert_eq!(runner.run(), 0, "a plan was removed");
    assert!(runner.outputs.is_empty(), "{:?}", runner.outputs);
}

#[tokio::test]
async fn what_blocks_ends_with_1_and_says_so() {
    let server = Server::start().await;
    let mut runner = Runner::new(&server, "appeals");
    assert_eq!(runner.run(), 1, "{:?}", runner.outputs);
    let comment = runner.output("comment.outputs.comment");
    assert!(comment.contains("The debate is not closed.") && comment.contains("**What blocks: I1**"), "{comment}");
    assert_eq!(record(&runner.at("code/record/record.json"))["record"]["outcome"], "open");
}

#[tokio::test]
async fn a_program_that_fails_ends_with_the_status_of_the_run() {
    let server = Server::start().await;
    let mut runner = Runner::new(&server, "fails");
    assert_eq!(runner.run(), 3, "{:?}", runner.outputs);
}

#[test]
fn a_comment_mentions_nobody_and_fits() {
    let issue = |n: usize| {
        serde_json::json!({
            "id": format!("I{n}"), "severity": "high", "status": "open", "blocking": true,
            "title": "@everyone `x` | <img src=x> [a](http://b) #1\nnext", "location": "@a`",
        })
    };
    let record = serde_json::json!({"record": {
        "outcome": "ruled", "debate": {"id": "d"}, "rulings": [], "statistics": {"rounds": 1}, "plan": null,
        "issues": (1..2_000).map(issue).collect::<Vec<_>>(),
        "decision": {"content": "~~~\n@everyone"},
    }});
    let comment = comment_of(&record);
    assert!(comment.len() < 65_536 && comment.ends_with("see the record.\n"), "{comment}");
    let row = "| I1 | high | **open** | `@everyone 'x' ¦ <img src=x> [a](http://b) #1 next` | `@a'` |";
    assert!(comment.lines().any(|line| line == row), "{comment}");
}

#[test]
fn a_ruling_stays_in_its_block_whatever_ends_its_lines() {
    let record = serde_json::json!({"record": {
        "outcome": "ruled", "debate": {"id": "d"}, "rulings": [], "statistics": {"rounds": 1}, "plan": null, "issues": [],
        "decision": {"content": "ok\r~~~\r@everyone\r\n  ~~~\n@everyone"},
    }});
    let comment = comment_of(&record);
    let fences = comment.split(['\r', '\n']).filter(|line| line.trim_start().starts_with("~~~")).count();
    assert_eq!(fences, 2, "{comment}");
}

/// The comment that is made of a record.
fn comment_of(record: &Value) -> String {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("record.json");
    fs::write(&path, record.to_string()).unwrap();
    let run = Command::new("node").arg(docs("comment.mjs")).arg("a`b").stdin(fs::File::open(&path).unwrap()).output();
    let run = run.unwrap();
    assert!(run.status.success(), "{run:?}");
    String::from_utf8(run.stdout).unwrap()
}
