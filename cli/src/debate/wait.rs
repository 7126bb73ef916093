//! `aw debate wait`: waits for what the others write.

use std::{cell::RefCell, convert::Infallible, time::Duration};

use backon::BackoffBuilder;
use clap::Args;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep, timeout};
use uuid::Uuid;

use super::{
    EXAMPLE_FIRST, next,
    options::{DebateId, role},
};
use crate::{
    api::types::{Argument, Role},
    envelope::{Answer, Format},
    error::{Exit, Failure},
    find,
    ids::{self, Named},
    interrupt::{Leave, leave},
    markdown::{Page, Shown},
    output,
    server::{Again, Persistence, Server, Told, Trouble, pauses},
    settings,
};

/// The option that names the last argument seen.
pub const ARGUMENT: &str = "--argument-id";

/// How long the server is asked to hold one request.
const HELD: Duration = Duration::from_secs(60);

/// How much longer than it was asked to hold it the server may take before it counts as away.
const GRACE: Duration = Duration::from_secs(5);

/// What is left of a deadline when nothing worth asking for fits in.
const NOTHING: Duration = Duration::from_millis(50);

/// How much earlier than it was asked to the server may let go for it to count as held: clocks differ.
const EARLY: Duration = Duration::from_millis(500);

/// How often a silent wait says that it is still there: some harnesses end commands that say nothing.
const HEARTBEAT: Duration = Duration::from_secs(30);

/// How long somebody who asked the command to stop has to wait for the state of the debate.
const LAST_LOOK: Duration = Duration::from_secs(1);

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw debate wait --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e --role proposer \\
    --argument-id 1f0c7a52-7a6e-4b62-9d0d-0c6a7a4a5a11")]
pub struct Wait {
    #[command(flatten)]
    debate_id: DebateId,
    /// Who you are
    #[arg(long, value_parser = role())]
    role: Role,
    /// Id of the last argument that you have seen (next_argument_id_to_wait of the last answer), its beginning, or '#5'
    /// for number 5 [default: none]
    #[arg(long, value_name = "ID")]
    argument_id: Option<String>,
    /// How many seconds to wait; 0 asks once [default: DEBATE_WAIT_DEADLINE, else 300]
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u32>,
}

impl Wait {
    /// Runs the command.
    pub async fn run(self, format: Format) -> Result<Answer, Failure> {
        let debate_id = self.debate_id.read()?;
        let argument_id = ids::optional(ids::argument, ARGUMENT, self.argument_id.as_deref())?;
        let patience = match self.timeout {
            Some(seconds) => Duration::from_secs(seconds.into()),
            None => settings::wait_deadline()?,
        };
        let deadline = Instant::now() + patience;
        let server = Server::patient(HELD + GRACE)?.persistent(Persistence::Until(deadline));
        let asked = Asked { debate_id, role: self.role, argument_id, timeout: self.timeout, format };
        let found = tokio::select! {
            // In this order, so that signals are minded before the first request goes out.
            biased;
            why = leave() => return Ok(match why {
                Leave::Asked(signal) => asked.interrupted(signal),
                Leave::Unread => unread(),
            }),
            found = timeout(patience + GRACE, asked.find(&server)) => found,
            never = heartbeat(Some(patience)) => match never {},
        };
        let found = found.unwrap_or_else(|_| Err(*server.away("it takes too long").failure));
        let asked = found.map_err(|failure| asked.failed(failure))?;
        let poll = async |seconds: u32| {
            let request =
                server.api.debate_wait(&asked.debate_id, asked.argument_id.as_ref(), asked.role, Some(seconds.into()));
            timeout(Duration::from_secs(seconds.into()) + GRACE, server.ask(request))
                .await
                .unwrap_or_else(|_| Err(server.away("it takes too long")))
        };

        let seen = RefCell::default();
        let end = tokio::select! {
            biased;
            why = leave() => Ok(End::Left(why)),
            end = watch(&poll, deadline, &seen) => end,
            never = heartbeat(Some(patience)) => match never {},
        };
        match end {
            Ok(End::News(told)) => Ok(asked.news(*told)),
            Ok(End::TimeOut) => {
                let message = format!("Nothing new within {} s", patience.as_secs());
                Ok(asked.time_out("timeout", message, &seen.borrow()))
            }
            Ok(End::Left(Leave::Unread)) => Ok(unread()),
            Ok(End::Left(Leave::Asked(signal))) => {
                if let Ok(Ok(told)) = timeout(LAST_LOOK, poll(0)).await {
                    seen.borrow_mut().learn(&told.data);
                }
                Ok(asked.time_out(INTERRUPTED, ended_by(signal), &seen.borrow()))
            }
            Err(failure) => Err(asked.failed(failure)),
        }
    }
}

