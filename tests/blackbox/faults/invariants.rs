//! The invariants that hold after every fault.

use std::{collections::HashMap, time::Duration};

use serde_json::Value;
use tests::{client::Client, debate::Debate, polling::DEADLINE, server::Server};
use tokio::time::timeout;

use super::{
    stored_data::{Item, Stored},
    write_log::{Acknowledged, Write},
};
use crate::state_machine;

/// The maximum delay of a wake-up at a healthy server.
const AT_ONCE: Duration = Duration::from_secs(10);

/// Checks stored data against the writes that were acknowledged by `position`.
///
/// Every acknowledged write is stored once, byte for byte. Other stored data comes from unacknowledged writes and is
/// stored once too. Numbers have no gaps, and the state and issues of each debate follow from its
/// arguments.
///
/// # Errors
/// The first violation: a write that is lost, changed, stored twice or out of order, or data that nobody wrote.
pub fn check_stored(stored: &Stored, writes: &[Write], position: u64) -> Result<(), String> {
    let asked: HashMap<&str, &Write> = writes.iter().map(|write| (write.content(), write)).collect();
    let mut there: HashMap<&str, &Item> = HashMap::new();
    for item in &stored.items {
        let Some(write) = asked.get(item.content.as_str()) else {
            return Err(format!("nobody wrote {item:?}"));
        };
        if let Some(other) = there.insert(&item.content, item) {
            return Err(format!("there twice: {item:?} and {other:?}"));
        }
        if let Some(promised) = &write.acknowledged
            && Item::promised(&promised.data) != *item
        {
            return Err(format!("{item:?} was acknowledged as {}", promised.data));
        }
    }
    let lost =
        writes.iter().find(|write| write.acknowledged_by(position).is_some() && !there.contains_key(write.content()));
    if let Some(lost) = lost {
        return Err(format!("lost: {lost:?}"));
    }
    numbered(&stored.items)?;
    stored.histories.iter().try_for_each(|history| {
        let counted = history.arguments.len() as u64;
        if history.last_seq != counted {
            return Err(format!("{counted} arguments are stored, but last_seq is {}", history.last_seq));
        }
        let state = state_machine::replay(&history.arguments);
        if history.state != state {
            return Err(format!("{state} is stored as {}", history.state));
        }
        let issues = history.expected_issues();
        if history.issues == issues { Ok(()) } else { Err(format!("{issues:?} are stored as {:?}", history.issues)) }
    })
}

/// Checks that the items of each debate and document are numbered 1, 2, 3 and so on.
fn numbered(items: &[Item]) -> Result<(), String> {
    let mut last: HashMap<&str, u64> = HashMap::new();
    items.iter().try_for_each(|item| {
        let last = last.entry(&item.of).or_default();
        *last += 1;
        if item.number == *last { Ok(()) } else { Err(format!("{item:?} where number {last} should be")) }
    })
}

/// Checks the data that a server returns, the hash chains, and that the server still works.
///
/// # Errors
/// The first violation.
pub async fn check_server(server: &Server, writes: &[Write]) -> Result<(), String> {
    check_stored(&Stored::read_from_server(&server.client(), writes).await?, writes, u64::MAX)?;
    let (fine, said) = server.verify();
    if !fine {
        return Err(said);
    }
    serves(&server.client()).await
}

/// Checks that a debate can be created, waited on and written to.
async fn serves(client: &Client) -> Result<(), String> {
    let health = client.try_send(&client.request("GET", "/health")).await.map_err(|e| e.to_string())?;
    if health.status != 200 {
        return Err(health.to_string());
    }
    let mut debate = Debate::create(client).await;
    let path = debate.path(&format!("/wait?role=proposer&argument_id={}&timeout=60", debate.newest()));
    let waits = tokio::spawn({
        let client = client.clone();
        async move { client.get(&path).await }
    });
    let claim = debate.claim("opponent").await;
    let heard = timeout(AT_ONCE, waits)
        .await
        .map_err(|_| "a wait was not answered".to_owned())?
        .expect("the task does not panic");
    let heard: Value = heard.data(200);
    if heard["argument"] == claim["argument"] { Ok(()) } else { Err(format!("the wait returned {heard} for {claim}")) }
}

/// Resends, under their request ids, all writes that were sent but not acknowledged by `position`. Returns all writes
/// with their acknowledgements.
pub async fn resend_unacknowledged(client: &Client, writes: &[Write], position: u64) -> Vec<Write> {
    let mut settled = Vec::new();
    for write in writes.iter().filter(|write| write.sent_at <= position) {
        let mut write = write.clone();
        if write.acknowledged_by(position).is_none() {
            let asked = timeout(DEADLINE, client.post(&write.path, &write.body)).await.expect("an answer");
            let data = asked.data_of_any_success();
            write.acknowledged = Some(Acknowledged { data, at: position });
        }
        settled.push(write);
    }
    settled
}
