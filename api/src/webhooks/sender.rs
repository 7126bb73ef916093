//! Sends messages to one receiver.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use data_encoding::BASE64;
use hyper::{
    Request, StatusCode, Uri,
    client::conn::http1,
    header::{AUTHORIZATION, CONTENT_TYPE, HOST, USER_AGENT},
};
use hyper_util::{
    client::{
        legacy::connect::{HttpConnector, proxy::Tunnel},
        proxy::matcher::{Intercept, Matcher},
    },
    rt::TokioIo,
};
use percent_encoding::percent_decode_str;
use rustls::{ClientConfig, pki_types::ServerName};
use rustls_platform_verifier::ConfigVerifierExt;
use tokio::{
    io::{self, AsyncRead, AsyncReadExt, AsyncWrite},
    time::timeout,
};
use tokio_rustls::TlsConnector;
use tokio_util::task::AbortOnDropHandle;
use tower_service::Service;
use url::{Position, Url};

use super::{HttpUrl, WebhookSecret, secret::Signer};
use crate::{app::WebhookReceiver, domain::EndpointId};

/// How long an attempt may take, until the head of the answer is there.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long it may take to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The most bytes that are read in an attempt, with what TLS needs. A head is hardly longer than one kibibyte, but any number
/// of provisional answers may come before it.
const MAX_ANSWER_BYTES: u64 = 64 * 1024;

/// Why messages cannot be sent at all.
#[derive(Debug, thiserror::Error)]
#[error("webhooks to {receiver} cannot be set up: {reason}")]
pub struct SenderError {
    receiver: String,
    reason: String,
}

/// A connection, with TLS or without.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Sends signed messages to one receiver.
pub struct WebhookSender {
    url: HttpUrl,
    signer: Signer,
    /// None for plain HTTP: the system's root certificates cost memory, and there may be none
    tls: Option<TlsConnector>,
    /// The proxy that the environment names for this receiver
    proxy: Option<Intercept>,
    now: fn() -> DateTime<Utc>,
}

impl WebhookSender {
    /// A sender to this URL that signs with this secret.
    ///
    /// # Errors
    /// If the system's root certificates are needed and cannot be read.
    pub fn new(url: HttpUrl, secret: &WebhookSecret, now: fn() -> DateTime<Utc>) -> Result<Self, SenderError> {
        let failed = |reason: String| SenderError { receiver: url.origin().to_owned(), reason };
        // An error means that a provider is installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let config = url.is_https().then(ClientConfig::with_platform_verifier).transpose();
        let tls = config.map_err(|error| failed(error.to_string()))?.map(|config| TlsConnector::from(Arc::new(config)));
        let origin: Option<Uri> = url.origin().parse().ok().filter(|_| !url.is_loopback());
        let proxy = origin.and_then(|origin| Matcher::from_env().intercept(&origin));
        Ok(Self { url, signer: secret.signer(), tls, proxy, now })
    }

    /// Sends a message and returns the status of the answer. Nothing of the answer but its head is waited for.
    async fn post(&self, id: &str, payload: &str) -> Result<StatusCode, Error> {
        let url = Url::parse(self.url.expose())?;
        // The time of the attempt: receivers refuse messages that are older than a few minutes.
        let timestamp = (self.now)().timestamp();
        let mut request = Request::post(&url[Position::BeforePath..Position::AfterQuery])
            .header(HOST, &url[Position::BeforeHost..Position::AfterPort])
            .header(USER_AGENT, concat!("aweave-server/", env!("CARGO_PKG_VERSION")))
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", self.signer.sign(id, timestamp, payload));
        if !url.username().is_empty() || url.password().is_some() {
            let user = format!("{}:{}", url.username(), url.password().unwrap_or_default());
            let user: Vec<u8> = percent_decode_str(&user).collect();
            request = request.header(AUTHORIZATION, format!("Basic {}", BASE64.encode(&user)));
        }
        let stream = TokioIo::new(self.connect(&url).await?);
        let (mut sender, connection) = http1::handshake(stream).await?;
        // Dropped with this attempt, whatever the receiver still sends.
        let _connection = AbortOnDropHandle::new(tokio::spawn(connection));
        Ok(sender.send_request(request.body(payload.to_owned())?).await?.status())
    }

    async fn connect(&self, url: &Url) -> Result<Box<dyn Stream>, Error> {
        let host = url.host_str().unwrap_or_default();
        let port = url.port_or_known_default().unwrap_or_default();
        let destination: Uri = format!("{}://{host}:{port}", url.scheme()).parse()?;
        let mut connector = HttpConnector::new();
        connector.enforce_http(false);
        connector.set_connect_timeout(Some(CONNECT_TIMEOUT));
        let connected = match &self.proxy {
            None => connector.call(destination).await.map_err(Error::from),
            Some(proxy) => {
                let mut tunnel = Tunnel::new(proxy.uri().clone(), connector);
                if let Some(user) = proxy.basic_auth() {
                    tunnel = tunnel.with_auth(user.clone());
                }
                tunnel.call(destination).await.map_err(Error::from)
            }
        };
        let stream = connected.map_err(|error| format!("it cannot be connected to: {}", cause(&*error)))?;
        let (reader, writer) = stream.into_inner().into_split();
        let stream = io::join(reader.take(MAX_ANSWER_BYTES), writer);
        let Some(tls) = &self.tls else { return Ok(Box::new(stream)) };
        let name = ServerName::try_from(host.trim_matches(['[', ']']).to_owned())?;
        Ok(Box::new(tls.connect(name, stream).await?))
    }
}

type Error = Box<dyn std::error::Error + Send + Sync>;

impl WebhookReceiver for WebhookSender {
    fn id(&self) -> EndpointId {
        self.url.endpoint_id()
    }

    fn name(&self) -> &str {
        self.url.origin()
    }

    async fn send(&self, id: &str, payload: &str) -> Result<(), String> {
        match timeout(TIMEOUT, self.post(id, payload)).await {
            Ok(Ok(status)) if status.is_success() => Ok(()),
            Ok(Ok(status)) => Err(format!("it answered with the status {status}")),
            Ok(Err(error)) => Err(reason(&*error)),
            Err(_) => Err(format!("it did not answer within {} seconds", TIMEOUT.as_secs())),
        }
    }
}

/// Why an attempt failed, without the URL.
fn reason(error: &(dyn std::error::Error + 'static)) -> String {
    if error.downcast_ref().is_some_and(hyper::Error::is_incomplete_message) {
        return format!("it closed the connection without an answer, or sent over {MAX_ANSWER_BYTES} bytes before one");
    }
    cause(error)
}

/// The cause of an error.
fn cause(mut error: &(dyn std::error::Error + 'static)) -> String {
    while let Some(deeper) = error.source() {
        error = deeper;
    }
    error.to_string()
}
