//! Runs of debates that are there already.

use std::fs;

use serde_json::{Value, json};
use tests::{
    cli::Agent,
    debate::{Debate, Situation, text},
    fixtures, ids, polling, request_bodies,
};

use super::{User, WHOLE, kinds, scripted};

#[tokio::test]
async fn a_debate_that_this_home_never_ran_goes_on() {
    let user = User::new().await;
    let opening =
        request_bodies::with(request_bodies::creation(), "motion_content", "Cache the prices, and\nnothing else.");
    let mut debate = Debate::create_with(&user.client, &opening).await;
    debate.claim("opponent").await;
    let agents = ["ada", "bob"].map(|name| scripted("agrees", name));
    let proposer = scripted("agrees", "agent");
    let words = ["debate", "run", "--debate-id", &debate.id, "--proposer", &proposer];
    let opponents = agents.iter().flat_map(|agent| ["--opponent", agent]);
    let words: Vec<&str> = words.into_iter().chain(opponents).collect();
    // What would be asked next.
    let dry: Vec<&str> = words.iter().copied().chain(["--dry-run"]).collect();
    let prompts = user.agent.run(&dry).await.data()["prompts"].clone();
    assert_eq!(prompts.as_array().unwrap().len(), 1);
    assert_eq!(prompts[0]["role"], "proposer");
    assert!(text(&prompts[0]["prompt"]).contains("Cache the prices, and\nnothing else."), "{prompts}");
    assert_eq!(user.starts(), Vec::<String>::new());
    let data = user.agent.run(&words).await.data();
    assert_eq!((&data["debate_state"], &data["outcome"]), (&json!("CLOSED"), &json!("agreed")));
    assert_eq!(user.history(&debate.id).await.len(), 6);
    // The first pass comes only before the first claim.
    assert_eq!(user.starts()[0], "proposer-2");
    assert!(user.starts().iter().all(|start| !start.starts_with("reviewer")), "{:?}", user.starts());
    assert!(user.prompt("proposer-2-agent").contains("the task, as the user gave it"));
    let closed = Debate::in_situation(&user.client, Situation::Closed).await;
    let words = ["debate", "run", "--debate-id", &closed.id, "--proposer", &proposer, "--opponent", &proposer];
    assert_eq!(user.agent.run(&words).await.data()["debate_state"], "CLOSED");
    // Without a debate there is no task.
    let none = ["debate", "run", "--debate-id", &ids::fresh(), "--proposer", &proposer, "--opponent", &proposer];
    user.agent.run(&none).await.failure(4, "INVALID_INPUT");
}

#[tokio::test]
async fn a_dry_run_of_an_open_debate_shows_who_would_be_asked_next() {
    let user = User::new().await;
    let (one, two) = (scripted("plain", "ada"), scripted("plain", "bob"));
    let sides = ["debate", "run", "--dry-run", "--proposer", &one, "--opponent", &one];
    let mut second_turn = Debate::in_situation(&user.client, Situation::AwaitingProposer).await;
    second_turn.claim("proposer").await;
    let of = async |situation| Debate::in_situation(&user.client, situation).await.id;
    for (id, more, roles, asks_a_person) in [
        (of(Situation::AwaitingOpponent).await, &[][..], &["opponent"][..], false),
        (of(Situation::AwaitingOpponent).await, &["--opponent", &two], &["reviewer"], false),
        (second_turn.id.clone(), &[], &["reader", "opponent"], false),
        (second_turn.id.clone(), &["--quick"], &["opponent"], false),
        (of(Situation::Appealed).await, &["--arbitrator", &two], &["arbitrator"], false),
        (of(Situation::Appealed).await, &["--arbitrator", "human"], &["arbitrator"], true),
        (of(Situation::OpponentInterrupted).await, &["--arbitrator", &two], &["arbitrator"], true),
        (of(Situation::Closed).await, &[], &[], false),
    ] {
        let words = [&sides[..], &["--debate-id", &id], more].concat();
        let data = user.agent.run(&words).await.data();
        let prompts = data["prompts"].as_array().unwrap();
        let told: Vec<_> = prompts.iter().map(|prompt| text(&prompt["role"])).collect();
        assert_eq!(told, roles, "{more:?}");
        // An intervention is a person's, whoever rules otherwise.
        let is_question = |prompt: &Value| text(&prompt["prompt"]).contains("leaves the question to the web app");
        assert_eq!(prompts.iter().any(is_question), asks_a_person, "{data}");
        // What a person is shown besides is for a terminal only.
        let is_told = |words: &str| data.to_string().contains(words);
        assert!(!is_told("It is also at") && !is_told("The opponent said last"), "{data}");
    }
    assert_eq!(user.starts(), Vec::<String>::new());
}

