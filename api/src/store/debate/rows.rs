//! Converts rows to debates and arguments and back. An impossible row is an error that names table, column and row.

use std::{fmt::Display, num::NonZeroU8};

use entity::{argument, debate};
use serde::{Serialize, de::DeserializeOwned};

pub(super) use super::row_errors::{ARGUMENTS, DEBATES, argument_name, bad_argument, debate_name};
use super::{issue_rows, json_list, plan_rows, row_errors::bad_debate};
use crate::{
    domain::{
        AppealOption, Argument, ArgumentId, ArgumentKind, ArgumentType, AwaitingArbitrator, AwaitingOpponent,
        AwaitingProposer, ChosenOption, Closed, Content, Debate, DebateId, Hash, InterventionPending, LateArgument,
        LateDelivery, ProposerRequest, RespondingTo, Role, Rounds, SeatKey, Seats, Side, State, StateName, Title,
        UnknownValue, folded,
    },
    store::{
        error::{InconsistentRow, RowName},
        fault::{Page, WithId},
        time::from_micros,
    },
};

/// The columns of `debates` that store the state.
pub(super) struct StateColumns {
    pub state: StateName,
    pub detail: Option<&'static str>,
    pub option_count: Option<i32>,
}

impl From<State> for StateColumns {
    fn from(state: State) -> Self {
        let columns = |detail, option_count| Self { state: state.name(), detail, option_count };
        let asked = |request| match request {
            ProposerRequest::Appeal { options } => {
                columns(Some(ArgumentType::Appeal.as_str()), Some(i32::try_from(options).unwrap_or(i32::MAX)))
            }
            ProposerRequest::Resolution => columns(Some(ArgumentType::Resolution.as_str()), None),
        };
        match state {
            State::AwaitingOpponent(AwaitingOpponent) | State::Closed(Closed) => columns(None, None),
            State::AwaitingProposer(AwaitingProposer { responding_to: RespondingTo::Claim }) => {
                columns(Some(ArgumentType::Claim.as_str()), None)
            }
            State::AwaitingProposer(AwaitingProposer { responding_to: RespondingTo::Ruling }) => {
                columns(Some(ArgumentType::Ruling.as_str()), None)
            }
            State::AwaitingArbitrator(AwaitingArbitrator { request }) => asked(request),
            State::InterventionPending(InterventionPending::Open(LateDelivery { interrupted })) => {
                columns(Some(interrupted.as_str()), None)
            }
            State::InterventionPending(InterventionPending::Delivered(LateArgument::Claim)) => {
                columns(Some(ArgumentType::Claim.as_str()), None)
            }
            State::InterventionPending(InterventionPending::Delivered(LateArgument::ProposerRequest(request))) => {
                asked(request)
            }
        }
    }
}

