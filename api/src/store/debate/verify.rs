//! Checks that each debate follows from its arguments, and that the state counters agree.

use entity::{argument, debate};
use futures_util::TryStreamExt;
use sea_orm::{
    ColumnTrait, DatabaseConnection, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    prelude::Uuid, sea_query::Query,
};

use super::{
    issue_rows::ISSUES,
    issues,
    rows::{self, ARGUMENTS, DEBATES, argument_name, bad_argument, debate_name},
    state_counts,
};
use crate::{
    domain::{ArgumentId, Citation, DebateId, Hash, Replay, stand_in_text},
    store::{
        Location, Verified,
        backend::begin_read,
        document,
        error::{InconsistentRow, StoreError},
    },
};

/// The number of ids that are read at a time.
const PAGE_SIZE: u64 = 256;

/// Checks each debate with all its arguments, up to the first inconsistency.
pub(in crate::store) async fn verify(
    location: &Location,
    connection: &DatabaseConnection,
    verified: &mut Verified,
) -> Result<(), StoreError> {
    let orphan = argument::Entity::find()
        .filter(
            argument::Column::DebateId
                .not_in_subquery(Query::select().column(debate::Column::Id).from(debate::Entity).to_owned()),
        )
        .one(connection)
        .await?;
    if let Some(row) = orphan {
        return Err(bad_argument("debate_id", &row, "names no debate").into());
    }
    let mut after = None;
    loop {
        let ids: Vec<Uuid> = debate::Entity::find()
            .select_only()
            .column(debate::Column::Id)
            .filter(after.map_or_else(|| debate::Column::Id.is_not_null(), |id: Uuid| debate::Column::Id.gt(id)))
            .order_by_asc(debate::Column::Id)
            .limit(PAGE_SIZE)
            .into_tuple()
            .all(connection)
            .await?;
        let Some(last) = ids.last() else { break };
        after = Some(*last);
        for id in ids {
            // A snapshot of the debate and its arguments, as a server may write meanwhile.
            let snapshot = begin_read(location, connection).await?;
            verified.arguments += verify_debate(&snapshot, id).await?;
            verified.debates += 1;
            snapshot.rollback().await?;
        }
    }
    let snapshot = begin_read(location, connection).await?;
    state_counts::verify(&snapshot).await?;
    Ok(snapshot.rollback().await?)
}

/// Returns the number of arguments.
async fn verify_debate(snapshot: &DatabaseTransaction, id: Uuid) -> Result<u64, StoreError> {
    let row = debate::Entity::find_by_id(id).one(snapshot).await;
    let Some(row) = row.map_err(|error| InconsistentRow::unreadable(DEBATES, id, error))? else { return Ok(0) };
    if row.title_folded != row.title.to_ascii_lowercase() {
        let name = debate_name(id, row.last_seq);
        return Err(InconsistentRow::new(DEBATES, "title_folded", name, "is not the title in lower case").into());
    }
    let debate = rows::debate(row)?;
    let mut head = Hash::of_debate(&debate);
    let mut replay = Replay::new(debate.rounds.max);
    let (mut last, mut updated_at): (Option<(ArgumentId, u64)>, _) = (None, debate.created_at);
    let mut cited = Vec::new();
    let mut arguments = argument::Entity::find()
        .filter(argument::Column::DebateId.eq(id))
        .order_by_asc(argument::Column::Seq)
        .stream(snapshot)
        .await?;
    let next = |last: Option<(ArgumentId, u64)>| format!("of debate {id}, seq {}", last.map_or(0, |(_, seq)| seq) + 1);
    while let Some(row) =
        arguments.try_next().await.map_err(|error| InconsistentRow::unreadable(ARGUMENTS, next(last), error))?
    {
        let argument = rows::argument(row)?;
        let bad = |column, reason: String| {
            InconsistentRow::new(ARGUMENTS, column, argument_name(argument.id, id, argument.seq), reason)
        };
        replay.add(&argument).map_err(|fault| bad("seq", format!("is {}: {fault}", argument.seq)))?;
        head = Hash::of_argument(&argument, head);
        if head != argument.hash {
            return Err(bad("hash", "does not match this argument and those before it".to_owned()).into());
        }
        if !stand_in_text(&argument.citations, argument.content.as_str()) {
            return Err(bad("citations", "are not what the content cites, in its order".to_owned()).into());
        }
        cited.extend(argument.citations.iter().map(|citation| (argument.id, argument.seq, *citation)));
        updated_at = updated_at.max(argument.created_at);
        last = Some((argument.id, argument.seq));
    }
    drop(arguments);
    verify_cited(snapshot, debate.id, &cited).await?;
    let name = debate_name(id, last.map_or(debate.last_seq, |(_, seq)| seq));
    let bad = |column, reason: &str| InconsistentRow::new(DEBATES, column, &name, reason);
    let state = replay.state().map_err(|_| bad("last_seq", "counts arguments that are missing"))?;
    let (last_id, last_seq) = last.ok_or_else(|| bad("last_seq", "counts arguments that are missing"))?;
    if debate.last_seq != last_seq {
        return Err(bad("last_seq", &format!("is {}, while the arguments end at {last_seq}", debate.last_seq)).into());
    }
    if debate.last_argument_id != last_id {
        return Err(bad("last_argument_id", "is not the newest argument").into());
    }
    if debate.head != head {
        return Err(bad("head", "is not the hash of the newest argument").into());
    }
    if debate.state != state {
        return Err(bad("state", &format!("is not what the arguments lead to, {}", state.name().as_str())).into());
    }
    if debate.rounds != replay.rounds() {
        return Err(bad("rounds", "is not what the arguments lead to").into());
    }
    if debate.issue_counts != replay.ledger().counts() {
        return Err(bad("issue_counts", "is not what the arguments lead to").into());
    }
    if debate.plan_citations != *replay.plan_citations() {
        return Err(bad("plan", "is not what the arguments lead to").into());
    }
    if debate.late_target_id != replay.late_target() {
        return Err(bad("late_target_id", "is not what the arguments lead to").into());
    }
    let stored = issues::ledgers(snapshot, vec![id]).await?.remove(&debate.id).unwrap_or_default();
    if let Some(number) = stored.first_difference(replay.ledger()) {
        let seq =
            replay.ledger().get(number).or_else(|| stored.get(number)).map_or(last_seq, |issue| issue.changed_seq);
        let row = format!("{number} (debate {id}, seq {seq})");
        return Err(InconsistentRow::new(ISSUES, "number", row, "is not what the arguments lead to").into());
    }
    if debate.updated_at != updated_at {
        return Err(bad("updated_at", "is not the time of the newest argument").into());
    }
    Ok(last_seq)
}

/// Checks that the versions that arguments cite exist and have the same hash. Each comes with the id and the `seq` of its
/// argument.
async fn verify_cited(
    snapshot: &DatabaseTransaction,
    id: DebateId,
    cited: &[(ArgumentId, u64, Citation)],
) -> Result<(), StoreError> {
    let hashes = document::hashes(snapshot, cited.iter().map(|(_, _, citation)| citation.cited()).collect()).await?;
    for (argument, seq, citation) in cited {
        let reason = match hashes.get(&citation.cited()) {
            Some(sha256) if *sha256 == citation.sha256 => continue,
            Some(_) => " with another sha256 than that version has",
            None => ", which does not exist",
        };
        let reason = format!("cite doc_id={} v{}{reason}", citation.document_id, citation.version);
        return Err(InconsistentRow::new(ARGUMENTS, "citations", argument_name(argument, id, seq), reason).into());
    }
    Ok(())
}
