//! What is stored, as a SQLite file holds it whose server is gone.

use std::{collections::HashMap, path::Path};

use serde_json::json;
use sqlx::{
    Connection, Row,
    sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow},
};
use uuid::Uuid;

use super::stored::{History, Item, Stored};

impl Stored {
    /// What a file holds whose server is gone, once the database has put it in order.
    ///
    /// # Errors
    /// Where it cannot be read, or its pages do not fit together.
    pub async fn held(path: &Path) -> Result<Self, String> {
        let options = SqliteConnectOptions::new().filename(path);
        let mut connection = SqliteConnection::connect_with(&options).await.map_err(|e| e.to_string())?;
        let stored = read(&mut connection).await;
        connection.close().await.map_err(|e| e.to_string())?;
        stored
    }
}

async fn read(connection: &mut SqliteConnection) -> Result<Stored, String> {
    let mut rows = async |sql: &'static str| sqlx::query(sql).fetch_all(&mut *connection).await;
    let pages = rows("PRAGMA integrity_check(1)").await.map_err(|e| e.to_string())?;
    let found: String = pages[0].get(0);
    if found != "ok" {
        return Err(format!("the file is damaged: {found}"));
    }
    // A cut before the last of the migrations leaves tables that nobody has written to.
    let migrated = rows("SELECT 1 FROM pragma_table_info('arguments') WHERE name = 'hash'");
    if migrated.await.map_err(|e| e.to_string())?.is_empty() {
        return Ok(Stored::default());
    }
    let mut stored = Stored::default();
    let debates = rows("SELECT id, state, last_seq FROM debates ORDER BY id").await.map_err(|e| e.to_string())?;
    let mut histories: HashMap<String, History> = debates
        .iter()
        .map(|row| (id(row, 0), History { state: row.get(1), last_seq: number(row, 2), arguments: Vec::new() }))
        .collect();
    let arguments = rows(
        "SELECT debate_id, seq, content, lower(hex(hash)), id, parent_id, argument_type, role, close FROM arguments \
         ORDER BY debate_id, seq",
    );
    for row in arguments.await.map_err(|e| e.to_string())? {
        let of = id(&row, 0);
        let history = histories.get_mut(&of).ok_or_else(|| format!("arguments without their debate {of}"))?;
        let seq = number(&row, 1);
        let parent = row.get::<Option<Vec<u8>>, _>(5).map(|id| spelled(&id));
        let (kind, role, close): (String, String, Option<bool>) = (row.get(6), row.get(7), row.get(8));
        history.arguments.push(json!({
            "id": id(&row, 4), "seq": seq, "parent_id": parent, "type": kind, "role": role, "close": close,
        }));
        stored.items.push(Item { of, number: seq, content: row.get(2), rest: row.get(3) });
    }
    stored.histories = histories.into_values().collect();
    let versions = rows(
        "SELECT document_id, version, content, summary, metadata FROM document_versions ORDER BY document_id, version",
    );
    for row in versions.await.map_err(|e| e.to_string())? {
        let rest = format!("{} {}", row.get::<String, _>(3), row.get::<String, _>(4));
        stored.items.push(Item { of: id(&row, 0), number: number(&row, 1), content: row.get(2), rest });
    }
    Ok(stored)
}

fn id(row: &SqliteRow, column: usize) -> String {
    spelled(&row.get::<Vec<u8>, _>(column))
}

fn spelled(id: &[u8]) -> String {
    Uuid::from_slice(id).expect("ids are kept as their bytes").to_string()
}

fn number(row: &SqliteRow, column: usize) -> u64 {
    row.get::<i64, _>(column).try_into().expect("numbers are from 1 on")
}