/// The state of a row of `debates`.
fn state(row: &debate::Model) -> Result<State, InconsistentRow> {
    let bad = |column, reason: &str| bad_debate(column, row, reason);
    let name: StateName = row.state.parse().map_err(|error: UnknownValue| bad("state", &error.to_string()))?;
    let question = |detail: &str| match (detail, row.option_count) {
        ("APPEAL", Some(count)) => match usize::try_from(count) {
            Ok(options) => Ok(Some(ProposerRequest::Appeal { options })),
            Err(_) => Err(bad("option_count", "is negative")),
        },
        ("APPEAL", None) => Err(bad("option_count", "is missing for an APPEAL")),
        ("RESOLUTION", None) => Ok(Some(ProposerRequest::Resolution)),
        (_, Some(_)) => Err(bad("option_count", "is set without an APPEAL")),
        (_, None) => Ok(None),
    };
    let impossible = || bad("state_detail", "does not fit the state");
    let asked = match &row.state_detail {
        Some(detail) => question(detail)?,
        None => question("")?,
    };
    match (name, row.state_detail.as_deref(), asked) {
        (StateName::AwaitingOpponent, None, None) => Ok(State::AwaitingOpponent(AwaitingOpponent)),
        (StateName::AwaitingProposer, Some("CLAIM"), None) => {
            Ok(State::AwaitingProposer(AwaitingProposer { responding_to: RespondingTo::Claim }))
        }
        (StateName::AwaitingProposer, Some("RULING"), None) => {
            Ok(State::AwaitingProposer(AwaitingProposer { responding_to: RespondingTo::Ruling }))
        }
        (StateName::AwaitingArbitrator, Some(_), Some(request)) => {
            Ok(State::AwaitingArbitrator(AwaitingArbitrator { request }))
        }
        (StateName::InterventionPending, Some("CLAIM"), None) => {
            Ok(State::InterventionPending(InterventionPending::Delivered(LateArgument::Claim)))
        }
        (StateName::InterventionPending, Some(_), Some(request)) => {
            Ok(State::InterventionPending(InterventionPending::Delivered(LateArgument::ProposerRequest(request))))
        }
        (StateName::InterventionPending, Some(side), None) => {
            let interrupted: Side = side.parse().map_err(|_| impossible())?;
            Ok(State::InterventionPending(InterventionPending::Open(LateDelivery { interrupted })))
        }
        (StateName::Closed, None, None) => Ok(State::Closed(Closed)),
        (
            StateName::AwaitingOpponent
            | StateName::AwaitingProposer
            | StateName::AwaitingArbitrator
            | StateName::InterventionPending
            | StateName::Closed,
            _,
            _,
        ) => Err(impossible()),
    }
}

/// What is wrong with a time since when a ruling is due where none is, or with none where one is.
pub(in crate::store) const RULING_SINCE_DOES_NOT_FIT: &str = "does not fit the state";

/// The debate of a row.
pub(in crate::store) fn debate(row: debate::Model) -> Result<Debate, InconsistentRow> {
    let debate = unchecked_debate(row)?;
    if debate.ruling_since_fits_state() {
        return Ok(debate);
    }
    Err(InconsistentRow::new(DEBATES, "ruling_since", debate_name(&debate), RULING_SINCE_DOES_NOT_FIT))
}

/// The debate of a row, of which nobody has checked that its state fits the time since when a ruling is due.
pub(in crate::store) fn unchecked_debate(row: debate::Model) -> Result<Debate, InconsistentRow> {
    let bad = |column, reason: &dyn Display| bad_debate(column, &row, reason);
    if row.title.len() > Title::RULE.max_bytes() {
        return Err(bad("title", &"is longer than a title may be"));
    }
    Ok(Debate {
        id: DebateId(row.id),
        debate_type: row.debate_type.parse().map_err(|error| bad("debate_type", &error))?,
        state: state(&row)?,
        rounds: rounds(&row)?,
        issue_counts: issue_rows::counts(row.issue_counts.as_deref())
            .ok_or_else(|| bad("issue_counts", &"is not a list of eight counts"))?,
        plan_citations: plan_rows::parse(row.plan.as_deref()).map_err(|reason| bad("plan", &reason))?,
        seats: Seats {
            proposer: seat(row.proposer_seat.as_deref()).ok_or_else(|| bad("proposer_seat", &"is not a hash"))?,
            opponent: seat(row.opponent_seat.as_deref()).ok_or_else(|| bad("opponent_seat", &"is not a hash"))?,
        },
        last_seq: seq(row.last_seq).ok_or_else(|| bad("last_seq", &"is not a positive number"))?,
        last_argument_id: ArgumentId(row.last_argument_id),
        late_target_id: row.late_target_id.map(ArgumentId),
        ruling_since: match row.ruling_since {
            Some(micros) => Some(from_micros(micros).ok_or_else(|| bad("ruling_since", &"is not a valid time"))?),
            None => None,
        },
        head: hash(row.head.as_deref()).ok_or_else(|| bad("head", &"is not a hash"))?,
        created_at: from_micros(row.created_at).ok_or_else(|| bad("created_at", &"is not a valid time"))?,
        updated_at: from_micros(row.updated_at).ok_or_else(|| bad("updated_at", &"is not a valid time"))?,
        title: Title::from_store(row.title),
    })
}

