//! Opens a page of the web app in a browser.

use std::{env, io};

/// Whether the page was opened. The output has the URL in any case.
#[derive(Debug)]
pub enum Opened {
    InBrowser,
    NoDisplay,
    Failed(io::Error),
}

/// Opens the page, without waiting for the browser.
pub fn open(url: &str) -> Opened {
    if !has_display() {
        return Opened::NoDisplay;
    }
    open::that_detached(url).map_or_else(Opened::Failed, |()| Opened::InBrowser)
}

/// Whether there is a graphical display. Without one, a text browser might take over the terminal.
fn has_display() -> bool {
    const VARIABLES: [&str; 4] = ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "BROWSER"];
    let is_set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(target_os = "macos") || VARIABLES.iter().any(is_set)
}

impl Opened {
    /// What happened, and what to do where no browser was started.
    pub fn message(&self) -> String {
        match self {
            Self::InBrowser => "Opened in the browser".to_owned(),
            Self::NoDisplay => "There is no display here: open this address in a browser".to_owned(),
            Self::Failed(error) => format!("Cannot start a browser ({error}): open this address in one"),
        }
    }
}
