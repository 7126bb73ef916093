//! A hundred debates of agents who only follow `metadata.next`, `metadata.also` and their guide, with issues.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use fastrand::Rng;
use serde_json::Value;
use tests::{
    cli::{Agent, Run},
    debate::text,
    polling,
    server::{Server, Settings},
};
use tokio::{
    sync::{RwLock, Semaphore},
    task::JoinSet,
    time::sleep,
};

use crate::state_machine;

const DEBATES: u64 = 100;
const AT_ONCE: usize = 6;
const COMMANDS_BETWEEN_RESTARTS: usize = 60;

/// The state that the participants of one debate share.
struct SharedState {
    /// A side holds a read lock from its wait until it has written. The arbitrator rules under the write lock, since
    /// the guide tells it to let interrupted sides deliver first.
    turn_lock: RwLock<()>,
    /// The number of commands run in all debates
    commands: Arc<AtomicUsize>,
}

/// A participant that runs `metadata.next`, or another command that the guide allows for the action.
struct Participant {
    role: &'static str,
    agent: Agent,
    debate: String,
    shared: Arc<SharedState>,
    actions: BTreeMap<String, Vec<String>>,
    random: Rng,
    written: usize,
    actions_seen: BTreeSet<String>,
}

impl Participant {
    async fn new(role: &'static str, agent: Agent, debate: &str, shared: &Arc<SharedState>, seed: u64) -> Self {
        let guide = agent.run(&["debate", "guide", "--role", role]).await.stdout;
        agent.file("text.md", format!("What the {role} has to say.\n"));
        Self {
            role,
            agent,
            debate: debate.to_owned(),
            shared: Arc::clone(shared),
            actions: actions(&guide),
            random: Rng::with_seed(seed),
            written: 0,
            actions_seen: BTreeSet::new(),
        }
    }

    fn happens(&mut self, percent: u8) -> bool {
        self.random.u8(..100) < percent
    }

    fn resume(&self) -> String {
        format!("aw debate get-context --debate-id {} --role {}", self.debate, self.role)
    }

    async fn run(&self, command: &str) -> Run {
        self.shared.commands.fetch_add(1, Ordering::Relaxed);
        self.agent.shell(&command.replace("<title>", "'A title'").replace("<path>", "text.md")).await
    }

    /// Plays until the debate is closed and returns the actions that occurred.
    async fn play(mut self, mut command: String) -> BTreeSet<String> {
        let shared = Arc::clone(&self.shared);
        loop {
            let _turn = shared.turn_lock.read().await;
            loop {
                if command.starts_with("aw debate wait") && self.happens(5) {
                    self.kill_during_wait(&command).await;
                    command = self.resume();
                }
                let run = self.run(&command).await;
                let document = self.check_accepted(&run, &command);
                let Some(action) = self.action(&document) else {
                    command = text(&document["metadata"]["next"]);
                    break;
                };
                if action == "debate_closed" {
                    assert_eq!(document["metadata"]["next"], Value::Null, "nothing follows a closed debate");
                    return self.actions_seen;
                }
                command = self.decide(&action, &document);
                // An agent that crashes here does not know whether its write was stored.
                if self.happens(5) {
                    command = self.resume();
                }
                if !command.contains("<path>") {
                    break;
                }
            }
        }
    }

    /// The output of a command that was not refused. An unavailable server is allowed.
    fn check_accepted(&self, run: &Run, command: &str) -> Value {
        let document = run.document();
        // The intervention may have come too late.
        let too_late = run.exit == 5 && command.starts_with("aw debate intervention");
        assert!(matches!(run.exit, 0 | 3) || too_late, "the {} was refused: {run:?}", self.role);
        document
    }

    fn action(&mut self, document: &Value) -> Option<String> {
        let action = document["content"][0]["data"]["action"].as_str()?.to_owned();
        assert!(self.actions.contains_key(&action), "the guide of the {} does not know {action}", self.role);
        self.actions_seen.insert(action.clone());
        Some(action)
    }

    /// The next command: `metadata.next`, one of `metadata.also`, or what the guide allows for the action besides.
    fn decide(&mut self, action: &str, document: &Value) -> String {
        let next = text(&document["metadata"]["next"]);
        if next.starts_with("aw debate wait") {
            let steps_in = self.actions[action].iter().any(|verb| verb == "intervention");
            if steps_in && self.happens(15) {
                return format!("aw debate intervention --debate-id {}", self.debate);
            }
            let seconds = u64::from(!self.happens(10));
            return format!("{} --timeout {seconds}", next.split(" --timeout").next().unwrap());
        }
        if !next.contains("<path>") {
            return next;
        }
        self.written += 1;
        let issues = document["content"][0]["data"]["issues"].as_array().cloned().unwrap_or_default();
        match self.role {
            "arbitrator" => self.ruling(next, &issues),
            "opponent" => self.claim_of_opponent(&next, &issues),
            _ => {
                let others = document["metadata"]["also"].as_array().cloned().unwrap_or_default();
                let others: Vec<String> = others.iter().map(text).filter(|other| other.contains("<path>")).collect();
                let completes = |command: &&String| command.starts_with("aw debate request-completion");
                let command = match others.iter().find(completes) {
                    Some(complete) if self.written > 6 => complete.clone(),
                    _ if !others.is_empty() && self.happens(25) => others[self.random.usize(..others.len())].clone(),
                    _ => next,
                };
                self.disputed(command, &issues)
            }
        }
    }

