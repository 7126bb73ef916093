//! What a person sees at a terminal, and that nobody else gets anything else than before.

use rstest::rstest;
use serde_json::Value;
use tests::{
    cli::{Agent, Run},
    debate::{Debate, Situation, text},
    document::Document,
    ids, request_bodies,
    server::Server,
};

/// Text without colours. Fails on any other escape sequence, and on control characters.
#[track_caller]
fn bare(shown: &str) -> String {
    let mut bare = String::new();
    let mut rest = shown;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        bare += before;
        let (codes, after) = after.split_once('m').unwrap_or_else(|| panic!("an escape sequence: {shown:?}"));
        assert!(codes.chars().all(|c| c.is_ascii_digit() || c == ';'), "an escape sequence: {shown:?}");
        rest = after;
    }
    bare += rest;
    assert!(!bare.chars().any(|c| c != '\n' && c.is_control()), "a control character: {shown:?}");
    bare
}

/// What a person sees of a command that succeeds.
#[track_caller]
fn seen(run: &Run) -> String {
    assert_eq!(run.exit, 0, "{run:?}");
    assert!(!run.stdout.contains(r#""success""#), "that is JSON: {run:?}");
    bare(&run.stdout)
}

/// A whole id, where only parts of commands, links and paths are whole.
fn has_whole_id(line: &str) -> bool {
    let words = line.split(|c: char| !c.is_ascii_hexdigit() && c != '-');
    words.into_iter().any(|word| word.len() == 36 && word.matches('-').count() == 4)
}

/// Whether a line fits, or is one that is copied as a whole: a command, which has a line of its own, or a link, a path or a citation,
/// which is one word with no more than a label before it.
fn fits(line: &str, columns: u16) -> bool {
    const LABEL: usize = 16;
    let width = line.chars().count();
    let text = line.trim();
    let is_command = text.strip_prefix("next: ").unwrap_or(text).starts_with("aw ");
    let copied =
        line.split_whitespace().filter(|word| word.contains('/') || word.contains("doc_id=") || has_whole_id(word));
    let longest = copied.map(|word| word.chars().count()).max().unwrap_or_default();
    width <= columns.into() || is_command || (longest > 0 && width - longest <= LABEL)
}

struct Desk {
    agent: Agent,
    debate: Debate,
    document: Document,
    columns: u16,
}

impl Desk {
    /// Runs a command, whose lines have to fit the terminal, unless they are copied as a whole.
    async fn shows(&self, line: &str, expected: &[&str]) {
        let line = line.replace("DEBATE", &self.debate.id).replace("DOCUMENT", &self.document.id);
        let line = line.replace("NEWEST", self.debate.newest());
        let run = self.agent.run_at_terminal(self.columns, &line.split(' ').collect::<Vec<_>>()).await;
        let shown = seen(&run);
        for line in shown.lines() {
            let is_copied = ["aw ", "http", "/", "doc_id="].iter().any(|part| line.contains(part));
            assert!(fits(line, self.columns), "{} columns: {line} in {shown}", line.chars().count());
            assert!(is_copied || !has_whole_id(line), "{line} in {shown}");
            assert!(!line.contains(" UTC") && !line.contains("T00:"), "a time: {line} in {shown}");
        }
        for word in expected {
            let words: Vec<&str> = shown.split_whitespace().collect();
            let spoken = words.join(" ").replace("│ ", "");
            assert!(spoken.contains(word), "{word} is missing: {shown}");
        }
    }
}

#[rstest]
#[tokio::test]
async fn every_command_is_laid_out(#[values(40, 80)] columns: u16) {
    let server = Server::start().await;
    let debate = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let document = Document::create(&server.client()).await;
    let agent = Agent::new(&server.url());
    agent.file("text.md", "Some text.");
    let desk = Desk { agent, debate, document, columns };
    for (line, expected) in [
        ("debate list", &["Retry budget for the notification relay", "proposer's turn", "just now"][..]),
        ("debate get-context --debate-id DEBATE", &["by the opponent", "Next:"]),
        ("debate issues --debate-id DEBATE --all", &["No issue was raised"]),
        ("debate show --debate-id DEBATE --argument-id #2", &["CLAIM by the opponent"]),
        ("debate search relay", &["Retry budget"]),
        ("debate wait --debate-id DEBATE --role proposer", &["It is your turn", "Next:"]),
        ("debate wait --debate-id DEBATE --role opponent --argument-id NEWEST --timeout 0", &["aw debate wait"]),
        ("debate record --debate-id DEBATE --output record.md", &["record.md"]),
        ("debate export --debate-id DEBATE", &["Retry budget for the notification relay"]),
        ("debate export --debate-id DEBATE --output all.json", &["all.json"]),
        ("debate submit --debate-id DEBATE --role proposer --target-id NEWEST --file text.md", &["Next:"]),
        ("debate create --debate-id FRESH --title T --type general_debate --content M", &["The debate"]),
        ("debate intervention --debate-id DEBATE", &["INTERVENTION_PENDING"]),
        ("debate ruling --debate-id DEBATE --close --content Done", &["CLOSED"]),
        ("debate free-seat --debate-id DEBATE --role proposer", &["seat"]),
        ("docs list", &["versions: 1"]),
        ("docs create --summary S --file text.md", &["Cite it as:"]),
        ("docs submit DOCUMENT --summary S2 --file text.md", &["doc_id="]),
        ("docs list", &["versions: 2", "last change: S2"]),
        ("docs history DOCUMENT", &["v2", "just now"]),
        ("docs export DOCUMENT --output plan.md", &["plan.md"]),
        ("setup claude-code --dry-run", &["claude-code"]),
        ("setup claude-code", &["SKILL.md"]),
        ("doctor", &["✓ server: ", "– codex: not installed"]),
        ("down", &["There is nothing to stop"]),
        ("man --output man1", &["man1"]),
    ] {
        desk.shows(&line.replace("FRESH", &ids::fresh()), expected).await;
    }
    // Ids are what these are about.
    let run = desk.agent.run_at_terminal(columns, &["debate", "generate-id"]).await;
    let shown = seen(&run);
    assert_eq!(shown.lines().filter(|line| has_whole_id(line)).count(), 2, "{shown}");
    let run = desk.agent.run_at_terminal(columns, &["docs", "delete", &desk.document.id]).await;
    assert!(seen(&run).contains(&desk.document.id), "{run:?}");
}

#[tokio::test]
async fn commands_are_those_of_the_json_document() {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let agent = Agent::new(&server.url());
    for args in [
        &["debate", "wait", "--debate-id", &debate.id, "--role", "proposer"][..],
        &["debate", "get-context", "--debate-id", &debate.id, "--limit", "1", "--role", "proposer"],
        &["debate", "get-context", "--debate-id", &debate.id, "--max-chars", "1"],
    ] {
        let document = agent.run(args).await.document();
        let metadata = &document["metadata"];
        let also = metadata["also"].as_array().into_iter().flatten();
        let commands: Vec<String> = [&metadata["next"]].into_iter().chain(also).map(text).collect();
        for columns in [40, 80] {
            let run = agent.run_at_terminal(columns, args).await;
            // Without colours inside: as the terminal got it.
            let lines: Vec<&str> = run.stdout.lines().map(str::trim).collect();
            for command in &commands {
                assert!(lines.contains(&command.as_str()), "{command} is missing: {run:?}");
            }
            if let Some(more) = metadata["more"].as_str() {
                assert!(run.stdout.contains(more), "{more} is missing: {run:?}");
            }
        }
    }
}

#[tokio::test]
async fn nobody_but_a_person_at_a_terminal_gets_anything_else() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let show = ["debate", "show", "--debate-id", &debate.id, "--argument-id", "#1"];
    let wrong = ["debate", "show", "--debate-id", &debate.id, "--argument-id", "#9"];
    let unparsed = ["debate", "show", "--debat-id", &debate.id];
    let agent = || Agent::new(&server.url());
    for args in [&show[..], &wrong, &unparsed, &[]] {
        let piped = agent().run(args).await;
        for agent in [
            agent().env("TERM", "dumb"),
            agent().env("TERM", ""),
            agent().env("CI", "true"),
            agent().env("CLAUDECODE", "1"),
            agent().env("AW_FORMAT", "json"),
        ] {
            let run = agent.run_at_terminal(80, args).await;
            assert_eq!((&run.stdout, run.exit), (&piped.stdout, piped.exit), "{args:?}");
            assert_eq!(run.stderr, piped.stderr, "{args:?}");
        }
        let piped = agent().env("TERM", "xterm").env("NO_COLOR", "1").run(args).await;
        piped.document();
    }
    for args in [&show[..], &wrong, &unparsed] {
        for format in ["json", "markdown"] {
            let args: Vec<&str> = [args, &["--format", format]].concat();
            let piped = agent().run(&args).await;
            for agent in [agent(), agent().env("AW_FORMAT", "json"), agent().env("AW_FORMAT", "nonsense")] {
                let run = agent.run_at_terminal(80, &args).await;
                assert_eq!(
                    (run.stdout, run.stderr, run.exit),
                    (piped.stdout.clone(), piped.stderr.clone(), piped.exit)
                );
            }
        }
    }
    // Also without a terminal, for the commands whose default is JSON.
    let markdown = agent().run(&[&show[..], &["--format", "markdown"]].concat()).await;
    assert_eq!(agent().env("AW_FORMAT", "markdown").run(&show).await.stdout, markdown.stdout);
    assert_eq!(agent().env("AW_FORMAT", "markdown").run_at_terminal(80, &show).await.stdout, markdown.stdout);
    agent().env("AW_FORMAT", "xml").run(&show).await.failure(4, "INVALID_INPUT");
}

#[tokio::test]
async fn texts_keep_their_form() {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), Situation::Closed).await;
    let content =
        "# A *document*\n\nWith a very long line that no terminal has columns for, so that it would have to be broken.";
    let document = Document::create_with(&server.client(), &request_bodies::document(content)).await;
    let agent = Agent::new(&server.url());
    for args in [
        &["docs", "get", &document.id][..],
        &["debate", "record", "--debate-id", &debate.id],
        &["debate", "guide", "--role", "opponent"],
        &["debate", "watch", "--debate-id", &debate.id, "--role", "opponent"],
        &["completions", "bash"],
    ] {
        let piped = agent.run(args).await;
        assert_eq!(agent.run_at_terminal(40, args).await.stdout, piped.stdout, "{args:?}");
    }
    // What counts for the other commands does not for these.
    let agent = agent.env("AW_FORMAT", "nonsense");
    assert_eq!(agent.run_at_terminal(40, &["docs", "get", &document.id]).await.stdout, content);
    for args in [&["debate", "guide", "--role", "opponent"][..], &["completions", "bash"], &["man", "debate"], &["mcp"]]
    {
        assert_eq!(agent.run(args).await.exit, 0, "{args:?}");
    }
}

