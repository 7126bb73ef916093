//! `aw debate wait --role arbitrator` for several debates, or for all of them.

use std::cell::{OnceCell, RefCell};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{
    long_poll::{self, poll_until_news, unless_cancelled, with_retry_command},
    next_command,
};
use crate::{
    cancellation::Cancelled,
    client::{
        Client, Response,
        types::{Action, Role, RulingWaitRole, RulingsDue},
    },
    commands::faults,
    input::{ids::IdRef, resolve_id},
    output::{envelope::Output, failure::Failure, invocation::Invocation, markdown::Markdown},
    shell_or_mcp::Caller,
};

/// The options of such a wait, which its output repeats.
pub struct RulingWait {
    /// The debates; all if there are none
    pub debate_ids: Vec<IdRef>,
    /// The value of `--timeout`, in seconds
    pub timeout: Option<u32>,
    /// Only repeated: such a wait never needs its debates to be open
    pub until_opened: bool,
    pub caller: Caller,
}

impl RulingWait {
    /// Waits until a ruling is due.
    pub async fn run(self) -> Result<Output, Failure> {
        let (max_wait, deadline, client) = long_poll::begin(self.timeout, self.caller)?;
        let (last_answer, resolved) = (RefCell::default(), OnceCell::new());
        let wait = async {
            let debates = resolve(&client, &self.debate_ids).await?;
            let debates = resolved.get_or_init(|| debates);
            let poll = async |seconds: &dyn Fn() -> u32| {
                let role = RulingWaitRole::Arbitrator;
                client.send(|| client.api.ruling_wait(debates.as_ref(), role, Some(seconds().into()))).await
            };
            let is_news = |due: &RulingsDue| {
                faults::warn(&due.faults);
                !due.debates.is_empty()
            };
            poll_until_news(&client, poll, is_news, deadline, &last_answer).await
        };
        let ended = unless_cancelled(self.caller, max_wait, wait).await;
        let whole = resolved.into_inner().flatten().map(|ids| ids.into_iter().map(IdRef::Full).collect());
        let known = Self { debate_ids: whole.unwrap_or(self.debate_ids), ..self };
        match ended {
            Ok(Ok(Some(response))) => Ok(news(response)),
            Ok(Ok(None)) => {
                Ok(known.no_news("timeout", format!("No ruling became due within {} s", max_wait.as_secs())))
            }
            Ok(Err(failure)) => Err(with_retry_command(failure, known.command())),
            Err(Cancelled::StdoutClosed) => Ok(Output::text(String::new())),
            Err(Cancelled::Signal(signal)) => Ok(known.no_news("interrupted", format!("Ended by {signal}"))),
        }
    }

    /// The command that repeats this wait.
    fn command(&self) -> Invocation {
        self.command_with(self.timeout)
    }

    fn command_with(&self, timeout: Option<u32>) -> Invocation {
        let ids: Vec<_> = self.debate_ids.iter().map(ToString::to_string).collect();
        let command = next_command::wait_for_rulings(&ids, timeout);
        self.caller.in_format(if self.until_opened { command.flag("until-opened") } else { command })
    }

    fn no_news(&self, status: &str, message: String) -> Output {
        let retry_command = self.command().shown();
        let data = json!({"status": status, "message": message, "debates": [], "retry_command": retry_command});
        // After a wait that asked once the next one waits.
        Output::new(data, message).with_next(self.command_with(self.timeout.filter(|seconds| *seconds > 0)))
    }
}

/// The whole ids of these debates; none if there are none, which means all debates.
pub async fn resolve(client: &Client, ids: &[IdRef]) -> Result<Option<Vec<Uuid>>, Failure> {
    let mut debates = Vec::new();
    for id in ids {
        debates.push(resolve_id::debate(client, id).await?);
    }
    Ok((!debates.is_empty()).then_some(debates))
}

/// The output when rulings are due in these debates.
pub fn news(response: Response<RulingsDue>) -> Output {
    let Response { data, parsed } = response;
    let mut answer = Map::from_iter([
        ("status".to_owned(), Value::from("new_argument")),
        ("action".to_owned(), Action::Rule.to_string().into()),
    ]);
    answer.extend(if let Value::Object(fields) = data { fields } else { Map::new() });
    let message = format!("A ruling is due in {}", next_command::count(parsed.total, "debate"));
    let mut contexts = parsed.debates.iter().map(|debate| next_command::context(debate.id, Some(Role::Arbitrator)));
    let next = contexts.next().map(Into::into);
    let output = Output::new(answer.into(), message).with_markdown(render).with_also(contexts);
    Output { next, ..output }
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    md.debates("A ruling is due", &RulingsDue::deserialize(data)?.debates);
    Ok(())
}
