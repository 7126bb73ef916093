//! The table `webhook_deliveries`, with the webhook messages that are still to be delivered.

use sea_orm::entity::prelude::*;

/// One message for one receiver. The row is deleted when the receiver has taken it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_deliveries")]
pub struct Model {
    /// The argument that caused the message
    #[sea_orm(primary_key, auto_increment = false)]
    pub argument_id: Uuid,
    /// The SHA-256 of the receiver's URL: the URL itself may contain secrets
    #[sea_orm(primary_key, auto_increment = false)]
    pub endpoint: Vec<u8>,
    /// `ruling.due`, `debate.opened` or `debate.closed`
    #[sea_orm(column_type = "Text")]
    pub event: String,
    /// The body to send
    #[sea_orm(column_type = "Text")]
    pub payload: String,
    /// When the argument was stored, in microseconds since 1970
    pub created_at: i64,
    /// How many attempts have begun
    pub attempts: i32,
    /// When the next attempt is due, in microseconds since 1970; during an attempt, when it counts as lost
    pub next_attempt_at: i64,
}

/// SeaORM requires this type. Queries write their joins themselves.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