/// What a wait came to.
enum End {
    /// There is something to act on
    News(Box<Told<Heard>>),
    /// There was nothing until the deadline
    TimeOut,
    /// There was nobody any more for whom to wait
    Left(Leave),
}

/// What a wait acts on. News and a time-out are two shapes of one answer, and what else they hold is passed on unread.
#[derive(Deserialize)]
pub struct Heard {
    has_new_argument: bool,
    /// What is to be done
    pub action: String,
    argument: Option<Argument>,
    #[serde(default)]
    earlier: Vec<Argument>,
    /// The newest argument, where there is one that is new
    pub next_argument_id_to_wait: Option<Uuid>,
}

/// Where the debate stood when the server last said so; null where it never did.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    last_seen_seq: Value,
    debate_state: Value,
    action: Value,
}

impl Seen {
    fn learn(&mut self, data: &Value) {
        self.last_seen_seq = data["last_seen_seq"].clone();
        self.debate_state = data["debate_state"].clone();
        self.action = data["action"].clone();
    }
}

/// The status of a wait that somebody asked to stop.
const INTERRUPTED: &str = "interrupted";

/// What is told when nobody would read it.
fn unread() -> Answer {
    Answer::text(String::new())
}

fn ended_by(signal: &str) -> String {
    format!("Ended by {signal}")
}

/// Polls until there is news or the deadline is over. A server that is away, from the start or later, is waited for; what
/// it was asked for last stays the same, so nothing that happens meanwhile is missed.
async fn watch(
    poll: impl AsyncFn(u32) -> Result<Told<Heard>, Trouble>,
    deadline: Instant,
    seen: &RefCell<Seen>,
) -> Result<End, Failure> {
    let left = || deadline.saturating_duration_since(Instant::now());
    let backoff = || pauses().without_max_times().build();
    let mut growing = backoff();
    let mut is_away = false;
    loop {
        let seconds = left().min(HELD).as_secs_f64().ceil() as u32;
        let asked_at = Instant::now();
        let pause = match poll(seconds).await {
            Ok(told) if is_news(&told.view) => return Ok(End::News(Box::new(told))),
            Ok(told) => {
                if is_away {
                    output::note("the server answers again");
                    is_away = false;
                }
                seen.borrow_mut().learn(&told.data);
                if left() <= NOTHING {
                    return Ok(End::TimeOut);
                }
                if asked_at.elapsed() + EARLY >= Duration::from_secs(seconds.into()) {
                    growing = backoff();
                    continue;
                }
                // Not held as long as asked for: the server is about to stop.
                growing.next().unwrap_or_default()
            }
            Err(Trouble { failure, again: Again::Useless }) => return Err(*failure),
            Err(Trouble { failure, again: Again::After(least) }) => {
                if left().is_zero() {
                    return Err(*failure);
                }
                if !is_away {
                    output::note(format_args!("{}; trying again until the deadline", failure.message));
                    is_away = true;
                }
                growing.next().unwrap_or_default().max(least)
            }
        };
        sleep(pause.min(left())).await;
    }
}

/// Whether the caller has something to act on. A debate that is closed and a ruling that is due are, new or not.
fn is_news(heard: &Heard) -> bool {
    heard.has_new_argument || matches!(heard.action.as_str(), "debate_closed" | "rule")
}

