//! Reads the stored data from the SQLite file of a stopped server.

use std::{collections::HashMap, path::Path};

use serde_json::{Value, json};
use sqlx::{
    Connection, Row, Sqlite,
    sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow},
};
use uuid::Uuid;

use super::stored_data::{History, Item, Stored};

impl Stored {
    /// Opens the file, which makes SQLite recover it, and reads all data.
    ///
    /// # Errors
    /// A file that cannot be read or is damaged.
    pub async fn read_from_sqlite(path: &Path) -> Result<Self, String> {
        let options = SqliteConnectOptions::new().filename(path);
        let mut connection = SqliteConnection::connect_with(&options).await.map_err(|e| e.to_string())?;
        let stored = read(&mut connection).await;
        connection.close().await.map_err(|e| e.to_string())?;
        stored
    }
}

async fn read(connection: &mut SqliteConnection) -> Result<Stored, String> {
    let mut rows =
        async |sql: &'static str| sqlx::query(sql).fetch_all(&mut *connection).await.map_err(|error| error.to_string());
    let pages = rows("PRAGMA integrity_check(1)").await?;
    let found: String = pages.first().map_or_else(|| Err("no answer".to_owned()), |row| get(row, 0))?;
    if found != "ok" {
        return Err(format!("the file is damaged: {found}"));
    }
    // After a power cut during the first migrations there is no data yet.
    if rows("SELECT 1 FROM sqlite_schema WHERE name = 'arguments_citations'").await?.is_empty() {
        return Ok(Stored::default());
    }
    let mut stored = Stored::default();
    let mut histories = HashMap::new();
    for row in rows("SELECT id, state, last_seq FROM debates ORDER BY id").await? {
        let history =
            History { state: get(&row, 1)?, last_seq: number(&row, 2)?, arguments: Vec::new(), issues: Vec::new() };
        histories.insert(id(&row, 0)?, history);
    }
    let arguments = rows(
        "SELECT debate_id, seq, content, lower(hex(hash)), id, parent_id, argument_type, role, close, issue_changes, citations \
         FROM arguments ORDER BY debate_id, seq",
    );
    for row in arguments.await? {
        let of = id(&row, 0)?;
        let history = histories.get_mut(&of).ok_or_else(|| format!("arguments without their debate {of}"))?;
        let seq = number(&row, 1)?;
        let parent = get::<Option<Vec<u8>>>(&row, 5)?.map(|id| spelled(&id)).transpose()?;
        let (kind, role): (String, String) = (get(&row, 6)?, get(&row, 7)?);
        let close: Option<bool> = get(&row, 8)?;
        let changes: Option<String> = get(&row, 9)?;
        let changes = changes.map(|changes| serde_json::from_str::<Value>(&changes)).transpose();
        let changes = changes.map_err(|error| format!("changes that are no JSON: {error}"))?;
        history.arguments.push(json!({
            "id": id(&row, 4)?, "seq": seq, "parent_id": parent, "type": kind, "role": role, "close": close,
            "issue_changes": changes,
        }));
        let citations: Option<String> = get(&row, 10)?;
        let rest = format!("{} {}", get::<String>(&row, 3)?, citations.as_deref().unwrap_or("null"));
        stored.items.push(Item { of, number: seq, content: get(&row, 2)?, rest });
    }
    let issues = rows(
        "SELECT debate_id, number, severity, title, location, status, note, raised_by, raised_seq, changed_seq, upheld, \
         referred, reopened FROM issues ORDER BY debate_id, number",
    );
    for row in issues.await? {
        let of = id(&row, 0)?;
        let history = histories.get_mut(&of).ok_or_else(|| format!("issues without their debate {of}"))?;
        let words = |column| get::<Option<String>>(&row, column);
        history.issues.push(json!({
            "id": format!("I{}", number(&row, 1)?), "severity": words(2)?, "title": words(3)?, "location": words(4)?,
            "status": words(5)?, "note": words(6)?, "raised_by": words(7)?, "raised_seq": number(&row, 8)?,
            "changed_seq": number(&row, 9)?, "upheld": get::<bool>(&row, 10)?, "referred": get::<bool>(&row, 11)?,
            "reopened": number(&row, 12)?,
        }));
    }
    stored.histories = histories.into_values().collect();
    let versions = rows(
        "SELECT document_id, version, content, summary, metadata, lower(hex(sha256)) FROM document_versions \
         ORDER BY document_id, version",
    );
    for row in versions.await? {
        let rest = format!("{} {} {}", get::<String>(&row, 3)?, get::<String>(&row, 4)?, get::<String>(&row, 5)?);
        stored.items.push(Item { of: id(&row, 0)?, number: number(&row, 1)?, content: get(&row, 2)?, rest });
    }
    Ok(stored)
}

/// A value, which may be of another type in a damaged file.
fn get<'r, T>(row: &'r SqliteRow, column: usize) -> Result<T, String>
where
    T: sqlx::Decode<'r, Sqlite> + sqlx::Type<Sqlite>,
{
    row.try_get(column).map_err(|error| error.to_string())
}

fn id(row: &SqliteRow, column: usize) -> Result<String, String> {
    spelled(&get::<Vec<u8>>(row, column)?)
}

fn spelled(id: &[u8]) -> Result<String, String> {
    Ok(Uuid::from_slice(id).map_err(|error| format!("an id that is none: {error}"))?.to_string())
}

fn number(row: &SqliteRow, column: usize) -> Result<u64, String> {
    get::<i64>(row, column)?.try_into().map_err(|error| format!("a number that cannot be: {error}"))
}
