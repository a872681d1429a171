//! `lockstep inspect`: prints a stage between a kernel and its verdict.

use std::fmt::Write as _;

use anyhow::{anyhow, bail};
use lockstep_ir::kernel::{self, VerifiedKernel};
use lockstep_ir::sequential::{self, Pair, PrintOptions, Program};

use super::arguments::{InspectArguments, PairName, Stage};
use super::config;
use super::dot;
use super::exit::ExitStatus;
use super::inputs::refuse_folder;
use super::output::write_file;
use super::worker::Steps;
use crate::frontend::{self, ImportedKernel};
use crate::lockstep::{Variants, lower_for_proof, lower_one_thread, roles};
use crate::pipeline::Settings;
use crate::pipeline::given::Given;
use crate::pipeline::listing::{outcome_in_words, source_lines};
use crate::pipeline::stated;
use crate::prove::{Outcome, Question, leave_out_implied, prove_variants, questions};
use crate::report::{self, count, reasons};
use crate::verdict::Undecided;
use crate::verdict::reason::Phase;

/// Prints the requested stage of every requested kernel.
pub fn inspect(arguments: &InspectArguments, steps: &mut Steps) -> anyhow::Result<ExitStatus> {
    refuse_folder(&arguments.input, "inspect")?;
    let settings = Settings::of(&arguments.kernel)?;
    let jobs = settings.jobs;
    let (text, status) = Settings::on_workers(jobs, || print_all(arguments, &settings, steps))??;
    match &arguments.output {
        Some(path) => write_file(path, &text)?,
        None => report::show(&text)?,
    }
    Ok(status)
}

fn print_all(
    arguments: &InspectArguments,
    settings: &Settings,
    steps: &mut Steps,
) -> anyhow::Result<(String, ExitStatus)> {
    let input = config::single(&arguments.input, &arguments.kernel)?;
    let module = frontend::import(&arguments.input, &input.frontend)?;
    let known: Vec<&ImportedKernel> = module.kernels.iter().collect();
    let settings = &settings.with_axioms(&known).map_err(|fault| anyhow!(fault.message))?;
    report::say_unless_empty(&module.diagnostics);
    report::say_unless_empty(&report::left_out::notes(&module.left_out));
    let mut text = String::new();
    let mut status = ExitStatus::Verified;
    let mut found = false;
    for imported in module.kernels.iter().filter(|kernel| settings.wants(kernel)) {
        found = true;
        steps.next();
        let settings = input.settings(imported, settings).map_err(|fault| anyhow!(fault.message))?;
        match &imported.kernel {
            Ok(kernel) => match print_one(imported, kernel, arguments, &settings) {
                Ok(printed) => writeln!(text, "{}", printed.trim_end())?,
                Err(error) => {
                    report::say(&format!("error: kernel {}: {error:#}", imported.name));
                    status = ExitStatus::Unknown(Undecided::NotRead);
                }
            },
            Err(refusal) => {
                report::say(&format!("error: kernel {}: {refusal}", imported.name));
                status = ExitStatus::Unknown(Undecided::NotRead);
            }
        }
    }
    if !found {
        let known: Vec<&str> = module.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
        bail!("no kernel `{}` in the input; there are: {}", settings.kernels.join("`, `"), known.join(", "));
    }
    Ok((text, status))
}

fn print_one(
    imported: &ImportedKernel,
    kernel: &VerifiedKernel,
    arguments: &InspectArguments,
    settings: &Settings,
) -> anyhow::Result<String> {
    let Given { kernel, options: lockstep, .. } =
        settings.given(imported, kernel, &settings.launch).map_err(|error| anyhow!(error))?;
    let kernel = &*kernel;
    let settings = &Settings { lockstep, ..settings.clone() };
    match arguments.stage {
        Stage::Kernel => {
            let source_line = source_lines(&kernel.files, &kernel.locations, &imported.sources);
            Ok(kernel::print_with_source(kernel, &source_line))
        }
        Stage::Cfg => Ok(dot::graph(kernel, &source_lines(&kernel.files, &kernel.locations, &imported.sources))),
        Stage::Roles => {
            let (mut resolved, mut options) = (settings.launch.resolve(kernel)?, settings.lockstep.clone());
            stated::substitute(kernel, &mut resolved.launch, &mut options);
            match roles(kernel, &resolved.launch, &options)? {
                Some(roles) => Ok(roles),
                None => bail!("the kernel has no named barriers"),
            }
        }
        Stage::Predicated => print_predicated(kernel, &imported.sources, settings),
        Stage::Sequential => print_sequential(kernel, &imported.sources, arguments, settings),
        Stage::Boogie => {
            let (program, _) = program(kernel, arguments, settings, arguments.invariants)?;
            Ok(sequential::emit_boogie(&program))
        }
        Stage::Smt2 => print_questions(kernel, arguments, settings),
    }
}

