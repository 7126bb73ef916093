//! Asking the server, and making sense of whatever comes back.

use std::{env, future::Future, time::Duration};

use backon::{ExponentialBuilder, Retryable};
use progenitor_client::{ClientHooks, OperationInfo};
use reqwest::{
    Request, Response, StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue},
    redirect,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::Instant;

use crate::{
    api::{Client, Error, ResponseValue, types},
    error::{Code, Exit, Failure},
    inert, output,
    settings::{self, Address},
    shell, witness,
};

/// How long an answer may take that the server does not hold back on purpose.
const PROMPT: Duration = Duration::from_secs(15);

/// How long an answer may take where one of the two has a long text to send.
const LONG: Duration = Duration::from_secs(60);

/// How long it may take to reach the server at all.
const REACHED: Duration = Duration::from_secs(5);

/// A server that says when to come back is believed up to here.
const MOST_RETRY_AFTER: Duration = Duration::from_secs(10);

/// How often a command that should be quick is tried again.
const RETRIES: usize = 3;

/// The pauses between tries: longer each time, and of random length so that many clients do not come back at once.
pub fn pauses() -> ExponentialBuilder {
    ExponentialBuilder::new()
        .with_min_delay(Duration::from_millis(200))
        .with_max_delay(Duration::from_secs(2))
        .with_jitter()
}

/// The server that the environment names.
pub struct Server {
    /// Its contract as functions
    pub api: Client,
    address: Address,
    persistence: Persistence,
}

/// For how long a request is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Persistence {
    /// So many times
    Times(usize),
    /// Until then
    Until(Instant),
    /// Until it succeeds
    Endless,
}

/// An answer: as it was written, and as this program understands it.
pub struct Told<View> {
    /// `data` untouched, but for hashes
    pub data: Value,
    /// The same in the contract's types
    pub view: View,
}

/// What one request came to when it did not succeed.
pub struct Trouble {
    /// What to tell when nobody tries again
    pub failure: Box<Failure>,
    /// Whether another try may help
    pub again: Again,
}

/// Whether another try may help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// The answer would be the same
    Useless,
    /// It may, but not before this time has passed
    After(Duration),
}

impl Persistence {
    /// That pause, or as much of it as there is time for; nothing where there is none.
    fn within(self, pause: Duration) -> Option<Duration> {
        match self {
            Self::Times(_) | Self::Endless => Some(pause),
            Self::Until(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                (!left.is_zero()).then(|| pause.min(left))
            }
        }
    }
}

impl Server {
    /// For commands that the server answers at once.
    pub fn from_env() -> Result<Self, Failure> {
        Self::patient(PROMPT)
    }

    /// For commands that send or get a long text.
    pub fn for_long_texts() -> Result<Self, Failure> {
        Self::patient(LONG)
    }

    /// For commands whose answers may take up to `patience`.
    pub fn patient(patience: Duration) -> Result<Self, Failure> {
        Self::new(Address::from_env()?, settings::authorization()?, patience)
    }

