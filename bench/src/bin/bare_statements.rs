//! `bare_statements URL DEBATES SECONDS`: runs the statements that store one argument in each of so many debates, in one
//! transaction after the other, on a PostgreSQL database whose schema `aweave-server` made. It prints arguments a second: what
//! the database does when nothing but its statements costs time.

use std::{
    env,
    error::Error,
    io::{self, Write},
    time::{Duration, Instant},
};

use sqlx::{AssertSqlSafe, Connection, postgres::PgConnection};
use uuid::Uuid;

const CREATE: &str = "INSERT INTO debates (id, title, title_folded, debate_type, state, last_seq, last_argument_id, \
     created_at, updated_at, head) VALUES ($1, 'Rate', 'rate', 'general_debate', 'AWAITING_OPPONENT', 1, $1, 1, 1, $2)";

const COUNT: &str = "INSERT INTO debate_totals (slot, state, debates) VALUES ($1, $2, $3), ($4, $5, $6) \
     ON CONFLICT (slot, state) DO UPDATE SET debates = debate_totals.debates + excluded.debates";

struct Debate {
    id: Uuid,
    last_seq: i64,
    last_argument_id: Uuid,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [url, debates, seconds] = &arguments[..] else {
        return Err("usage: bare_statements URL DEBATES SECONDS".into());
    };
    let mut connection = PgConnection::connect(url).await?;
    let mut debates = create_debates(&mut connection, debates.parse()?).await?;
    let (update, insert) = (update_statement(debates.len()), insert_statement(debates.len()));
    let (start, duration, mut written) = (Instant::now(), Duration::from_secs_f64(seconds.parse()?), 0_u32);
    while start.elapsed() < duration {
        add_an_argument_to_each(&mut connection, &mut debates, &update, &insert).await?;
        written += debates.len() as u32;
    }
    writeln!(io::stdout(), "{:.0}", f64::from(written) / start.elapsed().as_secs_f64())?;
    Ok(())
}

async fn create_debates(connection: &mut PgConnection, count: usize) -> sqlx::Result<Vec<Debate>> {
    let mut debates = Vec::new();
    for _ in 0..count {
        let id = Uuid::new_v4();
        sqlx::query(CREATE).bind(id).bind(vec![7_u8; 32]).execute(&mut *connection).await?;
        debates.push(Debate { id, last_seq: 1, last_argument_id: id });
    }
    Ok(debates)
}

/// `($1, $2), ($3, $4)` for two rows of two columns.
fn placeholders(rows: usize, columns: usize) -> String {
    let row = |row: usize| {
        let numbers = (1..=columns).map(|column| format!("${}", row * columns + column)).collect::<Vec<_>>();
        format!("({})", numbers.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

fn update_statement(rows: usize) -> String {
    format!(
        "UPDATE debates SET state = n.column3, state_detail = n.column4, option_count = n.column5, \
         last_seq = n.column6, last_argument_id = n.column7, updated_at = n.column8, head = n.column9 \
         FROM (VALUES {}) AS n WHERE debates.id = n.column1 AND debates.last_seq = n.column2",
        placeholders(rows, 9)
    )
}

fn insert_statement(rows: usize) -> String {
    format!(
        "INSERT INTO arguments (id, debate_id, seq, parent_id, argument_type, role, content, options, close, \
         chosen_option, late_for, client_request_id, created_at, hash) VALUES {}",
        placeholders(rows, 14)
    )
}

async fn add_an_argument_to_each(
    connection: &mut PgConnection,
    debates: &mut [Debate],
    update: &str,
    insert: &str,
) -> sqlx::Result<()> {
    let mut transaction = connection.begin().await?;
    let (mut updating, mut inserting) = (sqlx::query(AssertSqlSafe(update)), sqlx::query(AssertSqlSafe(insert)));
    for Debate { id, last_seq, last_argument_id } in debates {
        let (seq, argument, parent, hash) = (*last_seq + 1, Uuid::now_v7(), *last_argument_id, vec![7_u8; 32]);
        updating = updating.bind(*id).bind(*last_seq).bind("AWAITING_OPPONENT").bind(None::<String>).bind(None::<i32>);
        updating = updating.bind(seq).bind(argument).bind(seq).bind(hash.clone());
        inserting = inserting.bind(argument).bind(*id).bind(seq).bind(parent).bind("CLAIM").bind("proposer");
        inserting = inserting.bind("claim").bind(None::<String>).bind(None::<bool>).bind(None::<i32>);
        inserting = inserting.bind(None::<Uuid>).bind(format!("bare-{seq}")).bind(seq).bind(hash);
        (*last_seq, *last_argument_id) = (seq, argument);
    }
    updating.execute(&mut *transaction).await?;
    inserting.execute(&mut *transaction).await?;
    let counting = sqlx::query(COUNT).bind(0).bind("AWAITING_OPPONENT").bind(1_i64);
    counting.bind(0).bind("AWAITING_PROPOSER").bind(-1_i64).execute(&mut *transaction).await?;
    transaction.commit().await
}
