//! `aw debate open`: opens the web app in a browser.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::{HELP_TEMPLATE, next_command};
use crate::{
    client::{Client, settings::ServerUrl},
    commands::browser,
    input::{ids, resolve_id},
    output::{Failure, Next, Output},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate open --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e")]
pub struct Open {
    /// Id of the debate, or a unique prefix of it [default: the list of debates]
    #[arg(long, value_name = "ID")]
    debate_id: Option<String>,
}

/// The page, as it is told.
#[derive(Serialize, Deserialize)]
struct Opened {
    url: String,
}

impl Open {
    /// Opens the page without asking the server, unless an id prefix has to be resolved.
    pub async fn run(self) -> Result<Output, Failure> {
        let debate_id = match ids::parse_optional(ids::parse_ref, "--debate-id", self.debate_id.as_deref())? {
            Some(id) => Some(resolve_id::debate(&Client::from_env()?, &id).await?),
            None => None,
        };
        let url = page_url(&ServerUrl::from_env()?, debate_id);
        let message = browser::open(&url);
        let next = debate_id.map_or_else(|| Next::from("aw debate list"), |id| next_command::context(id, None).into());
        Ok(Output::new(json!(Opened { url }), message).with_next(next).with_markdown(|data, md| {
            md.paragraph(&format!("<{}>", Opened::deserialize(data)?.url));
            Ok(())
        }))
    }
}

fn page_url(server: &ServerUrl, debate_id: Option<Uuid>) -> String {
    let base = server.base();
    debate_id.map_or_else(|| format!("{base}/"), |id| format!("{base}/d/{id}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_is_that_of_the_debate_or_of_the_list() {
        let id = ids::parse_uuid("--debate-id", "93D81B1A-0E66-4510-ABFD-AA33B26CB82E").unwrap();
        for (server, list, debate) in [
            ("http://127.0.0.1:3456/", "http://127.0.0.1:3456/", "http://127.0.0.1:3456/d/"),
            ("https://a.example/team", "https://a.example/team/", "https://a.example/team/d/"),
        ] {
            let server = ServerUrl::parse(server).unwrap();
            assert_eq!(page_url(&server, None), list);
            assert_eq!(page_url(&server, Some(id)), format!("{debate}93d81b1a-0e66-4510-abfd-aa33b26cb82e"));
        }
    }
}
