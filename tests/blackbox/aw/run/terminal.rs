//! The question for a ruling, and the answer, at a terminal.

use serde_json::{Value, json};
use tests::{cli::Running, debate::text, ids, polling, pty::Person};

use super::User;

/// Ctrl-D.
const END: &str = "\u{4}";

struct Asked {
    user: User,
    person: Person,
    running: Running,
}

impl Asked {
    /// Runs a debate until this is shown.
    async fn until(mode: &str, more: &[&str], shown: &str) -> Self {
        let user = User::new().await;
        let (mut person, terminal) = Person::at_a_terminal();
        let words = user.words(mode, more);
        person.types("2\n\n");
        let running = user.agent.spawn_on(&words, &terminal);
        polling::until("the question is asked", || person.sees(shown).then_some(())).await;
        Self { user, person, running }
    }

    async fn sees(&self, text: &str) {
        polling::until(text, || self.person.sees(text).then_some(())).await;
    }

    async fn ended(self) -> (Value, Vec<Value>) {
        let data = self.running.finish().await.data();
        let history = self.user.history(&text(&data["debate_id"])).await;
        (data, history)
    }
}

#[tokio::test]
async fn a_person_rules_by_a_number_that_is_shown_before_it_is_sent() {
    let mut asked = Asked::until("appeals", &[], "leaves the question to the web app.").await;
    assert!(asked.person.sees("| Which one?\r\n\r\n  1. Disk\r\n  2. Memory: as now\r\n"));
    assert!(asked.person.sees("opponent raised 2: 1 high, 1 low"));
    // What it takes to rule stands there, and how the same is ruled elsewhere.
    for part in [
        "For `aw debate ruling` 1. is --choose 0, 2. is --choose 1, 3. is --choose 2.\r\n",
        "The opponent said last, in argument 2:\r\n\r\n| Two faults.\r\n",
        "| I1 high: Lost on restart (open)\r\n|   place: plan.md\r\n| I2 low: No test (open)\r\n",
        "It is also at http://",
    ] {
        assert!(asked.person.sees(part), "{part}");
    }
    for wrong in ["-1", "0", "99999999999999999999"] {
        asked.person.types(&format!("{wrong}\n"));
        let again = format!("{wrong}\r\n");
        asked.sees(&again).await;
        asked.sees("there is no option with this number").await;
    }
    // What is typed with the answer sends nothing.
    asked.person.types("#1.\n\n\n");
    asked.sees("| As the option says: Disk").await;
    asked.person.types("no\n");
    asked.sees("nothing was sent").await;
    asked.person.types("2)\n");
    asked.sees("| As the option says: Memory").await;
    asked.person.types("\n");
    let Asked { user, running, .. } = asked;
    let data = running.finish().await.data();
    let id = text(&data["debate_id"]);
    let history = user.history(&id).await;
    assert_eq!(data["outcome"], "agreed");
    assert_eq!(
        (&history[3]["chosen_option"], &history[3]["content"]),
        (&json!(1), &json!("As the option says: Memory"))
    );
    // The record takes that for the option's words, and says the option once.
    let request = user.client.request("GET", &format!("/debates/{id}/record?format=markdown"));
    let record = String::from_utf8(user.client.response(&request).await.unwrap().body).unwrap();
    assert!(record.contains("\nRuled in argument 4: **Memory**\n"), "{record}");
}

#[tokio::test]
async fn who_thinks_is_told_with_the_time_that_passes_until_nobody_does() {
    let user = User::new().await;
    let (person, terminal) = Person::at_a_terminal();
    let running = user.agent.spawn_on(&user.words("slow", &[]), &terminal);
    // On a busy machine some seconds are left out.
    let is_told =
        |second: &u32| person.sees(&format!("\r\u{1b}[Kround 1: agent.sh thinks as the opponent 0:{second:02}"));
    polling::until("three times", || ((0..60).filter(is_told).count() >= 3).then_some(())).await;
    user.agent.shell(&format!("kill {}", running.pid())).await;
    running.finish().await.failure(143, "INTERRUPTED");
    // What happens meanwhile takes its place.
    let end = "\r\u{1b}[Kaw: no issues; ";
    polling::until(end, || person.sees(end).then_some(())).await;
}

