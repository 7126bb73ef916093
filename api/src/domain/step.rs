//! What adding an argument to a debate leads to. Writes and replays both go through this, so that each rule is written once.

use std::mem;

use chrono::{DateTime, Utc};

use super::{
    argument::{AppealOption, ArgumentKind, ChosenOption},
    citation::Citation,
    debate::{Debate, DebateType},
    hash::Hash,
    id::{ArgumentId, DebateId},
    issue::{Changes, IssueCounts, Ledger, RequestedChange},
    new_plan::PlanRefusal,
    plan::PlanCitations,
    rounds::Rounds,
    seat::Seats,
    state::{InterventionPending, State},
    state_machine::decide,
    submit_error::SubmitError,
    text::Title,
};

/// What never changes in a debate.
pub(super) struct Opening {
    pub id: DebateId,
    pub title: Title,
    pub debate_type: DebateType,
    /// No rounds yet, and how many there may be
    pub rounds: Rounds,
}

/// An argument to be added, as far as anything follows from it.
pub(super) struct Added<'a> {
    pub id: ArgumentId,
    pub kind: &'a ArgumentKind,
    pub issue_changes: Vec<RequestedChange>,
    pub citations: &'a [Citation],
    /// For a RULING with a chosen option: the options of the newest argument
    pub options: &'a [AppealOption],
    pub created_at: DateTime<Utc>,
    /// Why the plan that comes with it cannot be stored, if it cannot
    pub plan: Result<(), PlanRefusal>,
}

/// What an added argument leads to.
pub(super) struct Step {
    /// The debate, with the seats and the head that it had before
    pub debate: Debate,
    /// The INTERVENTION before it, if it is a late delivery
    pub late_for: Option<ArgumentId>,
    /// The option that a RULING chose
    pub chosen: Option<ChosenOption>,
    /// What it did to the issues
    pub changes: Changes,
}

impl Debate {
    /// A debate after its MOTION, without a head.
    pub(super) fn opened(
        Opening { id, title, debate_type, rounds }: Opening,
        motion: ArgumentId,
        citations: &[Citation],
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            id,
            title,
            debate_type,
            state: State::initial(),
            rounds,
            issue_counts: IssueCounts::default(),
            plan_citations: PlanCitations::default().after(&ArgumentKind::Motion, citations),
            seats: Seats::default(),
            last_seq: 1,
            last_argument_id: motion,
            late_target_id: None,
            ruling_since: None,
            head: Hash::UNSET,
            created_at: now,
            updated_at: now,
        }
    }

    /// Whether the issues are needed to add an argument of this kind, which asks for changes of them if `changes_issues`. If not, it
    /// changes none.
    pub(super) fn needs_issues(&self, kind: &ArgumentKind, changes_issues: bool) -> bool {
        changes_issues
            || match kind {
                ArgumentKind::Appeal { options, .. } => options.iter().any(|option| !option.issue_changes.is_empty()),
                ArgumentKind::Resolution { .. } => self.issue_counts.block_completion(),
                // It ends that issues are referred.
                ArgumentKind::Ruling { .. } => self.issue_counts.unsettled() > 0,
                ArgumentKind::Motion | ArgumentKind::Claim { .. } | ArgumentKind::Intervention => false,
            }
    }

    /// What an argument leads to that is added next. `ledger` has the issues, if [they are needed](Self::needs_issues), and is changed
    /// with it; an error changes nothing. `seq_of` returns the `seq` of an argument of this debate.
    pub(super) fn step(
        &self,
        added: Added<'_>,
        ledger: &mut Ledger,
        seq_of: impl Fn(ArgumentId) -> Option<u64>,
    ) -> Result<Step, SubmitError> {
        let Added { id, kind, issue_changes, citations, options, created_at, plan } = added;
        let decision = decide(self.state, self.rounds, self.last_seq, kind, seq_of)?;
        plan.map_err(|refusal| SubmitError::plan(refusal, &self.state))?;
        let seq = self.last_seq + 1;
        let (changes, issue_counts) = if self.needs_issues(kind, !issue_changes.is_empty()) {
            let mut after = ledger.clone();
            let changes =
                after.apply(kind, seq, issue_changes).map_err(|error| SubmitError::change(error, None, &self.state))?;
            after
                .check_options(kind.options(), seq + 1)
                .map_err(|(option, error)| SubmitError::change(error, Some(option), &self.state))?;
            let counts = after.counts();
            if matches!(kind, ArgumentKind::Resolution { .. }) && counts.block_completion() {
                return Err(SubmitError::IssuesOpen(after.blocking()));
            }
            *ledger = after;
            (changes, counts)
        } else {
            (Changes::default(), self.issue_counts)
        };
        let label_of = |number: usize| options.get(number).map(|option| option.label.clone());
        let mut debate = self.clone();
        debate.plan_citations = mem::take(&mut debate.plan_citations).after(kind, citations);
        debate.state = decision.state;
        debate.rounds = self.rounds.after(kind);
        debate.issue_counts = issue_counts;
        debate.last_seq = seq;
        debate.last_argument_id = id;
        debate.late_target_id = late_target(&decision.state, self.last_argument_id);
        // A late delivery does not begin anew.
        debate.ruling_since = decision.state.asks_for_ruling().map(|_| self.ruling_since.unwrap_or(created_at));
        debate.updated_at = created_at.max(self.updated_at);
        Ok(Step {
            debate,
            late_for: decision.late.then_some(self.last_argument_id),
            chosen: ChosenOption::of_ruling(seq, kind, label_of),
            changes,
        })
    }
}

/// What a late delivery may answer, if the state allows one: the argument before the INTERVENTION, which is the newest.
fn late_target(state: &State, before_newest: ArgumentId) -> Option<ArgumentId> {
    matches!(state, State::InterventionPending(InterventionPending::Open(_))).then_some(before_newest)
}