#[tokio::test]
async fn a_later_version_of_the_plan_is_given_to_the_proposer_with_that_word() {
    let user = User::new().await;
    let plan = user.agent.file("plan.md", "# Cache\n\nKeep them.\n");
    let reached = user.run("plain", &[&plan, "--max-tokens", "100"]).await.failure(7, "LIMIT_REACHED");
    let data = &reached["content"][0]["data"];
    let (id, document) = (text(&data["debate_id"]), text(&data["plan"]["document_id"]));
    let later = json!({"summary": "By hand", "content": "# Cache\n\nBy hand.\n", "client_request_id": ids::fresh()});
    user.client.post(&format!("/documents/{document}/versions"), &later).await.data(201);
    let data = user.agent.run(&["debate", "run", "--debate-id", &id, "--max-tokens", "100000"]).await.data();
    let prompt = user.prompt("proposer-2-agent");
    assert!(prompt.contains("`plan.md` is version 2 of the plan's document"), "{prompt}");
    let version =
        user.client.get(&format!("/documents/{document}?version={}", data["plan"]["version"])).await.data(200);
    assert_eq!(version["version"]["content"], "# Cache\n\nBy hand.\nStep 2.\n");
}

#[tokio::test]
async fn a_plan_that_the_debate_is_not_about_is_refused_before_anything_starts() {
    let user = User::new().await;
    let plan = user.agent.file("plan.md", "# Cache\n\nKeep them.\n");
    let reached = user.run("plain", &[&plan, "--max-tokens", "100"]).await.failure(7, "LIMIT_REACHED");
    let ours = text(&reached["content"][0]["data"]["debate_id"]);
    let without_plan = Debate::create(&user.client).await.id;
    let with_plan = json!({"content": "# Of somebody\n", "summary": "One"});
    let opening = request_bodies::with(request_bodies::creation(), "plan", with_plan);
    let of_others = Debate::create_with(&user.client, &opening).await.id;
    let before = user.starts();
    fs::create_dir(user.agent.home().join("other")).unwrap();
    let other = user.agent.file("other/plan.md", "# Another\n\nThing.\n");
    for (id, problem) in [
        (&ours, "PLAN is no version of the plan of this debate, \"Cache\""),
        (&of_others, "PLAN is no version of the plan"),
        (&without_plan, "opened without a plan"),
    ] {
        for more in [&[][..], &["--in-place"], &["--dry-run"], &["--output", "better.md"]] {
            let words = [&[other.as_str(), "--debate-id", id][..], more].concat();
            let document = user.run("plain", &words).await.failure(4, "INVALID_INPUT");
            assert!(text(&document["error"]["message"]).contains(problem), "{id} {more:?}: {document}");
        }
    }
    assert_eq!(user.starts(), before);
    // The plan of the run may have changed since, and another file may have any version of it.
    fs::write(user.agent.home().join("plan.md"), "# Changed\n").unwrap();
    fs::write(user.agent.home().join("other/plan.md"), "# Cache\n\nKeep them.\n").unwrap();
    for path in [&plan, &other] {
        user.run("plain", &[path, "--debate-id", &ours, "--dry-run"]).await.data();
    }
    fs::write(user.agent.home().join("other/plan.md"), "# Of somebody\n").unwrap();
    let words = [other.as_str(), "--debate-id", &of_others, "--in-place"];
    let data = user.run("plain", &words).await.data();
    assert_eq!((&data["debate_state"], &data["files"]), (&json!("CLOSED"), &json!([other])), "{data}");
    assert_eq!(fs::read_to_string(&other).unwrap(), "# Of somebody\nStep 2.\n");
}