#[tokio::test]
async fn a_page_in_markdown_is_laid_out_and_what_is_copied_stays_whole() {
    let agent = Agent::new("http://127.0.0.1:9");
    let shown = seen(&agent.run_at_terminal(60, &["debate", "by-hand"]).await);
    assert!(!shown.contains("# A first debate") && !shown.contains("](") && !shown.contains("**"), "{shown}");
    for copied in
        ["D=93d81b1a-0e66-4510-abfd-aa33b26cb82e", "aw debate appeal --debate-id $D --target-id '#2' --content"]
    {
        assert!(shown.contains(copied), "{copied}: {shown}");
    }
    let agent = agent.env("AW_FORMAT", "nonsense");
    assert!(agent.run(&["debate", "by-hand"]).await.stdout.starts_with("# A first debate"));
}

#[tokio::test]
async fn errors_go_to_stderr_in_words() {
    let server = Server::shared().await;
    let unknown = ids::fresh();
    let debate = Debate::create(&server.client()).await;
    let agent = || Agent::new(&server.url());
    for (agent, args, exit, next) in [
        (agent(), &["debate", "get-context", "--debate-id", &unknown][..], 2, "aw debate get-context --help"),
        (agent(), &["docs", "get", &unknown], 2, "aw docs history"),
        (agent(), &["debate", "record", "--debate-id", &unknown], 2, "aw debate record --help"),
        (agent(), &["debate", "lst"], 4, "aw debate list"),
        (agent(), &["debate"], 4, "aw debate --help"),
        (agent(), &["frobnicate"], 4, "aw --help"),
        (agent().env("AW_FORMAT", "xml"), &["debate", "list"], 4, "aw debate list --help"),
        (Agent::new("http://127.0.0.1:1"), &["debate", "list"], 3, "aw doctor"),
        (
            agent(),
            &[
                "debate",
                "submit",
                "--debate-id",
                &debate.id,
                "--role",
                "proposer",
                "--target-id",
                &unknown,
                "--content",
                "x",
            ],
            5,
            "aw debate wait",
        ),
    ] {
        let json = agent.run(args).await;
        for columns in [40, 80] {
            let run = agent.run_at_terminal(columns, args).await;
            assert_eq!((run.exit, &*run.stdout), (exit, ""), "{run:?}");
            let shown = bare(&run.stderr);
            // What was tried before is told, too.
            let (_, shown) = shown.split_at(shown.find("error: ").unwrap_or_default());
            assert!(shown.starts_with("error: ") && shown.contains("\nhelp: "), "{run:?}");
            for line in shown.lines() {
                assert!(fits(line, columns), "{line} is too long: {run:?}");
                let begins = ["error: ", "help: ", "next: ", "      "].iter().any(|start| line.starts_with(start));
                assert!(begins, "{line} begins like nothing of an error: {run:?}");
            }
            let last = shown.lines().last().unwrap();
            assert!(last.starts_with(&format!("next: {next}")), "{run:?}");
            if let Ok(document) = serde_json::from_str::<Value>(&json.stdout) {
                assert_eq!(last, format!("next: {}", text(&document["metadata"]["next"])));
            }
        }
    }
}

