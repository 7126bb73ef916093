//! What a batch asks about documents and changes in them.

use entity::{document, document_version};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, QueryFilter,
    QueryOrder, QuerySelect,
    sea_query::{Alias, Expr, ExprTrait, IntoIden, Query, TableRef, Value, ValueTuple},
};
use uuid::Uuid;

use crate::store::sets::{padded, value_column};

/// The rows of these documents and of those that these requests created, held against other writers until the
/// transaction ends.
pub(super) async fn lock_documents(
    transaction: &DatabaseTransaction,
    ids: Vec<Uuid>,
    requests: Vec<String>,
) -> Result<Vec<document::Model>, DbErr> {
    let by_id = (!ids.is_empty()).then(|| document::Column::Id.is_in(padded(ids)));
    let by_request = (!requests.is_empty()).then(|| document::Column::ClientRequestId.is_in(padded(requests)));
    if by_id.is_none() && by_request.is_none() {
        return Ok(Vec::new());
    }
    document::Entity::find()
        .filter(Condition::any().add_option(by_id).add_option(by_request))
        // Always in the same order, so that two servers cannot wait for each other.
        .order_by_asc(document::Column::Id)
        .lock_exclusive()
        .all(transaction)
        .await
}

/// Document, version and request id of what these requests stored before; some maybe more than once.
pub(super) async fn find_requests(
    transaction: &DatabaseTransaction,
    requests: Vec<(Uuid, String)>,
) -> Result<Vec<RequestRow>, DbErr> {
    use document_version::{Column, Entity};

    if requests.is_empty() {
        return Ok(Vec::new());
    }
    let wanted = Alias::new("wanted");
    let pairs = padded(requests)
        .into_iter()
        .map(|(document, request)| -> ValueTuple { ValueTuple::Many(vec![Value::from(document), request.into()]) });
    let select = Query::select()
        .columns([Column::DocumentId, Column::Version, Column::ClientRequestId].map(|column| (Entity, column)))
        .from_values(pairs, wanted.clone())
        .inner_join(
            Entity,
            Expr::col((Entity, Column::DocumentId))
                .equals((wanted.clone(), value_column(1)))
                .and(Expr::col((Entity, Column::ClientRequestId)).equals((wanted, value_column(2)))),
        )
        .to_owned();
    RequestRow::find_by_statement(transaction.get_database_backend().build(&select)).all(transaction).await
}

/// A version by the request that stored it, without what it says: that may be long.
#[derive(FromQueryResult)]
pub(super) struct RequestRow {
    pub document_id: Uuid,
    pub version: i64,
    pub client_request_id: String,
}

/// One version, with what it says.
pub(super) async fn find_version(
    transaction: &DatabaseTransaction,
    document: Uuid,
    version: i64,
) -> Result<Option<document_version::Model>, DbErr> {
    document_version::Entity::find_by_id((document, version)).one(transaction).await
}

/// A document that got versions or was deleted.
pub(super) struct Moved {
    pub id: Uuid,
    /// What it moved on from: the guard
    pub from_version: i64,
    pub latest_version: i64,
    pub summary: String,
    pub summary_folded: String,
    pub updated_at: i64,
    pub deleted_at: Option<i64>,
}

/// Moves documents on, each only from where it was read. Gives how many did.
pub(super) async fn update_documents(transaction: &DatabaseTransaction, moved: Vec<Moved>) -> Result<u64, DbErr> {
    use document::{Column, Entity};

    if moved.is_empty() {
        return Ok(0);
    }
    let next = Alias::new("next");
    let rows = padded(
        moved
            .into_iter()
            .map(|row| -> ValueTuple {
                ValueTuple::Many(vec![
                    row.id.into(),
                    row.from_version.into(),
                    row.latest_version.into(),
                    row.summary.into(),
                    row.summary_folded.into(),
                    row.updated_at.into(),
                    row.deleted_at.into(),
                ])
            })
            .collect(),
    );
    let from_next = |column: u8| Expr::col((next.clone(), value_column(column)));
    let update = Query::update()
        .table(Entity)
        .values([
            (Column::LatestVersion, from_next(3)),
            (Column::Summary, from_next(4)),
            (Column::SummaryFolded, from_next(5)),
            (Column::UpdatedAt, from_next(6)),
            (Column::DeletedAt, from_next(7)),
        ])
        .from(TableRef::ValuesList(rows, next.clone().into_iden()))
        .and_where(Expr::col((Entity, Column::Id)).equals((next.clone(), value_column(1))))
        .and_where(Expr::col((Entity, Column::LatestVersion)).equals((next.clone(), value_column(2))))
        .to_owned();
    Ok(transaction.execute(&update).await?.rows_affected())
}
