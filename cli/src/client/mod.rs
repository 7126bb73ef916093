//! The HTTP client: sends requests, retries them, and turns every answer into a [`Response`] or a [`Failure`].

pub mod compatibility;
pub mod contract_limits;
mod generated;
mod history_check;
mod plan;
pub mod retry;
mod seat_keys;
pub mod settings;
mod unreachable;

use std::{
    env,
    future::Future,
    iter::successors,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use backon::Retryable;
use progenitor_client::{ClientHooks, ClientInfo, OperationInfo};
use reqwest::{
    Method, Request, StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue},
    redirect,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use uuid::Uuid;

pub use self::generated::{Named, types};
use self::{
    generated::{Error, ResponseValue},
    retry::{RequestError, RetryLimit, backoff},
    settings::ServerUrl,
    unreachable::LastingCause,
};
use crate::{
    files::private::START_PREFIX,
    output::{Code, ExitStatus, Failure, quoting, reader, sanitize, terminal, warning},
};

/// What is said of a server of this machine that does not answer.
const HOW_TO_START: &str = "; `aw up` starts it, which an agent leaves to its user";

/// JSON that is passed on character by character, so that numbers keep their spelling. `build.rs` puts it in place of
/// free-form objects.
pub type RawJson = Box<serde_json::value::RawValue>;

/// What the functions of the generated client return.
pub type ApiSuccess = ResponseValue<types::Success>;

/// How the functions of the generated client fail.
pub type ApiError = Error<types::Refusal>;

/// Timeout of a request that the server answers at once.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);

/// Timeout of a request that sends or returns a long text.
const LONG_TEXT_TIMEOUT: Duration = Duration::from_secs(60);

/// Timeout for connecting to the server.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Upper limit for the server's `retry_after`.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(10);

/// Number of retries of a command that should end soon.
const MAX_RETRIES: usize = 3;

/// A client of the server that the environment names.
pub struct Client {
    /// One function for each operation of the API
    pub api: generated::Client,
    url: ServerUrl,
    retries: RetryLimit,
    /// Whether something answered at the URL
    was_reached: AtomicBool,
    /// Whether answers keep which programs wrote the arguments
    pub tells_agents: bool,
    /// Whether histories are compared with what was seen before, and remembered; not so where an answer tells what would follow
    pub checks_history: bool,
    /// The folder that keeps the keys of its seats, in place of the usual one
    pub seats: Option<PathBuf>,
}

/// A successful answer of the server.
pub struct Response<T> {
    /// The field `data` as the server wrote it, without hashes
    pub data: Value,
    /// The same as a type of the API
    pub parsed: T,
}

impl Client {
    /// A client for requests that the server answers at once.
    pub fn from_env() -> Result<Self, Failure> {
        Self::with_timeout(REQUEST_TIMEOUT)
    }

    /// A client for requests that send or return a long text.
    pub fn for_long_texts() -> Result<Self, Failure> {
        Self::with_timeout(LONG_TEXT_TIMEOUT)
    }

    /// A client whose requests may take up to `timeout`.
    pub fn with_timeout(timeout: Duration) -> Result<Self, Failure> {
        Self::new(ServerUrl::from_env()?, settings::authorization()?, timeout)
    }

    /// Whether `aw up` can start the server of this client.
    pub fn can_be_started(&self) -> bool {
        self.address_to_start_at().is_some()
    }

    /// The address that `aw up` has the server of this client listen on, if it can start it.
    pub fn address_to_start_at(&self) -> Option<SocketAddr> {
        self.url.address_to_start_at().ok()
    }

    /// A client of the server at `url`, which gets the header `authorization`.
    pub fn new(url: ServerUrl, authorization: Option<HeaderValue>, timeout: Duration) -> Result<Self, Failure> {
        let mut headers = HeaderMap::new();
        headers.extend(authorization.map(|token| (AUTHORIZATION, token)));
        let mut http = reqwest::Client::builder()
            .user_agent(concat!("aw/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers)
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(timeout);
        // reqwest needs a TLS provider even for plain HTTP. It also loads the system's root certificates, which costs time
        // and fails where there are none, so plain HTTP gets an empty list. An error means that a provider is installed.
        let _ = rustls::crypto::ring::default_provider().install_default();
        if !url.is_https() {
            http = http.tls_certs_only([]);
        }
        if url.is_loopback() {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|error| {
            Failure::new(Code::InternalError, format!("cannot set up the HTTP client: {}", root_cause(&error)))
        })?;
        let api = generated::Client::new_with_client(url.base(), http);
        Ok(Self {
            api,
            url,
            retries: RetryLimit::Times(MAX_RETRIES),
            was_reached: AtomicBool::new(false),
            tells_agents: false,
            seats: None,
            checks_history: true,
        })
    }

    /// This user's key of a seat, for a write as this side; it is made at the first write. None with a warning if it cannot be
    /// kept: a seat that is taken with a lost key keeps its own author out.
    pub fn seat_key(&self, debate: Uuid, side: types::Side) -> Option<String> {
        let folder = self.seats.clone().or_else(settings::seats_folder);
        let folder = folder.ok_or("there is no home folder; set DEBATE_SEATS_DIR to a folder for it".to_owned());
        let key = folder.and_then(|folder| {
            let path = seat_keys::path(&folder, &self.url, debate, side);
            seat_keys::load_or_make(&path).map_err(|error| format!("{}: {error}", path.display()))
        });
        key.map_err(|reason| {
            warning::add(format!(
                "no key could be kept for the seat of the {side}, so that others may write as the {side}, too: {reason}"
            ));
        })
        .ok()
    }

    /// This user's key of a seat, if one is kept; none is made.
    pub fn kept_seat_key(&self, debate: Uuid, side: types::Side) -> Option<String> {
        let folder = self.seats.clone().or_else(settings::seats_folder)?;
        seat_keys::load(&seat_keys::path(&folder, &self.url, debate, side)).ok().flatten()
    }

    /// Sets how long requests are retried.
    pub fn with_retries(self, retries: RetryLimit) -> Self {
        Self { retries, ..self }
    }

    /// Sends a request, and sends it again when the network fails or the server is unavailable. The request must be
    /// idempotent: reads are, and writes are because of their `client_request_id`.
    pub async fn send<T, F>(&self, request: impl Fn() -> F) -> Result<Response<T>, Failure>
    where
        T: DeserializeOwned,
        F: Future<Output = Result<ApiSuccess, ApiError>>,
    {
        let backoff = match self.retries {
            RetryLimit::Times(max) => backoff().with_max_times(max),
            RetryLimit::Until(_) | RetryLimit::Unlimited => backoff().without_max_times(),
        };
        let mut retries = 0;
        (|| self.send_once(request()))
            .retry(backoff)
            .when(|error: &RequestError| error.retry_after.is_some())
            .adjust(|error: &RequestError, delay| {
                let min = error.retry_after?.min(MAX_RETRY_AFTER);
                self.retries.shorten(delay?.max(min))
            })
            .notify(|error: &RequestError, delay: Duration| {
                retries += 1;
                let when = match self.retries {
                    RetryLimit::Times(max) => format!(" in {:.1} s ({retries} of {max})", delay.as_secs_f32()),
                    RetryLimit::Until(_) | RetryLimit::Unlimited if retries == 1 => String::new(),
                    RetryLimit::Until(_) | RetryLimit::Unlimited => return,
                };
                terminal::note_in_lines(&format!("{}; trying again{when}", error.failure.message));
            })
            .await
            .map_err(|error| *error.failure)
    }

    /// Sends a write. A failure names its request id and, if the write may have been stored, how to repeat it safely.
    pub async fn write<T, F>(&self, request_id: &str, request: impl Fn() -> F) -> Result<Response<T>, Failure>
    where
        T: DeserializeOwned,
        F: Future<Output = Result<ApiSuccess, ApiError>>,
    {
        self.send(request).await.map_err(|failure| {
            let failure = Failure { client_request_id: Some(request_id.into()), ..failure };
            if failure.exit_status() != ExitStatus::Server {
                return failure;
            }
            let retry = format!(
                "The write may have been stored: repeat it with {} {}, which never stores it twice",
                reader::option("--client-request-id"),
                quoting::quote(request_id)
            );
            let suggestion = match &failure.suggestion {
                Some(suggestion) => format!("{}. {retry}", suggestion.trim_end_matches('.')),
                None => retry,
            };
            let args: Option<Vec<String>> = env::args_os().skip(1).map(|arg| arg.into_string().ok()).collect();
            let next = args.and_then(|args| quoting::retry_command(args, request_id));
            Failure { next: next.map(|line| Box::new(line.into())), ..failure.with_suggestion(suggestion) }
        })
    }

    /// Refuses a server whose contract is older than what an option needs.
    pub async fn require_contract(&self, needed: &str, option: &str) -> Result<(), Failure> {
        let contract = self.send::<types::Info, _>(|| self.api.info()).await?.parsed.contract;
        if compatibility::is_at_least(&contract, needed) {
            return Ok(());
        }
        let message = format!("{option} needs a server with the contract {needed} or later; this one has {contract}");
        Err(Failure::new(Code::InvalidInput, message)
            .with_suggestion(format!("Update the server{}", reader::in_a_shell("; aw doctor tells both versions"))))
    }

    /// Requests a record in a format that is a text, of which the generated client knows nothing.
    pub async fn rendered_record(&self, debate: Uuid, format: &str) -> Result<ApiSuccess, ApiError> {
        let url = format!("{}/debates/{debate}/record", self.url.base());
        let answer = self.api.client().get(url).query(&[("format", format)]).send().await?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        if !status.is_success() {
            return Err(Error::ErrorResponse(ResponseValue::from_response(answer).await?));
        }
        let data = Value::from(answer.text().await.map_err(Error::ResponseBodyError)?);
        Ok(ResponseValue::new(types::Success { data, success: true }, status, headers))
    }

    /// Sends a request without retries.
    pub async fn send_once<T: DeserializeOwned>(
        &self,
        request: impl Future<Output = Result<ApiSuccess, ApiError>>,
    ) -> Result<Response<T>, RequestError> {
        let answer = request.await;
        let is_reached = !matches!(&answer, Err(Error::CommunicationError(error)) if error.is_connect());
        self.was_reached.fetch_or(is_reached, Ordering::Relaxed);
        let data = match answer {
            Ok(answer) if answer.success => answer.into_inner().data,
            Ok(_) => return Err(self.unexpected("it answered with success: false and a success status")),
            Err(error) => return Err(self.request_error(error)),
        };
        match T::deserialize(&data) {
            Ok(parsed) => Ok(Response { data: self.check_history(data).await, parsed }),
            Err(error) => Err(self.unexpected(&format!("its answer does not match the API: {error}"))),
        }
    }

    /// Compares the hashes in `data` with those seen before, and returns `data` without them, and without who wrote the arguments
    /// unless that is asked for. A record keeps them, since it is signed with them.
    async fn check_history(&self, mut data: Value) -> Value {
        let record = data.get("record");
        let checked = if self.checks_history { history_check::check(record.unwrap_or(&data)) } else { None };
        if let Some((debate, seen)) = checked {
            // The server refuses numbers beyond 63 bits, which a damaged file may have.
            let after = seen.seq.saturating_sub(1).min(u64::MAX / 4);
            let before = after + 2;
            // If this request fails, the next command asks again.
            if let Ok(context) = self.api.debate_get_context(&debate, Some(after), Some(before), None, None, None).await
            {
                history_check::recheck(debate, &seen, &context.into_inner().data);
            }
        }
        if data.get("record").is_none() {
            history_check::strip(&mut data, self.tells_agents);
        }
        data
    }

    /// Classifies an error of the generated client.
    pub fn request_error(&self, error: ApiError) -> RequestError {
        match error {
            Error::ErrorResponse(answer) => {
                let (status, request_id) = (answer.status(), request_id(answer.headers()));
                self.refused(status, request_id, answer.into_inner())
            }
            // Servers refuse it, or close the connection before it is read.
            Error::CommunicationError(error) | Error::ResponseBodyError(error) if url_bytes(&error) > MAX_URL_BYTES => {
                let message = format!("what is asked for is too long: its URL has {} bytes", url_bytes(&error));
                Failure::new(Code::ContentTooLarge, message)
                    .with_suggestion(format!("Give a text that takes less than {MAX_URL_BYTES} bytes in a URL"))
                    .into()
            }
            Error::CommunicationError(error) => {
                let was_reached = self.was_reached.load(Ordering::Relaxed);
                match (error.status(), LastingCause::of(&error, self.url.is_loopback(), was_reached)) {
                    (Some(status), _) if is_gateway_error(status) => {
                        self.unavailable(&format!("a proxy answered HTTP {status}"))
                    }
                    (Some(status), _) => self.unexpected(&format!("it answered HTTP {status} without JSON")),
                    // The server cannot be reached until somebody removes the cause.
                    (None, Some(cause)) => {
                        self.unavailable(cause.reason).failure.with_suggestion(cause.suggestion()).into()
                    }
                    (None, None) => self.unavailable(&reason(&error)),
                }
            }
            Error::ResponseBodyError(error) => {
                self.unavailable(&format!("its answer is incomplete: {}", reason(&error)))
            }
            Error::InvalidResponsePayload(_, error) if error.is_eof() => self.unavailable("its answer is incomplete"),
            Error::InvalidResponsePayload(body, error) => {
                let start: String = String::from_utf8_lossy(&body).chars().take(60).collect();
                let start = sanitize::line(&start);
                self.unexpected(&format!("its answer does not match the API: {error}; it starts with {start}"))
            }
            Error::UnexpectedResponse(answer) => {
                self.unexpected(&format!("it answered HTTP {}, which is not part of the API", answer.status()))
            }
            Error::Custom(reason) => Failure::not_allowed(reason).into(),
            Error::InvalidRequest(reason) => {
                Failure::new(Code::InternalError, format!("cannot send the request: {reason}")).into()
            }
            Error::InvalidUpgrade(error) => self.unexpected(&reason(&error)),
        }
    }

    /// The error object that the server sent with `status`, in its answer to the request with this id.
    fn refused(&self, status: StatusCode, request_id: Option<String>, answer: types::Refusal) -> RequestError {
        let request_id = request_id.filter(|_| status.is_server_error());
        let error = Refusal::deserialize(&*answer).ok().map(|refusal| refusal.error);
        let failure = match error.map(|error| Failure::from_server(error, request_id)) {
            Some(Ok(failure)) => failure,
            // Some proxies write JSON of their own.
            _ if is_gateway_error(status) => return self.unavailable(&format!("a proxy answered HTTP {status}")),
            Some(Err(error)) => {
                return self.unexpected(&format!(
                    "it answered HTTP {status} with an error that does not match the API: {error}"
                ));
            }
            None => return self.unexpected(&format!("it answered HTTP {status} with JSON that has no error object")),
        };
        let seconds = failure.refusal().and_then(|error| error.retry_after).unwrap_or_default();
        let retry_after = (status == StatusCode::SERVICE_UNAVAILABLE).then(|| Duration::from_secs(seconds));
        RequestError { failure: Box::new(failure), retry_after }
    }

    /// The server cannot be reached, or not at the moment.
    pub fn unavailable(&self, reason: &str) -> RequestError {
        let message = format!("no answer from the server at {}: {reason}", self.url.base());
        let how_to_start = match self.can_be_started() {
            true if reader::has_tools() => "; your user starts it",
            true => HOW_TO_START,
            false => "",
        };
        let suggestion =
            format!("Check that aweave-server is running and that DEBATE_SERVER_URL is its address{how_to_start}");
        let failure = Failure::new(Code::ConnectionError, message).with_suggestion(suggestion);
        RequestError { failure: Box::new(failure), retry_after: Some(Duration::ZERO) }
    }

    /// The answer is not one of an aweave server of this version.
    fn unexpected(&self, reason: &str) -> RequestError {
        let message = format!("the server at {} is not an aweave server: {reason}", self.url.base());
        Failure::new(Code::ConnectionError, message)
            .with_suggestion(
                "Check that DEBATE_SERVER_URL is the address of an aweave-server of the same version as aw",
            )
            .into()
    }
}

/// What the server answers with where it refuses.
#[derive(Deserialize)]
struct Refusal {
    error: Map<String, Value>,
}

/// A server takes 8 KiB of a request without its body, headers included.
const MAX_URL_BYTES: usize = 8_000;

fn url_bytes(error: &reqwest::Error) -> usize {
    error.url().map_or(0, |url| url.as_str().len())
}

/// Whether a proxy reports with this status that the server behind it is unavailable. Those above 504 are Cloudflare's.
fn is_gateway_error(status: StatusCode) -> bool {
    matches!(status.as_u16(), 502..=504 | 520..=527 | 530)
}

/// The id under which the server's log has the request.
fn request_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get("x-request-id")?.to_str().ok()?;
    let has_the_form = id.chars().all(|one| one.is_ascii_alphanumeric() || "._:-".contains(one));
    (has_the_form && (1..=128).contains(&id.len())).then(|| id.to_owned())
}

fn reason(error: &reqwest::Error) -> String {
    if error.is_timeout() { "it takes too long".to_owned() } else { root_cause(error) }
}

/// The innermost cause, which says what happened.
fn root_cause(error: &reqwest::Error) -> String {
    let causes = successors(Some(error as &dyn std::error::Error), |error| error.source());
    causes.last().map(ToString::to_string).unwrap_or_default()
}

/// The agents that a run starts answer the run, which writes for them.
pub fn refuse_in_a_run() -> Result<(), String> {
    let run = if reader::has_tools() { "a run" } else { "`aw debate run`" };
    // Some agents keep variables from the servers of tools that they start.
    let is_of_start =
        |folder: &Path| folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(START_PREFIX));
    let reason = if env::var_os("AW_ROLE").is_some() {
        "AW_ROLE is set".to_owned()
    } else if let Some(folder) = env::current_dir().ok().filter(|folder| folder.ancestors().any(is_of_start)) {
        format!("{} was made for an agent", folder.display())
    } else {
        return Ok(());
    };
    Err(format!("{reason}: an agent that {run} started writes nothing itself"))
}

impl ClientHooks for generated::Client {
    async fn pre<E>(&self, request: &mut Request, _: &OperationInfo) -> Result<(), Error<E>> {
        if request.method() == Method::GET { Ok(()) } else { refuse_in_a_run().map_err(Error::Custom) }
    }

    /// Turns an error page of a proxy, which is not JSON, into an error with its status.
    async fn exec(&self, request: Request, _: &OperationInfo) -> reqwest::Result<reqwest::Response> {
        let answer = self.client.execute(request).await?;
        // A server that does not read a whole request answers it with nothing but a status.
        let is_bare = matches!(answer.status(), StatusCode::URI_TOO_LONG | StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
        let content_type = answer.headers().get(CONTENT_TYPE);
        let is_json = content_type.map_or(!is_bare, |value| value.as_bytes().starts_with(b"application/json"));
        if is_json { Ok(answer) } else { answer.error_for_status() }
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

    /// Answers one connection after the other with the given bytes, and returns the heads of the requests.
    fn start_server(answers: Vec<String>) -> (Client, thread::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = ServerUrl::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let client = Client::new(url, Some(HeaderValue::from_static("Bearer t")), Duration::from_secs(5)).unwrap();
        let requests = thread::spawn(move || {
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
        (client, requests)
    }

    fn http(status: &str, media: &str, body: &str) -> String {
        let length = body.len();
        format!(
            "HTTP/1.1 {status}\r\ncontent-type: {media}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        )
    }

    fn json_answer(status: &str, body: &Value) -> String {
        http(status, "application/json", &body.to_string())
    }

    fn list(total: u32) -> Value {
        json!({"success": true, "data": {"total": total, "debates": [], "later_addition": null}})
    }

    async fn send_one(answer: String) -> Result<Response<types::DebateList>, RequestError> {
        let (client, _) = start_server(vec![answer]);
        client.send_once(client.api.debate_list(None, None, None, None, None)).await
    }

    #[tokio::test]
    async fn data_is_passed_on_unchanged() {
        let response = send_one(json_answer("200 OK", &list(3))).await.ok().unwrap();
        assert_eq!(response.data.to_string(), r#"{"total":3,"debates":[],"later_addition":null}"#);
        assert_eq!(response.parsed.total, 3);
    }

    #[tokio::test]
    async fn an_answer_that_does_not_match_the_api_is_a_connection_error() {
        let error_without_code = json!({"success": false, "error": {"message": "?"}});
        for (answer, retry) in [
            (http("200 OK", "text/html", "<html>Welcome</html>"), None),
            (http("404 Not Found", "text/html", "<html>No such page</html>"), None),
            (http("301 Moved Permanently", "text/html", ""), None),
            (http("502 Bad Gateway", "text/html", "<html>nginx</html>"), Some(Duration::ZERO)),
            (http("200 OK", "application/json", "{\"success\": tru\u{1b}"), None),
            (json_answer("200 OK", &json!({"success": true})), None),
            (json_answer("200 OK", &json!({"success": false, "data": {}})), None),
            (json_answer("200 OK", &json!({"success": true, "data": {"totals": 1}})), None),
            (json_answer("404 Not Found", &json!({"detail": "Not Found"})), None),
            (json_answer("400 Bad Request", &error_without_code), None),
            (json_answer("400 Bad Request", &json!({"success": false, "error": "?"})), None),
            (json_answer("200 OK", &list(3)).replace("content-length: ", "content-length: 9"), Some(Duration::ZERO)),
            ("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"succ".to_owned(), Some(Duration::ZERO)),
            ("SSH-2.0-OpenSSH_9.6\r\n".to_owned(), None),
            (String::new(), Some(Duration::ZERO)),
        ] {
            let error = send_one(answer.clone()).await.err().unwrap();
            assert_eq!(error.failure.code, "CONNECTION_ERROR", "{answer}");
            assert_eq!(error.failure.exit_status(), ExitStatus::Server, "{answer}");
            assert_eq!(error.retry_after, retry, "{answer}: {}", error.failure.message);
        }
    }

    #[test]
    fn aw_up_is_suggested_for_a_server_of_this_machine_only() {
        for (url, suggested) in
            [("http://127.0.0.1:3456", true), ("http://debates.example:3456", false), ("https://localhost", false)]
        {
            let client = Client::new(ServerUrl::parse(url).unwrap(), None, Duration::from_secs(5)).unwrap();
            let suggestion = client.unavailable("connection refused").failure.suggestion.unwrap();
            let told = suggestion.contains("`aw up` starts it, which an agent leaves to its user");
            assert_eq!(told, suggested, "{url}: {suggestion}");
        }
    }

    #[tokio::test]
    async fn an_error_of_the_server_is_not_retried_and_names_the_request_id() {
        let error = json!({"code": "DEBATE_EXISTS", "message": "in use", "debate_id": Uuid::nil()});
        let answer = json_answer("409 Conflict", &json!({"success": false, "error": error}));
        let (client, requests) = start_server(vec![answer]);
        let failure = client
            .write::<types::DebateList, _>("r1", || client.api.debate_list(None, None, None, None, None))
            .await
            .err()
            .unwrap();
        assert_eq!(Value::from(failure.server_error.unwrap().error), error);
        assert_eq!(failure.client_request_id.as_deref(), Some("r1"));
        assert!(requests.join().unwrap()[0].contains("authorization: Bearer t"));
    }

    #[tokio::test]
    async fn a_temporary_error_is_retried_three_times() {
        let busy = json_answer(
            "503 Service Unavailable",
            &json!({"success": false, "error": {"code": "STORE_UNAVAILABLE", "message": "busy", "retry_after": 0}}),
        );
        let (client, _) =
            start_server(vec![String::new(), busy.clone(), busy.clone(), json_answer("200 OK", &list(1))]);
        let response =
            client.send::<types::DebateList, _>(|| client.api.debate_list(None, None, None, None, None)).await;
        assert_eq!(response.ok().unwrap().parsed.total, 1);

        let (client, requests) = start_server(vec![busy.clone(), busy.clone(), busy.clone(), busy]);
        let response =
            client.send::<types::DebateList, _>(|| client.api.debate_list(None, None, None, None, None)).await;
        assert_eq!(response.err().unwrap().code, "STORE_UNAVAILABLE");
        assert_eq!(requests.join().unwrap().len(), 4);
    }

    #[tokio::test]
    async fn a_failure_of_the_server_names_the_request() {
        let error = json!({"success": false, "error": {"code": "INTERNAL_ERROR", "message": "a bug"}});
        for (status, given, kept) in [
            ("500 Internal Server Error", "r-7.a:B_1", Some("r-7.a:B_1")),
            ("503 Service Unavailable", "r7", Some("r7")),
            ("500 Internal Server Error", "`r7`", None),
            ("404 Not Found", "r7", None),
        ] {
            let answer = json_answer(status, &error).replacen("\r\n", &format!("\r\nx-request-id: {given}\r\n"), 1);
            let error = send_one(answer).await.err().unwrap();
            assert_eq!(error.failure.request_id(), kept, "{status} {given}");
        }
    }

    #[tokio::test]
    async fn retry_after_is_honoured() {
        let error = json!({"code": "OVERLOADED", "message": "full", "retry_after": 7});
        let error = send_one(json_answer("503 Service Unavailable", &json!({"success": false, "error": error}))).await;
        assert_eq!(error.err().unwrap().retry_after, Some(Duration::from_secs(7)));
    }
}