#[tokio::test]
async fn what_the_server_refuses_is_told_with_the_options_of_the_command() {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), Situation::Appealed).await;
    let agent = Agent::new(&server.url()).env("NO_COLOR", "1");
    let ruling = ["debate", "ruling", "--debate-id", &debate.id, "--content", "x"];
    for (args, option) in [
        (&[&ruling[..], &["--choose", "7"]].concat()[..], "--choose"),
        (&[&ruling[..], &["--uphold", "I99"]].concat(), "--issue-changes"),
        (&["debate", "create", "--title", "t", "--type", "general_debate", "--content", ""], "--content"),
    ] {
        let run = agent.run_at_terminal(200, args).await;
        let told = words(&run.stderr);
        assert!(told.split_once(" help: ").is_some_and(|(_, help)| help.contains(option)), "{run:?}");
    }
}

/// The words of a text that is laid out, on one line.
fn words(shown: &str) -> String {
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn a_person_reads_the_titles_of_issues_and_what_a_ruling_would_lead_to() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let agent = Agent::new(&server.url()).env("NO_COLOR", "1");
    let at = async |verb: &str, options: &[&str]| {
        let args = [&["debate", verb, "--debate-id", &debate.id], options].concat();
        agent.run_at_terminal(80, &args).await
    };
    // A first claim by hand: what is wrong is an issue, which no server can say.
    let opponent = ["--role", "opponent"];
    assert!(words(&seen(&at("wait", &opponent).await)).contains("add `--raise 'high: Title @ place'`"));
    for format in ["json", "markdown"] {
        let wait = ["debate", "wait", "--debate-id", &debate.id, "--role", "opponent", "--format", format];
        let told = agent.run(&wait).await;
        assert!(!told.stdout.contains("--raise"), "{told:?}");
    }
    let answer = |role, target, rest: &[&'static str]| {
        [&["--role", role, "--target-id", target, "--content", "So it is."], rest].concat()
    };
    let raise = answer("opponent", "#1", &["--raise", "high: Lost on restart", "--raise", "low: No test"]);
    let shown = words(&seen(&at("submit", &raise).await));
    assert!(shown.contains("raised I1 (Lost on restart), I2 (No test)"), "{shown}");
    let shown = words(&seen(&at("submit", &answer("proposer", "#2", &["--fix", "I1"])).await));
    assert!(shown.contains("fixed I1 (Lost on restart)"), "{shown}");
    // Whoever follows the debate reads the titles, too.
    let shown = words(&seen(&at("wait", &[&opponent[..], &["--argument-id", "#2"]].concat()).await));
    assert!(shown.contains("fix I1 (Lost on restart)") && shown.contains("No test"), "{shown}");
    seen(&at("submit", &answer("opponent", "#3", &["--regrade", "I1 critical"])).await);
    let early = at("request-completion", &["--target-id", "#4", "--content", "Done."]).await;
    assert!(words(&bare(&early.stderr)).contains("I1 (Lost on restart)"), "{early:?}");
    let appeal = ["--target-id", "#4", "--content", "Which?", "--refer", "I1", "--option", "Keep"];
    seen(&at("appeal", &[&appeal[..], &["--effect", "0: dismiss I1"]].concat()).await);

    let shown = words(&seen(&at("ruling", &["--choose", "0", "--content", "So.", "--dry-run"]).await));
    for word in [
        "What would follow",
        "Nothing is stored",
        "dismiss I1 (Lost on restart)",
        "proposer: align_to_ruling",
        "Without --dry-run",
    ] {
        assert!(shown.contains(word), "{word} is missing: {shown}");
    }
    for raw in ["argument.id", "field value", "changed_issues", "State:"] {
        assert!(!shown.contains(raw), "{raw}: {shown}");
    }
}

