//! A debate, driven over REST into any state.

use serde_json::Value;

use crate::{api_response::ApiResponse, client::Client, request_bodies};

/// Every situation that a debate can be in. States are split by what led to them.
pub const SITUATIONS: [Situation; 8] = [
    Situation::AwaitingOpponent,
    Situation::AwaitingProposer,
    Situation::Appealed,
    Situation::CompletionRequested,
    Situation::OpponentInterrupted,
    Situation::ProposerInterrupted,
    Situation::LateDelivered,
    Situation::Closed,
];

/// A state of a debate and how it came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// There is only the motion.
    AwaitingOpponent,
    /// The opponent has submitted a claim.
    AwaitingProposer,
    /// The proposer has appealed with options.
    Appealed,
    /// The proposer has requested completion.
    CompletionRequested,
    /// The arbitrator intervened in the opponent's turn.
    OpponentInterrupted,
    /// The arbitrator intervened in the proposer's turn.
    ProposerInterrupted,
    /// The arbitrator intervened and the interrupted opponent submitted a late claim.
    LateDelivered,
    /// The debate is closed.
    Closed,
}

impl Situation {
    /// The state's name in the API.
    pub fn state(self) -> &'static str {
        match self {
            Self::AwaitingOpponent => "AWAITING_OPPONENT",
            Self::AwaitingProposer => "AWAITING_PROPOSER",
            Self::Appealed | Self::CompletionRequested => "AWAITING_ARBITRATOR",
            Self::OpponentInterrupted | Self::ProposerInterrupted | Self::LateDelivered => "INTERVENTION_PENDING",
            Self::Closed => "CLOSED",
        }
    }

    /// The `allowed_roles` of a refused write.
    pub fn allowed_roles(self) -> &'static [&'static str] {
        match self {
            Self::AwaitingOpponent => &["opponent"],
            Self::AwaitingProposer => &["proposer"],
            Self::Appealed
            | Self::CompletionRequested
            | Self::OpponentInterrupted
            | Self::ProposerInterrupted
            | Self::LateDelivered => &["arbitrator"],
            Self::Closed => &[],
        }
    }
}

/// A debate and the ids of its arguments in order.
pub struct Debate {
    client: Client,
    /// The debate's id.
    pub id: String,
    /// The ids of the arguments, ordered by `seq`.
    pub arguments: Vec<String>,
}

impl Debate {
    /// Creates a debate.
    pub async fn create(client: &Client) -> Self {
        Self::create_with(client, &request_bodies::creation()).await
    }

    /// Creates a debate with this body.
    pub async fn create_with(client: &Client, body: &Value) -> Self {
        Self::opened(client, &client.post("/debates", body).await.data(201))
    }

    /// The debate that a creation answered with this data.
    pub fn opened(client: &Client, data: &Value) -> Self {
        let id = text(&data["debate"]["id"]);
        Self { client: client.clone(), id, arguments: vec![text(&data["argument"]["id"])] }
    }

    /// Creates a debate and brings it into this situation.
    pub async fn in_situation(client: &Client, situation: Situation) -> Self {
        let mut debate = Self::create(client).await;
        match situation {
            Situation::AwaitingOpponent => {}
            Situation::AwaitingProposer => {
                debate.claim("opponent").await;
            }
            Situation::Appealed => {
                debate.claim("opponent").await;
                let options = serde_json::json!([{"label": "Per shard", "detail": "as now"}, {"label": "Global"}]);
                let body = request_bodies::with(request_bodies::answer_to(debate.newest()), "options", options);
                debate.write("appeal", &body).await;
            }
            Situation::CompletionRequested => {
                debate.claim("opponent").await;
                debate.request_completion().await;
            }
            Situation::OpponentInterrupted => {
                debate.intervene().await;
            }
            Situation::ProposerInterrupted => {
                debate.claim("opponent").await;
                debate.intervene().await;
            }
            Situation::LateDelivered => {
                debate.intervene().await;
                let late = request_bodies::claim("opponent", &debate.arguments[0]);
                debate.write("arguments", &late).await;
            }
            Situation::Closed => {
                debate.claim("opponent").await;
                debate.request_completion().await;
                debate.rule(true).await;
            }
        }
        debate
    }

    /// The same debate through another client, for example of another server.
    #[must_use]
    pub fn by(&self, client: &Client) -> Self {
        Self { client: client.clone(), id: self.id.clone(), arguments: self.arguments.clone() }
    }

    /// The client that drives the debate.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The debate's path followed by `rest`.
    pub fn path(&self, rest: &str) -> String {
        format!("/debates/{}{rest}", self.id)
    }

    /// The id of the newest argument.
    pub fn newest(&self) -> &str {
        self.arguments.last().expect("a debate has a motion")
    }

    /// Sends a write that must be stored and returns the response's data.
    pub async fn write(&mut self, verb: &str, body: &Value) -> Value {
        let data = self.attempt(verb, body).await.data(201);
        self.arguments.push(text(&data["argument"]["id"]));
        data
    }

    /// Sends a write that may be refused.
    pub async fn attempt(&self, verb: &str, body: &Value) -> ApiResponse {
        self.client.post(&self.path(&format!("/{verb}")), body).await
    }

    /// Submits a claim that targets the newest argument.
    pub async fn claim(&mut self, role: &str) -> Value {
        self.write("arguments", &request_bodies::claim(role, self.newest())).await
    }

    /// Appeals without options.
    pub async fn appeal(&mut self) -> Value {
        self.write("appeal", &request_bodies::answer_to(self.newest())).await
    }

    /// Requests completion.
    pub async fn request_completion(&mut self) -> Value {
        self.write("resolution", &request_bodies::answer_to(self.newest())).await
    }

    /// Rules, and closes the debate if `close` is set.
    pub async fn rule(&mut self, close: bool) -> Value {
        self.write("ruling", &request_bodies::with(request_bodies::decision(), "close", close)).await
    }

    /// Intervenes.
    pub async fn intervene(&mut self) -> Value {
        self.write("intervention", &request_bodies::decision()).await
    }

    /// The stored `debate`, `motion` and `arguments`.
    pub async fn stored(&self) -> Value {
        self.client.get(&self.path("")).await.data(200)
    }

    /// Sends `GET /debates/{id}/wait` with this query.
    pub async fn wait(&self, query: &str) -> ApiResponse {
        self.client.get(&self.path(&format!("/wait?{query}"))).await
    }

    /// All stored arguments in order, starting with the motion.
    pub async fn history(&self) -> Vec<Value> {
        let stored = self.stored().await;
        let rest = stored["arguments"].as_array().expect("a list").iter();
        std::iter::once(&stored["motion"]).chain(rest).cloned().collect()
    }
}

/// The text of a JSON string.
#[track_caller]
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("expected a text, got {value}")).to_owned()
}

/// The data as `aw` prints it: without `hash`, `head` and `agents`, which it keeps to itself.
#[must_use]
pub fn printed(mut told: Value) -> Value {
    match &mut told {
        Value::Object(fields) => {
            fields.retain(|name, _| name != "hash" && name != "head" && name != "agents");
            fields.values_mut().for_each(|value| *value = printed(value.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = printed(item.take())),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    told
}
