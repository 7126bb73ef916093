//! The program `aweave-server`: the library `api` with the files of the web app. They are compiled into the program and
//! not into the library, which does not have to be built again when the web app has changed.

use std::process::ExitCode;

use api::http::WebApp;
use rust_embed::Embed;

/// The files of `web/out` when the program was built; empty if the web app was not built.
#[derive(Embed)]
#[folder = "../web/out"]
#[allow_missing = true]
struct Files;

fn main() -> ExitCode {
    api::program::main(WebApp(Files::get))
}
