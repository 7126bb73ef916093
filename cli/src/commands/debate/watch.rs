//! `aw debate watch`: prints a line whenever a role has to act.

use std::ops::ControlFlow;

use clap::Args;
use tokio::time::sleep;
use uuid::Uuid;

use super::{
    HELP_TEMPLATE,
    options::{ARGUMENT_ID, DebateId, role},
    wait::{WaitAnswer, WaitRequest, heartbeat},
};
use crate::{
    caller::Caller,
    cancellation::cancelled,
    client::{
        Client, Response,
        retry::{Outage, RequestError, Retry, RetryLimit},
        types::Role,
        websocket::DebateSocket,
    },
    input::ids,
    output::{
        envelope::{Format, Output},
        failure::{Code, Failure},
        terminal::{self, Reader},
    },
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate watch --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e --role opponent")]
pub struct Watch {
    #[command(flatten)]
    debate_id: DebateId,
    /// Your role
    #[arg(long, value_parser = role())]
    role: Role,
    /// Id of the last argument that you have seen, a unique prefix, or '#5' for number 5 [default: none]
    #[arg(long, value_name = "ID")]
    argument_id: Option<String>,
}

impl Watch {
    /// Prints a document per event, each as `aw debate wait` would. Nothing is left to print at the end.
    pub async fn run(self, format: Format) -> Result<Output, Failure> {
        let debate_id = self.debate_id.parse()?;
        let argument_id = ids::parse_optional(ids::parse_argument_ref, ARGUMENT_ID, self.argument_id.as_deref())?;
        let client = Client::from_env()?.with_retries(RetryLimit::Unlimited);
        let request = WaitRequest {
            debate_id,
            role: self.role,
            argument_id,
            timeout: None,
            until_opened: false,
            max_chars: None,
            caller: Caller::Shell(format),
        };
        let watch =
            async || Watcher { request: request.resolve(&client).await?, format, reported: None }.run(&client).await;
        tokio::select! {
            biased;
            _ = cancelled() => Ok(()),
            result = watch() => result,
            never = heartbeat(None) => match never {},
        }?;
        Ok(Output::text(String::new()))
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
    /// Runs until the debate is closed. Reconnects after an outage; what happened meanwhile is then printed once.
    async fn run(&mut self, client: &Client) -> Result<(), Failure> {
        let mut outage = Outage::new();
        loop {
            let Err(error) = self.follow(client, &mut outage).await else { return Ok(()) };
            let Retry::After(min) = error.retry else { return Err(*error.failure) };
            outage.failed(&error.failure, "trying again");
            sleep(outage.next_delay(min)).await;
        }
    }

    /// Follows the debate over one WebSocket connection, until the debate is closed.
    async fn follow(&mut self, client: &Client, outage: &mut Outage) -> Result<(), RequestError> {
        let mut socket = DebateSocket::connect(client, self.request.debate_id).await?;
        outage.answered();
        loop {
            socket.changed().await?;
            if self.report(client).await?.is_break() {
                return Ok(());
            }
            outage.reset();
        }
    }

    /// Asks what the role has to do, and prints it if it was not printed before. Breaks when nothing more can follow.
    async fn report(&mut self, client: &Client) -> Result<ControlFlow<()>, RequestError> {
        let WaitRequest { debate_id, role, argument_id, .. } = &self.request;
        let answer = client.api.debate_wait(debate_id, argument_id.as_ref(), *role, Some(0), None);
        let response: Response<WaitAnswer> = client.send_once(answer).await?;
        let action = response.parsed.action.clone();
        let newest = response.parsed.next_argument_id_to_wait.or(*argument_id);
        let event = Some((action.clone(), newest));
        let must_act = matches!(action.as_str(), "respond" | "align_to_ruling" | "rule" | "debate_closed");
        if !must_act || self.reported == event {
            return Ok(ControlFlow::Continue(()));
        }
        let document = self.request.news(response).print(self.format);
        self.reported = event;
        self.request.argument_id = newest;
        match terminal::print(&document) {
            Ok(Reader::Present) if action != "debate_closed" => Ok(ControlFlow::Continue(())),
            Ok(_) => Ok(ControlFlow::Break(())),
            Err(error) => Err(RequestError {
                failure: Box::new(Failure::new(Code::InternalError, format!("cannot write to stdout: {error}"))),
                retry: Retry::Never,
            }),
        }
    }
}