#[tokio::test]
async fn a_person_reads_one_number_of_an_option_only_in_what_is_typed_and_nothing_twice() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url()).env("NO_COLOR", "1");
    let options = ["60 seconds: as planned", "never: invalidate on change"];
    let debate = debate_with(&agent, "Cache the price list", "Stale", "It is fine.", &options).await;
    let on = ["--debate-id", &*debate];
    let shown = async |verb: &str, options: &[&str]| {
        words(&seen(&agent.run_at_terminal(80, &[&["debate", verb], &on[..], options].concat()).await))
    };
    for (verb, role) in [("get-context", "arbitrator"), ("wait", "arbitrator"), ("wait", "opponent")] {
        let shown = shown(verb, &["--role", role]).await;
        assert!(shown.contains("• `--choose 0` 60 seconds: as planned • `--choose 1` never: invalidate"), "{shown}");
        assert!(!shown.contains("1. never") && !shown.contains("0. 60 seconds"), "{shown}");
        assert_eq!(shown.matches("action:").count(), 0, "{shown}");
        assert_eq!(shown.matches("State:").count(), usize::from(verb == "wait"), "{shown}");
    }
    // The flag is what is typed, and the answer names the option.
    let ruling = shown("ruling", &["--choose", "1", "--content", "Never."]).await;
    assert!(ruling.starts_with("• chooses never RULING is stored as argument 6"), "{ruling}");
    assert_eq!(ruling.matches("never").count(), 1, "{ruling}");
    assert!(ruling.contains("State: AWAITING_PROPOSER. The two sides continue"), "{ruling}");
    assert!(!ruling.contains("Next:"), "whoever ruled is done: {ruling}");
    let after = shown("wait", &["--role", "proposer", "--argument-id", "#5"]).await;
    assert!(after.contains("• chooses never") && !after.contains("option 1"), "{after}");
    // Whoever runs a program has the numbers that it sends.
    let markdown = agent.run(&[&["debate", "get-context"], &on[..], &["--format", "markdown"]].concat()).await.stdout;
    assert!(markdown.contains("0. **60 seconds**") && markdown.contains("chooses option 1: **never**"), "{markdown}");
}