/// Says again and again that somebody still waits, and how long at most where that is known.
pub async fn heartbeat(patience: Option<Duration>) -> Infallible {
    let most = patience.map_or_else(String::new, |patience| format!(" of {} s", patience.as_secs()));
    let mut waited = Duration::ZERO;
    loop {
        sleep(HEARTBEAT).await;
        waited += HEARTBEAT;
        output::note(format_args!("still waiting, {} s{most}", waited.as_secs()));
    }
}

/// What the command was asked for, which its answers repeat: by names as they were given, or by the ids that are meant.
pub struct Asked<Id = Uuid> {
    /// The debate
    pub debate_id: Id,
    /// Who waits
    pub role: Role,
    /// The last argument that they have seen
    pub argument_id: Option<Id>,
    /// For how many seconds, where the command said so
    pub timeout: Option<u32>,
    /// How the answer is written
    pub format: Format,
}

impl Asked<Named> {
    /// The same by the ids that are meant.
    pub async fn find(&self, server: &Server) -> Result<Asked, Failure> {
        let debate_id = find::debate(server, &self.debate_id).await?;
        let argument_id = match &self.argument_id {
            Some(named) => Some(find::argument(server, debate_id, ARGUMENT, named).await?),
            None => None,
        };
        Ok(Asked { debate_id, role: self.role, argument_id, timeout: self.timeout, format: self.format })
    }

    /// What is told when somebody asked to stop before it was known what is meant.
    fn interrupted(&self, signal: &str) -> Answer {
        self.unanswered(INTERRUPTED, ended_by(signal), &Seen::default(), self.command())
    }
}

impl<Id: ToString> Asked<Id> {
    /// The same command again.
    fn command(&self) -> String {
        let mut command =
            next::wait(self.debate_id.to_string(), self.role, self.argument_id.as_ref().map(Id::to_string));
        if let Some(seconds) = self.timeout {
            command += &format!(" --timeout {seconds}");
        }
        match self.format {
            Format::Json | Format::Plain => command,
            Format::Markdown => command + " --format markdown",
        }
    }

    /// A failure, with the command that waits on where that may help.
    fn failed(&self, failure: Failure) -> Failure {
        if failure.exit() != Exit::Server {
            return failure;
        }
        let again = self.command();
        failure.with_data(json!({"retry_command": again})).go_on(again)
    }

    fn unanswered(&self, status: &str, message: String, seen: &Seen, next: String) -> Answer {
        let data = json!({
            "status": status,
            "message": message,
            "debate_id": self.debate_id.to_string(),
            "last_argument_id": self.argument_id.as_ref().map(Id::to_string),
            "last_seen_seq": seen.last_seen_seq,
            "debate_state": seen.debate_state,
            "action": seen.action,
            "retry_command": self.command(),
        });
        Answer::new(data, message, show_time_out).go_on(next)
    }
}

impl Asked {
    /// What is told when there is something to act on.
    pub fn news(&self, told: Told<Heard>) -> Answer {
        let Told { data, view } = told;
        let mut rest = if let Value::Object(fields) = data { fields } else { Map::new() };
        let mut news = Map::from_iter([("status".to_owned(), Value::from("new_argument"))]);
        for (field, missing) in [
            ("action", Value::Null),
            ("debate_state", Value::Null),
            ("argument", Value::Null),
            ("earlier", json!([])),
            ("next_argument_id_to_wait", json!(self.argument_id)),
        ] {
            news.insert(field.to_owned(), rest.shift_remove(field).unwrap_or(missing));
        }
        news.append(&mut rest);

        let said = view.argument.iter().chain(&view.earlier);
        let is_others = said.map(|argument| &argument.role).any(|role| self.is_other_side(role));
        let is_history = self.argument_id.is_none() && view.argument.as_ref().is_some_and(|newest| newest.seq > 1);
        let target = view.argument.map(|argument| argument.id).or(self.argument_id).unwrap_or_default();
        let newest = view.next_argument_id_to_wait.unwrap_or(target);
        let mut step = next::step(&view.action, self.debate_id, self.role, target, newest);
        if is_history && view.action != "debate_closed" {
            step.command = next::context(self.debate_id, Some(self.role));
        }
        let answer = Answer::new(Value::Object(news), step.sentence, show_news).go_on(step.command);
        if is_others { answer.with_others_text() } else { answer }
    }

