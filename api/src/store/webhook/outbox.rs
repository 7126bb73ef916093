//! The messages that are still to be delivered: reads and updates them. The deliverer updates them itself, over the writer's
//! connections: nothing else depends on these rows, and each update is one statement.

use chrono::{DateTime, Utc};
use entity::webhook_delivery::{Column, Entity, Model};
use sea_orm::{ColumnTrait, EntityName, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr};
use tokio::sync::watch;

use crate::{
    domain::{ArgumentId, EndpointId},
    store::{
        Store,
        decoded::Decoded,
        error::{InconsistentRow, RowName, StoreError},
        fault::Fault,
        time,
    },
};

/// A message that this server has claimed, so that no other server sends it at the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The argument that caused the message
    pub argument_id: ArgumentId,
    /// The receiver
    pub endpoint: EndpointId,
    /// `ruling.due`, `debate.opened` or `debate.closed`
    pub event: String,
    /// The body to send
    pub payload: String,
    /// When the argument was stored
    pub created_at: DateTime<Utc>,
    /// Which attempt this is, from 1
    pub attempt: u32,
}

impl Store {
    /// Changes whenever this server has stored messages.
    pub fn outbox_filled(&self) -> watch::Receiver<()> {
        self.message_writer.filled()
    }

    /// How many receivers of webhooks this server sends to.
    pub fn webhook_endpoints(&self) -> usize {
        self.message_writer.endpoints()
    }

    /// Claims at most `limit` messages for this receiver that are due at `now`, the longest due first. If nothing is heard
    /// of a claimed message until `lost_at`, it is due again. No message is made due after `latest`: one that is was made
    /// before the clock was set back, and counts as due.
    ///
    /// # Errors
    /// If the database fails. What was claimed by then is due again at `lost_at`.
    pub async fn claim_deliveries(
        &self,
        endpoint: EndpointId,
        limit: u64,
        now: DateTime<Utc>,
        lost_at: DateTime<Utc>,
        latest: DateTime<Utc>,
    ) -> Result<Vec<Delivery>, StoreError> {
        let is_due = Column::NextAttemptAt.lte(now.timestamp_micros());
        let due = Entity::find()
            .filter(Column::Endpoint.eq(endpoint.as_bytes()))
            .filter(is_due.or(Column::NextAttemptAt.gt(latest.timestamp_micros())))
            .order_by_asc(Column::NextAttemptAt);
        let mut claimed = Vec::new();
        // Those that cannot be read stay due, and hide no other.
        let mut unreadable = 0;
        loop {
            let wanted = limit.saturating_sub(claimed.len() as u64);
            let page =
                due.clone().offset(unreadable).limit(wanted).into_model::<Decoded<Model>>().all(&self.read).await?;
            let (is_last, before) = (page.len() as u64 != wanted, unreadable);
            for Decoded(row) in page {
                match row {
                    Ok(row) => claimed.extend(self.claim(endpoint, row, lost_at).await?),
                    Err(error) => {
                        let name = RowName::Other("of a message".to_owned());
                        Fault::left_out(&InconsistentRow::undecodable(Entity.table_name(), name, &error));
                        unreadable += 1;
                    }
                }
            }
            if is_last || unreadable == before {
                return Ok(claimed);
            }
        }
    }

    /// Claims a message; none if another server was quicker.
    async fn claim(
        &self,
        endpoint: EndpointId,
        row: Model,
        lost_at: DateTime<Utc>,
    ) -> Result<Option<Delivery>, StoreError> {
        let attempt = row.attempts.saturating_add(1);
        let claim = Entity::update_many()
            .col_expr(Column::Attempts, Expr::value(attempt))
            .col_expr(Column::NextAttemptAt, Expr::value(lost_at.timestamp_micros()))
            .filter(key(row.argument_id, endpoint))
            .filter(Column::Attempts.eq(row.attempts));
        let is_claimed = claim.exec(&*self.write).await?.rows_affected == 1;
        Ok(is_claimed.then(|| delivery(row, endpoint, attempt)))
    }

    /// When the next message for this receiver is due; none if there is no message.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn next_delivery_at(&self, endpoint: EndpointId) -> Result<Option<DateTime<Utc>>, StoreError> {
        let first: Option<i64> = Entity::find()
            .select_only()
            .column(Column::NextAttemptAt)
            .filter(Column::Endpoint.eq(endpoint.as_bytes()))
            .order_by_asc(Column::NextAttemptAt)
            .limit(1)
            .into_tuple()
            .one(&self.read)
            .await?;
        Ok(first.and_then(time::from_micros))
    }

    /// Removes a message that was delivered or given up.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn end_delivery(&self, delivery: &Delivery) -> Result<(), StoreError> {
        Entity::delete_many().filter(key(delivery.argument_id.0, delivery.endpoint)).exec(&*self.write).await?;
        Ok(())
    }

    /// Removes all messages about arguments from before this time. Those for a receiver that no server sends to any more are
    /// removed by nothing else. Returns how many there were.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn discard_deliveries(&self, before: DateTime<Utc>) -> Result<u64, StoreError> {
        let old = Entity::delete_many().filter(Column::CreatedAt.lt(before.timestamp_micros()));
        Ok(old.exec(&*self.write).await?.rows_affected)
    }

    /// Makes a claimed message due again at `due_at`, unless another server has claimed it meanwhile.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn retry_delivery(&self, delivery: &Delivery, due_at: DateTime<Utc>) -> Result<(), StoreError> {
        Entity::update_many()
            .col_expr(Column::NextAttemptAt, Expr::value(due_at.timestamp_micros()))
            .filter(key(delivery.argument_id.0, delivery.endpoint))
            .filter(Column::Attempts.eq(delivery.attempt))
            .exec(&*self.write)
            .await?;
        Ok(())
    }
}

fn key(argument_id: uuid::Uuid, endpoint: EndpointId) -> sea_orm::sea_query::SimpleExpr {
    Column::ArgumentId.eq(argument_id).and(Column::Endpoint.eq(endpoint.as_bytes()))
}

fn delivery(row: Model, endpoint: EndpointId, attempt: i32) -> Delivery {
    Delivery {
        argument_id: ArgumentId(row.argument_id),
        endpoint,
        event: row.event,
        payload: row.payload,
        created_at: time::from_micros(row.created_at).unwrap_or_default(),
        attempt: attempt.unsigned_abs(),
    }
}
