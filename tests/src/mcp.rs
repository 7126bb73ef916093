//! A client of the Model Context Protocol that sends and reads single messages.

use std::path::Path;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout},
    time::timeout,
};

use crate::{binaries, cli::Agent, polling::DEADLINE};

/// A running `aw mcp`.
pub struct McpClient {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
    last_id: u64,
    /// The notifications that came before the last answer.
    pub notifications: Vec<Value>,
}

impl McpClient {
    /// Starts `aw mcp` with these arguments and begins a session.
    pub async fn start(agent: &Agent, args: &[&str]) -> Self {
        let mut client = Self::without_session(agent, args);
        client.initialize("2025-06-18").await;
        client
    }

    /// Starts `aw mcp` in the agent's project and sends nothing.
    pub fn without_session(agent: &Agent, args: &[&str]) -> Self {
        Self::in_folder(agent, &agent.project(), args)
    }

    /// Starts `aw mcp` in this folder and sends nothing.
    pub fn in_folder(agent: &Agent, folder: &Path, args: &[&str]) -> Self {
        let mut command = agent.command(binaries::aw());
        let child = command.arg("mcp").args(args).current_dir(folder).stdin(std::process::Stdio::piped()).spawn();
        let mut child = child.expect("aw starts");
        let stdin = child.stdin.take();
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        Self { child, stdin, lines, last_id: 0, notifications: Vec::new() }
    }

    /// Begins a session and returns what the server says of itself.
    pub async fn initialize(&mut self, version: &str) -> Value {
        let client = json!({"name": "tests", "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
        let answer = self.request("initialize", params).await;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        answer["result"].clone()
    }

    /// Sends a message.
    pub async fn send(&mut self, message: &Value) {
        self.send_bytes(format!("{message}\n").as_bytes()).await;
    }

    /// Sends bytes as they are.
    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        self.stdin.as_mut().expect("stdin is open").write_all(bytes).await.expect("aw mcp reads");
    }

    /// Sends a request and returns its id.
    pub async fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        id
    }

    /// Begins a call of a tool and returns its id.
    pub async fn begin_call(&mut self, tool: &str, arguments: Value) -> u64 {
        self.begin("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// The next message.
    pub async fn read(&mut self) -> Value {
        let line = timeout(DEADLINE, self.lines.next_line()).await.expect("aw mcp answers in time");
        let line = line.expect("aw mcp is a child process").expect("aw mcp still runs");
        serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("stdout has more than the protocol ({error}): {line}"))
    }

    /// The answer to the request with this id.
    pub async fn answer(&mut self, id: u64) -> Value {
        self.notifications.clear();
        loop {
            let message = self.read().await;
            if message["id"] == id {
                return message;
            }
            self.notifications.push(message);
        }
    }

    /// Sends a request and returns its answer.
    pub async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params).await;
        self.answer(id).await
    }

    /// The result of a call, after a check that its text says the same as its fields.
    pub async fn result(&mut self, id: u64) -> Value {
        let answer = self.answer(id).await;
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"));
        let fields: Value = serde_json::from_str(text).expect("the text is JSON");
        let mut result = result.clone();
        match result.get("structuredContent") {
            Some(structured) => assert_eq!(fields, *structured),
            // A tool that prints one long text has it as text only.
            None => result["structuredContent"] = fields,
        }
        result
    }

    /// The fields of a call that succeeds.
    #[track_caller]
    pub fn data<'a>(&'a mut self, tool: &'a str, arguments: Value) -> impl Future<Output = Value> + 'a {
        let caller = std::panic::Location::caller();
        async move {
            let id = self.begin_call(tool, arguments).await;
            let result = self.result(id).await;
            assert_eq!(result["isError"], false, "{caller}: {tool}: {result}");
            result["structuredContent"].clone()
        }
    }

    /// The error of a call that fails.
    #[track_caller]
    pub fn error<'a>(&'a mut self, tool: &'a str, arguments: Value) -> impl Future<Output = Value> + 'a {
        let caller = std::panic::Location::caller();
        async move {
            let id = self.begin_call(tool, arguments).await;
            let result = self.result(id).await;
            assert_eq!(result["isError"], true, "{caller}: {tool}: {result}");
            result["structuredContent"]["error"].clone()
        }
    }

    /// Closes stdin and returns the exit status.
    pub async fn end(mut self) -> Option<i32> {
        drop(self.stdin.take());
        let status = timeout(DEADLINE, self.child.wait()).await.expect("aw mcp ends with its stdin");
        status.expect("aw mcp is a child process").code()
    }
}
