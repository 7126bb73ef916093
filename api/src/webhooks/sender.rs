//! Sends messages to one receiver.

use std::time::Duration;

use chrono::{DateTime, Utc};
use reqwest::{Client, header::CONTENT_TYPE, redirect};
use standardwebhooks::{HEADER_WEBHOOK_ID, HEADER_WEBHOOK_SIGNATURE, HEADER_WEBHOOK_TIMESTAMP, Webhook};

use super::{HttpUrl, WebhookSecret};
use crate::{app::WebhookReceiver, domain::EndpointId};

/// How long an attempt may take, until the head of the answer is there.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long it may take to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long an unused connection is kept.
const IDLE_TIMEOUT: Duration = Duration::from_secs(15);

/// Why messages cannot be sent at all.
#[derive(Debug, thiserror::Error)]
#[error("webhooks to {receiver} cannot be set up: {reason}")]
pub struct SenderError {
    receiver: String,
    reason: String,
}

/// Sends signed messages to one receiver.
pub struct WebhookSender {
    url: HttpUrl,
    signer: Webhook,
    http: Client,
    now: fn() -> DateTime<Utc>,
}

impl WebhookSender {
    /// A sender to this URL that signs with this secret.
    ///
    /// # Errors
    /// If the system's root certificates are needed and cannot be read.
    pub fn new(url: HttpUrl, secret: &WebhookSecret, now: fn() -> DateTime<Utc>) -> Result<Self, SenderError> {
        let failed = |reason: String| SenderError { receiver: url.origin().to_owned(), reason };
        let mut http = Client::builder()
            .user_agent(concat!("aweave-server/", env!("CARGO_PKG_VERSION")))
            // A redirect would send the message to where the operator did not say.
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(TIMEOUT)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .pool_max_idle_per_host(1);
        // reqwest needs a TLS provider even for plain HTTP. An error means that one is installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        if !url.is_https() {
            // Otherwise it loads the system's root certificates, which costs memory and fails where there are none.
            http = http.tls_certs_only([]);
        }
        if url.is_loopback() {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|error| failed(reason(error)))?;
        let signer = secret.signer().map_err(|error| failed(error.to_string()))?;
        Ok(Self { url, signer, http, now })
    }
}

impl WebhookReceiver for WebhookSender {
    fn id(&self) -> EndpointId {
        self.url.endpoint_id()
    }

    fn name(&self) -> &str {
        self.url.origin()
    }

    async fn send(&self, id: &str, payload: &str) -> Result<(), String> {
        // The time of the attempt: receivers refuse messages that are older than a few minutes.
        let timestamp = (self.now)().timestamp();
        let signature = self.signer.sign(id, timestamp, payload.as_bytes()).map_err(|error| error.to_string())?;
        let request = self
            .http
            .post(self.url.expose())
            .header(CONTENT_TYPE, "application/json")
            .header(HEADER_WEBHOOK_ID, id)
            .header(HEADER_WEBHOOK_TIMESTAMP, timestamp)
            .header(HEADER_WEBHOOK_SIGNATURE, signature)
            .body(payload.to_owned());
        // The body of the answer is never read, so a receiver cannot make it large or slow.
        let status = request.send().await.map_err(reason)?.status();
        if status.is_success() { Ok(()) } else { Err(format!("it answered with the status {status}")) }
    }
}

/// The cause of an error, without the URL.
fn reason(error: reqwest::Error) -> String {
    if error.is_timeout() {
        return format!("it did not answer within {} seconds", TIMEOUT.as_secs());
    }
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let at = if error.is_connect() { "it cannot be connected to: " } else { "" };
    format!("{at}{cause}")
}
