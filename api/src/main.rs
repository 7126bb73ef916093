//! The program `aweave-server`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::program::main()
}
