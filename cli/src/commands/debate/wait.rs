//! `aw debate wait`: waits until there is something to act on.

use std::{cell::RefCell, time::Duration};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::time::timeout;
use uuid::Uuid;

use super::{
    HELP_TEMPLATE,
    long_poll::{self, GRACE, poll_until_news, unless_cancelled, with_retry_command},
    markdown::PrintedArgument,
    next_command::{self, Step, Turn},
    options::{ARGUMENT_ID, DebateIds, Followed, named},
    reading,
    ruling_wait::RulingWait,
};
use crate::{
    cancellation::Cancelled,
    client::{
        Client, Response,
        types::{Action, ErrorCode, Issue, Role, WaitAnswer, WaitingRole},
    },
    input::{
        ids::{self, IdRef},
        resolve_id,
        tool_arguments::name_of,
    },
    output::{Code, Failure, Invocation, Markdown, Output, reader::option, terminal, truncate},
    shell_or_mcp::{Caller, TOOL_WAIT},
};

/// Timeout for reading the debate's state once more after a signal.
const FINAL_POLL_TIMEOUT: Duration = Duration::from_secs(1);

/// The longest wait of a tool, in seconds. The server holds each of its requests for less.
const MAX_SECONDS: u32 = 3_600;

fn tool_timeout() -> String {
    format!("Seconds [default: {}]; 0 asks once", TOOL_WAIT.as_secs())
}

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate wait --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --role proposer --argument-id 1f0c7a52-7a6e-4b62-9d0d-0c6a7a4a5a11")]
pub struct Wait {
    #[command(flatten)]
    #[serde(flatten)]
    debate_ids: DebateIds,
    /// Your role
    #[arg(long, value_parser = named::<Role>())]
    #[schemars(description = "", schema_with = "name_of::<Role>")]
    role: Role,
    /// Id of the last argument that you have seen (next_argument_id_to_wait of the last answer), a unique prefix, or '#5'
    /// for number 5 [default: none]
    #[arg(long, value_name = "ID")]
    argument_id: Option<String>,
    /// How many seconds to wait; 0 asks once [default: DEBATE_WAIT_DEADLINE]
    #[arg(long, value_name = "SECONDS")]
    #[schemars(description = tool_timeout(), range(max = MAX_SECONDS))]
    timeout: Option<u32>,
    /// If the debate does not exist, wait until it is opened; needs its whole id
    #[arg(long, conflicts_with = "argument_id")]
    #[serde(default)]
    #[schemars(
        description = "If the debate does not exist, wait until it is opened",
        extend("x-not-with" = "argument_id")
    )]
    until_opened: bool,
    /// How many characters of contents to print. The oldest of "earlier" are truncated first, then left out; the newest
    /// argument is always printed in full [default: no limit]
    #[arg(long, value_name = "N")]
    #[schemars(description = "How many characters of contents to print")]
    max_chars: Option<usize>,
    /// Print nothing on stderr
    #[arg(long)]
    #[serde(skip)]
    quiet: bool,
}

