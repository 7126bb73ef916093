//! The transport: one message a line, on stdin and stdout.

use std::{
    borrow::Cow,
    collections::{HashMap, VecDeque},
    io,
};

use futures_util::StreamExt;
use rmcp::{
    RoleServer,
    model::{ClientRequest, ErrorData, GetMeta, JsonRpcMessage, ProtocolVersion, RequestId},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::{Transport, async_rw::AsyncRwTransport},
};
use serde_json::value::RawValue;
use tokio::io::{Empty, Stdin, Stdout};
use tokio_util::{
    bytes::Bytes,
    codec::{AnyDelimiterCodec, AnyDelimiterCodecError, FramedRead},
    sync::CancellationToken,
    task::TaskTracker,
};

/// A longer line is left out, which bounds memory. The longest text that a command reads from a file fits.
const MAX_LINE_BYTES: usize = 128 << 20;

/// Stdin and stdout. What is no message, or comes before a session is begun as the protocol wants it, is refused here, one
/// message at a time: the SDK would end the session before it began, and would not say which message it refuses.
pub struct Stdio {
    lines: FramedRead<Stdin, AnyDelimiterCodec>,
    stdout: AsyncRwTransport<RoleServer, Empty, Stdout>,
    /// Refusals that are being written. The SDK drops `receive` whenever it has something else to do, so that a refusal written
    /// there could get lost.
    refusals: TaskTracker,
    /// Whether the session was begun
    is_begun: bool,
    /// Whether a line may be a list of messages: version 2025-03-26 of the protocol has that, and no other
    takes_batches: bool,
    /// What is left of such a list. Each of its requests is answered on a line of its own, as soon as that can be
    batch: VecDeque<Bytes>,
    /// Cancelled when stdin ends
    end: CancellationToken,
}

impl Stdio {
    /// The transport; `end` is cancelled when stdin ends.
    pub fn new(end: CancellationToken) -> Self {
        let lines = AnyDelimiterCodec::new_with_max_length(b"\n".to_vec(), Vec::new(), MAX_LINE_BYTES);
        Self {
            lines: FramedRead::new(tokio::io::stdin(), lines),
            stdout: AsyncRwTransport::new(tokio::io::empty(), tokio::io::stdout()),
            refusals: TaskTracker::new(),
            is_begun: false,
            takes_batches: false,
            batch: VecDeque::new(),
            end,
        }
    }

    /// The next line, without its end. Nothing is lost if this is dropped before it is ready.
    async fn next_line(&mut self) -> Option<Bytes> {
        loop {
            match self.lines.next().await {
                Some(Ok(line)) => return Some(line),
                // After an error the stream seems to end once.
                Some(Err(AnyDelimiterCodecError::MaxChunkLengthExceeded)) => drop(self.lines.next().await),
                Some(Err(AnyDelimiterCodecError::Io(_))) | None => return None,
            }
        }
    }

    fn refuse(&mut self, reason: impl Into<Cow<'static, str>>, id: Option<RequestId>) {
        let error = JsonRpcMessage::error(ErrorData::invalid_request(reason, None), id);
        self.refusals.spawn(self.stdout.send(error));
    }
}

/// Whether a message that cannot be read is to be answered, and with which id, if it has one. Neither how deep it is nor how
/// large its numbers are hides the id: only the names of its fields are parsed.
fn to_be_answered(message: &[u8]) -> Option<Option<RequestId>> {
    let Ok(fields) = serde_json::from_slice::<HashMap<String, &RawValue>>(message) else {
        // What is no JSON is ignored: an answer to what is no message might be answered in turn.
        return serde_json::from_slice::<&RawValue>(message).is_ok().then_some(None);
    };
    let has = |name: &str| fields.contains_key(name);
    let is_notification = fields.get("method").is_some_and(|method| method.get().starts_with('"')) && !has("id");
    let is_answer = !has("method") && (has("result") || has("error"));
    (!is_notification && !is_answer).then(|| fields.get("id").and_then(|id| serde_json::from_str(id.get()).ok()))
}

/// The messages of a line that is a list of them; none where it is none, or an empty one.
fn messages(line: &Bytes, text: &[u8]) -> VecDeque<Bytes> {
    let messages: Vec<&RawValue> = serde_json::from_slice(text).unwrap_or_default();
    messages.into_iter().map(|message| line.slice_ref(message.get().as_bytes())).collect()
}

/// Whether a session may begin with this request. Newer versions of the protocol have no handshake; each request says which
/// version it is of.
fn may_begin(request: &ClientRequest) -> bool {
    matches!(request, ClientRequest::InitializeRequest(_))
        || request.get_meta().missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.stdout.send(message)
    }

    /// Nothing is lost if this is dropped before it is ready.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let of_batch = self.batch.pop_front();
            let is_of_batch = of_batch.is_some();
            let line = match of_batch {
                Some(message) => message,
                None => match self.next_line().await {
                    Some(line) => line,
                    None => break,
                },
            };
            let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line);
            if self.takes_batches && !is_of_batch {
                self.batch = messages(&line, text);
                if !self.batch.is_empty() {
                    continue;
                }
            }
            match serde_json::from_slice(text) {
                Ok(JsonRpcMessage::Request(request)) => {
                    self.is_begun |= may_begin(&request.request);
                    if let ClientRequest::InitializeRequest(initialize) = &request.request {
                        self.takes_batches = initialize.params.protocol_version == ProtocolVersion::V_2025_03_26;
                    }
                    if self.is_begun || matches!(request.request, ClientRequest::PingRequest(_)) {
                        return Some(JsonRpcMessage::Request(request));
                    }
                    let reason = if request.request.method() == "initialize" {
                        "the params of initialize (protocolVersion, capabilities, clientInfo) are not as the protocol describes them"
                    } else {
                        "the first request has to be initialize"
                    };
                    self.refuse(reason, Some(request.id));
                }
                Ok(message) if self.is_begun => return Some(message),
                Ok(_) => {}
                Err(error) => {
                    if let Some(id) = to_be_answered(text) {
                        self.refuse(format!("the message is not as the protocol describes it: {error}"), id);
                    }
                }
            }
        }
        self.refusals.close();
        self.refusals.wait().await;
        self.end.cancel();
        None
    }

    async fn close(&mut self) -> io::Result<()> {
        self.stdout.close().await
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
            assert_eq!(to_be_answered(message.to_string().as_bytes()), expected, "{message}");
        }
        let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        for (text, expected) in [
            (r#"{"id":"c","a":"\ud800"}"#.to_owned(), id("c")),
            (format!(r#"{{"a":{deep},"id":"d"}}"#), id("d")),
            (r#"{"id":"e","method":"ping","a":1e999}"#.to_owned(), id("e")),
            (format!(r#"{{"id":{deep},"method":"ping"}}"#), Some(None)),
            (deep.clone(), Some(None)),
            (r#"{"\ud800":1}"#.to_owned(), Some(None)),
            (format!(r#"{{"method":"notifications/nothing","params":{deep}}}"#), None),
            (format!(r#"{{"id":"f","result":{deep}}}"#), None),
            (deep[..9000].to_owned(), None),
        ] {
            assert_eq!(to_be_answered(text.as_bytes()), expected, "{text}");
        }
    }
}
