//! `aw debate export`: the whole debate, on stdout or in a file.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::{HELP_TEMPLATE, next_command, options::DebateId, record::fetch_rendered};
use crate::{
    client::{
        Client, Response,
        types::{DebateContext, StateName},
    },
    output::{Failure, Format, Next, Output, atomic_file, sanitize},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate export --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --output debate.md")]
pub struct Export {
    #[command(flatten)]
    debate_id: DebateId,
    /// Write it to this file, as markdown if the name ends in .md. A file with other contents is not replaced. Prints the
    /// path and the size
    #[arg(long, short, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Replace the file whatever it contains
    #[arg(long, requires = "output")]
    force: bool,
}

impl Export {
    pub async fn run(self, format: Format) -> Result<Output, Failure> {
        let mut client = Client::for_long_texts()?;
        client.tells_agents = true;
        let debate_id = self.debate_id.resolve(&client).await?;
        let whole = || client.api.debate_get_context(&debate_id, None, None, None, None, None);
        let Response { data, parsed } = client.send::<DebateContext, _>(whole).await?;
        let count = next_command::count(parsed.debate.last_seq, "argument");
        let is_closed = parsed.debate.state == StateName::Closed.to_string();
        // Nothing leads on from a closed debate.
        let next = (!is_closed).then(|| Next::from(next_command::context(debate_id, None)));
        let is_markdown = format == Format::Markdown
            || matches!(format, Format::Terminal(_)) && self.output.is_none()
            || self.output.as_ref().and_then(|path| path.extension()).is_some_and(|extension| extension == "md");
        let markdown = if is_markdown { Some(fetch_rendered(&client, debate_id, "transcript").await?) } else { None };
        let Some(path) = self.output else {
            let message = format!("The whole debate: {count}");
            let output = markdown.map_or_else(|| Output::new(data, message).with_caution(), Output::markdown);
            return Ok(Output { next, ..output });
        };
        let text = markdown.unwrap_or_else(|| sanitize::json(&data) + "\n");
        atomic_file::write_unless_equal(&path, &text, self.force)?;
        let data = json!({"debate_id": debate_id, "path": path.to_string_lossy(), "bytes": text.len()});
        let output = Output::new(data, format!("The whole debate, {count}, is in {}", path.display()));
        Ok(Output { next, ..output })
    }
}
