//! The `lockstep` command: everything is in [`lockstep::main`].

use std::process::ExitCode;

fn main() -> ExitCode {
    lockstep::main()
}
