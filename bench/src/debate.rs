//! A client of one debate, which writes as both of its agents.

use anyhow::{Result, ensure};
use hyper::Method;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::http_client::{Connection, Response};

/// Bytes in an argument, and in a record of the other subjects.
pub const CONTENT_BYTES: usize = 1024;

/// A debate and its newest argument.
pub struct Debate {
    /// The id of the debate
    pub id: String,
    /// The newest argument, or the motion
    pub newest: Argument,
}

/// The fields of an argument that the benchmark needs.
#[derive(Clone, Deserialize)]
pub struct Argument {
    /// The id of the argument
    pub id: String,
    /// Its position in the debate; the motion is 1
    pub seq: u64,
}

impl Argument {
    /// The role that wrote it: the two take turns, and the proposer begins.
    fn author(&self) -> &'static str {
        if self.seq % 2 == 1 { "proposer" } else { "opponent" }
    }

    /// The role whose turn it is after it.
    pub fn next_role(&self) -> &'static str {
        if self.seq % 2 == 1 { "opponent" } else { "proposer" }
    }

    /// The path at which its author waits for the next argument.
    pub fn wait_path(&self, debate: &str) -> String {
        format!("/debates/{debate}/wait?argument_id={}&role={}", self.id, self.author())
    }
}

#[derive(Deserialize)]
struct Envelope<T> {
    data: T,
}

/// The part of the response to a write or a wait that the benchmark needs.
#[derive(Deserialize)]
pub struct ArgumentData {
    /// The new argument
    pub argument: Argument,
}

/// The `data` of a response.
pub fn data<T: DeserializeOwned>(response: &Response) -> Result<T> {
    Ok(response.json::<Envelope<T>>()?.data)
}

async fn post(connection: &mut Connection, path: &str, body: &Value) -> Result<Response> {
    connection.send(Method::POST, path, "application/json", body.to_string().into()).await
}

impl Debate {
    /// Creates a debate.
    pub async fn create(connection: &mut Connection, title: &str) -> Result<Self> {
        let id = Uuid::new_v4().to_string();
        let body = json!({
            "debate_id": id,
            "title": title,
            "debate_type": "general_debate",
            "motion_content": content(1),
            "client_request_id": Uuid::new_v4(),
        });
        let data: ArgumentData = data(&post(connection, "/debates", &body).await?)?;
        Ok(Self { id, newest: data.argument })
    }

    /// Reads an existing debate.
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

    /// Submits a claim as the role whose turn it is.
    pub async fn submit(&mut self, connection: &mut Connection) -> Result<()> {
        let seq = self.newest.seq + 1;
        let body = json!({
            "role": self.newest.next_role(),
            "target_id": self.newest.id,
            "content": content(seq),
            "client_request_id": Uuid::new_v4(),
        });
        let path = format!("/debates/{}/arguments", self.id);
        let data: ArgumentData = data(&post(connection, &path, &body).await?)?;
        ensure!(data.argument.seq == seq, "argument {} of debate {} was stored as {}", seq, self.id, data.argument.seq);
        self.newest = data.argument;
        Ok(())
    }

    /// Fails if the newest stored argument is not the newest acknowledged one.
    pub async fn check(&self, connection: &mut Connection) -> Result<()> {
        let stored = Self::find(connection, &self.id).await?.newest;
        let (found, acknowledged) = (stored.seq, self.newest.seq);
        ensure!(
            stored.id == self.newest.id,
            "debate {}: argument {acknowledged} was acknowledged, {found} is stored",
            self.id
        );
        Ok(())
    }
}

/// A text of [`CONTENT_BYTES`] that is different for each `seq`.
pub fn content(seq: u64) -> String {
    const LINE: &str = "The plan keeps one writer for each debate, so that a retry can never make a second argument.\n";
    let mut text = format!("{seq:010} ");
    while text.len() < CONTENT_BYTES {
        text.push_str(LINE);
    }
    text.truncate(CONTENT_BYTES);
    text
}