#[tokio::test]
async fn a_debate_keeps_its_title_and_its_type() {
    let user = User::new().await;
    let body = request_bodies::with(request_bodies::creation(), "debate_type", "general_debate");
    let opening = request_bodies::with(body, "title", "Prices");
    let debate = Debate::create_with(&user.client, &opening).await;
    let given = ["--title", "Costs", "--debate-type", "coding_plan_debate"];
    let words = [&["--debate-id", &debate.id, "--quick", "--dry-run"][..], &given].concat();
    let run = user.run("plain", &words).await;
    let prompt = text(&run.data()["prompts"][0]["prompt"]);
    assert!(prompt.contains("opponent of a general debate"), "{prompt}");
    let warning = text(&run.document()["metadata"]["warning"]);
    assert!(warning.contains("keeps its title, \"Prices\"") && warning.contains("keeps its type"), "{warning}");
}

#[tokio::test]
async fn what_a_debate_has_no_use_for_is_told() {
    let user = User::new().await;
    let with_rounds = request_bodies::with(request_bodies::creation(), "max_rounds", 5);
    let with_rounds = Debate::create_with(&user.client, &with_rounds).await.id;
    let without_rounds = Debate::create(&user.client).await.id;
    let closed = Debate::in_situation(&user.client, Situation::Closed).await.id;
    let (plan, task) = (user.agent.file("plan.md", "# Other\n"), user.agent.file("task.md", "Why"));
    for (id, more, told) in [
        (
            &with_rounds,
            &["--rounds", "4"][..],
            Some("the debate keeps its limit of 5 rounds, and --rounds is not used"),
        ),
        (&without_rounds, &["--rounds", "4"], Some("the debate has no limit of rounds, and --rounds is not used")),
        (&with_rounds, &["--rounds", "5", "--task", "Why"], None),
        (&closed, &["--task", "Why"], Some("the debate is closed, and --task is not used")),
        (&closed, &["--task-file", &task], Some("the debate is closed, and --task-file is not used")),
        (&closed, &["--task", " "], None),
        (&closed, &[&plan], Some("the debate is closed, and PLAN is not used")),
        (
            &closed,
            &["-", "--task", "Why"],
            Some("the debate is closed, and PLAN is not used; the debate is closed, and --task is not used"),
        ),
        (&closed, &[], None),
    ] {
        for dry_run in [&["--dry-run"][..], &[]] {
            if dry_run.is_empty() && id != &closed {
                continue;
            }
            let agent = scripted("plain", "agent");
            let sides = ["debate", "run", "--debate-id", id, "--proposer", &agent, "--opponent", &agent];
            let run = user.agent.run_with_input(&[&sides[..], more, dry_run].concat(), b"# Other\n").await;
            run.data();
            let warning = run.document()["metadata"]["warning"].as_str().map(str::to_owned);
            assert_eq!(warning.as_deref(), told, "{more:?} {dry_run:?}");
        }
    }
    assert_eq!(user.starts(), Vec::<String>::new());
    // Whoever gives the same again wants nothing else.
    let plan = user.agent.file("plan.md", "# Cache\n\nKeep them.\n");
    let words = [plan.as_str(), "--task", "Why", "--rounds", "4", "--quick"];
    let id = text(&user.run("plain", &words).await.data()["debate_id"]);
    let again = user.run("plain", &[&words[..], &["--debate-id", &id]].concat()).await;
    assert_eq!((&again.data()["debate_state"], again.document()["metadata"].get("warning")), (&json!("CLOSED"), None));
}

