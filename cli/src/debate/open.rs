//! `aw debate open`: the web app, where a person watches and decides.

use std::io;

use clap::Args;
use serde_json::json;
use uuid::Uuid;

use super::{EXAMPLE_FIRST, next};
use crate::{
    envelope::Answer,
    error::Failure,
    find, ids,
    server::Server,
    settings::{self, Address},
};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw debate open --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e")]
pub struct Open {
    /// Id of the debate to show, or its beginning [default: the list of all]
    #[arg(long, value_name = "ID")]
    debate_id: Option<String>,
}

impl Open {
    /// Runs the command. Whether the server is there shows in the browser.
    pub async fn run(self) -> Result<Answer, Failure> {
        let debate_id = match ids::optional(ids::named, "--debate-id", self.debate_id.as_deref())? {
            Some(named) => Some(find::debate(&Server::from_env()?, &named).await?),
            None => None,
        };
        let url = page(&Address::from_env()?, debate_id);
        let shown = if settings::has_display() { Shown::from(open::that_detached(&url)) } else { Shown::Nowhere };
        let next = debate_id.map_or_else(|| "aw debate list".to_owned(), |id| next::context(id, None));
        Ok(answer(url, &shown).go_on(next))
    }
}

/// What came of the attempt to show it. Whatever it is, the reader has the address.
#[derive(Debug)]
enum Shown {
    InBrowser,
    Nowhere,
    Failed(io::Error),
}

impl From<io::Result<()>> for Shown {
    fn from(opened: io::Result<()>) -> Self {
        opened.map_or_else(Self::Failed, |()| Self::InBrowser)
    }
}

fn page(server: &Address, debate_id: Option<Uuid>) -> String {
    let base = server.base();
    debate_id.map_or_else(|| format!("{base}/"), |id| format!("{base}/d/{id}"))
}

fn answer(url: String, shown: &Shown) -> Answer {
    let message = match shown {
        Shown::InBrowser => "Opened in the browser".to_owned(),
        Shown::Nowhere => "There is no display here: open this address in a browser".to_owned(),
        Shown::Failed(error) => format!("No browser could be started ({error}): open this address in one"),
    };
    Answer::new(json!({"url": url}), message, |data, page| {
        page.paragraph(&format!("<{}>", data["url"].as_str().unwrap_or_default()));
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope::Format;

    #[test]
    fn the_address_is_that_of_the_debate_or_of_the_list() {
        let id = ids::read("--debate-id", "93D81B1A-0E66-4510-ABFD-AA33B26CB82E").unwrap();
        for (server, list, debate) in [
            ("http://127.0.0.1:3456/", "http://127.0.0.1:3456/", "http://127.0.0.1:3456/d/"),
            ("https://a.example/team", "https://a.example/team/", "https://a.example/team/d/"),
        ] {
            let server = Address::parse(server).unwrap();
            assert_eq!(page(&server, None), list);
            assert_eq!(page(&server, Some(id)), format!("{debate}93d81b1a-0e66-4510-abfd-aa33b26cb82e"));
        }
    }

    #[test]
    fn the_address_is_told_whether_or_not_a_browser_shows_it() {
        let failed = || Shown::Failed(io::Error::other("no xdg-open"));
        for (shown, says) in [(Shown::InBrowser, "Opened"), (Shown::Nowhere, "no display"), (failed(), "no xdg-open")] {
            for format in [Format::Json, Format::Markdown] {
                let document = answer("http://a/".to_owned(), &shown).print(format);
                assert!(document.contains("http://a/") && document.contains(says), "{document}");
            }
        }
    }
}
