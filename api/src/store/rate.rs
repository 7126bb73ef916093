//! What the store makes of the database's rate: 64 debates that go back and forth, beside the same statements in a bare
//! loop. A measurement: `cargo test --release -p api -- --ignored --nocapture rate`.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use ::tests::postgres::Postgres;
use sqlx::{AssertSqlSafe, Connection, postgres::PgConnection};
use uuid::Uuid;

use super::{DebateWrite, Sources, Store};
use crate::domain::{ArgumentKind, Content, DebateId, DebateType, Limits, NewDebate, Side, Submission, Title};

const DEBATES: u128 = 64;

/// How long each of the two is measured.
const MEASURED: Duration = Duration::from_secs(5);

/// The least part of the bare rate.
const LEAST: f64 = 0.6;

fn content(text: &str) -> Content {
    Content::parse(text.into(), Limits::default().content()).unwrap()
}

/// Arguments a second by way of the store.
async fn by_the_store(store: &Arc<Store>) -> f64 {
    let start = Instant::now();
    let mut debating = tokio::task::JoinSet::new();
    for number in 0..DEBATES {
        let store = store.clone();
        debating.spawn(async move {
            let debate_id = DebateId(Uuid::from_u128(number));
            let new = NewDebate {
                id: debate_id,
                title: Title::parse("Rate".into()).unwrap(),
                debate_type: DebateType::GeneralDebate,
                motion: content("motion"),
                request_id: "open".parse().unwrap(),
            };
            let mut target = store.write_debate(DebateWrite::Create(new)).await.unwrap().argument.id;
            let mut written = 0;
            while start.elapsed() < MEASURED {
                let by = if written % 2 == 0 { Side::Opponent } else { Side::Proposer };
                let request_id = Some(format!("turn-{written}").parse().unwrap());
                let kind = ArgumentKind::Claim { by, parent_id: target };
                let write = DebateWrite::Submit(Submission { debate_id, content: content("claim"), request_id, kind });
                target = store.write_debate(write).await.unwrap().argument.id;
                written += 1;
            }
            written
        });
    }
    let written: u32 = debating.join_all().await.into_iter().sum();
    f64::from(written) / start.elapsed().as_secs_f64()
}

/// Arguments a second where only the statements run, as many at a time as there are debates.
async fn by_the_statements(connection: &mut PgConnection) -> f64 {
    let lists = |columns: usize| {
        let row = |row: usize| {
            let numbers = (1..=columns).map(|column| format!("${}", row * columns + column)).collect::<Vec<_>>();
            format!("({})", numbers.join(", "))
        };
        (0..DEBATES as usize).map(row).collect::<Vec<_>>().join(", ")
    };
    let update = format!(
        "UPDATE debates SET state = n.column3, state_detail = n.column4, option_count = n.column5, \
         last_seq = n.column6, last_argument_id = n.column7, updated_at = n.column8, head = n.column9 \
         FROM (VALUES {}) AS n WHERE debates.id = n.column1 AND debates.last_seq = n.column2",
        lists(9)
    );
    let insert = format!(
        "INSERT INTO arguments (id, debate_id, seq, parent_id, argument_type, role, content, options, close, \
         chosen_option, late_for, client_request_id, created_at, hash) VALUES {}",
        lists(14)
    );
    let count = "INSERT INTO debate_totals (slot, state, debates) VALUES ($1, $2, $3), ($4, $5, $6) \
                 ON CONFLICT (slot, state) DO UPDATE SET debates = debate_totals.debates + excluded.debates";
    let rows: Vec<(Uuid, i64, Uuid)> =
        sqlx::query_as("SELECT id, last_seq, last_argument_id FROM debates").fetch_all(&mut *connection).await.unwrap();
    let mut debates: Vec<_> = rows;
    let (start, mut written) = (Instant::now(), 0_u32);
    while start.elapsed() < MEASURED {
        let mut transaction = connection.begin().await.unwrap();
        let (mut moved, mut added) =
            (sqlx::query(AssertSqlSafe(update.as_str())), sqlx::query(AssertSqlSafe(insert.as_str())));
        for (id, seq, newest) in &mut debates {
            let next = (Sources::system().new_id)();
            let hash = vec![7_u8; 32];
            moved = moved.bind(*id).bind(*seq).bind("AWAITING_OPPONENT").bind(None::<String>).bind(None::<i32>);
            moved = moved.bind(*seq + 1).bind(next).bind(*seq).bind(hash.clone());
            added = added.bind(next).bind(*id).bind(*seq + 1).bind(*newest).bind("CLAIM").bind("proposer");
            added = added.bind("claim").bind(None::<String>).bind(None::<bool>).bind(None::<i32>).bind(None::<Uuid>);
            added = added.bind(format!("bare-{seq}")).bind(*seq).bind(hash);
            (*seq, *newest) = (*seq + 1, next);
            written += 1;
        }
        moved.execute(&mut *transaction).await.unwrap();
        added.execute(&mut *transaction).await.unwrap();
        let counted = sqlx::query(count).bind(0).bind("AWAITING_OPPONENT").bind(1_i64);
        let counted = counted.bind(0).bind("AWAITING_PROPOSER").bind(-1_i64);
        counted.execute(&mut *transaction).await.unwrap();
        transaction.commit().await.unwrap();
    }
    f64::from(written) / start.elapsed().as_secs_f64()
}

#[expect(clippy::print_stdout, reason = "a measurement is there to be read")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement, of a release build on a quiet machine"]
async fn the_rate_at_64_debates_is_most_of_what_the_bare_statements_reach() {
    let postgres = Postgres::start_durable();
    let url = postgres.url("postgres");
    let store = Arc::new(Store::open(&url.parse().unwrap(), None, Sources::system(), |_| ()).await.unwrap());
    let with_all = by_the_store(&store).await;
    let bare = by_the_statements(&mut PgConnection::connect(&url).await.unwrap()).await;
    store.close().await;
    println!("by the store {with_all:.0}/s, by the statements {bare:.0}/s: {:.2}", with_all / bare);
    assert!(with_all >= LEAST * bare, "{with_all:.0}/s of {bare:.0}/s");
}