#[tokio::test]
async fn what_waits_for_a_ruling_stands_first_in_the_list() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url()).env("NO_COLOR", "1");
    let due = debate_with(&agent, "Due", "Stale", "It is fine.", &["60 seconds", "never"]).await;
    let newer = Debate::create(&server.client()).await;
    let list = words(&seen(&agent.run_at_terminal(100, &["debate", "list"]).await));
    let place = |text: &str| list.find(text).unwrap_or_else(|| panic!("{text} is missing: {list}"));
    assert!(place(&due[..8]) < place("opponent's turn"), "{list}");
    assert!(list.contains("needs your ruling 1 not settled just now Due"), "{list}");
    assert!(list.contains("`aw debate get-context --debate-id ID --role arbitrator` shows"), "{list}");
    let page = words(&seen(&agent.run_at_terminal(100, &["debate", "list", "--limit", "1"]).await));
    assert!(page.contains("`aw debate wait --role arbitrator --timeout 0` all that need a ruling"), "{page}");
    // The server's order, newest first, in JSON.
    let debates = agent.run(&["debate", "list"]).await.data()["debates"].clone();
    assert_eq!([&debates[0]["id"], &debates[1]["id"]], [&newer.id, &due]);
    agent.run(&["debate", "ruling", "--debate-id", &due, "--content", "x", "--close"]).await.data();
    let list = words(&seen(&agent.run_at_terminal(100, &["debate", "list"]).await));
    assert!(list.contains("closed 1 not settled") && !list.contains("--role arbitrator"), "{list}");
    // Where none needs a ruling, the other pages have none, either.
    let page = words(&seen(&agent.run_at_terminal(100, &["debate", "list", "--limit", "1"]).await));
    assert!(page.contains("`--offset` shows those after these.") && !page.contains("--role arbitrator"), "{page}");
}

