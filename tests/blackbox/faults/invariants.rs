//! What has to hold after every fault.

use std::{collections::HashMap, time::Duration};

use serde_json::Value;
use tests::{client::Client, debate::Debate, polling::DEADLINE, server::Server};
use tokio::time::timeout;

use super::{
    write_log::{Acknowledged, Write},
    stored_data::{Item, Stored},
};
use crate::state_machine;

/// How soon a wait ends on a server that is well.
const AT_ONCE: Duration = Duration::from_secs(10);

/// Whether what is stored is what was acknowledged while the disk's log was no longer than `position`.
///
/// What was acknowledged is there once, byte for byte. What else is there was asked for, and is there once as well.
/// Numbers have no gaps, and the states are those that the arguments lead to.
///
/// # Errors
/// What is lost, changed, doubled, made up or out of order.
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
            return Err(format!("{counted} arguments where {} are told of", history.last_seq));
        }
        let state = state_machine::replay(&history.arguments);
        if history.state == state { Ok(()) } else { Err(format!("{state} is stored as {}", history.state)) }
    })
}

/// Whether the numbers of each debate and document are 1, 2, 3 and so on.
fn numbered(items: &[Item]) -> Result<(), String> {
    let mut last: HashMap<&str, u64> = HashMap::new();
    items.iter().try_for_each(|item| {
        let last = last.entry(&item.of).or_default();
        *last += 1;
        if item.number == *last { Ok(()) } else { Err(format!("{item:?} where number {last} should be")) }
    })
}

/// Whether all of that holds at a server, its hashes and documents verify, and it still serves.
///
/// # Errors
/// What does not.
pub async fn check_server(server: &Server, writes: &[Write]) -> Result<(), String> {
    check_stored(&Stored::read_from_server(&server.client(), writes).await?, writes, u64::MAX)?;
    let (fine, said) = server.verify();
    if !fine {
        return Err(said);
    }
    serves(&server.client()).await
}

/// Whether a debate can be opened, waited on and argued in.
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
    let heard = timeout(AT_ONCE, waits).await.map_err(|_| "a wait hangs".to_owned())?.expect("it is answered");
    let heard: Value = heard.data(200);
    if heard["argument"] == claim["argument"] { Ok(()) } else { Err(format!("{claim} was heard as {heard}")) }
}

/// Asks again, with their request ids, for all writes that were sent but not acknowledged while the disk's log was no
/// longer than `position`, and gives what a server then has acknowledged.
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
