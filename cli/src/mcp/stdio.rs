//! The transport: one message a line, on stdin and stdout.

use std::io;

use rmcp::{
    RoleServer,
    model::{ClientRequest, ErrorData, GetMeta, JsonRpcMessage, ProtocolVersion},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::{Transport, async_rw::AsyncRwTransport},
};
use tokio::io::{Stdin, Stdout};
use tokio_util::sync::CancellationToken;

/// Stdin and stdout. What comes before a session is begun as the protocol wants it is refused here, one message at a time: the
/// SDK would end the session before it began.
pub struct Stdio {
    lines: AsyncRwTransport<RoleServer, Stdin, Stdout>,
    /// Whether the session was begun
    is_begun: bool,
    /// Cancelled when stdin ends
    end: CancellationToken,
}

impl Stdio {
    /// The transport; `end` is cancelled when stdin ends.
    pub fn new(end: CancellationToken) -> Self {
        let lines = AsyncRwTransport::new(tokio::io::stdin(), tokio::io::stdout());
        Self { lines, is_begun: false, end }
    }
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
        self.lines.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(message) = self.lines.receive().await else {
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
                    let error = ErrorData::invalid_request("the first request has to be initialize", None);
                    self.lines.send(JsonRpcMessage::error(error, Some(request.id))).await.ok()?;
                }
                JsonRpcMessage::Response(_) | JsonRpcMessage::Notification(_) | JsonRpcMessage::Error(_) => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.lines.close().await
    }
}