/// A seat, which may be free; none if the stored key is not the hash of one.
fn seat(stored: Option<&[u8]>) -> Option<Option<SeatKey>> {
    stored.map_or(Some(None), |bytes| SeatKey::from_bytes(bytes).map(Some))
}

fn rounds(row: &debate::Model) -> Result<Rounds, InconsistentRow> {
    let bad = |column, reason: &str| bad_debate(column, row, reason);
    let max = match row.max_rounds {
        Some(max) => {
            let max = u8::try_from(max).ok().and_then(NonZeroU8::new);
            Some(max.ok_or_else(|| bad("max_rounds", "is out of its range"))?)
        }
        None => None,
    };
    Ok(Rounds { done: u64::try_from(row.rounds).map_err(|_| bad("rounds", "is negative"))?, max })
}

/// A page of debates. One that cannot be is logged, counted and left out, so that the others are listed all the same.
pub(super) fn page(rows: impl IntoIterator<Item = WithId<debate::Model>>, total: u64) -> Page<Debate> {
    let decoded = |row: WithId<debate::Model>| row.decoded(DEBATES, |id| RowName::Debate(id, None)).and_then(debate);
    Page::new(rows.into_iter().map(decoded), total)
}

pub(super) fn debate_row(debate: &Debate) -> debate::Model {
    let columns = StateColumns::from(debate.state);
    debate::Model {
        id: debate.id.0,
        title: debate.title.as_str().to_owned(),
        title_folded: folded(debate.title.as_str()),
        debate_type: debate.debate_type.as_str().to_owned(),
        state: columns.state.as_str().to_owned(),
        state_detail: columns.detail.map(str::to_owned),
        option_count: columns.option_count,
        max_rounds: debate.rounds.max.map(|max| i32::from(max.get())),
        rounds: debate.rounds.done.cast_signed(),
        issue_counts: issue_rows::counts_json(&debate.issue_counts),
        plan: plan_rows::column(&debate.plan_citations),
        proposer_seat: seat_column(debate.seats.proposer),
        opponent_seat: seat_column(debate.seats.opponent),
        last_seq: debate.last_seq.cast_signed(),
        last_argument_id: debate.last_argument_id.0,
        late_target_id: debate.late_target_id.map(|id| id.0),
        ruling_since: debate.ruling_since.map(|time| time.timestamp_micros()),
        created_at: debate.created_at.timestamp_micros(),
        updated_at: debate.updated_at.timestamp_micros(),
        head: Some(debate.head.as_bytes().to_owned()),
    }
}

/// A seat as it is stored.
pub(super) fn seat_column(key: Option<SeatKey>) -> Option<Vec<u8>> {
    key.map(|key| key.as_bytes().to_owned())
}

