//! Opens a page of the web app in a browser.

use std::env;

use crate::programs;

/// Opens the page, without waiting for the browser, and says so, or what to do where none was started.
pub fn open(url: &str) -> String {
    if !has_display() {
        return "There is no display here: open this address in a browser".to_owned();
    }
    // What opens it is looked up there.
    if !programs::path_is_absolute() {
        return "PATH has a folder that is not named in full: open this address in a browser".to_owned();
    }
    // It outlives this process, and would keep open what that inherited.
    close_fds::set_fds_cloexec(3, &[]);
    match open::that_detached(url) {
        Ok(()) => "Opened in the browser".to_owned(),
        // It says which program was tried, which is nothing that anybody asked for.
        Err(_) => "No browser can be started here: open this address in one".to_owned(),
    }
}

/// Whether there is a graphical display. Without one, a text browser might take over the terminal.
fn has_display() -> bool {
    const VARIABLES: [&str; 4] = ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "BROWSER"];
    let is_set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(target_os = "macos") || VARIABLES.iter().any(is_set)
}