#[tokio::test]
async fn progress_fits_into_a_narrow_terminal_and_a_log_has_a_line_an_event() {
    let user = User::new().await;
    let run = user.agent.run_at_terminal(40, &user.words("plain", &["--quick"])).await;
    // What is drawn anew is not there any more.
    let lines = run.stderr.lines().map(|line| line.rsplit("\r\u{1b}[K").next().unwrap_or_default());
    let shown: Vec<_> = lines.collect();
    let is_long = |line: &&&str| line.chars().count() > 40 && !line.contains("http://");
    assert_eq!(shown.iter().filter(is_long).collect::<Vec<_>>(), Vec::<&&str>::new(), "{shown:?}");
    let event = "aw: 1 issue not settled, 1 blocking; 300\n    tokens, $0.02, 0 min\n";
    assert!(shown.join("\n").contains(event), "{shown:?}");
    assert!(!run.stderr.contains("\u{1b}[3"), "{}", run.stderr);
    let log = user.run("plain", &["--quick"]).await.stderr;
    assert!(log.lines().all(|line| line.starts_with("aw: ")) && !log.contains('\u{1b}'), "{log}");
}

#[tokio::test]
async fn a_person_is_told_nothing_twice_and_figures_that_add_up() {
    let user = User::new().await;
    let run = user.agent.run_at_terminal(100, &user.words("plain", &["--quick"])).await;
    let log = user.run("plain", &["--quick"]).await.stderr;
    let settled = "everything is settled: the proposer asks to finish";
    for (told, titles, is_told) in [(&run.stderr, 1, false), (&log, 3, true)] {
        assert_eq!(
            (told.matches("I1 high: Lost on restart").count(), told.contains(settled)),
            (titles, is_told),
            "{told}"
        );
    }
    let used = "this start of the run used 600 tokens, $0.04, 0 min";
    for told in [used, "aw: the code is in /"] {
        assert!(run.stderr.contains(told) && !log.contains(told), "{}", run.stderr);
    }
    for role in ["proposer", "opponent"] {
        let row = format!("{role} agent.sh scripted (turn): 2 starts, 200 tokens read, 100 written, 1800 more read");
        assert!(run.stdout.contains(&row), "{}", run.stdout);
    }
    // The plan that the proposer wrote from the task was none before.
    let sound = user.agent.run_at_terminal(100, &user.words("sound", &["--quick"])).await.stdout;
    assert!(sound.contains("plan: unchanged since the debate opened, 3 lines"), "{sound}");
    // What no argument names is told where there is some.
    let unnamed = "starts since the newest argument are counted in that, and are not listed";
    let failed = user.agent.run_at_terminal(100, &user.words("fails", &["--quick"])).await;
    assert!(failed.stderr.contains(unnamed) && !run.stderr.contains(unnamed), "{}", failed.stderr);
}

#[tokio::test]
async fn whoever_is_no_person_is_told_at_a_terminal_what_a_log_has() {
    for (variable, value, format) in
        [("CODEX_CI", "1", &[][..]), ("CI", "true", &[]), ("AW_FORMAT", "json", &[]), ("A", "b", &["--format", "json"])]
    {
        let mut user = User::new().await;
        user.agent = user.agent.env(variable, value);
        let words = user.words("plain", &[&["--quick"], format].concat());
        let told = user.agent.run_at_terminal(100, &words).await.stderr;
        assert_eq!(told.matches("I1 high: Lost on restart").count(), 3, "{variable}: {told}");
        let is_told = |text: &str| told.contains(text);
        assert!(is_told("everything is settled: the proposer asks to finish"), "{variable}: {told}");
        assert!(!is_told("this start of the run used"), "{variable}: {told}");
    }
}

