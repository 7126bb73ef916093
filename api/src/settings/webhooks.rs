//! Reads the settings of webhooks.

use chrono::{DateTime, Utc};

use super::{Settings, SettingsError, tokens::token};
use crate::webhooks::{HttpUrl, SenderError, WebhookSecret, WebhookSender};

/// The receivers of webhooks, and how to reach the web app from there.
#[derive(Debug)]
pub struct Webhooks {
    /// The receivers, each once, and what signs the messages to them; none if there are no receivers
    pub receivers: Option<(Vec<HttpUrl>, WebhookSecret)>,
    /// The URL of the web app; none for the address that the server listens on
    pub public_url: Option<String>,
}

impl Settings {
    /// The settings of webhooks.
    ///
    /// # Errors
    /// If a URL is not an `http` or `https` URL, or if there are URLs without a valid secret.
    pub fn webhooks(&self) -> Result<Webhooks, SettingsError> {
        let given = |url: &&str| !url.trim().is_empty();
        let public_url = self.public_url.as_deref().filter(given).map(str::trim);
        if let Some(url) = public_url {
            HttpUrl::parse(url).map_err(SettingsError::PublicUrl)?;
            // Paths are added to it as it is written.
            if url.contains(|c: char| matches!(c, '?' | '#' | '\\') || c.is_whitespace() || c.is_control()) {
                return Err(SettingsError::PublicUrlWithMore);
            }
        }
        let mut urls: Vec<HttpUrl> = Vec::new();
        for url in self.webhook_urls.iter().map(String::as_str).filter(given) {
            let url = HttpUrl::parse(url).map_err(SettingsError::WebhookUrl)?;
            if urls.iter().all(|known| known.endpoint_id() != url.endpoint_id()) {
                urls.push(url);
            }
        }
        let secret = token("DEBATE_WEBHOOK_SECRET", "DEBATE_WEBHOOK_SECRET_FILE")?;
        let secret = secret.map(WebhookSecret::parse).transpose()?;
        let receivers = match (urls.is_empty(), secret) {
            (true, _) => None,
            (false, None) => return Err(SettingsError::NoWebhookSecret),
            (false, Some(secret)) => Some((urls, secret)),
        };
        Ok(Webhooks { receivers, public_url: public_url.map(str::to_owned) })
    }
}

impl Webhooks {
    /// One sender for each receiver.
    ///
    /// # Errors
    /// If one cannot be set up.
    pub fn senders(&self, now: fn() -> DateTime<Utc>) -> Result<Vec<WebhookSender>, SenderError> {
        let receivers = self.receivers.iter().flat_map(|(urls, secret)| urls.iter().map(move |url| (url, secret)));
        receivers.map(|(url, secret)| WebhookSender::new(url.clone(), secret, now)).collect()
    }
}
