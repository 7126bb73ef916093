//! The transport: one message a line, on stdin and stdout.

use std::{io, pin::Pin};

use rmcp::{
    RoleServer,
    model::{ClientRequest, ErrorData, GetMeta, JsonRpcMessage, ProtocolVersion, RequestId},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::{Transport, async_rw::AsyncRwTransport},
};
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader, Empty, Stdin, Stdout};
use tokio_util::sync::CancellationToken;

/// A longer line is left out, which bounds memory. The longest text that a command reads from a file fits.
const MAX_LINE_BYTES: usize = 128 << 20;

/// Stdin and stdout. What is no message, or comes before a session is begun as the protocol wants it, is refused here, one
/// message at a time: the SDK would end the session before it began, and would not say which message it refuses.
pub struct Stdio {
    stdin: BufReader<Stdin>,
    /// What was read of a line that has not ended
    line: Vec<u8>,
    /// Whether the rest of the line is left out
    is_too_long: bool,
    stdout: AsyncRwTransport<RoleServer, Empty, Stdout>,
    /// A refusal that is being written. The SDK drops `receive` whenever it has something else to do, so that a refusal written
    /// there could get lost.
    refusal: Option<Pin<Box<dyn Future<Output = io::Result<()>> + Send>>>,
    /// Whether the session was begun
    is_begun: bool,
    /// Cancelled when stdin ends
    end: CancellationToken,
}

impl Stdio {
    /// The transport; `end` is cancelled when stdin ends.
    pub fn new(end: CancellationToken) -> Self {
        Self {
            stdin: BufReader::new(tokio::io::stdin()),
            line: Vec::new(),
            is_too_long: false,
            stdout: AsyncRwTransport::new(tokio::io::empty(), tokio::io::stdout()),
            refusal: None,
            is_begun: false,
            end,
        }
    }

    /// The next line, without its end. Nothing is lost if this is dropped before it is ready.
    async fn next_line(&mut self) -> Option<Vec<u8>> {
        loop {
            let room = (MAX_LINE_BYTES + 1).saturating_sub(self.line.len()) as u64;
            let read = (&mut self.stdin).take(room).read_until(b'\n', &mut self.line).await;
            if self.line.last() == Some(&b'\n') {
                let line = std::mem::take(&mut self.line);
                if !std::mem::take(&mut self.is_too_long) {
                    return Some(line);
                }
            } else if self.line.len() > MAX_LINE_BYTES {
                self.line.clear();
                self.is_too_long = true;
            } else if !matches!(read, Ok(1..)) {
                // Half a message at the end is none.
                return None;
            }
        }
    }

    /// The next message. What is none is refused, if it can be answered. Nothing is lost if this is dropped before it is ready.
    async fn next_message(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.write_refusal().await?;
            let line = self.next_line().await?;
            let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line);
            if let Ok(message) = serde_json::from_slice(text) {
                return Some(message);
            }
            // A line that is not JSON is ignored: an answer to what is no message might be answered in turn.
            if let Ok(value) = serde_json::from_slice::<Value>(&without_surrogates(text))
                && let Some(id) = to_be_answered(&value)
            {
                self.refuse("the message is not as the protocol describes it", id);
            }
        }
    }

    /// Answers with an error before the next message is read.
    fn refuse(&mut self, reason: &'static str, id: Option<RequestId>) {
        let error = JsonRpcMessage::error(ErrorData::invalid_request(reason, None), id);
        self.refusal = Some(Box::pin(self.stdout.send(error)));
    }

    /// Writes what `refuse` left to be written; `None` if it cannot be written.
    async fn write_refusal(&mut self) -> Option<()> {
        if let Some(refusal) = &mut self.refusal {
            let written = refusal.await;
            self.refusal = None;
            written.ok()?;
        }
        Some(())
    }
}

/// The text with a question mark in place of each escaped surrogate. JSON may have half a pair of them, which is no text: such
/// a message cannot be read, but it has an id under which somebody waits.
fn without_surrogates(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    loop {
        rest = match rest {
            [b'\\', b'u', b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', _, _, rest @ ..] => {
                out.push(b'?');
                rest
            }
            [b'\\', escaped, rest @ ..] => {
                out.extend([b'\\', *escaped]);
                rest
            }
            [byte, rest @ ..] => {
                out.push(*byte);
                rest
            }
            [] => return out,
        };
    }
}

/// Whether a message that is malformed is to be answered, and with which id, if it has one.
fn to_be_answered(message: &Value) -> Option<Option<RequestId>> {
    let none = Map::new();
    let fields = message.as_object().unwrap_or(&none);
    let has = |name: &str| fields.contains_key(name);
    let is_notification = fields.get("method").is_some_and(Value::is_string) && !has("id");
    let is_answer = !has("method") && (has("result") || has("error"));
    (!is_notification && !is_answer).then(|| fields.get("id").and_then(|id| RequestId::deserialize(id).ok()))
}

/// Whether a session may begin with this request. Newer versions of the protocol have no handshake; each request says which
/// version it is of.
fn may_begin(request: &ClientRequest) -> bool {
    matches!(request, ClientRequest::InitializeRequest(_))
        || request.get_meta().missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.stdout.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(message) = self.next_message().await else {
                self.end.cancel();
                return None;
            };
            if self.is_begun {
                return Some(message);
            }
            match message {
                JsonRpcMessage::Request(request) if may_begin(&request.request) => {
                    self.is_begun = true;
                    return Some(JsonRpcMessage::Request(request));
                }
                JsonRpcMessage::Request(request) if matches!(request.request, ClientRequest::PingRequest(_)) => {
                    return Some(JsonRpcMessage::Request(request));
                }
                JsonRpcMessage::Request(request) => {
                    self.refuse("the first request has to be initialize", Some(request.id));
                }
                JsonRpcMessage::Response(_) | JsonRpcMessage::Notification(_) | JsonRpcMessage::Error(_) => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.stdout.close().await
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn half_a_surrogate_pair_does_not_hide_the_rest() {
        for (text, expected) in [
            (r#"{"id":1,"a":"\ud800"}"#, json!({"id": 1, "a": "?"})),
            (r#"["\uDFFFx","\ud83d\ude00","\\ud800","\u00e9","\""]"#, json!(["?x", "??", "\\ud800", "é", "\""])),
        ] {
            assert_eq!(
                serde_json::from_slice::<Value>(&without_surrogates(text.as_bytes())).unwrap(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_message_is_answered_unless_it_is_an_answer_itself() {
        let id = |text: &str| Some(Some(RequestId::String(text.into())));
        for (message, expected) in [
            (json!({"jsonrpc": "1.0", "id": "a", "method": "ping"}), id("a")),
            (json!({"id": "b"}), id("b")),
            (
                json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": []}),
                Some(Some(RequestId::Number(7))),
            ),
            (json!({"jsonrpc": "2.0", "id": 1e300, "method": "ping"}), Some(None)),
            (json!({"jsonrpc": "2.0", "id": null, "method": "ping"}), Some(None)),
            (json!({"method": 7}), Some(None)),
            (json!([]), Some(None)),
            (json!(7), Some(None)),
            (json!({"jsonrpc": "2.0", "method": "notifications/nothing", "params": [1]}), None),
            (json!({"jsonrpc": "2.0", "id": 8, "result": 1, "error": 2}), None),
        ] {
            assert_eq!(to_be_answered(&message), expected, "{message}");
        }
    }
}
