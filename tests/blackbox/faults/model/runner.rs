//! A scenario as one server tells it, held against the contract step by step.

use serde_json::Value;
use tests::{api_response::ApiResponse, client::Client, raw_http};
use tokio::{
    io::AsyncWriteExt,
    net::TcpStream,
    time::{Duration, timeout},
};

use super::{
    model_server::{ModelServer, ServerValues, Mistake},
    moves::Step,
    expected_response::{compare, outcome},
    model_request::ModelRequest,
    request_builder::{Names, RequestBuilder},
    coverage::Coverage,
};
use crate::schema_checks;

/// Longer than any answer takes here, as nobody waits.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// Refusals that may come before the body was taken, after which a connection is of no more use.
const CLOSES_CONNECTION: [&str; 7] = [
    "AUTH_FAILED",
    "CONTENT_TOO_LARGE",
    "FORBIDDEN",
    "INVALID_INPUT",
    "METHOD_NOT_ALLOWED",
    "NOT_FOUND",
    "UNSUPPORTED_MEDIA_TYPE",
];

/// One server, and how far it is in a scenario.
pub struct Runner {
    client: Client,
    connection: Option<TcpStream>,
    /// What there should be by now
    pub builder: RequestBuilder,
    /// The ids that the server values up, in order
    ids: Vec<String>,
    /// What was seen on the way
    pub coverage: Coverage,
}

impl Runner {
    /// One at the beginning of a scenario, held against a contract with that mistake.
    pub fn new(client: Client, names: Names, mistake: Option<Mistake>) -> Self {
        let builder = RequestBuilder::new(names, ModelServer::new(mistake));
        Self { client, connection: None, builder, ids: Vec::new(), coverage: Coverage::default() }
    }

    /// Tells the next step, and gives what it says in words of its own, if it refuses.
    ///
    /// # Errors
    /// Where it is not told as the contract has it.
    pub async fn tell(&mut self, step: &Step) -> Result<String, String> {
        let request = self.builder.ask(step);
        let answer = self.ask(&request).await?;
        self.builder.remember(request, outcome(&answer) == "stored");
        Ok(self.words(&answer.envelope()["error"]))
    }

    /// Tells once more all that is stored.
    ///
    /// # Errors
    /// Where it is not what the contract has.
    pub async fn sweep(&mut self) -> Result<(), String> {
        for request in self.builder.sweep() {
            self.ask(&request).await?;
        }
        Ok(())
    }

    async fn ask(&mut self, request: &ModelRequest) -> Result<ApiResponse, String> {
        let answer = timeout(ANSWER_TIMEOUT, self.send(request)).await.map_err(|_| format!("no answer to {request:?}"))?;
        let answer = answer.map_err(|error| format!("{error}: {request:?}"))?;
        let values = ServerValues::of(answer.envelope());
        self.coverage.request(&self.builder.contract, request, &answer);
        compare(&self.builder.contract.answer(request, &values), &answer)?;
        if outcome(&answer) == "stored" {
            schema_checks::is_id(&values.id.as_str().into());
            schema_checks::is_time(&values.at.as_str().into());
            let is_version = answer.envelope()["data"]["version"]["version"].as_u64() > Some(1);
            if !is_version && self.ids.contains(&values.id) {
                return Err(format!("an id for the second time: {answer}"));
            }
            self.ids.push(values.id);
        }
        Ok(answer)
    }

    async fn send(&mut self, request: &ModelRequest) -> std::io::Result<ApiResponse> {
        let request = request.request(&self.client);
        let mut stream = match self.connection.take() {
            Some(stream) => stream,
            None => raw_http::open(self.client.address()).await?,
        };
        stream.write_all(&request.bytes()).await?;
        let response = raw_http::read_response(&mut stream).await?;
        let body = String::from_utf8_lossy(&request.body);
        let answer = ApiResponse::of(format!("{} {} {body}", request.method, request.path), &response);
        self.connection = Some(stream).filter(|_| !CLOSES_CONNECTION.contains(&answer.code()));
        Ok(answer)
    }

    /// An error as another server would tell it, whose ids are others; they may be told in the spelling of the request.
    fn words(&self, error: &Value) -> String {
        let text = error.to_string().to_lowercase();
        if error.is_null() {
            return text;
        }
        let number = |text: String, (n, id): (usize, &String)| {
            let number = format!("id {n}");
            text.replace(id, &number).replace(&id.replace('-', ""), &number)
        };
        self.ids.iter().enumerate().fold(text, number)
    }
}
