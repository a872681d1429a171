//! `lockstep inspect`: prints a stage of the way from a kernel to its verdict.

use std::collections::HashMap;
use std::fmt::Write as _;

use anyhow::{anyhow, bail};
use lockstep_ir::kernel::VerifiedKernel;
use lockstep_ir::sequential::{self, Pair, PrintOptions, Program};

use super::arguments::{InspectArguments, PairName, Stage};
use super::pipeline::Settings;
use super::{ExitStatus, dot, write_file};
use crate::frontend;
use crate::lockstep::lower;
use crate::prove::prove;
use crate::report::{self, Sources};

/// Prints the stage asked for, of every kernel asked for.
pub fn inspect(arguments: &InspectArguments) -> anyhow::Result<ExitStatus> {
    let settings = Settings::of(&arguments.kernel)?;
    let jobs = settings.jobs;
    let (text, status) = Settings::on_workers(jobs, || print_all(arguments, &settings))??;
    match &arguments.output {
        Some(path) => write_file(path, &text)?,
        None => report::show(&text),
    }
    Ok(status)
}

fn print_all(arguments: &InspectArguments, settings: &Settings) -> anyhow::Result<(String, ExitStatus)> {
    let module = frontend::import(&arguments.input, &settings.frontend)?;
    report::say_unless_empty(&module.diagnostics);
    let mut text = String::new();
    let mut status = ExitStatus::Verified;
    let mut found = false;
    for imported in module.kernels.iter().filter(|kernel| settings.wants(&kernel.name)) {
        found = true;
        match &imported.kernel {
            Ok(kernel) => match print_one(kernel, arguments, settings) {
                Ok(printed) => writeln!(text, "{}", printed.trim_end())?,
                Err(error) => {
                    report::say(&format!("error: kernel {}: {error:#}", imported.name));
                    status = ExitStatus::Unknown;
                }
            },
            Err(refusal) => {
                report::say(&format!("error: kernel {}: {refusal}", imported.name));
                status = ExitStatus::Unknown;
            }
        }
    }
    if !found {
        let known: Vec<&str> = module.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
        bail!("no kernel `{}` in the input; there are: {}", settings.kernels.join("`, `"), known.join(", "));
    }
    Ok((text, status))
}

fn print_one(kernel: &VerifiedKernel, arguments: &InspectArguments, settings: &Settings) -> anyhow::Result<String> {
    match arguments.stage {
        Stage::Kernel => Ok(lockstep_ir::kernel::print(kernel)),
        Stage::Cfg => Ok(dot::graph(kernel)),
        Stage::Predicated => print_sequential(kernel, arguments, settings, false),
        Stage::Sequential => print_sequential(kernel, arguments, settings, arguments.invariants),
        Stage::Boogie => {
            let program = program(kernel, arguments, settings, arguments.invariants)?;
            Ok(sequential::emit_boogie(&program))
        }
        Stage::Smt2 => {
            let program = program(kernel, arguments, settings, false)?;
            let conditions: Vec<_> = program.preconditions.iter().map(|precondition| precondition.condition).collect();
            Ok(sequential::emit_smtlib(&program.expressions, &conditions))
        }
    }
}

/// The program of the pair asked for, with the invariants that are proved if these are wanted.
fn program(
    kernel: &VerifiedKernel,
    arguments: &InspectArguments,
    settings: &Settings,
    invariants: bool,
) -> anyhow::Result<Program> {
    let resolved = settings.launch.resolve(kernel)?;
    let options = settings.lockstep_options(kernel).map_err(|error| anyhow!(error))?;
    let (pair, words) = match arguments.pair {
        PairName::SameGroup => (Pair::SameGroup, "of the same group"),
        PairName::DifferentGroups => (Pair::DifferentGroups, "of different groups"),
        PairName::Alone => (Pair::Alone, "where a group has one thread only"),
    };
    let Some(program) = lower(kernel, &resolved.launch, pair, &options)? else {
        bail!("there is nothing to check for two threads {words} (see --pair)");
    };
    if !invariants {
        return Ok(program.into_inner());
    }
    let proof = prove(&program, &settings.prove);
    let mut program = program.into_inner();
    for (loop_, invariant) in proof.invariants {
        if !program.loops[loop_].invariants.contains(&invariant) {
            program.loops[loop_].invariants.push(invariant);
        }
    }
    Ok(program)
}

fn print_sequential(
    kernel: &VerifiedKernel,
    arguments: &InspectArguments,
    settings: &Settings,
    invariants: bool,
) -> anyhow::Result<String> {
    let program = program(kernel, arguments, settings, invariants)?;
    let mut sources = Sources::default();
    let lines: HashMap<(String, u32), String> = program
        .locations
        .values()
        .filter_map(|location| {
            let file = program.files[location.file].clone();
            let text = sources.line(&file, location.line)?.trim().to_owned();
            Some(((file, location.line), text))
        })
        .collect();
    let source_line = |file: &str, line: u32| lines.get(&(file.to_owned(), line)).cloned();
    Ok(sequential::print(&program, &PrintOptions { source_line: Some(&source_line) }))
}