    fn new(address: Address, authorization: Option<HeaderValue>, patience: Duration) -> Result<Self, Failure> {
        let mut headers = HeaderMap::new();
        headers.extend(authorization.map(|token| (AUTHORIZATION, token)));
        let mut http = reqwest::Client::builder()
            .user_agent(concat!("aw/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers)
            .redirect(redirect::Policy::none())
            .connect_timeout(REACHED)
            .timeout(patience);
        // reqwest wants to know how to encrypt even if nothing will be: naming the library costs nothing, reading the
        // system's trusted roots does, and fails where there are none. An earlier provider would do as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        if !address.is_encrypted() {
            http = http.tls_certs_only([]);
        }
        if address.is_loopback() {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|error| {
            Failure::new(Code::InternalError, format!("cannot make HTTP requests: {}", root_cause(&error)))
        })?;
        let api = Client::new_with_client(address.base(), http);
        Ok(Self { api, address, persistence: Persistence::Times(RETRIES) })
    }

    /// The same, which tries for as long as that.
    pub fn persistent(self, persistence: Persistence) -> Self {
        Self { persistence, ..self }
    }

    /// Makes a request, and makes it again when the network fails or the server cannot answer now. The request has to
    /// be one that may arrive twice: reads may, and writes may because of their `client_request_id`.
    pub async fn call<View, F>(&self, request: impl Fn() -> F) -> Result<Told<View>, Failure>
    where
        View: DeserializeOwned,
        F: Future<Output = Result<ResponseValue<types::Success>, Error<types::Refusal>>>,
    {
        let pauses = match self.persistence {
            Persistence::Times(most) => pauses().with_max_times(most),
            Persistence::Until(_) | Persistence::Endless => pauses().without_max_times(),
        };
        let mut tries = 0;
        (|| self.ask(request()))
            .retry(pauses)
            .when(|trouble: &Trouble| trouble.again != Again::Useless)
            .adjust(|trouble: &Trouble, pause| match trouble.again {
                Again::After(least) => {
                    pause.and_then(|pause| self.persistence.within(pause.max(least.min(MOST_RETRY_AFTER))))
                }
                Again::Useless => None,
            })
            .notify(|trouble: &Trouble, pause: Duration| {
                tries += 1;
                let again = match self.persistence {
                    Persistence::Times(most) => format!("in {:.1} s ({tries} of {most})", pause.as_secs_f32()),
                    Persistence::Until(_) if tries == 1 => "until the deadline".to_owned(),
                    Persistence::Endless if tries == 1 => "until it answers".to_owned(),
                    Persistence::Until(_) | Persistence::Endless => return,
                };
                output::note(format_args!("{}; trying again {again}", trouble.failure.message));
            })
            .await
            .map_err(|trouble| *trouble.failure)
    }

    /// Makes a request that stores something under `request_id`, which a failure names too: with it the same can be sent
    /// again without being stored twice.
    pub async fn write<View, F>(&self, request_id: &str, request: impl Fn() -> F) -> Result<Told<View>, Failure>
    where
        View: DeserializeOwned,
        F: Future<Output = Result<ResponseValue<types::Success>, Error<types::Refusal>>>,
    {
        self.call(request).await.map_err(|failure| {
            let failure = Failure { client_request_id: Some(request_id.into()), ..failure };
            if failure.exit() != Exit::Server {
                return failure;
            }
            let again = format!(
                "It may be stored or not: send it again with --client-request-id {}, which never stores it twice",
                shell::quoted(request_id)
            );
            let suggestion = match &failure.suggestion {
                Some(first) => format!("{}. {again}", first.trim_end_matches('.')),
                None => again,
            };
            let words: Option<Vec<String>> = env::args_os().skip(1).map(|word| word.into_string().ok()).collect();
            let next = words.and_then(|words| shell::repeated(words, request_id));
            Failure { next: next.map(Into::into), ..failure.suggest(suggestion) }
        })
    }

    /// Makes a request once.
    pub async fn ask<View: DeserializeOwned>(
        &self,
        request: impl Future<Output = Result<ResponseValue<types::Success>, Error<types::Refusal>>>,
    ) -> Result<Told<View>, Trouble> {
        let data = match request.await {
            Ok(answer) if answer.success => answer.into_inner().data,
            Ok(_) => return Err(self.stranger("it answered with success: false and a status that means success")),
            Err(error) => return Err(self.trouble(error)),
        };
        match View::deserialize(&data) {
            Ok(view) => Ok(Told { data: self.witnessed(data).await, view }),
            Err(error) => Err(self.stranger(&format!("its answer is not the contract's: {error}"))),
        }
    }

    /// The same without its hashes, once they have been compared with those seen before.
    async fn witnessed(&self, mut data: Value) -> Value {
        if let Some(gap) = witness::look_at(&data) {
            let (after, before) = (gap.seq().saturating_sub(1), gap.seq() + 1);
            let there = self.api.debate_get_context(&gap.debate, Some(after), Some(before), None).await;
            // Where this cannot be asked now, what was seen is remembered until the next time.
            if let Ok(there) = there {
                witness::look_into(&gap, &there.into_inner().data);
            }
        }
        witness::spare(&mut data);
        data
    }

    /// Why a request came to nothing.
    pub fn trouble(&self, error: Error<types::Refusal>) -> Trouble {
        match error {
            Error::ErrorResponse(answer) => self.refusal(answer.status(), answer.into_inner()),
            Error::CommunicationError(error) => match error.status() {
                None => self.away(&reason(&error)),
                Some(status) if passes_by_itself(status) => self.away(&format!("all that answers is HTTP {status}")),
                Some(status) => self.stranger(&format!("it answered HTTP {status} without the contract's JSON")),
            },
            Error::ResponseBodyError(error) => self.away(&format!("its answer broke off: {}", reason(&error))),
            Error::InvalidResponsePayload(_, error) if error.is_eof() => self.away("its answer broke off"),
            Error::InvalidResponsePayload(body, error) => {
                let start: String = String::from_utf8_lossy(&body).chars().take(60).collect();
                self.stranger(&format!(
                    "its answer is not the contract's: {error}; it starts with {}",
                    inert::line(&start)
                ))
            }
            Error::UnexpectedResponse(answer) => {
                self.stranger(&format!("it answered HTTP {}, which the contract does not know", answer.status()))
            }
            Error::InvalidRequest(reason) | Error::Custom(reason) => Trouble {
                failure: Box::new(Failure::new(Code::InternalError, format!("cannot make the request: {reason}"))),
                again: Again::Useless,
            },
            Error::InvalidUpgrade(error) => self.stranger(&reason(&error)),
        }
    }

    /// What the server said no with.
    pub fn refusal(&self, status: StatusCode, answer: types::Refusal) -> Trouble {
        let Value::Object(error) = answer.error else {
            return self.stranger(&format!("it answered HTTP {status} with an error that is no object"));
        };
        if !error.get("code").is_some_and(Value::is_string) {
            return self.stranger(&format!("it answered HTTP {status} with an error without a code"));
        }
        let again = if status == StatusCode::SERVICE_UNAVAILABLE {
            Again::After(Duration::from_secs(error.get("retry_after").and_then(Value::as_u64).unwrap_or_default()))
        } else {
            Again::Useless
        };
        Trouble { failure: Box::new(Failure::refused(error)), again }
    }

    /// Nobody there, or nobody who could answer now.
    pub fn away(&self, reason: &str) -> Trouble {
        let failure = Failure::new(
            Code::ConnectionError,
            format!("no answer from the server at {}: {reason}", self.address.base()),
        )
        .suggest("Check that aweave-server runs and that DEBATE_SERVER_URL is its address");
        Trouble { failure: Box::new(failure), again: Again::After(Duration::ZERO) }
    }

    /// Somebody there, but not the server of this contract.
    fn stranger(&self, reason: &str) -> Trouble {
        let base = self.address.base();
        let failure =
            Failure::new(Code::ConnectionError, format!("what answers at {base} is no aweave server: {reason}"))
                .suggest(
                    "Check that DEBATE_SERVER_URL is the address of an aweave-server that fits this version of aw",
                );
        Trouble { failure: Box::new(failure), again: Again::Useless }
    }
}

/// Statuses by which a proxy says that the server behind it is away.
fn passes_by_itself(status: StatusCode) -> bool {
    matches!(status, StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT)
}

fn reason(error: &reqwest::Error) -> String {
    if error.is_timeout() { "it takes too long".to_owned() } else { root_cause(error) }
}

/// The innermost cause is the one that says what happened; the outer ones say that something did.
fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

impl ClientHooks for Client {
    /// An error page of a proxy is told by its status, since its body says nothing that the contract knows.
    async fn exec(&self, request: Request, _: &OperationInfo) -> reqwest::Result<Response> {
        let answer = self.client.execute(request).await?;
        let media = answer.headers().get(CONTENT_TYPE);
        let is_page = media.is_some_and(|media| !media.as_bytes().starts_with(b"application/json"));
        if is_page { answer.error_for_status() } else { Ok(answer) }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::{BufRead, BufReader, Write},
        net::TcpListener,
        thread,
    };

