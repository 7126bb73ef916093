//! Random rows of every table are changed behind the server, one for each debate and its document. No read may serve a changed
//! argument, title or type as if nothing had happened, no record may be made of a debate that does not hold, and `verify` has to
//! name each change of what it covers.
//!
//! What each of them said is reported by table and column.

mod columns;
mod outcomes;
mod unit;

use fastrand::Rng;
use tests::{
    random::{fault_factor, seed},
    report::report,
    server::{Server, Settings},
    sql::Sql,
};

use self::{
    columns::{Applied, Column, change, columns},
    outcomes::{Outcome, Outcomes},
    unit::{Told, Unit},
};

/// How many rows are changed, times `AWEAVE_FAULTS`.
const CHANGES: usize = 50;

/// How many debates are in a database, each with a document.
const UNITS: usize = 25;

#[tokio::test]
async fn what_is_changed_is_named_by_verify_and_not_served_as_if_nothing_had_happened() {
    let seed = seed();
    let mut random = Rng::with_seed(seed);
    let (mut outcomes, mut pending) = (Outcomes::default(), Vec::new());
    while outcomes.changes() < CHANGES * fault_factor() {
        change_rows_of_a_server(&mut random, &mut pending, &mut outcomes).await;
    }
    report(&format!("{outcomes}\n{} changes, AWEAVE_SEED={seed}", outcomes.changes()));
    assert_eq!(outcomes.faults(), [""; 0], "AWEAVE_SEED={seed}");
}

/// Fills a server, changes a row of each debate or its document, and notes what is said of it. `pending` has the columns whose
/// turn has not come yet.
async fn change_rows_of_a_server(random: &mut Rng, pending: &mut Vec<Column>, outcomes: &mut Outcomes) {
    // Nobody takes the messages of webhooks, so they stay in their table.
    let nowhere = format!("http://127.0.0.1:{}/", tests::os::free_port());
    let settings = Settings::new().restartable().args(&["--webhook-url", &nowhere]);
    let settings = settings.env("DEBATE_WEBHOOK_SECRET", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    let mut server = Server::with(settings).await;
    let client = server.client();
    let mut units = Vec::new();
    for number in 0..UNITS {
        units.push(Unit::create(&client, number).await);
    }
    let untouched = Unit::create(&client, UNITS).await;
    // A search stores the texts that it looks at.
    client.get("/search?q=motion").await.data(200);
    let mut before: Vec<Told> = Vec::new();
    for unit in units.iter().chain([&untouched]) {
        before.push(unit.told().await);
    }
    server.terminate();
    server.wait_for_exit().await;

    let mut sql = Sql::connect(server.store()).await;
    let mut applied: Vec<Option<Applied>> = Vec::new();
    for (at, unit) in units.iter().enumerate() {
        if pending.is_empty() {
            *pending = columns(&mut sql).await;
            random.shuffle(pending);
        }
        // A changed state and a changed count of states could agree with each other.
        let is_counted = applied.iter().flatten().any(|applied| applied.column.has_or_counts_states());
        let fits = pending.iter().rposition(|column| !(is_counted && column.has_or_counts_states()));
        let column = pending.swap_remove(fits.unwrap_or(pending.len() - 1));
        let other = &units[(at + 1 + random.usize(..UNITS - 1)) % UNITS];
        applied.push(change(&mut sql, random, &column, unit, other).await);
        if applied[at].is_none() {
            outcomes.refused(&column);
        }
    }
    sql.close().await;
    server.restart().await;

    let (fine, said) = server.verify();
    assert!(!fine, "verify found nothing: {said}");
    client.get("/debates?limit=200").await.data(200);
    client.get("/debates?q=unit").await.data(200);
    client.get("/wait?role=arbitrator&timeout=0").await.data(200);
    for ((unit, before), applied) in units.iter().zip(&before).zip(&applied) {
        let Some(applied) = applied else { continue };
        outcomes.add(Outcome::of(applied, unit, before, &unit.told().await, &said));
    }
    assert_eq!(untouched.told().await, before[UNITS], "what was not changed is served as before");
    assert!(untouched.ids().iter().all(|id| !said.contains(id.as_str())), "{said}");
}
