//! Whether every debate is what its arguments make of it, and counted.

use entity::{argument, debate};
use futures_util::TryStreamExt;
use sea_orm::{
    ColumnTrait, DatabaseConnection, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    prelude::Uuid, sea_query::Query,
};

use super::{
    rows::{self, ARGUMENTS, DEBATES},
    totals,
};
use crate::{
    domain::{Hash, Replay},
    store::{
        Location, Verified,
        backend::begin_read,
        error::{InconsistentRow, StoreError},
    },
};

/// How many debates are named at a time.
const PAGE: u64 = 256;

/// Looks at every debate and all its arguments, until the first that cannot be.
pub(in crate::store) async fn verify(
    location: &Location,
    connection: &DatabaseConnection,
    verified: &mut Verified,
) -> Result<(), StoreError> {
    let astray = argument::Entity::find()
        .filter(
            argument::Column::DebateId
                .not_in_subquery(Query::select().column(debate::Column::Id).from(debate::Entity).to_owned()),
        )
        .one(connection)
        .await?;
    if let Some(row) = astray {
        return Err(InconsistentRow::new(ARGUMENTS, "debate_id", row.id, "names no debate").into());
    }
    let mut after = None;
    loop {
        let ids: Vec<Uuid> = debate::Entity::find()
            .select_only()
            .column(debate::Column::Id)
            .filter(after.map_or_else(|| debate::Column::Id.is_not_null(), |id: Uuid| debate::Column::Id.gt(id)))
            .order_by_asc(debate::Column::Id)
            .limit(PAGE)
            .into_tuple()
            .all(connection)
            .await?;
        let Some(last) = ids.last() else { break };
        after = Some(*last);
        for id in ids {
            // One moment for the debate and its arguments, also where a server writes meanwhile.
            let moment = begin_read(location, connection).await?;
            verified.arguments += verify_debate(&moment, id).await?;
            verified.debates += 1;
            moment.rollback().await?;
        }
    }
    let moment = begin_read(location, connection).await?;
    totals::verify(&moment).await?;
    Ok(moment.rollback().await?)
}

/// Gives how many arguments the debate has.
async fn verify_debate(moment: &DatabaseTransaction, id: Uuid) -> Result<u64, StoreError> {
    let Some(row) = debate::Entity::find_by_id(id).one(moment).await? else { return Ok(0) };
    if row.title_folded != row.title.to_ascii_lowercase() {
        return Err(InconsistentRow::new(DEBATES, "title_folded", id, "is not the title").into());
    }
    let debate = rows::debate(row)?;
    let mut head = Hash::of_debate(&debate);
    let mut replay = Replay::default();
    let (mut last, mut updated_at) = (None, debate.created_at);
    let mut arguments = argument::Entity::find()
        .filter(argument::Column::DebateId.eq(id))
        .order_by_asc(argument::Column::Seq)
        .stream(moment)
        .await?;
    while let Some(row) = arguments.try_next().await? {
        let argument = rows::argument(row)?;
        let bad = |column, reason: String| InconsistentRow::new(ARGUMENTS, column, argument.id, reason);
        replay.add(&argument).map_err(|fault| bad("seq", format!("is {}: {fault}", argument.seq)))?;
        head = Hash::of_argument(&argument, head);
        if head != argument.hash {
            return Err(bad(
                "hash",
                format!("at seq {} is not that of this argument after those before", argument.seq),
            )
            .into());
        }
        updated_at = updated_at.max(argument.created_at);
        last = Some((argument.id, argument.seq));
    }
    drop(arguments);
    let bad = |column, reason: &str| InconsistentRow::new(DEBATES, column, id, reason);
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
    if debate.updated_at != updated_at {
        return Err(bad("updated_at", "is not when the newest argument came").into());
    }
    Ok(last_seq)
}