impl Wait {
    pub async fn run(self, caller: Caller) -> Result<Output, Failure> {
        if self.quiet {
            terminal::be_quiet();
        }
        let debate_id = match self.debate_ids.parse(self.role, self.argument_id.is_some())? {
            Followed::Debate(id) => id,
            Followed::Rulings(debate_ids) => {
                let (timeout, until_opened) = (self.timeout, self.until_opened);
                return RulingWait { debate_ids, timeout, until_opened, caller }.run().await;
            }
        };
        if self.until_opened && !matches!(debate_id, IdRef::Full(_)) {
            return Err(Failure::new(
                Code::InvalidInput,
                format!("{} needs the whole id of the debate", option("--until-opened")),
            )
            .with_suggestion("A debate that is not open yet cannot be found by a part of its id"));
        }
        let argument_id = ids::parse_optional(ids::parse_argument_ref, ARGUMENT_ID, self.argument_id.as_deref())?;
        let (max_wait, deadline, client) = long_poll::begin(self.timeout, caller)?;
        let request = WaitRequest {
            debate_id,
            role: self.role,
            argument_id,
            timeout: self.timeout,
            until_opened: self.until_opened,
            max_chars: self.max_chars,
            caller,
        };
        let resolving = timeout(max_wait + GRACE, request.resolve(&client));
        let resolved = match unless_cancelled(caller, max_wait, resolving).await {
            Ok(resolved) => resolved,
            Err(Cancelled::Signal(signal)) => return Ok(request.interrupted(signal, None)),
            Err(Cancelled::StdoutClosed) => return Ok(Output::text(String::new())),
        };
        let resolved = resolved.unwrap_or_else(|_| Err(*client.unavailable("it takes too long").failure));
        let request = resolved.map_err(|failure| with_retry_command(failure, request.command()))?;
        let poll = async |seconds: &dyn Fn() -> u32| {
            let WaitRequest { debate_id, argument_id, role, .. } = &request;
            let until_opened = request.until_opened.then_some(true);
            let ask =
                || client.api.debate_wait(debate_id, argument_id.as_ref(), *role, Some(seconds().into()), until_opened);
            match client.send(ask).await {
                Err(failure) if request.until_opened && failure.is(ErrorCode::DebateNotFound) => {
                    Ok(Response { data: json!({"last_seen_seq": 0}), parsed: None })
                }
                answer => answer.map(|Response { data, parsed }| Response { data, parsed: Some(parsed) }),
            }
        };

        let last_answer = RefCell::default();
        let is_news = |answer: &Option<WaitAnswer>| answer.as_ref().is_some_and(is_news);
        let polling = poll_until_news(&client, &poll, is_news, deadline, &last_answer);
        match unless_cancelled(caller, max_wait, polling).await {
            Ok(Ok(Some(Response { data, parsed: Some(parsed) }))) => {
                let reading = request.reading(&client, &parsed).await;
                Ok(request.news(Response { data, parsed }, reading))
            }
            Ok(Ok(Some(Response { parsed: None, .. }) | None)) => {
                let message = format!("Nothing new within {} s", max_wait.as_secs());
                Ok(request.timed_out(message, last_answer.take()))
            }
            Ok(Err(failure)) => {
                let failure = next_command::until_opened(failure, request.debate_id, Some(request.role));
                Err(with_retry_command(failure, request.command()))
            }
            Err(Cancelled::StdoutClosed) => Ok(Output::text(String::new())),
            Err(Cancelled::Signal(signal)) => {
                if let Ok(Ok(response)) = timeout(FINAL_POLL_TIMEOUT, poll(&|| 0)).await {
                    last_answer.replace(Some(response));
                }
                Ok(request.interrupted(signal, last_answer.take()))
            }
        }
    }
}

/// Whether there is something to act on: a new argument, a ruling that is due, or the end of the debate.
fn is_news(answer: &WaitAnswer) -> bool {
    answer.argument.is_some()
}

/// What the server answered last; nothing is known of a debate that is not open.
type LastAnswer = Option<Response<Option<WaitAnswer>>>;

/// The options of a wait, which its output repeats. `Id` is [`IdRef`] before prefixes are resolved.
pub struct WaitRequest<Id = Uuid> {
    pub debate_id: Id,
    pub role: Role,
    /// The last argument that the caller has seen
    pub argument_id: Option<Id>,
    /// The value of `--timeout`, in seconds
    pub timeout: Option<u32>,
    pub until_opened: bool,
    /// The value of `--max-chars`
    pub max_chars: Option<usize>,
    pub caller: Caller,
}

impl WaitRequest<IdRef> {
    /// Resolves id prefixes and argument numbers.
    pub async fn resolve(&self, client: &Client) -> Result<WaitRequest, Failure> {
        let debate_id = resolve_id::debate(client, &self.debate_id).await?;
        let argument_id = match &self.argument_id {
            Some(id) => Some(resolve_id::argument(client, debate_id, ARGUMENT_ID, id).await?),
            None => None,
        };
        let Self { role, timeout, until_opened, max_chars, caller, .. } = *self;
        Ok(WaitRequest { debate_id, role, argument_id, timeout, until_opened, max_chars, caller })
    }
}