    /// A ruling that decides what was referred, and perhaps raises an issue.
    fn ruling(&mut self, next: String, issues: &[Value]) -> String {
        // Closing fits first where the proposer asked to finish.
        let mut command = next.replace(" --close", "");
        for issue in issues.iter().filter(|issue| issue["referred"] == true) {
            let change = if self.happens(50) { "uphold" } else { "dismiss" };
            command += &format!(" --{change} '{}: as it was shown'", text(&issue["id"]));
        }
        if self.happens(10) {
            command += " --raise 'medium: Seen by the arbitrator @ plan 4'";
        }
        if self.written > 4 || self.happens(30) { format!("{command} --close") } else { command }
    }

    /// A claim that settles or reopens what waits for the opponent, as its guide says, and raises issues at first.
    fn claim_of_opponent(&mut self, next: &str, issues: &[Value]) -> String {
        let (before, rest) = next.split_once(" --target-id ").expect("it answers an argument");
        let target = rest.split(' ').next().unwrap_or_default();
        let mut command = format!("{before} --target-id {target} --file <path>");
        let fixed = issues.iter().filter(|issue| issue["status"] == "fixed").map(|issue| text(&issue["id"]));
        let fixed: Vec<String> = fixed.collect();
        assert_eq!(next.contains(&format!(" --resolve {}", fixed.join(","))), !fixed.is_empty(), "{next}: {fixed:?}");
        for issue in issues {
            let id = text(&issue["id"]);
            command += &match text(&issue["status"]).as_str() {
                "fixed" if self.happens(60) => format!(" --resolve {id}"),
                "fixed" if self.happens(20) => format!(" --regrade '{id} medium: less often than thought'"),
                "fixed" => format!(" --reopen '{id}: it is still there'"),
                "disputed" if self.happens(50) => format!(" --withdraw '{id}: the reason holds'"),
                "disputed" => format!(" --reopen '{id}: the reason does not hold'"),
                _ if self.happens(50) => format!(" --regrade '{id} low: rare'"),
                _ => String::new(),
            };
        }
        for number in 0..self.random.usize(..3) {
            if self.written <= 3 {
                let severity = ["critical", "high", "medium", "low"][self.random.usize(..4)];
                command += &format!(" --raise '{severity}: Fault {number} @ src/worker.rs:{}'", self.written);
            }
        }
        command
    }

    /// A command of the proposer in which some issues are disputed and not fixed.
    fn disputed(&mut self, command: String, issues: &[Value]) -> String {
        let Some((before, rest)) = command.split_once(" --fix ") else { return command };
        let (listed, after) = rest.split_once(' ').unwrap_or((rest, ""));
        let is_upheld = |id: &str| issues.iter().any(|issue| issue["id"] == id && issue["upheld"] == true);
        let (disputed, fixed): (Vec<&str>, Vec<&str>) =
            listed.split(',').partition(|id| !is_upheld(id) && self.random.u8(..100) < 25);
        let mut command = format!("{before} {after}");
        if !fixed.is_empty() {
            command += &format!(" --fix {}", fixed.join(","));
        }
        for id in disputed {
            command += &format!(" --dispute '{id}: the code does this already'");
        }
        command
    }

    async fn kill_during_wait(&mut self, command: &str) {
        let args: Vec<&str> = command.split(' ').skip(1).collect();
        let running = self.agent.spawn(&args);
        sleep(Duration::from_millis(self.random.u64(..80))).await;
        drop(running);
    }

    /// Plays the arbitrator, who lets both sides finish writing before each ruling.
    async fn play_arbitrator(mut self) -> BTreeSet<String> {
        let shared = Arc::clone(&self.shared);
        let mut command = self.resume();
        loop {
            let run = if command.contains("<path>") {
                let _turn = shared.turn_lock.write().await;
                self.run(&command).await
            } else {
                self.run(&command).await
            };
            let document = self.check_accepted(&run, &command);
            command = match self.action(&document) {
                Some(action) if action == "debate_closed" => return self.actions_seen,
                Some(action) => self.decide(&action, &document),
                None => text(&document["metadata"]["next"]),
            };
        }
    }
}

