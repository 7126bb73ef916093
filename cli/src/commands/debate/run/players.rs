//! Who takes part in a run, and whose part is still to come.

use super::{
    arbitrator::Arbitrator,
    debate_snapshot::DebateSnapshot,
    options::{Options, invalid},
    program::{self, Program, Unready},
    progress::is_told_on_one_screen,
    run_file::State,
};
use crate::{
    client::types::Role,
    output::{Failure, terminal, warning},
};

/// Who takes part.
pub struct Players {
    pub proposer: Program,
    pub opponents: Vec<Program>,
    pub arbitrator: Arbitrator,
}

/// No program is ready for these sides, of which none was named.
fn no_program(sides: &[&str], unready: &[(Program, Unready)]) -> Failure {
    let there = unready.iter().filter_map(|(program, why)| match why {
        Unready::NotInstalled => None,
        Unready::DoesNotWork(problem) => Some(format!("{program}: {problem}")),
        Unready::NotLoggedIn => Some(format!("{program} is not logged in")),
    });
    let there: Vec<_> = there.collect();
    let login = unready.iter().find(|(_, why)| *why == Unready::NotLoggedIn);
    let how = match login.and_then(|(program, _)| program.logged_in_by()) {
        Some(by) => format!("Log in with `{by}`"),
        None => format!("{} and log in", program::how_to_install()),
    };
    let whose = match sides {
        [side] => format!("there is no program for the {side}: "),
        _ => String::new(),
    };
    let what = if there.is_empty() { "installed".to_owned() } else { format!("ready: {}", there.join("; ")) };
    let options = sides.iter().map(|side| format!("--{side}")).collect::<Vec<_>>().join(" and ");
    invalid(
        format!("{whose}none of claude-code, codex and gemini is {what}"),
        &format!(
            "{how}, or name programs with {options}: copilot, opencode, or your own such as 'command:./agent.sh'. Without any, a person can \
             play both sides: `aw debate by-hand` says how"
        ),
    )
}

/// Says that one program plays both sides: to a person at once, to whoever reads only the end there, too.
fn tell_of_one_family(program: &Program) {
    let text = format!("{program} plays both sides: two families of models see more than one");
    if is_told_on_one_screen() { terminal::note(&text) } else { warning::add(text) }
}

impl Players {
    /// Who takes part, by default what is installed and logged in.
    pub async fn of(options: &mut Options) -> Result<Self, Failure> {
        let proposer = options.proposer.as_deref().map(|name| Program::parse("--proposer", name)).transpose()?;
        let opponents = options.opponents.iter().map(|name| Program::parse("--opponent", name));
        let mut opponents = opponents.collect::<Result<Vec<_>, _>>()?;
        let open = [proposer.is_none().then_some("proposer"), opponents.is_empty().then_some("opponent")];
        let open: Vec<_> = open.into_iter().flatten().collect();
        let (mut usable, mut unready) = (Vec::new(), Vec::new());
        if !open.is_empty() {
            for program in Program::defaults() {
                match program.installed().await.unready() {
                    None => usable.push(program),
                    Some(why) => unready.push((program, why)),
                }
            }
        }
        let beside = |other: Option<&Program>| {
            let another = usable.iter().find(|one| other.is_none_or(|other| other.name() != one.name()));
            let one = another.or(usable.first()).ok_or_else(|| no_program(&open, &unready))?;
            if other.is_some_and(|other| other.name() == one.name()) {
                tell_of_one_family(one);
            }
            Ok::<_, Failure>(one.clone())
        };
        let proposer = proposer.map_or_else(|| beside(opponents.first()), Ok)?;
        if opponents.is_empty() {
            opponents.push(beside(Some(&proposer))?);
        }
        if options.quick && opponents.len() > 1 {
            return Err(invalid("--quick takes one opponent", "Name one, or leave --quick out"));
        }
        let arbitrator = Arbitrator::parse(options.arbitrator.as_deref().unwrap_or("agreed"))?;
        // Who goes on is who began, whatever is installed then.
        options.proposer = Some(proposer.given().to_owned());
        options.opponents = opponents.iter().map(|opponent| opponent.given().to_owned()).collect();
        let players = Self { proposer, opponents, arbitrator };
        let without_cost = players.programs().find(|(_, program)| options.max_cost.is_some() && !program.tells_cost());
        if let Some((_, program)) = without_cost {
            let problem = format!("--max-cost cannot be held with {program}, which tells no cost");
            return Err(invalid(problem, "Give --max-tokens"));
        }
        Ok(players)
    }

    /// The programs, each with the option that names it.
    pub fn programs(&self) -> impl Iterator<Item = (&'static str, &Program)> {
        let arbitrator = match &self.arbitrator {
            Arbitrator::Agent(program) => Some(("--arbitrator", program)),
            Arbitrator::Agreed | Arbitrator::Human => None,
        };
        let opponents = self.opponents.iter().map(|opponent| ("--opponent", opponent));
        [("--proposer", &self.proposer)].into_iter().chain(opponents).chain(arbitrator)
    }

    /// The opponent that goes on from the first pass; none where that was not yet, or where others were named meanwhile.
    fn going_on(&self, state: &State) -> Option<&Program> {
        self.opponents.iter().find(|opponent| state.opponent.as_deref() == Some(opponent.given()))
    }

    /// Whether the opponents that were named have still to review the plan, at once and alone, before the opponent's first turn.
    pub fn first_pass_is_due(&self, now: &DebateSnapshot, state: &State) -> bool {
        let has_claimed = now.of_role(Role::Opponent).next().is_some();
        self.opponents.len() > 1 && self.going_on(state).is_none() && !has_claimed
    }

    /// Who has still to read the plan, if anybody: the last opponent named, before the opponent's second turn.
    pub fn reader_due(&self, now: &DebateSnapshot, state: &State) -> Option<&Program> {
        let is_due = now.of_role(Role::Opponent).count() == 1 && state.reading.is_none();
        self.opponents.last().filter(|_| is_due)
    }

    pub fn of_role(&self, role: Role, state: &State) -> &Program {
        match (role, &self.arbitrator) {
            (Role::Opponent, _) => self.going_on(state).or(self.opponents.first()).unwrap_or(&self.proposer),
            (Role::Arbitrator, Arbitrator::Agent(program)) => program,
            (Role::Proposer | Role::Arbitrator, _) => &self.proposer,
        }
    }
}