impl<Id: ToString> WaitRequest<Id> {
    /// The command that repeats this wait.
    fn command(&self) -> Invocation {
        self.command_with(self.timeout)
    }

    fn command_with(&self, timeout: Option<u32>) -> Invocation {
        let argument_id = self.argument_id.as_ref().map(Id::to_string);
        let mut command = next_command::wait_for(self.debate_id.to_string(), self.role, argument_id, timeout);
        if self.until_opened {
            command = command.flag("until-opened");
        }
        if let Some(max_chars) = self.max_chars {
            command = command.number_option("max-chars", max_chars as u64);
        }
        self.caller.in_format(command)
    }

    /// The output after a signal.
    fn interrupted(&self, signal: &str, last_answer: LastAnswer) -> Output {
        let passed_on = last_answer.map_or(Value::Null, |answer| answer.data);
        self.no_news("interrupted", format!("Ended by {signal}"), passed_on, self.command())
    }

    fn no_news(&self, status: &'static str, message: String, passed_on: Value, next: Invocation) -> Output {
        let data = NoNews {
            status,
            message: &message,
            debate_id: self.debate_id.to_string(),
            last_argument_id: self.argument_id.as_ref().map(Id::to_string),
            passed_on: PassedOn::deserialize(passed_on).unwrap_or_default(),
            retry_command: self.command().shown(),
        };
        Output::new(json!(data), message).with_markdown(render_no_news).with_next(next)
    }
}

/// What is passed on of the server's answer as it is, where there is no news.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct PassedOn {
    last_seen_seq: Value,
    debate_state: Value,
    action: Value,
    #[serde(skip_serializing_if = "Value::is_null")]
    allowed: Value,
    #[serde(skip_serializing_if = "Value::is_null")]
    moves: Value,
    #[serde(skip_serializing_if = "Value::is_null")]
    waiting: Value,
}

/// What is told where there is no news.
#[derive(Serialize)]
struct NoNews<'a> {
    status: &'static str,
    message: &'a str,
    debate_id: String,
    last_argument_id: Option<String>,
    #[serde(flatten)]
    passed_on: PassedOn,
    retry_command: String,
}

impl WaitRequest {
    /// The commands that print what the caller has to read before it acts, if the server tells them in time.
    pub async fn reading(&self, client: &Client, answer: &WaitAnswer) -> Vec<Invocation> {
        match self.role {
            _ if !next_command::writes(&answer.action) => Vec::new(),
            Role::Arbitrator => reading::search_before_ruling(client, self.debate_id).await,
            // It is told to read the whole debate first.
            Role::Proposer | Role::Opponent if self.has_history(answer) => Vec::new(),
            role @ (Role::Proposer | Role::Opponent) => {
                let news: Vec<_> = answer.earlier.iter().chain(&answer.argument).collect();
                reading::before_answering(answer.plan.as_ref(), role, &news)
            }
        }
    }

    /// Whether the caller joins a debate that has more than its motion.
    fn has_history(&self, answer: &WaitAnswer) -> bool {
        self.argument_id.is_none() && answer.argument.as_ref().is_some_and(|newest| newest.seq > 1)
    }