/// The action shared of a guide: the commands of each action.
fn actions(guide: &str) -> BTreeMap<String, Vec<String>> {
    let rows = guide.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" | "));
    let rows = rows.flat_map(|(names, what)| {
        let verbs: Vec<String> =
            what.split('`').filter_map(|code| code.strip_prefix("aw debate ")).map(str::to_owned).collect();
        names
            .split("`, `")
            .map(|name| name.trim_matches('`').to_owned())
            .map(move |name| (name, verbs.clone()))
            .collect::<Vec<_>>()
    });
    rows.collect()
}

/// Plays one debate and returns the actions that occurred and the debate's id.
async fn debate(url: String, seed: u64, commands: Arc<AtomicUsize>) -> (BTreeSet<String>, String) {
    let shared = Arc::new(SharedState { turn_lock: RwLock::new(()), commands });
    let starter = Agent::new(&url);
    starter.file("text.md", format!("Motion {seed}.\n"));
    let run = starter.run(&["debate", "generate-id"]).await;
    let id = text(&run.data()["id"]);
    let mut command = text(&run.document()["metadata"]["next"]);
    let waiting = loop {
        let run = starter.shell(&command.replace("<title>", "'A title'").replace("<path>", "text.md")).await;
        let next = text(&run.document()["metadata"]["next"]);
        match run.exit {
            0 => break next,
            3 => command = next,
            _ => panic!("the motion was refused: {run:?}"),
        }
    };
    let proposer = Participant::new("proposer", starter, &id, &shared, 3 * seed).await;
    let opponent = Participant::new("opponent", Agent::new(&url), &id, &shared, 3 * seed + 1).await;
    let arbitrator = Participant::new("arbitrator", Agent::new(&url), &id, &shared, 3 * seed + 2).await;
    let joining = format!("aw debate wait --debate-id {id} --role opponent --timeout 1");
    let (one, other, judge) =
        tokio::join!(proposer.play(waiting), opponent.play(joining), arbitrator.play_arbitrator());
    let actions_seen = one.into_iter().chain(other).chain(judge).collect();
    (actions_seen, id)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_debates_that_only_follow_next_end_despite_restarts_and_crashes() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let commands = Arc::new(AtomicUsize::new(0));
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut debates = JoinSet::new();
    for seed in 1..=DEBATES {
        let (url, commands, places) = (server.url(), Arc::clone(&commands), Arc::clone(&places));
        debates.spawn(async move {
            let _place = places.acquire_owned().await.expect("it is never closed");
            debate(url, seed, commands).await
        });
    }
    let (mut actions_seen, mut kinds, mut goal) = (BTreeSet::new(), BTreeSet::new(), COMMANDS_BETWEEN_RESTARTS);
    let (mut ended, mut crashes) = (Vec::new(), true);
    while ended.len() < DEBATES as usize {
        let enough = polling::until("commands are run", || (commands.load(Ordering::Relaxed) >= goal).then_some(()));
        tokio::select! {
            Some(debate) = debates.join_next() => {
                let (actions, id) = debate.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
                actions_seen.extend(actions);
                ended.push(id);
            }
            () = enough => {
                if crashes {
                    server.kill();
                } else {
                    server.terminate();
                    server.wait_for_exit().await;
                }
                server.restart().await;
                crashes = !crashes;
                goal = commands.load(Ordering::Relaxed) + COMMANDS_BETWEEN_RESTARTS;
            }
        }
    }
    let client = server.client();
    let mut changes = BTreeSet::new();
    for id in ended {
        let stored = client.get(&format!("/debates/{id}")).await.data(200);
        let rest = stored["arguments"].as_array().unwrap().iter();
        let history: Vec<Value> = std::iter::once(&stored["motion"]).chain(rest).cloned().collect();
        assert_eq!((state_machine::replay(&history), &stored["debate"]["state"]), ("CLOSED", &"CLOSED".into()), "{id}");
        let asked = history.iter().rfind(|argument| argument["type"] != "RULING" && argument["type"] != "INTERVENTION");
        if asked.is_some_and(|argument| argument["type"] == "RESOLUTION") {
            assert_eq!(stored["debate"]["issue_counts"]["blocking"], 0, "completion was requested in {id}");
        }
        for change in history.iter().flat_map(|argument| argument["issue_changes"].as_array().into_iter().flatten()) {
            changes.insert(text(&change["change"]));
        }
        kinds.extend(history.iter().map(|argument| text(&argument["type"])));
    }
    assert_eq!(kinds.len(), 6, "every argument type was written: {kinds:?}");
    assert_eq!(changes.len(), 10, "every change of an issue was made: {changes:?}");
    let all = ["align_to_ruling", "debate_closed", "respond", "rule", "wait_for_opponent", "wait_for_proposer"];
    let all = all.into_iter().chain(["wait_for_ruling", "watch"]).map(str::to_owned).collect();
    assert_eq!(actions_seen, all, "every action occurred");
}