/// The argument of a row, of which nobody has checked that it is as it was written. What is read for others than those who
/// check comes from [`select`](super::select).
pub(in crate::store) fn unchecked_argument(row: argument::Model) -> Result<Argument, InconsistentRow> {
    let bad = |column, reason: &dyn Display| bad_argument(column, &row, reason);
    let kind = kind(&row)?;
    if kind.role().as_str() != row.role {
        return Err(bad("role", &format!("is {:?} on a {}", row.role, row.argument_type)));
    }
    let request_id = match &row.client_request_id {
        Some(id) => Some(id.parse().map_err(|error| bad("client_request_id", &error))?),
        None => None,
    };
    let issue_changes: Vec<_> = list("issue_changes", row.issue_changes.as_deref(), &row)?;
    issue_rows::check_changes(&issue_changes).map_err(|reason| bad("issue_changes", &reason))?;
    let changed_issues: Vec<_> = list("changed_issues", row.changed_issues.as_deref(), &row)?;
    let changed_issues = changed_issues.into_iter().map(issue_rows::number).collect::<Option<_>>();
    let seq = seq(row.seq).ok_or_else(|| bad("seq", &"is not a positive number"))?;
    let chosen = ChosenOption::of_ruling(seq, &kind, |_| row.chosen_label.clone());
    if chosen.is_some() != row.chosen_option.is_some() || chosen.is_some() != row.chosen_label.is_some() {
        return Err(bad("chosen_label", &"does not fit chosen_option"));
    }
    Ok(Argument {
        id: ArgumentId(row.id),
        debate_id: DebateId(row.debate_id),
        seq,
        request_id,
        late_for: row.late_for.map(ArgumentId),
        created_at: from_micros(row.created_at).ok_or_else(|| bad("created_at", &"is not a valid time"))?,
        hash: hash(row.hash.as_deref()).ok_or_else(|| bad("hash", &"is not a hash"))?,
        kind,
        chosen,
        issue_changes,
        changed_issues: changed_issues.ok_or_else(|| bad("changed_issues", &"has a number that is not positive"))?,
        citations: list("citations", row.citations.as_deref(), &row)?,
        agents: list("agents", row.agents.as_deref(), &row)?,
        content: Content::from_store(row.content),
    })
}

/// The list in a column of `arguments`.
fn list<T: DeserializeOwned>(
    name: &'static str,
    column: Option<&str>,
    row: &argument::Model,
) -> Result<Vec<T>, InconsistentRow> {
    json_list::parse(column).map_err(|error| bad_argument(name, row, error))
}

/// The options of an APPEAL.
fn options(row: &argument::Model) -> Result<Vec<AppealOption>, InconsistentRow> {
    let options: Vec<AppealOption> = list("options", row.options.as_deref(), row)?;
    let changes = options.iter().flat_map(|option| &option.issue_changes);
    issue_rows::check_changes(changes).map_err(|reason| bad_argument("options", row, reason))?;
    Ok(options)
}

fn kind(row: &argument::Model) -> Result<ArgumentKind, InconsistentRow> {
    let bad = |column, reason: &dyn Display| bad_argument(column, row, reason);
    let argument_type: ArgumentType = row.argument_type.parse().map_err(|error| bad("argument_type", &error))?;
    let parent_id = || row.parent_id.map(ArgumentId).ok_or_else(|| bad("parent_id", &"is missing on what answers"));
    let kind = match argument_type {
        ArgumentType::Motion => ArgumentKind::Motion,
        ArgumentType::Claim => {
            let by: Role = row.role.parse().map_err(|error| bad("role", &error))?;
            match by {
                Role::Proposer => ArgumentKind::Claim { by: Side::Proposer, parent_id: parent_id()? },
                Role::Opponent => ArgumentKind::Claim { by: Side::Opponent, parent_id: parent_id()? },
                Role::Arbitrator => return Err(bad("role", &"is the arbitrator's on a CLAIM")),
            }
        }
        ArgumentType::Appeal => ArgumentKind::Appeal { parent_id: parent_id()?, options: options(row)? },
        ArgumentType::Resolution => ArgumentKind::Resolution { parent_id: parent_id()? },
        ArgumentType::Intervention => ArgumentKind::Intervention,
        ArgumentType::Ruling => {
            let close = row.close.ok_or_else(|| bad("close", &"is missing on a RULING"))?;
            let chosen_option = match row.chosen_option.map(usize::try_from) {
                Some(Ok(index)) => Some(index),
                Some(Err(_)) => return Err(bad("chosen_option", &"is negative")),
                None => None,
            };
            ArgumentKind::Ruling { close, chosen_option }
        }
    };
    match argument_type {
        ArgumentType::Ruling => {}
        ArgumentType::Motion
        | ArgumentType::Claim
        | ArgumentType::Appeal
        | ArgumentType::Resolution
        | ArgumentType::Intervention => {
            if row.close.is_some() || row.chosen_option.is_some() {
                return Err(bad("close", &"or chosen_option is set on an argument that is not a RULING"));
            }
        }
    }
    if kind.parent_id().is_none() && row.parent_id.is_some() {
        return Err(bad("parent_id", &"is there on what answers nothing"));
    }
    if argument_type != ArgumentType::Appeal && row.options.is_some() {
        return Err(bad("options", &"is set on an argument that is not an APPEAL"));
    }
    Ok(kind)
}