    /// The output when there is something to act on, with these commands for reading before it.
    pub fn news(&self, response: Response<WaitAnswer>, reading: Vec<Invocation>) -> Output {
        let Response { data, parsed } = response;
        let mut data = if let Value::Object(fields) = data { fields } else { Map::new() };
        data.insert("status".to_owned(), "new_argument".into());
        // The server leaves these out where nothing is new.
        for (field, default) in
            [("argument", Value::Null), ("earlier", json!([])), ("next_argument_id_to_wait", json!(self.argument_id))]
        {
            data.entry(field).or_insert(default);
        }
        // The number from before the news would only confuse.
        data.shift_remove("last_seen_seq");
        if let Some(max_chars) = self.max_chars {
            truncate::earlier(&mut data, max_chars);
        }
        next_command::add_show_commands(self.debate_id, data.get_mut("earlier"));
        let mut authors = parsed.argument.iter().chain(&parsed.earlier).map(|argument| &argument.role);
        // The arbitrator's words bind; those of the other side need the caution.
        let needs_caution = authors.any(|role| *role != self.role.to_string() && *role != Role::Arbitrator.to_string());
        let has_history = self.has_history(&parsed);
        let newest = parsed.next_argument_id_to_wait.or(self.argument_id).unwrap_or_default();
        let turn =
            Turn { debate: self.debate_id, role: self.role, action: &parsed.action, moves: &parsed.moves, newest };
        let mut step = turn.step();
        if has_history && !next_command::is_closed(&parsed.action) {
            step = Step::to(step.sentence, Some(next_command::context(self.debate_id, Some(self.role))));
        }
        // A side that follows the debate has read the titles and places; the notes of changes are in the arguments.
        let follows = self.argument_id.is_some() && self.role != Role::Arbitrator;
        let render = if follows { render_news } else { render_first_news };
        let output =
            Output::new(data.into(), step.sentence.clone()).with_markdown(render).with_step(step).with_reading(reading);
        if needs_caution { output.with_caution() } else { output }
    }

    fn timed_out(&self, message: String, last_answer: LastAnswer) -> Output {
        // After a wait that asked once it has the usual time-out: whoever runs it over and over would never pause otherwise.
        let mut next = self.command_with(self.timeout.filter(|seconds| *seconds > 0));
        let (passed_on, answer) = last_answer.map_or((Value::Null, None), |answer| (answer.data, answer.parsed));
        let more = match (&answer, self.argument_id) {
            (Some(answer), Some(newest)) if next_command::writes(&answer.action) => {
                let (action, moves) = (&answer.action, &answer.moves);
                let turn = Turn { debate: self.debate_id, role: self.role, action, moves, newest };
                next = turn.step().next.unwrap_or(next);
                ", and it is your turn: nothing comes before you write"
            }
            (Some(answer), _) if answer.action == Action::WaitForRuling.to_string() && !is_arbitrator_there(answer) => {
                ". No arbitrator is waiting: one may be deciding or use the web app, else your user has to call one"
            }
            (Some(_) | None, _) => "",
        };
        self.no_news("timeout", message + more, passed_on, next)
    }
}

/// Whether the server holds a wait of an arbitrator.
fn is_arbitrator_there(answer: &WaitAnswer) -> bool {
    answer.waiting.iter().any(|waiting| waiting.role == Role::Arbitrator.to_string())
}

/// What is shown where there is something to act on.
#[derive(Deserialize)]
struct ShownNews {
    action: String,
    argument: Option<PrintedArgument>,
    earlier: Vec<PrintedArgument>,
    #[serde(default)]
    omitted: u64,
    #[serde(default)]
    issues: Vec<Issue>,
}

/// For somebody who has not read the debate, or who decides: with all that is known of the issues.
fn render_first_news(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let issues = render_arguments(ShownNews::deserialize(data)?, None, md);
    md.unsettled_issues(&issues);
    Ok(())
}

/// For a side that follows the debate.
fn render_news(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let news = ShownNews::deserialize(data)?;
    // The next command of a side whose turn it is has the id of the newest argument, which it answers.
    let newest = news.argument.as_ref().map(|newest| newest.argument.id);
    let in_next = newest.filter(|_| next_command::writes(&news.action));
    let issues = render_arguments(news, in_next, md);
    md.issue_statuses("Not settled", &issues);
    Ok(())
}

/// Adds the arguments, without the id that is in the next command, and returns the issues.
fn render_arguments(news: ShownNews, in_next: Option<Uuid>, md: &mut Markdown) -> Vec<Issue> {
    let ShownNews { argument, earlier, omitted, issues, .. } = news;
    let arguments: Vec<_> = earlier.into_iter().chain(argument).collect();
    if omitted > 0 {
        md.paragraph(&format!("… {} omitted", next_command::count(omitted, "older argument")));
    }
    arguments.iter().for_each(|argument| md.argument(in_next, argument, &arguments));
    issues
}

