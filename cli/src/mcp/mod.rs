//! `aw mcp`: the commands as tools of the Model Context Protocol, over stdin and stdout.
//!
//! A tool has the name of its command, and takes what the type of the command says: clap reads that type from a command line,
//! serde from the arguments of a call.

mod allowed_paths;
mod arguments;
mod default_next_call;
mod guide_calls;
mod prompts;
mod result;
mod server;
mod stdio;
mod tool_schemas;
pub mod tools;

pub use allowed_paths::AllowedPaths;
pub use server::serve;

use rmcp::model::JsonObject;
use serde_json::{Value, json};

use self::tools::Tool;
use crate::client::types::Role;

/// What every call gets that does not say otherwise.
#[derive(Debug, Default)]
pub struct Defaults {
    /// The role of the caller. Another one is refused.
    pub role: Option<Role>,
    /// The debate, as `--debate-id` takes it
    pub debate_id: Option<String>,
}

impl Defaults {
    /// What an argument with this name is by default.
    fn of(&self, name: &str) -> Option<String> {
        match name {
            "role" => self.role.map(|role| role.to_string()),
            "debate_id" => self.debate_id.clone(),
            _ => None,
        }
    }
}

/// A call of a tool.
struct Call<'a> {
    tool: &'static Tool,
    arguments: JsonObject,
    defaults: &'a Defaults,
}

impl Call<'_> {
    /// The same call with this argument.
    fn again_with(&self, name: &str, value: impl Into<Value>) -> Value {
        let mut arguments = self.arguments.clone();
        arguments.insert(name.to_owned(), value.into());
        json!({"tool": self.tool.name(), "arguments": arguments})
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use crate::files;

    #[test]
    fn only_this_folder_uses_the_sdk() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut folders = vec![source.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && path != source.join("mcp") {
                    folders.push(path);
                } else if path.is_file() {
                    let text = files::read_text(&path, files::MAX_BYTES).unwrap_or_default();
                    assert!(!text.contains("rmcp::"), "{}", path.display());
                }
            }
        }
    }
}