#[tokio::test]
async fn a_pasted_text_is_a_ruling_once_an_empty_line_follows() {
    let mut asked = Asked::until("appeals", &[], "leaves the question to the web app.").await;
    asked.person.types(&format!("{}\n.\n\n", "x".repeat(5000)));
    asked.sees("aw debate ruling --debate-id").await;
    asked.person.types("Both.\n\nIn turn.\n.\n\n\n");
    asked.sees("| Both.\r\n| \r\n| In turn.").await;
    asked.person.types("\n");
    let (_, history) = asked.ended().await;
    assert_eq!((&history[3]["chosen_option"], &history[3]["content"]), (&Value::Null, &json!("Both.\n\nIn turn.")));
}

#[tokio::test]
async fn a_ruling_that_is_too_long_is_kept_to_be_shortened() {
    let mut asked = Asked::until("appeals", &[], "leaves the question to the web app.").await;
    let line = format!("{}\n", "x".repeat(3999));
    asked.person.types(&format!("{line}{line}{line}.\n"));
    asked.sees("the ruling has 11999 bytes, and this server takes 10240; it is kept: shorten the file").await;
    asked.sees(" --file ").await;
    let runs = std::fs::read_dir(asked.user.agent.home().join(".aweave/runs")).unwrap().flatten();
    let kept: Vec<_> = runs.map(|run| std::fs::read_to_string(run.path().join("ruling.md")).unwrap()).collect();
    assert_eq!(kept, [line.repeat(3).trim_end()]);
    asked.person.types("1\n");
    asked.sees("| As the option says: Disk").await;
    asked.person.types("\n");
    asked.ended().await;
}

#[tokio::test]
async fn words_on_a_request_to_finish_are_said_not_to_close_it() {
    let more = ["--quick", "--arbitrator", "human"];
    let mut asked = Asked::until("sound", &more, "leaves the question to the web app.").await;
    assert!(asked.person.sees("| ## Decided for you") && asked.person.sees("| - The cache is per process"));
    asked.person.types(&format!("yes\n{END}"));
    asked.sees("It does NOT close the debate").await;
    asked.person.types(END);
    asked.sees("nothing was sent").await;
    asked.person.types("1\n");
    asked.sees("It closes the debate.").await;
    asked.person.types("\n");
    let (data, history) = asked.ended().await;
    assert_eq!((&data["outcome"], history.len()), (&json!("agreed"), 4));
    assert_eq!(history[3]["content"], "Agreed.");
}

#[tokio::test]
async fn a_question_after_one_that_was_left_to_the_web_app_is_asked_at_the_terminal() {
    let mut asked = Asked::until("asks", &["--arbitrator", "human"], "leaves the question to the web app.").await;
    asked.person.types(END);
    asked.sees("the question is left to the web app").await;
    let list = asked.user.client.get("/debates?state=AWAITING_ARBITRATOR").await.data(200);
    let debates = list["debates"].as_array().unwrap().iter();
    let id = debates.map(|debate| text(&debate["id"])).find(|id| asked.person.sees(id)).unwrap();
    let dismiss = |issue: &str| json!({"change": "dismiss", "issue": issue});
    let ruling = json!({"content": "Neither counts.", "issue_changes": [dismiss("I1"), dismiss("I2")]});
    asked.user.client.post(&format!("/debates/{id}/ruling"), &ruling).await.data(201);
    asked.sees("1. Close the debate").await;
    asked.person.types("1\n");
    asked.sees("It closes the debate.").await;
    asked.person.types("\n");
    let (data, history) = asked.ended().await;
    assert_eq!((&data["debate_state"], &data["ruled_by_others"]), (&json!("CLOSED"), &json!([4])));
    assert_eq!(history.last().unwrap()["content"], "Agreed.");
}

