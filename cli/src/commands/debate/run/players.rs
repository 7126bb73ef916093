//! Who takes part in a run, and whose part is still to come.

use super::{
    arbitrator::Arbitrator,
    debate_snapshot::DebateSnapshot,
    options::{Options, invalid},
    program::Program,
    run_file::State,
};
use crate::{
    client::types::Role,
    output::{Failure, warning},
};

/// Who takes part.
pub struct Players {
    pub proposer: Program,
    pub opponents: Vec<Program>,
    pub arbitrator: Arbitrator,
}

impl Players {
    /// Who takes part, by default what is installed and logged in.
    pub async fn of(options: &mut Options) -> Result<Self, Failure> {
        let proposer = options.proposer.as_deref().map(|name| Program::parse("--proposer", name)).transpose()?;
        let opponents = options.opponents.iter().map(|name| Program::parse("--opponent", name));
        let mut opponents = opponents.collect::<Result<Vec<_>, _>>()?;
        let mut usable = Vec::new();
        if proposer.is_none() || opponents.is_empty() {
            for program in Program::defaults() {
                if program.check("").await.is_ok() {
                    usable.push(program);
                }
            }
        }
        let beside = |other: Option<&Program>| {
            let another = usable.iter().find(|one| other.is_none_or(|other| other.name() != one.name()));
            let one = another.or(usable.first()).ok_or_else(|| {
                invalid(
                    "none of claude-code, codex and gemini is installed and logged in",
                    "Install one and log in, or name programs with --proposer and --opponent: copilot, opencode, or your own as in \
                     --proposer 'command:./agent.sh'. Without any, you can argue by hand: aw debate create --help",
                )
            })?;
            if other.is_some_and(|other| other.name() == one.name()) {
                warning::add(format!("{one} plays both sides: two families of models see more than one"));
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
