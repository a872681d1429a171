//! The `lockstep` command: everything is in [`lockstep::command`].

use std::process::ExitCode;

fn main() -> ExitCode {
    lockstep::command::main()
}