#[tokio::test]
async fn the_end_of_input_leaves_the_question_to_the_web_app() {
    let mut asked = Asked::until("appeals", &[], "leaves the question to the web app.").await;
    asked.person.types(END);
    asked.sees("the question is left to the web app").await;
    let list = asked.user.client.get("/debates?state=AWAITING_ARBITRATOR").await.data(200);
    let debates = list["debates"].as_array().unwrap().iter();
    let id = debates.map(|debate| text(&debate["id"])).find(|id| asked.person.sees(id)).unwrap();
    let ruling = json!({"content": "On disk.", "chosen_option": 0});
    asked.user.client.post(&format!("/debates/{id}/ruling"), &ruling).await.data(201);
    let (data, _) = asked.ended().await;
    assert_eq!((&data["outcome"], &data["ruled_by_others"]), (&json!("agreed"), &json!([4])));
}

#[tokio::test]
async fn a_run_in_the_background_leaves_the_question_to_the_web_app_and_is_not_stopped() {
    let user = User::new().await;
    let (person, terminal) = Person::at_a_terminal();
    let running = user.agent.spawn_in_background_on(&user.words("appeals", &[]), &terminal);
    let left = "the run is in the background, and asks here once it is in the foreground";
    polling::until(left, || person.sees(left).then_some(())).await;
    let list = user.client.get("/debates?state=AWAITING_ARBITRATOR").await.data(200);
    let debates = list["debates"].as_array().unwrap().iter();
    let id = debates.map(|debate| text(&debate["id"])).find(|id| person.sees(id)).unwrap();
    let ruling = json!({"content": "Disk.", "chosen_option": 0});
    user.client.post(&format!("/debates/{id}/ruling"), &ruling).await.data(201);
    assert_eq!(running.finish().await.data()["outcome"], "agreed");
}

#[tokio::test]
async fn what_was_typed_when_the_question_is_answered_elsewhere_is_said_not_to_be_sent() {
    let mut user = User::new().await;
    user.agent = user.agent.env("TERM", "xterm-256color");
    let id = ids::fresh();
    let (mut person, terminal) = Person::at_a_terminal();
    let running = user.agent.spawn_on(&user.words("appeals", &["--debate-id", &id]), &terminal);
    let sees = async |person: &Person, text: &str| polling::until(text, || person.sees(text).then_some(())).await;
    sees(&person, "leaves the question to the web app.").await;
    person.types("On disk, and\n");
    sees(&person, "(words go on until a line that is a single dot, or Ctrl-D)").await;
    user.client
        .post(&format!("/debates/{id}/ruling"), &json!({"content": "Disk.", "chosen_option": 0}))
        .await
        .data(201);
    sees(&person, "the debate went on elsewhere: what you typed was not sent").await;
    assert_eq!(running.finish().await.data()["ruled_by_others"], json!([4]));
    sees(&person, "ruled elsewhere: argument 4").await;
    assert!(!person.sees("somebody else ruled"));
}

#[tokio::test]
async fn what_follows_the_end_of_a_run_is_what_a_person_does_not_have_yet() {
    let user = User::new().await;
    let at = async |mode: &str, more: &[&str]| {
        user.agent.run_at_terminal(200, &user.words(mode, &[&["--quick"], more].concat())).await.stdout
    };
    let files = ["--output", "better.md", "--record", "decision.md"];
    let next = |page: &str| page.split_once("Next:").map(|(_, next)| next.to_owned()).unwrap_or_default();
    let changed = next(&at("plain", &files).await);
    assert!(changed.contains("--since first") && changed.matches("aw debate").count() == 1, "{changed}");
    let nothing = at("sound", &[&files[..], &["--force"]].concat()).await;
    assert!(!nothing.contains("Next:") && nothing.contains("decision.md"), "{nothing}");
    let without_files = next(&at("sound", &[]).await);
    assert!(without_files.contains("aw debate plan") && without_files.contains("aw debate record"), "{without_files}");
    assert!(!without_files.contains("get-context"), "{without_files}");
    // Others are told what they were told.
    let also = user.run("plain", &["--quick", "--output", "other.md"]).await.document()["metadata"]["also"].to_string();
    assert!(also.contains("--format json") && also.contains("get-context"), "{also}");
}
