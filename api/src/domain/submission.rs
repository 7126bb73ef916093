//! Opening a debate and adding an argument to it.

use std::num::NonZeroU8;

use chrono::{DateTime, Utc};

use super::{
    agent::Agent,
    argument::{AppealOption, Argument, ArgumentKind},
    citation::Citation,
    debate::{Debate, DebateType},
    hash::Hash,
    id::{ArgumentId, DebateId, RequestId},
    issue::{Ledger, RequestedChange},
    new_plan::{NewPlan, PlanRefusal},
    role::Side,
    rounds::Rounds,
    seat::{SeatKey, SeatTaken},
    step::{Added, Opening, Step},
    submit_error::SubmitError,
    text::{Content, Title},
};

/// A debate to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDebate {
    /// The id that the proposer chose
    pub id: DebateId,
    /// The title
    pub title: Title,
    /// The type
    pub debate_type: DebateType,
    /// The content of the MOTION; with a plan it may be empty
    pub motion: Content,
    /// The plan that comes with it
    pub plan: Option<NewPlan>,
    /// After so many rounds without a RULING the proposer has to appeal or to request completion; none for no limit
    pub max_rounds: Option<NonZeroU8>,
    /// The programs that were started to write it; a repeated request may name others
    pub agents: Vec<Agent>,
    /// Identifies the request when it is repeated
    pub request_id: RequestId,
    /// Takes the proposer's seat
    pub seat_key: Option<SeatKey>,
}

/// An argument to be added to a debate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// The debate to add it to
    pub debate_id: DebateId,
    /// The type, and what only this type has
    pub kind: ArgumentKind,
    /// The text; with a plan it may be empty
    pub content: Content,
    /// The plan that comes with it
    pub plan: Option<NewPlan>,
    /// The changes of issues that it asks for. Without a list, a RULING makes those of the option that it chooses
    pub issue_changes: Option<Vec<RequestedChange>>,
    /// The programs that were started to write it; a repeated request may name others
    pub agents: Vec<Agent>,
    /// Identifies the request when it is repeated
    pub request_id: Option<RequestId>,
    /// Takes the seat of the side that writes, or shows that it is the author's
    pub seat_key: Option<SeatKey>,
}

/// What is known of an argument only when it is stored.
#[derive(Debug, Clone)]
pub struct AtStoring<'a> {
    /// Its id
    pub id: ArgumentId,
    /// When it is stored
    pub now: DateTime<Utc>,
    /// What its content cites
    pub citations: Vec<Citation>,
    /// For a RULING with a chosen option: the options of the APPEAL, which is the newest argument
    pub options: &'a [AppealOption],
    /// Why the plan that comes with it cannot be stored, if it cannot
    pub plan: Result<(), PlanRefusal>,
}

impl Submission {
    /// Whether the options of the newest argument are needed to decide this one.
    pub fn needs_options(&self) -> bool {
        matches!(self.kind, ArgumentKind::Ruling { chosen_option: Some(_), .. })
    }

    /// The length of its texts, in bytes.
    pub fn text_bytes(&self) -> usize {
        let changes: usize = self.issue_changes.iter().flatten().map(RequestedChange::text_bytes).sum();
        let options: usize = self.kind.options().iter().map(AppealOption::text_bytes).sum();
        let plan = self.plan.as_ref().map_or(0, |plan| plan.content.as_str().len());
        self.content.as_str().len() + plan + changes + options
    }

    /// Whether it makes the changes of issues of the option that it chooses, since it names none itself.
    pub fn takes_changes_of_option(&self) -> bool {
        self.needs_options() && self.issue_changes.is_none()
    }

    /// Whether it may change issues that are not settled, or settled ones.
    pub fn may_change_issues(&self) -> bool {
        self.takes_changes_of_option() || self.issue_changes.as_ref().is_some_and(|changes| !changes.is_empty())
    }

    /// The changes of issues that it makes, if it chooses one of these options.
    fn changes(&self, options: &[AppealOption]) -> Vec<RequestedChange> {
        match (&self.issue_changes, &self.kind) {
            (Some(changes), _) => changes.clone(),
            (None, ArgumentKind::Ruling { chosen_option: Some(number), .. }) => {
                let chosen = options.get(*number);
                chosen.map_or_else(Vec::new, |option| option.issue_changes.iter().map(Into::into).collect())
            }
            (
                None,
                ArgumentKind::Motion
                | ArgumentKind::Claim { .. }
                | ArgumentKind::Appeal { .. }
                | ArgumentKind::Resolution { .. }
                | ArgumentKind::Intervention
                | ArgumentKind::Ruling { chosen_option: None, .. },
            ) => Vec::new(),
        }
    }
}

impl NewDebate {
    /// A debate to be created without anything that is optional.
    pub fn new(id: DebateId, title: Title, debate_type: DebateType, motion: Content, request_id: RequestId) -> Self {
        let agents = Vec::new();
        Self { id, title, debate_type, motion, plan: None, max_rounds: None, agents, request_id, seat_key: None }
    }

    /// The length of its texts, in bytes.
    pub fn text_bytes(&self) -> usize {
        self.motion.as_str().len() + self.plan.as_ref().map_or(0, |plan| plan.content.as_str().len())
    }

