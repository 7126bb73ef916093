//! Runs a scenario at one server and compares every response with the model's.

use serde_json::Value;
use tests::{api_response::ApiResponse, client::Client, raw_http};
use tokio::{
    io::AsyncWriteExt,
    net::TcpStream,
    time::{Duration, timeout},
};

use super::{
    coverage::Coverage,
    expected_response::{compare, outcome},
    model_request::ModelRequest,
    model_server::{Mistake, ModelServer, ServerValues},
    request_builder::{Names, RequestBuilder},
    scenario_steps::{Mutation, Step},
};
use crate::schema_checks;

/// The response deadline. No request is held by the server.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// Codes of refusals that may be sent before the body was read. The connection cannot be reused after them.
const CLOSES_CONNECTION: [&str; 7] = [
    "AUTH_FAILED",
    "CONTENT_TOO_LARGE",
    "FORBIDDEN",
    "INVALID_INPUT",
    "METHOD_NOT_ALLOWED",
    "NOT_FOUND",
    "UNSUPPORTED_MEDIA_TYPE",
];

/// A server and its progress in a scenario.
pub struct Runner {
    client: Client,
    connection: Option<TcpStream>,
    /// The state of the scenario
    pub builder: RequestBuilder,
    /// The ids that the server chose, in order
    ids: Vec<String>,
    /// What the scenario covered so far
    pub coverage: Coverage,
}

impl Runner {
    /// A runner at the start of a scenario.
    pub fn new(client: Client, names: Names, mistake: Option<Mistake>) -> Self {
        let builder = RequestBuilder::new(names, ModelServer::new(mistake));
        Self { client, connection: None, builder, ids: Vec::new(), coverage: Coverage::default() }
    }

    /// Runs a step and returns the error in comparable form.
    ///
    /// # Errors
    /// A response that differs from the model's.
    pub async fn run(&mut self, step: &Step) -> Result<String, String> {
        let request = self.builder.next_request(step);
        let answer = self.ask(&request).await?;
        if let [Mutation::Change(fault, _)] = step.mutations[..] {
            self.coverage.record_change_fault(fault, request.verb, &answer);
        }
        self.builder.keep(request, outcome(&answer) == "stored");
        Ok(self.comparable_error(&answer.envelope()["error"]))
    }

    /// Reads everything stored.
    ///
    /// # Errors
    /// A response that differs from the model's.
    pub async fn check_all_data(&mut self) -> Result<(), String> {
        for request in self.builder.requests_for_all_data() {
            self.ask(&request).await?;
        }
        Ok(())
    }

    async fn ask(&mut self, request: &ModelRequest) -> Result<ApiResponse, String> {
        let answer = timeout(ANSWER_TIMEOUT, self.send_until_complete(request)).await;
        let answer = answer.map_err(|_| format!("no complete answer to {request:?}"))?;
        let answer = answer.map_err(|error| format!("{error}: {request:?}"))?;
        let values = ServerValues::of(answer.envelope());
        self.coverage.record(&self.builder.model, request, &answer);
        compare(&self.builder.model.answer(request, &values), &answer)?;
        if outcome(&answer) == "stored" {
            schema_checks::is_id(&values.id.as_str().into());
            schema_checks::is_time(&values.at.as_str().into());
            let is_version = answer.envelope()["data"]["version"]["version"].as_u64() > Some(1);
            if !is_version && self.ids.contains(&values.id) {
                return Err(format!("an id for the second time: {answer}"));
            }
            self.ids.push(values.id);
            if !values.document.is_empty() && !self.ids.contains(&values.document) {
                self.ids.push(values.document);
            }
        }
        Ok(answer)
    }

    /// A search may end before it has looked at everything, where many search at once. It is asked again then.
    async fn send_until_complete(&mut self, request: &ModelRequest) -> std::io::Result<ApiResponse> {
        loop {
            let answer = self.send(request).await?;
            if answer.envelope()["data"]["complete"] != false {
                return Ok(answer);
            }
        }
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

    /// The error with ids replaced by numbers, so that it can be compared between servers. Ids may appear in the
    /// request's spelling.
    fn comparable_error(&self, error: &Value) -> String {
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