    /// Whether what one of that role writes is neither one's own nor binding.
    fn is_other_side(&self, role: &str) -> bool {
        role != self.role.to_string() && role != "arbitrator"
    }

    fn time_out(&self, status: &str, message: String, seen: &Seen) -> Answer {
        let (message, next) = match (seen.action.as_str(), self.argument_id) {
            (Some(action @ ("respond" | "align_to_ruling")), Some(newest)) => (
                format!("{message}, and it is your turn: nothing comes before you write"),
                next::step(action, self.debate_id, self.role, newest, newest).command,
            ),
            _ => (message, self.command()),
        };
        self.unanswered(status, message, seen, next)
    }
}

#[derive(Deserialize)]
struct News {
    action: String,
    debate_state: String,
    argument: Option<Shown>,
    earlier: Vec<Shown>,
}

fn show_news(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    let News { action, debate_state, argument, mut earlier } = News::deserialize(data)?;
    let what = match action.as_str() {
        "debate_closed" => "The debate is closed",
        "rule" => "A ruling is due",
        _ => "New argument",
    };
    page.heading(1, &format!("{what} ({debate_state})"));
    earlier.extend(argument);
    for argument in &earlier {
        page.argument(argument, &earlier);
    }
    Ok(())
}

#[derive(Deserialize)]
struct TimeOut {
    status: String,
    debate_id: String,
    debate_state: Option<String>,
    action: Option<String>,
    last_seen_seq: Option<u64>,
    retry_command: String,
}

