//! What a dry run tells: who would be started, and what would be asked next.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    Runner,
    arbitrator::{self, Ruler},
    debate_snapshot::DebateSnapshot,
    part::Part,
    question::{self, Screen},
    work_folder,
};
use crate::{
    client::types::{Role, StateName},
    output::{Failure, Markdown, Output, sanitize},
};

#[derive(Serialize, Deserialize)]
struct DryRun {
    agents: Vec<Starts>,
    prompts: Vec<Asks>,
}

/// Who would be started.
#[derive(Serialize, Deserialize)]
struct Starts {
    role: String,
    command_line: Vec<String>,
}

/// What somebody would be asked.
#[derive(Serialize, Deserialize)]
struct Asks {
    role: String,
    prompt: String,
}

impl Asks {
    fn new(role: impl ToString, prompt: String) -> Self {
        Self { role: role.to_string(), prompt }
    }
}

impl Runner {
    /// What a dry run tells: who would be started, and what would be asked next. `now` is the debate, if it is there.
    pub async fn dry_run(&self, now: Option<&DebateSnapshot>) -> Result<Output, Failure> {
        let work = Path::new("WORK_FOLDER");
        let agents = self.players.programs().map(|(option, program)| {
            let line = program.command_line(
                work,
                &work.join(work_folder::SCHEMA),
                self.options.folder(),
                self.limits.dollars_left(),
            );
            Starts { role: option.trim_start_matches('-').to_owned(), command_line: line }
        });
        let prompts = match now {
            Some(now) => self.next_prompts(now).await?,
            None => self.first_prompts(),
        };
        let told = DryRun { agents: agents.collect(), prompts };
        Ok(Output::new(json!(told), "Nothing was started").with_markdown(render))
    }

    /// What the first ones are asked in a debate that this run opens.
    fn first_prompts(&self) -> Vec<Asks> {
        let mut prompts = Vec::new();
        if self.plan.is_none() {
            prompts.push(Asks::new(Role::Proposer, self.prompts().motion().text));
        }
        prompts.push(match self.players.opponents.len() {
            1 => Asks::new(Role::Opponent, self.prompts().first().text),
            _ => Asks::new(Part::Review, self.prompts().brief(true).text),
        });
        if !self.options.quick {
            prompts.push(Asks::new(Part::Reading, self.prompts().brief(false).text));
        }
        prompts
    }

    /// What is asked next in a debate that is there; nothing where nobody has to be.
    async fn next_prompts(&self, now: &DebateSnapshot) -> Result<Vec<Asks>, Failure> {
        let role = match now.state()? {
            StateName::Closed => return Ok(Vec::new()),
            StateName::AwaitingProposer => Role::Proposer,
            StateName::AwaitingOpponent if self.first_pass_is_due(now) => {
                return Ok(vec![Asks::new(Part::Review, self.prompts().brief(true).text)]);
            }
            StateName::AwaitingOpponent => Role::Opponent,
            StateName::AwaitingArbitrator | StateName::InterventionPending => {
                match arbitrator::who_rules(&self.players.arbitrator, now)? {
                    Ruler::Agent => Role::Arbitrator,
                    Ruler::Agreed => return Ok(Vec::new()),
                    Ruler::Person => {
                        let question = question::question(now, &self.file.borrow().state.notes, Screen::default());
                        return Ok(vec![Asks::new(Role::Arbitrator, question)]);
                    }
                }
            }
        };
        let mut prompts = Vec::new();
        if role == Role::Opponent && self.reader_due(now).is_some() {
            prompts.push(Asks::new(Part::Reading, self.prompts().brief(false).text));
        }
        if self.own_resolution(now, role).is_none() {
            let plan = self.plan_in_folder(now, role).await?;
            let moves = now.turn(role).map(|turn| &turn.moves[..]).unwrap_or_default();
            prompts.push(Asks::new(role, self.prompts().turn(now, role, moves, &plan).text));
        }
        Ok(prompts)
    }
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let DryRun { agents, prompts } = DryRun::deserialize(data)?;
    for Starts { role, command_line } in &agents {
        let program = command_line.first().map(Path::new).and_then(Path::file_name).unwrap_or_default();
        md.item(&format!("{role}: {}", sanitize::line(&program.to_string_lossy())));
    }
    for Starts { role, command_line } in agents {
        md.heading(2, &role);
        md.code(&shlex::try_join(command_line.iter().map(String::as_str)).unwrap_or_default());
    }
    for Asks { role, prompt } in prompts {
        md.heading(2, &format!("What the {role} is asked"));
        md.code(&prompt);
    }
    Ok(())
}
