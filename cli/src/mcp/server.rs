//! The server: answers what the protocol asks for.

use std::{convert::Infallible, future::pending, time::Duration};

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode,
        GetPromptRequestParams, GetPromptResponse, Implementation, JsonObject, ListPromptsResult, ListToolsResult,
        PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ServerCapabilities, ServerConfig,
    },
    service::{Peer, RequestContext},
};
use serde_json::{Value, json};
use tokio::{
    task::LocalSet,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

use super::{
    AllowedPaths, Call, Defaults, arguments, prompts, result,
    stdio::Stdio,
    tool_schemas,
    tools::{self, Tool},
};
use crate::{
    output::{Code, Failure, reader, warning},
    shell_or_mcp::TOOL_WAIT,
};

/// How often a client that asked for it is told that a wait goes on.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(15);

/// Serves the tools until stdin ends.
pub async fn serve(defaults: Defaults, paths: AllowedPaths) -> Result<(), Failure> {
    let end = CancellationToken::new();
    let server = Server { defaults, paths, end: end.clone() };
    // Calls run as tasks of this thread.
    LocalSet::new()
        .run_until(async {
            match server.serve(Stdio::new(end.clone())).await {
                Ok(session) => session.waiting().await.map(drop).map_err(|error| error.to_string()),
                // Stdin ended before a session began.
                Err(_) if end.is_cancelled() => Ok(()),
                Err(error) => Err(error.to_string()),
            }
        })
        .await
        .map_err(|error| Failure::new(Code::InternalError, format!("the session failed: {error}")))
}

struct Server {
    defaults: Defaults,
    paths: AllowedPaths,
    /// Cancelled when stdin ends
    end: CancellationToken,
}

impl Server {
    fn tool(&self, name: &str) -> Option<&'static Tool> {
        tools::for_role(self.defaults.role).find(|tool| tool.name() == name)
    }

    /// Runs the command that the tool is, and reports its answer.
    async fn run(&self, tool: &'static Tool, arguments: JsonObject) -> CallToolResult {
        let mut call = Call { tool, arguments, defaults: &self.defaults };
        let run = async {
            let prepared = arguments::prepare(&mut call, &self.paths)?;
            tool.command(prepared)?.run(&self.defaults).await
        };
        let (answer, warning) = reader::for_tools(warning::collect(run)).await;
        match answer {
            Ok(output) => result::success(output, warning, &call),
            Err(failure) => result::failure(failure, warning, &call),
        }
    }
}

/// Tells the client from time to time that a wait goes on, if it asked for that.
async fn tell_progress(peer: &Peer<RoleServer>, token: Option<ProgressToken>, total: f64) -> Infallible {
    let Some(token) = token else { return pending().await };
    let start = Instant::now();
    loop {
        sleep(PROGRESS_INTERVAL).await;
        let progress = ProgressNotificationParam::new(token.clone(), start.elapsed().as_secs_f64().round())
            .with_total(total)
            .with_message("Nothing new yet");
        // Without a client there is nobody to tell.
        let _ = peer.notify_progress(progress).await;
    }
}

/// What comes with a request.
type Context = RequestContext<RoleServer>;

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_prompts().build())
            .with_server_info(Implementation::new("aweave-debate", env!("CARGO_PKG_VERSION")))
            .with_instructions(prompts::instructions(&self.defaults))
    }

    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: Context) -> Result<ListToolsResult, ErrorData> {
        let tools =
            tools::for_role(self.defaults.role).map(|tool| tool_schemas::describe(tool, &self.defaults)).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: Context) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tool(&request.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool {}", request.name), None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let seconds = arguments.get("timeout").and_then(Value::as_f64).unwrap_or(TOOL_WAIT.as_secs_f64());
        let answer = self.run(tool, arguments);
        if tool.command != ["debate", "wait"] {
            // A write that was begun is brought to its end, whoever is still there to read the answer.
            return Ok(answer.await.into());
        }
        // Dropping a wait closes its connection, and the server forgets it.
        let answer = tokio::select! {
            answer = answer => answer,
            () = context.ct.cancelled() => CallToolResult::error(Vec::new()),
            () = self.end.cancelled() => CallToolResult::error(Vec::new()),
            never = tell_progress(&context.peer, context.meta.get_progress_token(), seconds) => match never {},
        };
        Ok(answer.into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(&self, request: GetPromptRequestParams, _: Context) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&request.name, request.arguments.unwrap_or_default(), &self.defaults)
            .map(Into::into)
            .map_err(|message| ErrorData::invalid_params(message, None))
    }

    /// A request that is not as the protocol describes it.
    async fn on_custom_request(&self, request: CustomRequest, _: Context) -> Result<CustomResult, ErrorData> {
        let name = request.params.as_ref().and_then(|params| params.get("name")?.as_str());
        match (request.method.as_str(), name.and_then(|name| self.tool(name))) {
            ("tools/call", Some(tool)) => {
                let failure = Failure::new(Code::InvalidInput, "the arguments have to be an object");
                let call = Call { tool, arguments: JsonObject::new(), defaults: &self.defaults };
                Ok(CustomResult(json!(result::failure(failure, None, &call))))
            }
            ("initialize" | "tools/call" | "prompts/get", _) => {
                Err(ErrorData::invalid_params("the params are not as the protocol describes them", None))
            }
            _ => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None)),
        }
    }
}