    /// Creates the debate with its MOTION, which cites `citations`.
    pub fn create(self, citations: Vec<Citation>, motion_id: ArgumentId, now: DateTime<Utc>) -> (Debate, Argument) {
        let rounds = Rounds { done: 0, max: self.max_rounds };
        let opening = Opening { id: self.id, title: self.title, debate_type: self.debate_type, rounds };
        let mut debate = Debate::opened(opening, motion_id, &citations, now);
        debate.seats = debate.seats.taken(Side::Proposer, self.seat_key);
        let motion = Argument {
            id: motion_id,
            debate_id: self.id,
            kind: ArgumentKind::Motion,
            seq: 1,
            content: self.motion,
            chosen: None,
            issue_changes: Vec::new(),
            changed_issues: Vec::new(),
            citations,
            agents: self.agents,
            request_id: Some(self.request_id),
            late_for: None,
            created_at: now,
            hash: Hash::UNSET,
        };
        let motion = motion.with_hash_after(Hash::of_debate(&debate));
        debate.head = motion.hash;
        (debate, motion)
    }

    /// Whether the key may repeat the request that created `debate`.
    pub fn check_seat(&self, debate: &Debate) -> Result<(), SeatTaken> {
        debate.seats.check(Side::Proposer, self.seat_key)
    }

    /// Whether `debate` and `motion` are what this request stored before.
    pub fn is_repeated_by(&self, debate: &Debate, motion: &Argument) -> bool {
        self.title == debate.title
            && self.debate_type == debate.debate_type
            && self.max_rounds == debate.rounds.max
            && is_text_of(motion, &self.motion, self.plan.as_ref(), debate)
    }
}

impl Submission {
    /// An argument to be added without anything that is optional.
    pub fn new(debate_id: DebateId, kind: ArgumentKind, content: Content) -> Self {
        let agents = Vec::new();
        Self { debate_id, kind, content, plan: None, issue_changes: None, agents, request_id: None, seat_key: None }
    }

    /// Whether the key may write to `debate` as the side that it writes as. The arbitrator needs no seat.
    pub fn check_seat(&self, debate: &Debate) -> Result<(), SeatTaken> {
        Side::of(self.kind.role()).map_or(Ok(()), |side| debate.seats.check(side, self.seat_key))
    }

    /// Whether `argument` of `debate` is what this request stored before. `options` are those of which the RULING `argument` chose one, if the
    /// request [takes its changes](Self::takes_changes_of_option).
    pub fn is_repeated_by(&self, debate: &Debate, argument: &Argument, options: &[AppealOption]) -> bool {
        if self.kind != argument.kind || !is_text_of(argument, &self.content, self.plan.as_ref(), debate) {
            return false;
        }
        let changes = self.changes(options);
        changes.len() == argument.issue_changes.len()
            && changes.iter().zip(&argument.issue_changes).all(|(asked, stored)| asked.is_repeated_by(stored))
    }

    /// Whether the issues of `debate` are needed to decide this argument. If not, it neither asks for them nor changes any.
    pub fn needs_issues(&self, debate: &Debate) -> bool {
        debate.needs_issues(&self.kind, self.may_change_issues())
    }
}

impl Debate {
    /// Adds an argument. Returns the changed debate and the argument; an error changes nothing.
    ///
    /// The seat was checked before, with [`Submission::check_seat`]. `seq_of` returns the `seq` of an argument of this debate, or
    /// `None` if the debate has no such argument. `ledger` has the issues of this debate, if [`Submission::needs_issues`], and is
    /// changed with it.
    pub fn submit(
        &self,
        submission: Submission,
        ledger: &mut Ledger,
        seq_of: impl Fn(ArgumentId) -> Option<u64>,
        AtStoring { id, now, citations, options, plan }: AtStoring<'_>,
    ) -> Result<(Self, Argument), SubmitError> {
        let added = Added {
            id,
            kind: &submission.kind,
            issue_changes: submission.changes(options),
            citations: &citations,
            options,
            created_at: now,
            plan,
        };
        let Step { mut debate, late_for, chosen, changes } = self.step(added, ledger, seq_of)?;
        let argument = Argument {
            id,
            debate_id: self.id,
            kind: submission.kind,
            seq: debate.last_seq,
            content: submission.content,
            chosen,
            issue_changes: changes.made,
            changed_issues: changes.changed,
            citations,
            agents: submission.agents,
            request_id: submission.request_id,
            late_for,
            created_at: now,
            hash: Hash::UNSET,
        };
        let argument = argument.with_hash_after(self.head);
        if let Some(side) = Side::of(argument.role()) {
            debate.seats = self.seats.taken(side, submission.seat_key);
        }
        debate.head = argument.hash;
        Ok((debate, argument))
    }
}

/// Whether an argument of `debate` has this text, which the citation of a version with the plan's text may precede.
fn is_text_of(argument: &Argument, text: &Content, plan: Option<&NewPlan>, debate: &Debate) -> bool {
    match plan {
        Some(plan) => {
            let document = debate.plan().map(|present| present.citation.document_id);
            plan.is_cited_by(argument, document, text)
        }
        None => *text == argument.content,
    }
}