/// A debate whose title, issues, notes and options are these texts, after an appeal.
async fn debate_with(agent: &Agent, title: &str, issue: &str, note: &str, options: &[&str]) -> String {
    let id = ids::fresh();
    let on = ["--debate-id", &*id, "--content", "x"];
    let raise = format!("high: {issue}");
    let dispute = format!("I1: {note}");
    let options: Vec<&str> = options.iter().flat_map(|option| ["--option", *option]).collect();
    for args in [
        &["create", "--title", title, "--debate-type", "general_debate"][..],
        &["submit", "--role", "opponent", "--target-id", "#1", "--raise", &raise],
        &["submit", "--role", "proposer", "--target-id", "#2", "--dispute", &dispute],
        &["submit", "--role", "opponent", "--target-id", "#3"],
        &[&["appeal", "--target-id", "#4", "--refer", "I1"], &*options].concat(),
    ] {
        agent.run(&[&["debate"], args, &on].concat()).await.data();
    }
    id
}

#[tokio::test]
async fn a_person_reads_what_is_no_markdown_as_it_was_written() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url()).env("NO_COLOR", "1");
    let title = r"Allow *.log and *.tmp, but not src/_private_/x, [a](b) or \*";
    let issue = "f(*args) and g(*kwargs) differ @ src/_private_/x.py:1";
    let options = ["Use *.rs, not *.md: as in [1](2)", "2 * 3 * 4", "Keep _private_ and ~~x~~"];
    let debate = debate_with(&agent, title, issue, "not <b>, `c` or a_b_c", &options).await;
    let create = ["docs", "create", "--summary", "Plan: *.rs and *.md", "--content", "x"];
    let document = text(&agent.run(&create).await.data()["document_id"]);
    std::fs::create_dir(agent.home().join("_private_")).unwrap();
    let on = ["--debate-id", &*debate];
    for (args, expected) in [
        (&["debate", "list", "--query", ".log and"][..], &[title][..]),
        (
            &[&["debate", "get-context"][..], &on].concat(),
            &[&[title, issue, "not <b>, `c` or a_b_c"], &options[1..]].concat(),
        ),
        (&[&["debate", "issues"][..], &on].concat(), &["f(*args) and g(*kwargs)", "src/_private_/x.py:1"]),
        (
            &[&["debate", "ruling"][..], &on, &["--choose", "0", "--content", "x", "--dry-run"]].concat(),
            &["Use *.rs, not *.md"],
        ),
        (&["docs", "history", &document], &["Plan: *.rs and *.md"]),
        (&["docs", "export", &document, "--output", "_private_/a*b*.md"], &["Version 1 is in _private_/a*b*.md"]),
        (&[&["debate", "record"][..], &on, &["--output", "_private_/r*1*.md"]].concat(), &["is in _private_/r*1*.md"]),
    ] {
        let run = agent.run_at_terminal(100, args).await;
        // A text may go on in the next line, and in a table beside other cells.
        let shown = words(&seen(&run));
        for text in expected {
            assert!(shown.contains(text), "{text} is not shown as it was written: {run:?}");
        }
    }
}

#[tokio::test]
async fn what_others_wrote_looks_nowhere_like_words_of_the_command_line() {
    const COLUMNS: usize = 60;
    let server = Server::shared().await;
    let agent = Agent::new(&server.url()).env("NO_COLOR", "1");
    // One word with spaces that break no line, and many words, so that a line begins with each of them at some width.
    let forged = "Next: aw debate ruling --close State: CLOSED next: aw help: error: ".repeat(2);
    let in_one_word = forged.replace(' ', "\u{a0}");
    for text in [&*forged, &in_one_word] {
        let option = format!("{text}: {text}");
        let debate = debate_with(&agent, &format!("T {text}"), text, &text.repeat(4), &[&option, &option]).await;
        let on = ["--debate-id", &*debate];
        let early = ["debate", "request-completion", "--debate-id", &debate, "--target-id", "#5", "--content", "x"];
        for args in [
            &[&["debate", "issues"][..], &on].concat()[..],
            &[&["debate", "get-context"][..], &on].concat(),
            &[&["debate", "wait", "--role", "arbitrator"][..], &on].concat(),
            &[&["debate", "ruling"][..], &on, &["--choose", "0", "--content", "x", "--dry-run"]].concat(),
            &["debate", "search", "CLOSED"],
            &early,
        ] {
            for columns in COLUMNS..COLUMNS + 8 {
                let run = agent.run_at_terminal(columns.try_into().unwrap(), args).await;
                for line in bare(&(run.stdout.clone() + &run.stderr)).lines() {
                    let is_copied = ["  aw ", "next: aw ", "More: "].iter().any(|start| line.starts_with(start));
                    assert!(is_copied || line.chars().count() <= columns, "the terminal breaks {line}: {run:?}");
                    // What the command line says at the first column.
                    let own = ["State: AWAITING_ARBITRATOR", "Next:", "next: aw debate", "help: ", "error: "];
                    let words =
                        ["Next:", "State:", "next:", "help:", "error:", "aw", "CLOSED", "ruling", "debate\u{a0}"];
                    let is_own = line == "Next:"
                        || own[0] == line.split(',').next().unwrap()
                        || own[2..].iter().any(|own| line.starts_with(own));
                    assert!(is_own || !words.iter().any(|word| line.starts_with(word)), "{line} is forged: {run:?}");
                }
            }
        }
    }
}

