//! One call of a tool: the command that it is, run with its arguments.

use clap::Parser;
use rmcp::model::{CallToolResult, JsonObject};

use super::{
    AllowedPaths, Defaults, command_words, prompts, result,
    tools::{self, Tool},
};
use crate::{command_line::CommandLine, output::warning, shell_or_mcp::Caller, usage_error};

/// Runs a tool and reports its answer.
pub async fn run(tool: &Tool, mut arguments: JsonObject, defaults: &Defaults, paths: &AllowedPaths) -> CallToolResult {
    let words = command_words::words(tool, &mut arguments, defaults, paths);
    let run = async {
        let command_line = CommandLine::try_parse_from(words?).map_err(|error| usage_error::of_tool(&error))?;
        match tool.command {
            tools::GUIDE => prompts::guide_of_call(&arguments, defaults),
            _ => command_line.run_for(Caller::Tool).await,
        }
    };
    let (answer, warning) = warning::collect(run).await;
    match answer {
        Ok(output) => result::success(output, warning, tool, &arguments, defaults),
        Err(failure) => result::failure(failure, warning, tool, arguments, defaults),
    }
}
