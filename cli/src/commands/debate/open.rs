//! `aw debate open`: opens the web app in a browser.

use std::{env, io};

use clap::Args;
use serde_json::json;
use uuid::Uuid;

use super::{HELP_TEMPLATE, next_command};
use crate::{
    client::{Client, settings::ServerUrl},
    input::{ids, resolve_id},
    output::{envelope::Output, failure::Failure},
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

impl Open {
    /// Opens the page without asking the server, unless an id prefix has to be resolved.
    pub async fn run(self) -> Result<Output, Failure> {
        let debate_id = match ids::parse_optional(ids::parse_ref, "--debate-id", self.debate_id.as_deref())? {
            Some(id) => Some(resolve_id::debate(&Client::from_env()?, &id).await?),
            None => None,
        };
        let url = page_url(&ServerUrl::from_env()?, debate_id);
        let opened = if has_display() { Opened::from(open::that_detached(&url)) } else { Opened::NoDisplay };
        let next = debate_id.map_or_else(|| "aw debate list".to_owned(), |id| next_command::context(id, None));
        Ok(output(url, &opened).with_next(next))
    }
}

/// Whether the page was opened. The output has the URL in any case.
#[derive(Debug)]
enum Opened {
    InBrowser,
    NoDisplay,
    Failed(io::Error),
}

impl From<io::Result<()>> for Opened {
    fn from(result: io::Result<()>) -> Self {
        result.map_or_else(Self::Failed, |()| Self::InBrowser)
    }
}

/// Whether there is a graphical display. Without one, a text browser might take over the terminal.
fn has_display() -> bool {
    const VARIABLES: [&str; 4] = ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "BROWSER"];
    let is_set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(target_os = "macos") || VARIABLES.iter().any(is_set)
}

fn page_url(server: &ServerUrl, debate_id: Option<Uuid>) -> String {
    let base = server.base();
    debate_id.map_or_else(|| format!("{base}/"), |id| format!("{base}/d/{id}"))
}

fn output(url: String, opened: &Opened) -> Output {
    let message = match opened {
        Opened::InBrowser => "Opened in the browser".to_owned(),
        Opened::NoDisplay => "There is no display here: open this address in a browser".to_owned(),
        Opened::Failed(error) => format!("Cannot start a browser ({error}): open this address in one"),
    };
    Output::new(json!({"url": url}), message).with_markdown(|data, md| {
        md.paragraph(&format!("<{}>", data["url"].as_str().unwrap_or_default()));
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::envelope::Format;

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

    #[test]
    fn the_url_is_printed_in_any_case() {
        let failed = || Opened::Failed(io::Error::other("no xdg-open"));
        for (opened, text) in
            [(Opened::InBrowser, "Opened"), (Opened::NoDisplay, "no display"), (failed(), "no xdg-open")]
        {
            for format in [Format::Json, Format::Markdown] {
                let document = output("http://a/".to_owned(), &opened).print(format);
                assert!(document.contains("http://a/") && document.contains(text), "{document}");
            }
        }
    }
}