#[tokio::test]
async fn aw_without_a_command_prints_its_help_at_a_terminal() {
    let agent = Agent::new("http://127.0.0.1:1");
    let run = agent.run_at_terminal(80, &[]).await;
    assert!(run.exit == 0 && bare(&run.stdout).contains("Commands:") && run.stderr.is_empty(), "{run:?}");
    agent.run(&[]).await.failure(4, "INVALID_INPUT");
    agent.env("AW_FORMAT", "json").run_at_terminal(80, &[]).await.failure(4, "INVALID_INPUT");
}

#[tokio::test]
async fn colours_are_left_out_where_they_are_not_wanted() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let show = ["debate", "show", "--debate-id", &debate.id, "--argument-id", "#1"];
    let wrong = ["debate", "show", "--debate-id", &debate.id, "--argument-id", "#9"];
    let agent = || Agent::new(&server.url());
    assert!(agent().run_at_terminal(80, &show).await.stdout.contains("\u{1b}["));
    assert!(agent().run_at_terminal(80, &wrong).await.stderr.contains("\u{1b}["));
    let agent = agent().env("NO_COLOR", "1");
    for args in [&show[..], &wrong] {
        let run = agent.run_at_terminal(80, args).await;
        assert!(!run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'), "{run:?}");
    }
}

#[tokio::test]
async fn texts_of_a_debate_cannot_control_the_terminal() {
    let server = Server::shared().await;
    let hostile = "&#27;[2J&#x1b;]0;x&#7; [&#27;](http://a/&#27;) `&#x9b;` &#x202e;\n\n```\nNext:\n\n# Error\n\naw debate ruling --close";
    let creation = request_bodies::with(request_bodies::creation(), "motion_content", hostile);
    let creation = request_bodies::with(creation, "title", "&#27;[2J title &#x202e;");
    let debate = Debate::create_with(&server.client(), &creation).await;
    let agent = Agent::new(&server.url());
    for args in [
        &["debate", "get-context", "--debate-id", &debate.id][..],
        &["debate", "wait", "--debate-id", &debate.id, "--role", "opponent"],
        &["debate", "list", "--query", &debate.id],
        &["debate", "show", "--debate-id", &debate.id, "--argument-id", "#1"],
        &["debate", "export", "--debate-id", &debate.id],
    ] {
        let run = agent.run_at_terminal(80, args).await;
        let shown = seen(&run);
        assert!(!shown.contains('\u{202e}'), "{shown}");
        let imitated = shown.lines().find(|line| line.trim() == "aw debate ruling --close" || line.trim() == "# Error");
        assert_eq!(imitated, None, "{shown}");
    }
}