pub(super) fn argument_row(argument: &Argument) -> Result<argument::Model, InconsistentRow> {
    let (close, chosen_option) = match &argument.kind {
        ArgumentKind::Ruling { close, chosen_option } => {
            let chosen = chosen_option.and_then(|index| i32::try_from(index).ok());
            (Some(*close), chosen)
        }
        ArgumentKind::Appeal { .. }
        | ArgumentKind::Motion
        | ArgumentKind::Claim { .. }
        | ArgumentKind::Resolution { .. }
        | ArgumentKind::Intervention => (None, None),
    };
    let changed_issues: Vec<_> = argument.changed_issues.iter().map(|number| number.get()).collect();
    Ok(argument::Model {
        id: argument.id.0,
        debate_id: argument.debate_id.0,
        seq: argument.seq.cast_signed(),
        parent_id: argument.kind.parent_id().map(|id| id.0),
        argument_type: argument.kind.argument_type().as_str().to_owned(),
        role: argument.role().as_str().to_owned(),
        content: argument.content.as_str().to_owned(),
        options: list_column("options", argument.options(), argument)?,
        close,
        chosen_option,
        chosen_label: argument.chosen.as_ref().map(|chosen| chosen.label.clone()),
        issue_changes: list_column("issue_changes", &argument.issue_changes, argument)?,
        changed_issues: list_column("changed_issues", &changed_issues, argument)?,
        citations: list_column("citations", &argument.citations, argument)?,
        agents: list_column("agents", &argument.agents, argument)?,
        late_for: argument.late_for.map(|id| id.0),
        client_request_id: argument.request_id.as_ref().map(|id| id.as_str().to_owned()),
        created_at: argument.created_at.timestamp_micros(),
        hash: Some(argument.hash.as_bytes().to_owned()),
    })
}

/// The column of `arguments` with a list.
fn list_column<T: Serialize>(
    name: &'static str,
    list: &[T],
    argument: &Argument,
) -> Result<Option<String>, InconsistentRow> {
    json_list::column(list).map_err(|error| InconsistentRow::new(ARGUMENTS, name, argument_name(argument), error))
}

/// The error for an argument that is missing although the debate counts it.
pub(super) fn missing_argument(debate: &Debate, seq: u64) -> InconsistentRow {
    let name = RowName::Argument { id: None, debate: debate.id.0, seq: seq.cast_signed() };
    InconsistentRow::new(DEBATES, "last_seq", name, "counts an argument that is missing")
}

fn seq(stored: i64) -> Option<u64> {
    u64::try_from(stored).ok().filter(|seq| *seq > 0)
}

/// The `seq` and the hash of an argument.
pub(super) fn seq_and_hash(
    debate: DebateId,
    id: ArgumentId,
    stored: i64,
    hashed: Option<Vec<u8>>,
) -> Result<(u64, Hash), InconsistentRow> {
    let name = || RowName::Argument { id: Some(id.0), debate: debate.0, seq: stored };
    let bad = |column, reason| InconsistentRow::new(ARGUMENTS, column, name(), reason);
    let seq = seq(stored).ok_or_else(|| bad("seq", "is not a positive number"))?;
    Ok((seq, hash(hashed.as_deref()).ok_or_else(|| bad("hash", "is not a hash"))?))
}

fn hash(stored: Option<&[u8]>) -> Option<Hash> {
    stored.and_then(Hash::from_bytes)
}
