//! Texts that follow from the options: completions of shells, and man pages.

use anyhow::Context;
use clap::CommandFactory as _;
use clap_complete::Shell;

use super::arguments::Arguments;
use super::exit::ExitStatus;
use crate::report;
use crate::worker::signals;

/// Prints the script with which a shell completes command lines.
pub fn completions(shell: Shell) -> anyhow::Result<ExitStatus> {
    signals::forget();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "lockstep", &mut script);
    report::show(&String::from_utf8(script).context("the script is not UTF-8")?)?;
    Ok(ExitStatus::Verified)
}

/// Prints the man page of the program or of one of its commands.
pub fn manual(command: Option<&str>) -> anyhow::Result<ExitStatus> {
    signals::forget();
    let mut program = Arguments::command();
    program.build();
    let about = match command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            found.with_context(|| format!("`{name}` is no command of lockstep"))?
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(about).render(&mut page).context("the man page cannot be written")?;
    report::show(&String::from_utf8(page).context("the man page is not UTF-8")?)?;
    Ok(ExitStatus::Verified)
}