fn show_time_out(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    let time_out = TimeOut::deserialize(data)?;
    page.heading(1, &format!("Nothing new: {}", time_out.status));
    page.item(&format!("debate: `{}`", time_out.debate_id));
    if let Some(state) = time_out.debate_state {
        page.item(&format!("state: **{state}**"));
    }
    if let Some(action) = &time_out.action {
        page.item(&format!("action: {action}"));
    }
    if let Some(seq) = time_out.last_seen_seq {
        page.item(&format!("last seen: argument {seq}"));
    }
    page.item(&format!("wait again: `{}`", time_out.retry_command));
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::{args::CommandLine, error::Code};

    const ID: &str = "93d81b1a-0e66-4510-abfd-aa33b26cb82e";

    fn told(has_new_argument: bool, action: &str) -> Told<Heard> {
        let data = json!({
            "has_new_argument": has_new_argument, "action": action, "debate_state": "AWAITING_OPPONENT",
            "debate_id": ID, "last_seen_seq": 4,
        });
        Told { view: serde_json::from_value(data.clone()).unwrap(), data }
    }

    fn away(again: Again) -> Trouble {
        Trouble { failure: Box::new(Failure::new(Code::ConnectionError, "nobody there")), again }
    }

    fn asked() -> Asked {
        let id = Uuid::parse_str(ID).unwrap();
        Asked { debate_id: id, role: Role::Opponent, argument_id: Some(id), timeout: Some(7), format: Format::Json }
    }

    /// What a wait comes to when the server does `poll`, how many seconds it takes, and what it asks for on the way.
    async fn run(
        patience: u64,
        poll: impl AsyncFn(u32) -> Result<Told<Heard>, Trouble>,
    ) -> (Result<End, Failure>, u64, Vec<u32>) {
        let start = Instant::now();
        let polls = RefCell::new(Vec::new());
        let poll = async |seconds| {
            polls.borrow_mut().push(seconds);
            poll(seconds).await
        };
        let end = watch(poll, start + Duration::from_secs(patience), &RefCell::default()).await;
        (end, start.elapsed().as_secs(), polls.into_inner())
    }

    async fn held(seconds: u32) -> Result<Told<Heard>, Trouble> {
        sleep(Duration::from_secs(seconds.into())).await;
        Ok(told(false, "wait_for_opponent"))
    }

    #[tokio::test(start_paused = true)]
    async fn it_asks_for_a_minute_at_most_until_the_deadline() {
        let (end, took, polls) = run(150, held).await;
        assert!(matches!(end, Ok(End::TimeOut)));
        assert_eq!((took, polls), (150, vec![60, 60, 30]));
    }

    #[tokio::test(start_paused = true)]
    async fn without_time_it_asks_once() {
        let (end, took, polls) = run(0, held).await;
        assert!(matches!(end, Ok(End::TimeOut)));
        assert_eq!((took, polls), (0, vec![0]));

        let (end, _, polls) = run(0, async |_| Err(away(Again::After(Duration::ZERO)))).await;
        assert_eq!(end.err().unwrap().code, "CONNECTION_ERROR");
        assert_eq!(polls, [0]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_comes_back_costs_nothing() {
        let start = Instant::now();
        let (end, took, _) = run(300, async |_| {
            if start.elapsed() < Duration::from_secs(100) {
                Err(away(Again::After(Duration::ZERO)))
            } else {
                Ok(told(true, "respond"))
            }
        })
        .await;
        assert!(matches!(end, Ok(End::News(_))));
        assert!((100..105).contains(&took), "{took}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_does_not_is_tried_to_the_end() {
        let (end, took, polls) = run(100, async |_| Err(away(Again::After(Duration::ZERO)))).await;
        assert_eq!(end.err().unwrap().code, "CONNECTION_ERROR");
        assert_eq!(took, 100);
        assert_eq!(polls.last(), Some(&0));
        assert!((25..80).contains(&polls.len()), "{polls:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_refusal_ends_it() {
        let (end, took, polls) = run(100, async |_| Err(away(Again::Useless))).await;
        assert!(end.is_err());
        assert_eq!((took, polls.len()), (0, 1));
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_cannot_hold_is_not_hammered() {
        let (end, took, polls) = run(60, async |_| Ok(told(false, "wait_for_opponent"))).await;
        assert!(matches!(end, Ok(End::TimeOut)));
        // What is left after the last pause may be less than a second.
        assert!((59..=60).contains(&took), "{took}");
        assert!(polls.len() < 60, "{}", polls.len());
    }

    #[tokio::test(start_paused = true)]
    async fn an_end_and_a_ruling_that_is_due_are_news_though_nothing_is_new() {
        for action in ["debate_closed", "rule"] {
            let (end, ..) = run(60, async |_| Ok(told(false, action))).await;
            let Ok(End::News(told)) = end else { panic!("{action} is no news") };
            let data = asked().news(*told).data;
            assert_eq!(data["status"], "new_argument");
            assert_eq!(data["action"], action);
            assert_eq!((&data["argument"], &data["earlier"]), (&Value::Null, &json!([])));
        }
    }

    #[test]
    fn a_time_out_tells_where_the_debate_stands_and_how_to_go_on() {
        let mut seen = Seen::default();
        seen.learn(&told(false, "respond").data);
        let answer = asked().time_out("timeout", "Nothing new within 7 s".to_owned(), &seen);
        assert_eq!(
            answer.data,
            json!({
                "status": "timeout",
                "message": "Nothing new within 7 s, and it is your turn: nothing comes before you write",
                "debate_id": ID,
                "last_argument_id": ID,
                "last_seen_seq": 4,
                "debate_state": "AWAITING_OPPONENT",
                "action": "respond",
                "retry_command": format!("aw debate wait --debate-id {ID} --role opponent --argument-id {ID} --timeout 7"),
            })
        );
    }

    #[test]
    fn the_retry_command_is_complete() {
        let asked = Asked { format: Format::Markdown, ..asked() };
        let command = asked.command();
        let again = CommandLine::try_parse_from(command.split(' ')).ok().unwrap();
        assert_eq!(again.format, Format::Markdown);
        assert!(command.contains("--timeout 7"), "{command}");
    }
}