    use serde_json::json;

    use super::*;

    /// Answers one connection after the other with the bytes given, and tells what it was asked.
    fn answering(answers: Vec<String>) -> (Server, thread::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = Address::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let server = Server::new(address, Some(HeaderValue::from_static("Bearer t")), Duration::from_secs(5)).unwrap();
        let asked = thread::spawn(move || {
            answers
                .into_iter()
                .map(|answer| {
                    let (mut connection, _) = listener.accept().unwrap();
                    let lines = BufReader::new(&connection).lines().map(Result::unwrap);
                    let head = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
                    connection.write_all(answer.as_bytes()).unwrap();
                    head
                })
                .collect()
        });
        (server, asked)
    }

    fn http(status: &str, media: &str, body: &str) -> String {
        let length = body.len();
        format!(
            "HTTP/1.1 {status}\r\ncontent-type: {media}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        )
    }

    fn contract(status: &str, body: &Value) -> String {
        http(status, "application/json", &body.to_string())
    }

    fn list(total: u32) -> Value {
        json!({"success": true, "data": {"total": total, "debates": [], "later_addition": null}})
    }

    async fn once(answer: String) -> Result<Told<types::DebateList>, Trouble> {
        let (server, _) = answering(vec![answer]);
        server.ask(server.api.debate_list(None, None, None, None)).await
    }

    #[tokio::test]
    async fn data_comes_as_it_was_written() {
        let told = once(contract("200 OK", &list(3))).await.ok().unwrap();
        assert_eq!(told.data.to_string(), r#"{"total":3,"debates":[],"later_addition":null}"#);
        assert_eq!(told.view.total, 3);
    }

    #[tokio::test]
    async fn whatever_is_not_of_the_contract_is_a_connection_error() {
        let error_without_code = json!({"success": false, "error": {"message": "?"}});
        for (answer, again) in [
            (http("200 OK", "text/html", "<html>Welcome</html>"), Again::Useless),
            (http("404 Not Found", "text/html", "<html>No such page</html>"), Again::Useless),
            (http("301 Moved Permanently", "text/html", ""), Again::Useless),
            (http("502 Bad Gateway", "text/html", "<html>nginx</html>"), Again::After(Duration::ZERO)),
            (http("200 OK", "application/json", "{\"success\": tru\u{1b}"), Again::Useless),
            (contract("200 OK", &json!({"success": true})), Again::Useless),
            (contract("200 OK", &json!({"success": false, "data": {}})), Again::Useless),
            (contract("200 OK", &json!({"success": true, "data": {"totals": 1}})), Again::Useless),
            (contract("404 Not Found", &json!({"detail": "Not Found"})), Again::Useless),
            (contract("400 Bad Request", &error_without_code), Again::Useless),
            (contract("400 Bad Request", &json!({"success": false, "error": "?"})), Again::Useless),
            (
                contract("200 OK", &list(3)).replace("content-length: ", "content-length: 9"),
                Again::After(Duration::ZERO),
            ),
            (
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"succ".to_owned(),
                Again::After(Duration::ZERO),
            ),
            ("SSH-2.0-OpenSSH_9.6\r\n".to_owned(), Again::After(Duration::ZERO)),
            (String::new(), Again::After(Duration::ZERO)),
        ] {
            let trouble = once(answer.clone()).await.err().unwrap();
            assert_eq!(trouble.failure.code, "CONNECTION_ERROR", "{answer}");
            assert_eq!(trouble.failure.exit(), Exit::Server, "{answer}");
            assert_eq!(trouble.again, again, "{answer}: {}", trouble.failure.message);
        }
    }

    #[tokio::test]
    async fn a_refusal_is_not_repeated_and_names_the_request() {
        let error = json!({"code": "DEBATE_EXISTS", "message": "in use", "debate_id": "x"});
        let refused = contract("409 Conflict", &json!({"success": false, "error": error}));
        let (server, asked) = answering(vec![refused]);
        let failure = server
            .write::<types::DebateList, _>("r1", || server.api.debate_list(None, None, None, None))
            .await
            .err()
            .unwrap();
        assert_eq!(Value::from(*failure.server_error.unwrap()), error);
        assert_eq!(failure.client_request_id.as_deref(), Some("r1"));
        assert!(asked.join().unwrap()[0].contains("authorization: Bearer t"));
    }

    #[tokio::test]
    async fn what_may_pass_is_tried_four_times_in_all() {
        let busy = contract(
            "503 Service Unavailable",
            &json!({"success": false, "error": {"code": "STORE_UNAVAILABLE", "message": "busy", "retry_after": 0}}),
        );
        let (server, _) = answering(vec![String::new(), busy.clone(), busy.clone(), contract("200 OK", &list(1))]);
        let told = server.call::<types::DebateList, _>(|| server.api.debate_list(None, None, None, None)).await;
        assert_eq!(told.ok().unwrap().view.total, 1);

        let (server, asked) = answering(vec![busy.clone(), busy.clone(), busy.clone(), busy]);
        let told = server.call::<types::DebateList, _>(|| server.api.debate_list(None, None, None, None)).await;
        assert_eq!(told.err().unwrap().code, "STORE_UNAVAILABLE");
        assert_eq!(asked.join().unwrap().len(), 4);
    }

    #[tokio::test]
    async fn a_server_says_when_to_come_back() {
        let error = json!({"code": "OVERLOADED", "message": "full", "retry_after": 7});
        let trouble = once(contract("503 Service Unavailable", &json!({"success": false, "error": error}))).await;
        assert_eq!(trouble.err().unwrap().again, Again::After(Duration::from_secs(7)));
    }
}
