//! One debate, as its two agents write it over the contract's HTTP.

use anyhow::{Result, ensure};
use hyper::Method;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::http::{Connection, Reply};

/// Bytes in an argument.
pub const CONTENT_BYTES: usize = 1024;

/// A debate, and where it stands.
pub struct Debate {
    /// Its id
    pub id: String,
    /// Its newest argument
    pub newest: Argument,
}

/// What has to be known of an argument.
#[derive(Clone, Deserialize)]
pub struct Argument {
    /// Its id
    pub id: String,
    /// Its place in the debate
    pub seq: u64,
}

impl Argument {
    /// Who wrote it: the two take turns, and the proposer begins.
    fn author(&self) -> &'static str {
        if self.seq % 2 == 1 { "proposer" } else { "opponent" }
    }

    /// Who has to answer it.
    pub fn answered_by(&self) -> &'static str {
        if self.seq % 2 == 1 { "opponent" } else { "proposer" }
    }

    /// Where its author waits for the answer.
    pub fn wait_path(&self, debate: &str) -> String {
        format!("/debates/{debate}/wait?argument_id={}&role={}", self.id, self.author())
    }
}

#[derive(Deserialize)]
struct Envelope<T> {
    data: T,
}

/// What the answers to a write and to a wait have in common.
#[derive(Deserialize)]
pub struct Told {
    /// The argument that is told of
    pub argument: Argument,
}

/// What an answer of the contract holds.
pub fn data<T: DeserializeOwned>(reply: &Reply) -> Result<T> {
    Ok(reply.json::<Envelope<T>>()?.data)
}

/// Sends JSON.
pub async fn post(connection: &mut Connection, path: &str, body: &Value) -> Result<Reply> {
    connection.send(Method::POST, path, "application/json", body.to_string().into()).await
}

impl Debate {
    /// Opens one.
    pub async fn create(connection: &mut Connection, title: &str) -> Result<Self> {
        let id = Uuid::new_v4().to_string();
        let body = json!({
            "debate_id": id,
            "title": title,
            "debate_type": "general_debate",
            "motion_content": content(1),
            "client_request_id": Uuid::new_v4(),
        });
        let told: Told = data(&post(connection, "/debates", &body).await?)?;
        Ok(Self { id, newest: told.argument })
    }

    /// Finds one that is there already.
    pub async fn find(connection: &mut Connection, id: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct Context {
            motion: Argument,
            arguments: Vec<Argument>,
        }
        let context: Context = data(&connection.get(&format!("/debates/{id}?limit=1")).await?)?;
        let newest = context.arguments.into_iter().next_back().unwrap_or(context.motion);
        Ok(Self { id: id.to_owned(), newest })
    }

    /// Answers the newest argument, as the side whose turn it is.
    pub async fn claim(&mut self, connection: &mut Connection) -> Result<()> {
        let seq = self.newest.seq + 1;
        let body = json!({
            "role": self.newest.answered_by(),
            "target_id": self.newest.id,
            "content": content(seq),
            "client_request_id": Uuid::new_v4(),
        });
        let path = format!("/debates/{}/arguments", self.id);
        let told: Told = data(&post(connection, &path, &body).await?)?;
        ensure!(told.argument.seq == seq, "argument {} of debate {} was stored as {}", seq, self.id, told.argument.seq);
        self.newest = told.argument;
        Ok(())
    }

    /// Holds what is stored against what was acknowledged.
    pub async fn check(&self, connection: &mut Connection) -> Result<()> {
        let stored = Self::find(connection, &self.id).await?.newest;
        let (found, told) = (stored.seq, self.newest.seq);
        ensure!(stored.id == self.newest.id, "debate {}: argument {told} was acknowledged, {found} is stored", self.id);
        Ok(())
    }
}

/// An argument of the usual size; each differs from the one before.
pub fn content(seq: u64) -> String {
    const LINE: &str = "The plan keeps one writer for each debate, so that a retry can never make a second argument.\n";
    let mut text = format!("{seq:010} ");
    while text.len() < CONTENT_BYTES {
        text.push_str(LINE);
    }
    text.truncate(CONTENT_BYTES);
    text
}
