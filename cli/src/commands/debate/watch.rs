//! `aw debate watch`: prints a line whenever a role has to act.

use std::{collections::HashMap, mem, ops::ControlFlow};

use clap::Args;
use tokio::time::sleep;
use uuid::Uuid;

use super::{
    HELP_TEMPLATE,
    long_poll::heartbeat,
    next_command,
    options::{ARGUMENT_ID, DebateIds, Followed, named},
    ruling_wait::{self, resolve},
    wait::{WaitAnswer, WaitRequest},
};
use crate::{
    cancellation::cancelled,
    client::{
        Client, Response,
        retry::{Outage, RequestError, Retry, RetryLimit},
        types::{self, DebateList, Role, RulingWaitRole},
        websocket::DebateSocket,
    },
    input::ids,
    output::{
        envelope::{Format, Output},
        failure::{Code, Failure},
        terminal::{self, Reader},
    },
    shell_or_mcp::Caller,
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate watch --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e --role opponent
  aw debate watch --role arbitrator")]
pub struct Watch {
    #[command(flatten)]
    debate_ids: DebateIds,
    /// Your role
    #[arg(long, value_parser = named::<Role>())]
    role: Role,
    /// Id of the last argument that you have seen, a unique prefix, or '#5' for number 5 [default: none]
    #[arg(long, value_name = "ID")]
    argument_id: Option<String>,
}

impl Watch {
    /// Prints a document per event, each as `aw debate wait` would. Nothing is left to print at the end.
    pub async fn run(self, format: Format) -> Result<Output, Failure> {
        let followed = self.debate_ids.parse(self.role, self.argument_id.is_some())?;
        let argument_id = ids::parse_optional(ids::parse_argument_ref, ARGUMENT_ID, self.argument_id.as_deref())?;
        let client = Client::from_env()?.with_retries(RetryLimit::Unlimited);
        let watch = async {
            match followed {
                Followed::Debate(debate_id) => {
                    let request = WaitRequest {
                        debate_id,
                        role: self.role,
                        argument_id,
                        timeout: None,
                        until_opened: false,
                        max_chars: None,
                        caller: Caller::Shell(format),
                    };
                    let request = request.resolve(&client).await?;
                    let debate = request.debate_id;
                    let mut watcher = Watcher { request, format, reported: None };
                    let connect = async || DebateSocket::of_debate(&client, debate).await;
                    follow(connect, async || watcher.report(&client).await).await
                }
                Followed::Rulings(debate_ids) => {
                    let debates = resolve(&client, &debate_ids).await?;
                    let mut watcher = RulingWatcher { debates, format, reported: HashMap::new() };
                    let connect = async || DebateSocket::of_all(&client).await;
                    follow(connect, async || watcher.report(&client).await).await
                }
            }
        };
        tokio::select! {
            biased;
            _ = cancelled() => Ok(()),
            result = watch => result,
            never = heartbeat(None) => match never {},
        }?;
        Ok(Output::text(String::new()))
    }
}

/// Calls `report` whenever something may have changed, until it breaks. Reconnects after an outage; what happened meanwhile
/// is then reported once.
async fn follow<'c>(
    connect: impl AsyncFn() -> Result<DebateSocket<'c>, RequestError>,
    mut report: impl AsyncFnMut() -> Result<ControlFlow<()>, RequestError>,
) -> Result<(), Failure> {
    let mut outage = Outage::new();
    loop {
        let Err(error) = follow_connected(&connect, &mut report, &mut outage).await else { return Ok(()) };
        let Retry::After(min) = error.retry else { return Err(*error.failure) };
        outage.failed(&error.failure, "trying again");
        sleep(outage.next_delay(min)).await;
    }
}

/// Does so over one WebSocket connection.
async fn follow_connected<'c>(
    connect: &impl AsyncFn() -> Result<DebateSocket<'c>, RequestError>,
    report: &mut impl AsyncFnMut() -> Result<ControlFlow<()>, RequestError>,
    outage: &mut Outage,
) -> Result<(), RequestError> {
    let mut socket = connect().await?;
    outage.answered();
    loop {
        socket.changed().await?;
        if report().await?.is_break() {
            return Ok(());
        }
        outage.reset();
    }
}