/// The program of the requested pair, in all its variants.
fn lowered(kernel: &VerifiedKernel, arguments: &InspectArguments, settings: &Settings) -> anyhow::Result<Variants> {
    let (mut resolved, mut options) = (settings.launch.resolve(kernel)?, settings.lockstep.clone());
    stated::substitute(kernel, &mut resolved.launch, &mut options);
    let (pair, words) = match arguments.pair {
        PairName::SameGroup => (Pair::SameGroup, "of the same group"),
        PairName::DifferentGroups => (Pair::DifferentGroups, "of different groups"),
        PairName::Alone => (Pair::Alone, "where a group has one thread only"),
        PairName::SameThread => (Pair::SameThread, "that are one, with copies of its own"),
    };
    match lower_for_proof(kernel, &resolved.launch, pair, &options)? {
        Some(variants) => Ok(variants),
        None => bail!("there is nothing to check for two threads {words} (see --pair)"),
    }
}

/// The program of the requested pair, and the outcome of the proof.
///
/// It has the proved invariants if these are requested.
fn program(
    kernel: &VerifiedKernel,
    arguments: &InspectArguments,
    settings: &Settings,
    invariants: bool,
) -> anyhow::Result<(Program, Option<Outcome>)> {
    let variants = lowered(kernel, arguments, settings)?;
    if !invariants {
        return Ok((variants.into_first().into_inner(), None));
    }
    // The terms of the candidates live in the proof's own copy of the program.
    let proof = prove_variants(&variants, &settings.prove);
    Ok((proof.annotated, Some(proof.outcome)))
}

/// The code of one thread after control flow has become predicates and loops.
fn print_predicated(kernel: &VerifiedKernel, sources: &[String], settings: &Settings) -> anyhow::Result<String> {
    let resolved = settings.launch.resolve(kernel)?;
    let program = lower_one_thread(kernel, &resolved.launch, &settings.lockstep)?;
    let source_line = source_lines(&program.files, &program.locations, sources);
    let options = PrintOptions { source_line: Some(&source_line), body_only: true, ..PrintOptions::default() };
    let body = sequential::print(&program, &options);
    Ok(format!("{PREDICATED_LEGEND}kernel {}, one thread:\n{body}", one_line(&program.name)))
}

const PREDICATED_LEGEND: &str = "\
// What one thread executes, without branches: at.17 says whether it executes line 17, active.0
// whether it is still in loop 0, left.0 whether it left that loop. `when c: x = v;` leaves x as it
// is unless c. A[i] is a cell of array A, and A[i := v] all of A with v at i: a store. At a barrier
// A becomes A.visible, which has the writes of others.
";

fn print_sequential(
    kernel: &VerifiedKernel,
    sources: &[String],
    arguments: &InspectArguments,
    settings: &Settings,
) -> anyhow::Result<String> {
    let (mut program, outcome) = program(kernel, arguments, settings, !settings.prove.no_infer)?;
    leave_out_implied(&mut program);
    let source_line = source_lines(&program.files, &program.locations, sources);
    let options = PrintOptions { source_line: Some(&source_line), legend: true, ..PrintOptions::default() };
    let text = sequential::print(&program, &options);
    Ok(match outcome {
        Some(outcome) => format!("// {}\n{text}", one_line(&outcome_in_words(&program, &outcome))),
        None => text,
    })
}

/// One SMT-LIB script with all questions of the proof, a `(check-sat)` each.
fn print_questions(
    kernel: &VerifiedKernel,
    arguments: &InspectArguments,
    settings: &Settings,
) -> anyhow::Result<String> {
    let program = lowered(kernel, arguments, settings)?.into_first();
    let asked = questions(&program, &settings.prove);
    let total = asked.questions.len();
    let mut text = format!(
        "; kernel {}: {}; claims that are true by simplification alone: {}.\n\
         ; Each asks for a state in which one of its claims fails: `unsat` says that all of them hold. Loops are cut at \
         their invariants.\n",
        one_line(&program.name),
        count(total, "question"),
        asked.trivial
    );
    for (number, question) in (1..).zip(&asked.questions) {
        writeln!(text, "\n; --- question {number} of {total}: {}", one_line(&title(question)))?;
        for claim in &question.claims {
            writeln!(text, ";   {}", one_line(&reasons::claim(claim)))?;
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

/// The subject of a question.
fn title(question: &Question) -> String {
    match &question.induction {
        None => "assertions".to_owned(),
        Some((loop_, of, Phase::Entry)) => format!("{loop_}: the invariants hold before the {}", reasons::loop_(of)),
        Some((loop_, of, Phase::Step)) => {
            format!("{loop_}: an iteration keeps the invariants of the {}", reasons::loop_(of))
        }
    }
}

fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}
