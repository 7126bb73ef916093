//! `aw debate watch`: a line whenever a role has to act.

use backon::BackoffBuilder;
use clap::Args;
use tokio::time::sleep;
use uuid::Uuid;

use super::{
    EXAMPLE_FIRST,
    options::{DebateId, role},
    wait::{ARGUMENT, Asked, Heard, heartbeat},
};
use crate::{
    api::types::Role,
    envelope::{Answer, Format},
    error::{Code, Failure},
    ids,
    interrupt::leave,
    live::Live,
    output::{self, Reader},
    server::{Again, Persistence, Server, Told, Trouble, pauses},
};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw debate watch --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e --role opponent")]
pub struct Watch {
    #[command(flatten)]
    debate_id: DebateId,
    /// Who you are
    #[arg(long, value_parser = role())]
    role: Role,
    /// Id of the last argument that you have seen, its beginning, or '#5' for number 5 [default: none]
    #[arg(long, value_name = "ID")]
    argument_id: Option<String>,
}

impl Watch {
    /// Runs the command. Each line is the document that a wait would have ended with.
    pub async fn run(self, format: Format) -> Result<Answer, Failure> {
        let debate_id = self.debate_id.read()?;
        let argument_id = ids::optional(ids::argument, ARGUMENT, self.argument_id.as_deref())?;
        let server = Server::from_env()?.persistent(Persistence::Endless);
        let asked = Asked { debate_id, role: self.role, argument_id, timeout: None, format };
        let watch = async || Duty { asked: asked.find(&server).await?, told: None }.watch(&server).await;
        tokio::select! {
            biased;
            _ = leave() => Ok(()),
            end = watch() => end,
            never = heartbeat(None) => match never {},
        }?;
        // Everything there was to say is said, line by line.
        Ok(Answer::text(String::new()))
    }
}

/// What a role has to do, and was told to.
struct Duty {
    /// What a wait would be asked for now: it follows what was told
    asked: Asked,
    /// The action that was told last, and the newest argument then
    told: Option<(String, Option<Uuid>)>,
}

/// Whether there will be more to tell.
#[derive(PartialEq, Eq)]
enum Course {
    GoesOn,
    Over,
}

impl Duty {
    /// Follows the debate to its end. A server that is away is waited for; what is asked for after that is what was not
    /// told before, so nothing that happens meanwhile is missed or told twice.
    async fn watch(&mut self, server: &Server) -> Result<(), Failure> {
        let backoff = || pauses().without_max_times().build();
        let mut growing = backoff();
        let mut is_away = false;
        loop {
            let lost = match Live::of(server, self.asked.debate_id).await {
                Ok(mut live) => {
                    if is_away {
                        output::note("the server answers again");
                        is_away = false;
                    }
                    match self.follow(server, &mut live, || growing = backoff()).await {
                        Ok(()) => return Ok(()),
                        Err(trouble) => trouble,
                    }
                }
                Err(trouble) => trouble,
            };
            let Again::After(least) = lost.again else { return Err(*lost.failure) };
            if !is_away {
                output::note(format_args!("{}; trying again", lost.failure.message));
                is_away = true;
            }
            sleep(growing.next().unwrap_or_default().max(least)).await;
        }
    }

    async fn follow(
        &mut self,
        server: &Server,
        live: &mut Live<'_>,
        mut all_is_well: impl FnMut(),
    ) -> Result<(), Trouble> {
        loop {
            live.changed().await?;
            if self.look(server).await? == Course::Over {
                return Ok(());
            }
            all_is_well();
        }
    }

    /// Asks what there is to do, and tells it if it was not told yet.
    async fn look(&mut self, server: &Server) -> Result<Course, Trouble> {
        let Asked { debate_id, role, argument_id, .. } = &self.asked;
        let request = server.api.debate_wait(debate_id, argument_id.as_ref(), *role, Some(0));
        let told: Told<Heard> = server.ask(request).await?;
        let action = told.view.action.clone();
        let newest = told.view.next_argument_id_to_wait.or(*argument_id);
        let duty = Some((action.clone(), newest));
        let is_due = matches!(action.as_str(), "respond" | "align_to_ruling" | "rule" | "debate_closed");
        if !is_due || self.told == duty {
            return Ok(Course::GoesOn);
        }
        let line = self.asked.news(told).print(self.asked.format);
        self.told = duty;
        self.asked.argument_id = newest;
        match output::document(&line) {
            Ok(Reader::There) if action != "debate_closed" => Ok(Course::GoesOn),
            Ok(_) => Ok(Course::Over),
            Err(output::Undelivered) => Err(Trouble {
                failure: Box::new(Failure::new(Code::InternalError, "what there is to do could not be printed")),
                again: Again::Useless,
            }),
        }
    }
}
