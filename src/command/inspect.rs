//! `lockstep inspect`: prints a stage of the way from a kernel to its verdict.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use anyhow::{anyhow, bail};
use cranelift_entity::PrimaryMap;
use lockstep_ir::kernel::{self, VerifiedKernel};
use lockstep_ir::sequential::{self, Expression, Node, Pair, PrintOptions, Program, VerifiedProgram};
use lockstep_ir::source::{File, Location, LocationData};

use super::arguments::{InspectArguments, PairName, Stage};
use super::pipeline::Settings;
use super::{ExitStatus, dot, write_file};
use crate::frontend;
use crate::lockstep::lower;
use crate::prove::{prove, questions};
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
        Stage::Kernel => Ok(kernel::print_with_source(kernel, &source_lines(&kernel.files, &kernel.locations))),
        Stage::Cfg => Ok(dot::graph(kernel)),
        Stage::Predicated => print_sequential(kernel, arguments, settings, false),
        Stage::Sequential => print_sequential(kernel, arguments, settings, !settings.prove.no_infer),
        Stage::Boogie => {
            let program = program(kernel, arguments, settings, arguments.invariants)?;
            Ok(sequential::emit_boogie(&program))
        }
        Stage::Smt2 => print_questions(kernel, arguments, settings),
    }
}

/// The program of the pair asked for.
fn lowered(
    kernel: &VerifiedKernel,
    arguments: &InspectArguments,
    settings: &Settings,
) -> anyhow::Result<VerifiedProgram> {
    let resolved = settings.launch.resolve(kernel)?;
    let options = settings.lockstep_options(kernel).map_err(|error| anyhow!(error))?;
    let (pair, words) = match arguments.pair {
        PairName::SameGroup => (Pair::SameGroup, "of the same group"),
        PairName::DifferentGroups => (Pair::DifferentGroups, "of different groups"),
        PairName::Alone => (Pair::Alone, "where a group has one thread only"),
    };
    match lower(kernel, &resolved.launch, pair, &options)? {
        Some(program) => Ok(program),
        None => bail!("there is nothing to check for two threads {words} (see --pair)"),
    }
}

/// The program of the pair asked for, with the invariants that are proved if these are wanted.
fn program(
    kernel: &VerifiedKernel,
    arguments: &InspectArguments,
    settings: &Settings,
    invariants: bool,
) -> anyhow::Result<Program> {
    let program = lowered(kernel, arguments, settings)?;
    // What the candidates mention lives in the proof's own copy of the program.
    Ok(if invariants { prove(&program, &settings.prove).annotated } else { program.into_inner() })
}

fn print_sequential(
    kernel: &VerifiedKernel,
    arguments: &InspectArguments,
    settings: &Settings,
    invariants: bool,
) -> anyhow::Result<String> {
    let mut program = program(kernel, arguments, settings, invariants)?;
    leave_out_implied(&mut program);
    let source_line = source_lines(&program.files, &program.locations);
    Ok(sequential::print(&program, &PrintOptions { source_line: Some(&source_line), legend: true }))
}

/// Leaves out invariants of which another is a part: `p ==> q` beside `q`, or beside `!p`.
fn leave_out_implied(program: &mut Program) {
    let expressions = &program.expressions;
    for data in program.loops.values_mut() {
        let known: HashSet<Expression> = data.invariants.iter().map(|invariant| invariant.condition).collect();
        data.invariants.retain(|invariant| match expressions.node(invariant.condition) {
            Node::Or(parts) => !parts.iter().any(|part| known.contains(part)),
            _ => true,
        });
    }
}

/// One script of SMT-LIB with all questions that the proof asks, a `(check-sat)` each.
fn print_questions(
    kernel: &VerifiedKernel,
    arguments: &InspectArguments,
    settings: &Settings,
) -> anyhow::Result<String> {
    let program = lowered(kernel, arguments, settings)?;
    let asked = questions(&program, &settings.prove);
    let total = asked.questions.len();
    let mut text = format!(
        "; kernel {}: {total} questions; {} claims are true by simplification alone.\n\
         ; Each asks for a state in which one of its claims fails: `unsat` says that all of them hold. Loops are cut at \
         their invariants.\n",
        one_line(&program.name),
        asked.trivial
    );
    for (number, question) in (1..).zip(&asked.questions) {
        writeln!(text, "\n; --- question {number} of {total}: {}", one_line(&question.title))?;
        for claim in &question.claims {
            writeln!(text, ";   {}", one_line(claim))?;
        }
        let (status, meaning) = match question.satisfiable {
            Some(false) => ("unsat", "unsat, the claims hold"),
            Some(true) => {
                ("sat", "sat, a claim can fail: in the kernel, or only because the invariants say too little")
            }
            None => ("unknown", "unknown, it was not answered in time"),
        };
        writeln!(text, "; expected: {meaning}\n(set-info :status {status})")?;
        text.push_str(&sequential::emit_smtlib_with_origins(&asked.expressions, &question.assertions));
        text.push_str("(reset)\n");
    }
    Ok(text)
}

fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

/// The text of each source line that is mentioned.
fn source_lines(
    files: &PrimaryMap<File, String>,
    locations: &PrimaryMap<Location, LocationData>,
) -> impl Fn(&str, u32) -> Option<String> + use<> {
    let mut sources = Sources::default();
    let mut lines = HashMap::new();
    for location in locations.values() {
        let file = &files[location.file];
        if let Some(text) = sources.line(file, location.line) {
            lines.insert((file.clone(), location.line), text.trim().to_owned());
        }
    }
    move |file, line| lines.get(&(file.to_owned(), line)).cloned()
}