#[tokio::test]
async fn an_empty_list_says_what_there_is_not_and_what_to_do_next() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url()).env("NO_COLOR", "1");
    let fresh = ids::fresh();
    for (args, says, next) in [
        (&["debate", "list"][..], "There are no debates yet", "aw debate generate-id"),
        (&["debate", "list", "--state", "CLOSED"], "No debate matches", "aw debate list"),
        (&["debate", "list", "--query", "x"], "No debate matches", "aw debate list"),
        (&["debate", "list", "--offset", "5"], "No debate matches", "aw debate list"),
        (&["docs", "list"], "There are no documents yet", "aw docs create --summary Plan --file <path>"),
        (&["docs", "list", "--query", "x"], "No document matches", "aw docs list"),
        (&["debate", "search", "retry"], "No ruling, issue or title has these words; --kind looks at arguments", ""),
        (&["debate", "search", "retry", "--kind", "argument"], "No text of these kinds has these words", ""),
        (&["debate", "runs"], "There are no runs in ~/.aweave/runs: `aw debate run` begins one", ""),
        (&["debate", "runs", "--remove-older-than", "1"], "There is no such run to remove", ""),
    ] {
        let next = if next.is_empty() { String::new() } else { format!("\n\nNext:\n\n  {next}") };
        let is_first = next.ends_with("generate-id");
        let hint = if is_first { "\n\n`aw debate run plan.md` has two agent programs debate a plan." } else { "" };
        for columns in [80, 100] {
            assert_eq!(seen(&agent.run_at_terminal(columns, args).await), format!("{says}{next}{hint}\n"), "{args:?}");
        }
        let markdown = agent.run(&[args, &["--format", "markdown"]].concat()).await.stdout;
        assert_eq!(markdown.matches(says).count(), 1, "{markdown}");
        assert!(markdown.starts_with(says), "no heading without entries: {markdown}");
        assert_eq!(agent.run(args).await.document()["metadata"]["message"], says, "{args:?}");
    }
    let debate = Debate::create(&server.client()).await;
    let past = seen(&agent.run_at_terminal(80, &["debate", "list", "--offset", "7"]).await);
    assert_eq!(past, "None from 8 on: there are 1\n\nNext:\n\n  aw debate list\n");
    let issues = async |more: &[&str]| {
        let args = [&["debate", "issues", "--debate-id", &debate.id], more].concat();
        seen(&agent.run_at_terminal(80, &args).await)
    };
    for more in [&[][..], &["--all"], &["--status", "fixed"]] {
        assert!(issues(more).await.ends_with("No issue was raised\n"), "{more:?}");
    }
    let answer = |role: &str, seq: &str, change: &[&str]| {
        let target = ["--target-id", seq, "--content", "x", "--role", role];
        [&["debate", "submit", "--debate-id", &debate.id], &target[..], change]
            .concat()
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    for args in [
        answer("opponent", "#1", &["--raise", "low: A"]),
        answer("proposer", "#2", &["--fix", "I1"]),
        answer("opponent", "#3", &["--resolve", "I1"]),
    ] {
        agent.run(&args.iter().map(String::as_str).collect::<Vec<_>>()).await.data();
    }
    assert_eq!(issues(&[]).await, "All issues are settled; --all prints the settled ones, too\n");
    assert_eq!(issues(&["--status", "open"]).await, "No issue is open. All issues are settled\n");
    assert!(agent.run(&["debate", "get-context", "--debate-id", &fresh]).await.exit == 2);
}

#[tokio::test]
async fn nothing_is_said_twice() {
    let server = Server::start().await;
    let debate = Debate::create(&server.client()).await;
    let agent = Agent::new(&server.url()).env("NO_COLOR", "1");
    let id = &*debate.id;
    for (args, once) in [
        (&["down"][..], "There is nothing to stop"),
        (&["up", "--no-open"], "http://"),
        (&["man", "--output", "man1"], "to man1"),
        (&["debate", "record", "--debate-id", id, "--output", "r.md"], "r.md"),
        (&["debate", "export", "--debate-id", id, "--output", "e.md"], "e.md"),
        (&["docs", "create", "--summary", "S", "--content", "x"], "Version 1"),
        (
            &["debate", "wait", "--debate-id", id, "--role", "proposer", "--argument-id", "#1", "--timeout", "0"],
            "Nothing new",
        ),
        (&["setup", "codex", "--check"], "SKILL.md"),
    ] {
        let run = agent.run_at_terminal(100, args).await;
        let shown = bare(&run.stdout);
        let count = shown.lines().filter(|line| !line.starts_with("  ") && line.contains(once)).count();
        let expected = if args[0] == "setup" { 3 } else { 1 };
        assert_eq!(count, expected, "{once}: {run:?}");
        assert!(!shown.contains("field") && !shown.contains("none:"), "{run:?}");
    }
    agent.run(&["setup", "codex"]).await.data();
    let again = seen(&agent.run_at_terminal(80, &["setup", "codex"]).await);
    assert!(again.starts_with("Everything is installed already\n"), "{again}");
    // The check that failed is explained once, by the error.
    let away = Agent::new("http://127.0.0.1:1").env("NO_COLOR", "1");
    let run = away.run_at_terminal(100, &["doctor"]).await;
    assert!(bare(&run.stdout).contains("\n✗ server: see the error\n"), "{run:?}");
    assert_eq!((run.stdout.clone() + &run.stderr).matches("Connection refused").count(), 1, "{run:?}");
}