/// What is shown where there is no news.
#[derive(Deserialize)]
struct ShownNoNews {
    debate_id: String,
    last_seen_seq: Option<u64>,
    action: Option<String>,
    retry_command: String,
    #[serde(default)]
    waiting: Vec<WaitingRole>,
}

fn render_no_news(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let ShownNoNews { debate_id, last_seen_seq, action, retry_command, waiting } = ShownNoNews::deserialize(data)?;
    md.item(&format!("debate: `{debate_id}`"));
    let waiting: Vec<String> = waiting.into_iter().map(|waiting| waiting.role).collect();
    if !waiting.is_empty() {
        md.item(&format!("also waiting: {}", waiting.join(", ")));
    }
    if let Some(seq) = last_seen_seq.filter(|seq| *seq > 0 || !md.is_for_a_person()) {
        md.item(&format!("last seen: argument {seq}"));
    }
    // Otherwise the next command is the same.
    if action.is_some_and(|action| next_command::writes(&action)) {
        md.item(&format!("wait again: `{retry_command}`"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use tokio::time::{Instant, sleep};

    use super::*;
    use crate::{command_line::CommandLine, output::Format};

    const ID: &str = "93d81b1a-0e66-4510-abfd-aa33b26cb82e";

    fn answer(has_new_argument: bool, action: &str) -> Response<WaitAnswer> {
        answer_with(has_new_argument, action, json!({}))
    }

    /// An answer with these fields, too.
    fn answer_with(has_new_argument: bool, action: &str, others: Value) -> Response<WaitAnswer> {
        let mut data = json!({
            "has_new_argument": has_new_argument, "action": action, "debate_state": "AWAITING_OPPONENT",
            "debate_id": ID, "last_seen_seq": 4, "last_seq": 4, "head": "", "allowed": [], "moves": [], "plan": null,
        });
        data.as_object_mut().unwrap().extend(others.as_object().unwrap().clone());
        Response { parsed: serde_json::from_value(data.clone()).unwrap(), data }
    }

    fn last(Response { data, parsed }: Response<WaitAnswer>) -> LastAnswer {
        Some(Response { data, parsed: Some(parsed) })
    }

    fn request() -> WaitRequest {
        let id = Uuid::parse_str(ID).unwrap();
        WaitRequest {
            debate_id: id,
            role: Role::Opponent,
            argument_id: Some(id),
            timeout: Some(7),
            until_opened: false,
            max_chars: None,
            caller: Caller::Shell(Format::Json),
        }
    }

    /// The outcome of a wait with the server `poll`, how many seconds it takes, and the hold times it asks for.
    async fn run(
        max_wait: u64,
        poll: impl AsyncFn(u32) -> Result<Response<WaitAnswer>, Failure>,
    ) -> (Result<Option<Response<WaitAnswer>>, Failure>, u64, Vec<u32>) {
        let start = Instant::now();
        let polls = RefCell::new(Vec::new());
        let poll = async |seconds: &dyn Fn() -> u32| {
            let seconds = seconds();
            polls.borrow_mut().push(seconds);
            poll(seconds).await
        };
        let client = Client::from_env().ok().unwrap();
        let deadline = start + Duration::from_secs(max_wait);
        let outcome = poll_until_news(&client, poll, is_news, deadline, &RefCell::default()).await;
        (outcome, start.elapsed().as_secs(), polls.into_inner())
    }

    async fn answer_after_hold(seconds: u32) -> Result<Response<WaitAnswer>, Failure> {
        sleep(Duration::from_secs(seconds.into())).await;
        Ok(answer(false, "wait_for_opponent"))
    }

    #[tokio::test(start_paused = true)]
    async fn each_poll_is_held_for_a_minute_at_most() {
        let (outcome, took, polls) = run(150, answer_after_hold).await;
        assert!(matches!(outcome, Ok(None)));
        assert_eq!((took, polls), (150, vec![60, 60, 30]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_timeout_of_zero_polls_once() {
        let (outcome, took, polls) = run(0, answer_after_hold).await;
        assert!(matches!(outcome, Ok(None)));
        assert_eq!((took, polls), (0, vec![0]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_does_not_answer_ends_the_wait_soon_after_its_deadline() {
        let (outcome, took, _) = run(100, async |_| std::future::pending().await).await;
        assert_eq!(outcome.err().unwrap().code, "CONNECTION_ERROR");
        assert_eq!(took, 105);
    }

    #[tokio::test(start_paused = true)]
    async fn early_answers_are_followed_by_a_delay() {
        let (outcome, took, polls) = run(60, async |_| Ok(answer(false, "wait_for_opponent"))).await;
        assert!(matches!(outcome, Ok(None)));
        // Less than a second may be left after the last delay.
        assert!((59..=60).contains(&took), "{took}");
        assert!(polls.len() <= 61, "{}", polls.len());
    }

    #[tokio::test(start_paused = true)]
    async fn a_closed_debate_and_a_due_ruling_are_news_without_a_new_argument() {
        for action in ["debate_closed", "rule"] {
            let newest = json!({
                "id": ID, "debate_id": ID, "parent_id": null, "type": "APPEAL", "role": "proposer", "seq": 4,
                "content": "Which one?", "created_at": "2026-01-01T00:00:00Z",
            });
            let due = || answer_with(false, action, json!({"argument": newest}));
            let (outcome, ..) = run(60, async |_| Ok(due())).await;
            let Ok(Some(response)) = outcome else { panic!("{action} is not news") };
            let data = request().news(response, Vec::new()).data;
            assert_eq!(data["status"], "new_argument");
            assert_eq!(data["action"], action);
            assert_eq!((&data["argument"], &data["earlier"]), (&newest, &json!([])));
        }
    }

    #[test]
    fn a_timeout_has_the_state_and_the_next_command() {
        let output = request().timed_out("Nothing new within 7 s".to_owned(), last(answer(false, "respond")));
        assert_eq!(
            output.data,
            json!({
                "status": "timeout",
                "message": "Nothing new within 7 s, and it is your turn: nothing comes before you write",
                "debate_id": ID,
                "last_argument_id": ID,
                "last_seen_seq": 4,
                "debate_state": "AWAITING_OPPONENT",
                "action": "respond",
                "retry_command": format!("aw debate wait --debate-id {ID} --role opponent --argument-id {ID} --timeout 7"),
                "allowed": [],
                "moves": [],
            })
        );
    }

    #[test]
    fn a_timeout_says_that_no_arbitrator_waits() {
        let message = |action: &str, waiting: Value| {
            let answer = answer_with(false, action, json!({"waiting": waiting}));
            request().timed_out("Nothing new".to_owned(), last(answer)).message
        };
        let both = json!([{"role": "arbitrator", "since": ""}, {"role": "opponent", "since": ""}]);
        let opponent = json!([{"role": "opponent", "since": ""}]);
        assert!(message("wait_for_ruling", json!([])).contains("No arbitrator is waiting"));
        assert!(message("wait_for_ruling", opponent.clone()).contains("No arbitrator is waiting"));
        assert_eq!(message("wait_for_ruling", both), "Nothing new");
        assert_eq!(message("wait_for_opponent", opponent), "Nothing new");
    }

    #[test]
    fn after_asking_once_the_next_command_waits() {
        let request = WaitRequest { timeout: Some(0), ..request() };
        let output = request.timed_out("Nothing new".to_owned(), last(answer(false, "wait_for_proposer")));
        let retry = output.data["retry_command"].as_str().unwrap();
        assert!(retry.ends_with(" --timeout 0"), "{retry}");
        assert!(!output.next.unwrap().to_string().contains("--timeout 0"));
    }

    #[test]
    fn the_retry_command_has_all_options() {
        let request = WaitRequest { caller: Caller::Shell(Format::Markdown), ..request() };
        let command = request.command().to_string();
        let parsed = CommandLine::try_parse_from(command.split(' ')).ok().unwrap();
        assert_eq!(parsed.format(), Some(Format::Markdown));
        assert!(command.contains("--timeout 7"), "{command}");
    }
}
