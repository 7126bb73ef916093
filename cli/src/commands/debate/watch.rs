//! `aw debate watch`: prints a line whenever a role has to act.

use std::{cell::RefCell, collections::HashMap, mem};

use clap::Args;
use serde_json::Value;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::{
    HELP_TEMPLATE,
    long_poll::{self, EARLY_DELAY, heartbeat, poll_until_news},
    next_command,
    options::{ARGUMENT_ID, DebateIds, Followed, named},
    ruling_wait::{self, resolve},
    wait::WaitRequest,
};
use crate::{
    cancellation::cancelled,
    client::{
        Client, Response,
        retry::RetryLimit,
        types::{Debate, Role, RulingWaitRole, RulingsDue, WaitAnswer},
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
  aw debate watch --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --role opponent
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
        // It has no time limit.
        let (_, deadline, client) = long_poll::begin(Some(u32::MAX), Caller::Shell(format))?;
        let client = client.with_retries(RetryLimit::Unlimited);
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
                    watch_debate(&client, request.resolve(&client).await?, format, deadline).await
                }
                Followed::Rulings(ids) => {
                    watch_rulings(&client, resolve(&client, &ids).await?.as_ref(), format, deadline).await
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

/// Prints a document on a line of its own.
fn print_line(output: Output, format: Format) -> Result<Reader, Failure> {
    terminal::print(&output.print(format))
        .map_err(|error| Failure::new(Code::InternalError, format!("cannot write to stdout: {error}")))
}

/// Prints what a role has to do in a debate until it is closed or nobody reads any more.
async fn watch_debate(
    client: &Client,
    mut request: WaitRequest,
    format: Format,
    deadline: Instant,
) -> Result<(), Failure> {
    let (debate, role) = (request.debate_id, request.role);
    let mut reported = None;
    loop {
        // All that came after the last printed argument.
        let after = request.argument_id;
        let ask = || client.api.debate_wait(&debate, after.as_ref(), role, Some(0), None);
        let answer = client.send::<WaitAnswer, _>(ask).await?;
        let action = answer.parsed.action.clone();
        let newest = answer.parsed.next_argument_id_to_wait.or(after);
        let event = Some((action.clone(), newest));
        if !next_command::waits(&action) && reported != event {
            reported = event;
            let reading = request.reading(client, &answer.parsed).await;
            let output = request.news(answer, reading);
            request.argument_id = newest;
            if print_line(output, format)? == Reader::Gone || next_command::is_closed(&action) {
                return Ok(());
            }
        }
        let poll = async |seconds: &dyn Fn() -> u32| {
            let ask = || client.api.debate_wait(&debate, newest.as_ref(), role, Some(seconds().into()), None);
            client.send(ask).await
        };
        poll_until_news(client, poll, |answer: &WaitAnswer| answer.has_new_argument, deadline, &RefCell::default())
            .await?;
    }
}

/// Prints in which of these debates, or of all, a ruling becomes due, until nobody reads any more.
async fn watch_rulings(
    client: &Client,
    debates: Option<&Vec<Uuid>>,
    format: Format,
    deadline: Instant,
) -> Result<(), Failure> {
    let ask = |seconds: u32| client.api.ruling_wait(debates, RulingWaitRole::Arbitrator, Some(seconds.into()));
    // The debates in which a ruling was due at the last look, and what asked for it.
    let asked_by = |debate: &Debate| debate.ruling_request.as_ref().map(|request| request.seq);
    let mut reported = HashMap::new();
    loop {
        let Response { mut data, mut parsed } = client.send::<RulingsDue, _>(|| ask(0)).await?;
        let known = parsed.debates.iter().map(|debate| (debate.id, asked_by(debate))).collect();
        let before: HashMap<_, _> = mem::replace(&mut reported, known);
        let is_new = |debate: &Debate| before.get(&debate.id) != Some(&asked_by(debate));
        if let Value::Array(debates) = data["debates"].take() {
            let debates = debates.into_iter().zip(mem::take(&mut parsed.debates));
            let (printed, new): (Vec<Value>, Vec<Debate>) = debates.filter(|(_, debate)| is_new(debate)).unzip();
            parsed.total = new.len() as u64;
            (data["debates"], data["total"], parsed.debates) = (printed.into(), parsed.total.into(), new);
        }
        let has_news = !parsed.debates.is_empty();
        if has_news && print_line(ruling_wait::news(Response { data, parsed }), format)? == Reader::Gone {
            return Ok(());
        }
        if reported.is_empty() {
            let poll = async |seconds: &dyn Fn() -> u32| client.send(|| ask(seconds())).await;
            let is_news = |due: &RulingsDue| !due.debates.is_empty();
            poll_until_news(client, poll, is_news, deadline, &RefCell::default()).await?;
        } else {
            // A wait for rulings is answered at once while one is due.
            sleep(EARLY_DELAY).await;
        }
    }
}
