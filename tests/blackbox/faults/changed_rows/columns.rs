//! The columns of the database, and how a value in one of them is changed.

use fastrand::Rng;
use tests::sql::Sql;
use uuid::Uuid;

use super::unit::Unit;

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Column {
    pub table: String,
    pub name: String,
    kind: Kind,
}

impl Column {
    /// Whether it is the state of debates, or of the table that counts them by state.
    pub fn has_or_counts_states(&self) -> bool {
        self.table == "debate_totals" || (self.table == "debates" && self.name == "state")
    }
}

/// What a column has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Text,
    Number,
    Bool,
    Bytes,
    Id,
}

impl Kind {
    /// The kind of the type that a database names.
    fn of(named: &str) -> Self {
        // SQLite's types may have a length.
        match named.to_ascii_lowercase().split('(').next().unwrap_or_default() {
            "" | "text" | "varchar" | "character varying" => Self::Text,
            "boolean" => Self::Bool,
            "bytea" | "blob" | "varbinary_blob" => Self::Bytes,
            "uuid" | "uuid_text" | "uuid_blob" => Self::Id,
            "bigint" | "integer" | "int" => Self::Number,
            other => panic!("columns of type {other} are not known here"),
        }
    }
}

/// A change that was made.
#[derive(Debug, Clone)]
pub struct Applied {
    pub column: Column,
    pub statement: String,
}

/// What is not changed: a server does not start where it cannot read which migrations were applied, or knows others.
const LEFT_ALONE: [(&str, &str); 2] = [("seaql_migrations", "applied_at"), ("seaql_migrations", "version")];

/// All columns of the database. SQLite's own tables behind the indices of titles and texts are none.
pub async fn columns(sql: &mut Sql) -> Vec<Column> {
    let query = match sql {
        Sql::Sqlite(_) => {
            "SELECT tables.name || ' ' || columns.name || ' ' || columns.type \
             FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns \
             WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%' AND tables.name NOT LIKE 'debate_titles!_%' ESCAPE '!' \
             AND tables.name NOT LIKE 'search_index%' AND tables.name NOT LIKE 'search_argument_index%'"
        }
        Sql::Postgres(_) => {
            "SELECT table_name || ' ' || column_name || ' ' || data_type FROM information_schema.columns \
             WHERE table_schema = 'public'"
        }
    };
    let column = |text: &String| {
        let mut words = text.splitn(3, ' ').map(str::to_owned);
        let mut next = || words.next().unwrap_or_default();
        let (table, name, kind) = (next(), next(), next());
        let is_left_alone = LEFT_ALONE.contains(&(table.as_str(), name.as_str()));
        (!is_left_alone).then(|| Column { kind: Kind::of(&kind), table, name })
    };
    let mut columns: Vec<Column> = sql.texts(query).await.iter().filter_map(column).collect();
    columns.sort_unstable();
    columns
}

/// Changes a value of the column in a random row of the unit. Returns nothing if the database refuses every change.
pub async fn change(sql: &mut Sql, random: &mut Rng, column: &Column, unit: &Unit, other: &Unit) -> Option<Applied> {
    let Column { table, name, .. } = column;
    let number = random.u32(..1000);
    let (of_unit, order) = rows(sql, table, unit);
    let (of_other, _) = rows(sql, table, other);
    let nth = |of: &str, what: &str| {
        format!(
            "(SELECT {what} FROM {table} WHERE {of} ORDER BY {order} LIMIT 1 \
             OFFSET (SELECT {number} % COUNT(*) FROM {table} WHERE {of}))"
        )
    };
    let mut values = values(sql, random, column);
    values.push(nth(&of_other, name));
    random.shuffle(&mut values);
    for value in values {
        let statement = format!(
            "UPDATE {table} SET {name} = {value} WHERE {of_unit} AND {order} = {} AND {name} IS DISTINCT FROM {value}",
            nth(&of_unit, order)
        );
        if sql.execute(&statement).await == Ok(1) {
            return Some(Applied { column: column.clone(), statement });
        }
    }
    None
}

/// Values that a column may be changed to. The database refuses some of them.
fn values(sql: &Sql, random: &mut Rng, Column { name, kind, .. }: &Column) -> Vec<String> {
    let is_sqlite = matches!(sql, Sql::Sqlite(_));
    let mut values = vec!["NULL".to_owned()];
    match kind {
        Kind::Text => {
            values.push(format!("COALESCE({name}, '') || 'x'"));
            values.push(format!("replace({name}, 'e', 'a')"));
            values.push(format!("replace({name}, '1', '2')"));
            if is_sqlite {
                values.push("CAST(X'41FF' AS TEXT)".to_owned());
                values.push("X'00FF'".to_owned());
            }
        }
        Kind::Number => {
            values.push(format!("COALESCE({name}, 0) + 1"));
            values.push(format!("COALESCE({name}, 0) - 1"));
            if is_sqlite {
                values.push("'x'".to_owned());
            }
        }
        Kind::Bool => values.push(format!("NOT COALESCE({name}, FALSE)")),
        Kind::Bytes => {
            values.push(bytes(is_sqlite, &std::iter::repeat_with(|| random.u8(..)).take(32).collect::<Vec<_>>()))
        }
        Kind::Id => values.push(id(sql, Uuid::from_u128(random.u128(..)))),
    }
    values
}

/// The rows of a table that belong to a unit, and the column that orders them.
fn rows(sql: &Sql, table: &str, unit: &Unit) -> (String, &'static str) {
    let parse = |text: &str| id(sql, text.parse().expect("an id"));
    let (debate, document) = (parse(&unit.debate.id), parse(&unit.document.id));
    match table {
        "debates" => (format!("id = {debate}"), "id"),
        "arguments" => (format!("debate_id = {debate}"), "seq"),
        "issues" => (format!("debate_id = {debate}"), "number"),
        "search_texts" => (format!("debate_id = {debate}"), "id"),
        "documents" => (format!("id = {document}"), "id"),
        "document_versions" => (format!("document_id = {document}"), "version"),
        "webhook_deliveries" => {
            (format!("argument_id IN (SELECT id FROM arguments WHERE debate_id = {debate})"), "argument_id")
        }
        "debate_titles" => (format!("debate_id = {debate}"), "rowid"),
        "debate_totals" => ("debates > 0".to_owned(), if matches!(sql, Sql::Sqlite(_)) { "rowid" } else { "ctid" }),
        "seaql_migrations" => ("applied_at IS NOT NULL".to_owned(), "version"),
        other => panic!("which rows of {other} belong to a debate or a document is not known here"),
    }
}

fn id(sql: &Sql, id: Uuid) -> String {
    match sql {
        Sql::Sqlite(_) => format!("X'{}'", id.simple()),
        Sql::Postgres(_) => format!("'{id}'::uuid"),
    }
}

fn bytes(is_sqlite: bool, bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    if is_sqlite { format!("X'{digits}'") } else { format!("'\\x{digits}'::bytea") }
}
