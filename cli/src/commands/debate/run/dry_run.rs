//! What a dry run tells: who would be started, and what would be asked next.

use std::{io, path::Path};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    Runner,
    debate_snapshot::DebateSnapshot,
    part::Part,
    prompt::Prompt,
    question::{self, Screen},
    turn_loop::Due,
};
use crate::{
    client::types::Role,
    commands::debate::next_command,
    output::{Failure, Markdown, Output, format_choice::is_for_a_person, sanitize},
};

/// A longer argument of a program, such as the schema of its answers, is no use to a person.
const MAX_SHOWN_BYTES: usize = 300;

/// How many lines a person is shown of what somebody would be asked.
const MAX_SHOWN_LINES: usize = 12;

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
    /// Its name, which a person is told besides
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program: Option<String>,
}

/// What somebody would be asked.
#[derive(Serialize, Deserialize)]
struct Asks {
    role: String,
    prompt: String,
}

impl Asks {
    fn new(role: impl ToString, prompt: Prompt) -> Self {
        Self { role: role.to_string(), prompt: prompt.text }
    }
}

/// What a dry run tells: who would be started, and what would be asked next. `now` is the debate, if it is there.
pub async fn dry_run(runner: &Runner, now: Option<&DebateSnapshot>) -> Result<Output, Failure> {
    let (work, folder) = (Path::new("WORK_FOLDER"), runner.options.folder());
    let is_for_a_person = is_for_a_person(&io::stdout());
    let agents = runner.players.programs().map(|(option, program)| Starts {
        role: option.trim_start_matches('-').to_owned(),
        command_line: program.command_line(work, folder, runner.limits.dollars_left()),
        program: is_for_a_person.then(|| program.name()),
    });
    let prompts = match now {
        Some(now) => next_prompts(runner, now).await?,
        None => first_prompts(runner),
    };
    let told = DryRun { agents: agents.collect(), prompts };
    Ok(Output::new(json!(told), "Nothing was started").with_markdown(render))
}

/// What the first ones are asked in a debate that this run opens.
fn first_prompts(runner: &Runner) -> Vec<Asks> {
    let prompts = runner.prompts();
    let motion = runner.plan.is_none().then(|| Asks::new(Role::Proposer, prompts.motion()));
    let first = match runner.players.opponents.len() {
        1 => Asks::new(Role::Opponent, prompts.first()),
        _ => Asks::new(Part::Review, prompts.brief(true)),
    };
    let reading = (!runner.options.quick).then(|| Asks::new(Part::Reading, prompts.brief(false)));
    motion.into_iter().chain([first]).chain(reading).collect()
}

/// What is asked next in a debate that is there; nothing where nobody has to be.
async fn next_prompts(runner: &Runner, now: &DebateSnapshot) -> Result<Vec<Asks>, Failure> {
    let turn = async |role: Role| {
        let plan = runner.plan_in_folder(now, role).await?;
        let moves = now.turn(role).map(|turn| &turn.moves[..]).unwrap_or_default();
        Ok::<_, Failure>(Asks::new(role, runner.prompts().turn(now, role, moves, &plan)))
    };
    Ok(match runner.due(now)? {
        Due::Nothing | Due::Own(..) => Vec::new(),
        Due::FirstPass => vec![Asks::new(Part::Review, runner.prompts().brief(true))],
        Due::Reading(_) => {
            vec![Asks::new(Part::Reading, runner.prompts().brief(false)), turn(Role::Opponent).await?]
        }
        Due::Turn(role) => vec![turn(role).await?],
        Due::Question => {
            let url = is_for_a_person(&io::stdout()).then(|| runner.url());
            let notes = &runner.file.borrow().state.notes;
            let prompt = question::question(now, notes, url.as_deref(), Screen::default());
            vec![Asks { role: Role::Arbitrator.to_string(), prompt }]
        }
    })
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let told = DryRun::deserialize(data)?;
    if md.is_for_a_person() {
        show(told, md);
        return Ok(());
    }
    let DryRun { agents, prompts } = told;
    for Starts { role, command_line, .. } in &agents {
        let program = command_line.first().map(Path::new).and_then(Path::file_name).unwrap_or_default();
        md.item(&format!("{role}: {}", sanitize::line(&program.to_string_lossy())));
    }
    for Starts { role, command_line, .. } in agents {
        md.heading(2, &role);
        md.code(&shlex::try_join(command_line.iter().map(String::as_str)).unwrap_or_default());
    }
    for Asks { role, prompt } in prompts {
        md.heading(2, &format!("What the {role} is asked"));
        md.code(&prompt);
    }
    Ok(())
}

/// A person looks for who would be started, which stands last; whoever wants all of it has it in the other formats.
fn show(DryRun { agents, prompts }: DryRun, md: &mut Markdown) {
    for Asks { role, prompt } in prompts {
        md.heading(2, &format!("What the {role} is asked"));
        let lines: Vec<_> = prompt.lines().collect();
        let shown = &lines[..lines.len().min(MAX_SHOWN_LINES)];
        md.code(&shown.join("\n"));
        if shown.len() < lines.len() {
            let more = next_command::count((lines.len() - shown.len()) as u64, "more line");
            md.paragraph(&format!("{more}, which `--format markdown` prints."));
        }
    }
    md.heading(2, "Who would be started");
    let mut by_program: Vec<(Vec<String>, Starts)> = Vec::new();
    for one in agents {
        let is_same = |other: &Starts| (&other.program, &other.command_line) == (&one.program, &one.command_line);
        match by_program.iter_mut().find(|(_, other)| is_same(other)) {
            Some((roles, _)) => roles.push(one.role),
            None => by_program.push((vec![one.role.clone()], one)),
        }
    }
    for (roles, Starts { command_line, program, .. }) in by_program {
        let name = program.unwrap_or_default();
        md.paragraph(&md.told(&format!("{}: {name}", roles.join(" and "))));
        let shown = command_line.iter().map(|word| match word.len() {
            MAX_SHOWN_BYTES.. => format!("({} bytes)", word.len()),
            _ => word.clone(),
        });
        let shown: Vec<String> = shown.collect();
        md.code(&shlex::try_join(shown.iter().map(String::as_str)).unwrap_or_default());
    }
}