/// Prints a document on a line of its own. Breaks if nobody reads it any more.
fn print_line(output: Output, format: Format) -> Result<ControlFlow<()>, RequestError> {
    match terminal::print(&output.print(format)) {
        Ok(Reader::Present) => Ok(ControlFlow::Continue(())),
        Ok(Reader::Gone) => Ok(ControlFlow::Break(())),
        Err(error) => Err(RequestError {
            failure: Box::new(Failure::new(Code::InternalError, format!("cannot write to stdout: {error}"))),
            retry: Retry::Never,
        }),
    }
}

/// Follows a debate and prints what a role has to do.
struct Watcher {
    /// The next wait: it continues after the last printed argument
    request: WaitRequest,
    /// How each document is printed
    format: Format,
    /// The action printed last, and the newest argument at that time
    reported: Option<(String, Option<Uuid>)>,
}

impl Watcher {
    /// Asks what the role has to do, and prints it if it was not printed before. Breaks when nothing more can follow.
    async fn report(&mut self, client: &Client) -> Result<ControlFlow<()>, RequestError> {
        let WaitRequest { debate_id, role, argument_id, .. } = &self.request;
        let answer = client.api.debate_wait(debate_id, argument_id.as_ref(), *role, Some(0), None);
        let response: Response<WaitAnswer> = client.send_once(answer).await?;
        let action = response.parsed.action.clone();
        let newest = response.parsed.next_argument_id_to_wait.or(*argument_id);
        let event = Some((action.clone(), newest));
        if next_command::waits(&action) || self.reported == event {
            return Ok(ControlFlow::Continue(()));
        }
        self.reported = event;
        let reading = self.request.reading(client, &response.parsed).await;
        let output = self.request.news(response, reading);
        self.request.argument_id = newest;
        let printed = print_line(output, self.format)?;
        Ok(if action == next_command::CLOSED { ControlFlow::Break(()) } else { printed })
    }
}

/// Follows several debates, or all, and prints those in which a ruling becomes due.
struct RulingWatcher {
    /// The debates; all if there are none
    debates: Option<Vec<Uuid>>,
    /// How each document is printed
    format: Format,
    /// The debates in which a ruling was due at the last look, with their newest `seq` at that time
    reported: HashMap<Uuid, u64>,
}

impl RulingWatcher {
    /// Asks where a ruling is due, and prints what was not printed before.
    async fn report(&mut self, client: &Client) -> Result<ControlFlow<()>, RequestError> {
        let answer = client.api.ruling_wait(self.debates.as_ref(), RulingWaitRole::Arbitrator, Some(0));
        let mut due: Response<DebateList> = client.send_once(answer).await?;
        let known = due.parsed.debates.iter().map(|debate| (debate.id, debate.last_seq)).collect();
        let reported = mem::replace(&mut self.reported, known);
        retain(&mut due, |debate| {
            // A late delivery adds one argument; a ruling and what makes the next one due add at least two.
            reported.get(&debate.id).is_none_or(|seq| debate.last_seq > seq + 1)
        });
        if due.parsed.debates.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        print_line(ruling_wait::news(due), self.format)
    }
}

/// Removes the other debates from an answer.
fn retain(answer: &mut Response<DebateList>, wanted: impl FnMut(&types::Debate) -> bool) {
    let Response { data, parsed } = answer;
    let kept: Vec<bool> = parsed.debates.iter().map(wanted).collect();
    if let Some(debates) = data["debates"].as_array_mut() {
        let mut kept = kept.iter();
        debates.retain(|_| kept.next() == Some(&true));
    }
    let mut kept = kept.iter();
    parsed.debates.retain(|_| kept.next() == Some(&true));
    parsed.total = parsed.debates.len() as u64;
    data["total"] = parsed.total.into();
}