#[tokio::test]
async fn a_turn_begins_anew_where_somebody_else_stored_a_version_of_the_plan_meanwhile() {
    let user = User::new().await;
    let id = ids::fresh();
    let running = user.agent.spawn(&user.words("waits", &["--task", "x", "--debate-id", &id]));
    polling::until("the proposer thinks", || user.starts().contains(&"proposer-2".to_owned()).then_some(())).await;
    let plan = user.client.get(&format!("/debates/{id}")).await.data(200)["debate"]["plan"].clone();
    assert_eq!(plan["version"], 1);
    let document = text(&plan["document_id"]);
    let later = json!({"summary": "By hand", "content": "# Plan\n\nBy hand.\n", "client_request_id": ids::fresh()});
    user.client.post(&format!("/documents/{document}/versions"), &later).await.data(201);
    fs::write(user.log.path().join("go-on"), "").unwrap();
    let run = running.finish().await;
    assert_eq!(run.data()["debate_state"], "CLOSED");
    let starts: Vec<_> = user.starts().into_iter().filter(|start| start.starts_with("proposer-2")).collect();
    assert_eq!(starts.len(), 2, "{run:?}");
    // It gets the other one's version with that word, and its own answer was nothing wrong.
    let prompt = user.prompt("proposer-2-agent");
    assert!(prompt.contains("`plan.md` is version 2 of the plan's document"), "{prompt}");
    assert!(!prompt.contains("could not be taken"), "{prompt}");
    let versions = user.client.get(&format!("/documents/{document}/versions")).await.data(200);
    assert_eq!(versions["total"], 3, "{versions}");
    let newest = user.client.get(&format!("/documents/{document}")).await.data(200);
    assert_eq!(newest["version"]["content"], "# Plan\n\nBy hand.\nStep 2.\n");
    // What the refused answer cost is told with the one that was taken.
    let history = user.history(&id).await;
    assert_eq!(kinds(&history), WHOLE);
    assert_eq!(history[2]["agents"].as_array().unwrap().len(), 2, "{}", history[2]);
}

#[tokio::test]
async fn a_run_waits_only_as_a_role_that_has_nothing_to_do() {
    for (mode, thinks, waits) in [("slow", "opponent-1", "proposer"), ("slow-proposer", "proposer-2", "opponent")] {
        let user = User::new().await;
        let id = ids::fresh();
        let running = user.agent.spawn(&user.words(mode, &["--task", "x", "--debate-id", &id]));
        polling::until("it thinks", || user.starts().contains(&thinks.to_owned()).then_some(())).await;
        let path = format!("/debates/{id}/wait?role=arbitrator&timeout=2");
        // The run asks again a second after the last answer.
        let mut seen = Vec::new();
        for _ in 0..10 {
            let answer = user.client.get(&path).await.data(200);
            seen = answer["waiting"].as_array().unwrap().iter().map(|one| text(&one["role"])).collect();
            if !seen.is_empty() {
                break;
            }
        }
        assert_eq!(seen, [waits], "{mode}");
        user.agent.shell(&format!("kill {}", running.pid())).await;
        running.finish().await.failure(143, "INTERRUPTED");
    }
}

#[tokio::test]
async fn a_relative_command_goes_on_from_another_folder() {
    let user = User::new().await;
    user.agent
        .shell(&format!("mkdir other; cp {} agent.sh; chmod +x agent.sh", fixtures::path("agent.sh").display()))
        .await;
    let id = ids::fresh();
    let words = ["--proposer", "command:./agent.sh plain agent", "--opponent", "command:sh agent.sh plain agent"];
    let line: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    let first = format!("aw debate run --debate-id {id} --task x --max-tokens 100 {}", line.join(" "));
    user.agent.shell(&first).await.failure(7, "LIMIT_REACHED");
    let line = format!("cd other && aw debate run --debate-id {id} --max-tokens 100000");
    assert_eq!(user.agent.shell(&line).await.data()["debate_state"], "CLOSED");
}

#[tokio::test]
async fn the_task_of_a_debate_may_be_a_document_that_another_home_stored() {
    let user = User::new().await;
    let document = json!({"summary": "Task", "content": "Cache the prices.", "client_request_id": ids::fresh()});
    let document = text(&user.client.post("/documents", &document).await.data(201)["document"]["id"]);
    let motion = format!("Cache\nTask: doc_id={document} v1");
    let opening = request_bodies::with(request_bodies::creation(), "motion_content", motion);
    let debate = Debate::create_with(&user.client, &opening).await;
    let agent = scripted("plain", "agent");
    let words = ["debate", "run", "--debate-id", &debate.id, "--proposer", &agent, "--opponent", &agent, "--dry-run"];
    let prompts = user.agent.run(&words).await.data()["prompts"].clone();
    assert!(text(&prompts[0]["prompt"]).contains("Cache the prices."), "{prompts}");
    let other = Agent::new(&user.server.url());
    assert!(!other.home().join(".aweave/runs").exists());
    assert_eq!(kinds(&user.history(&debate.id).await).len(), 1);
    assert!(fs::read_dir(user.agent.home().join(".aweave/runs")).is_err());
}
