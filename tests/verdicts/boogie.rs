//! Boogie's verdicts on the examples: they agree with Lockstep's for every sequential program,
//! emitted as Boogie.
//!
//! For a program proved by induction, Boogie proves the invariants that Lockstep found at its
//! loops' heads. For one proved by executing its loops to their ends, Boogie proves the program
//! with its loops executed likewise. Its invariants do not suffice there, but Boogie proves them
//! all the same, given the assertions. For a program in which an assertion fails, Boogie reports
//! the same assertion. It does so with the loops executed, since a failed induction is no defect.
//! The comparison is made only if the solver has a counterexample, since Boogie also says "might
//! not hold" when the solver gave up.
//!
//! A run that does not end agrees with nothing, and fails the test. Programs that take too long are
//! listed in [`DEAR`], and reported.
//!
//! The Boogie in use is Debian's 2.4.1 with Debian's Z3 4.8.12, which is of some use for 64-bit
//! addresses only with `OPTIMIZE_FOR_BV`. Without an installed Boogie the test says so and passes.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::Group;
use crate::harness::{Failure, ensure};

use lockstep::frontend::{FrontendOptions, import};
use lockstep::launch::{LaunchRequest, parse_size};
use lockstep::lockstep::{LockstepOptions, lower};
use lockstep::prove::{Outcome, ProveOptions, leave_out_implied, prove, unrolled};
use lockstep_ir::kernel::VerifiedKernel;
use lockstep_ir::sequential::{Pair, Program, Role, Statement, Variable, VerifiedProgram, emit_boogie, verify};

/// The solver budget of one question, as the solver counts, whatever else the machine does.
///
/// Some three million are a second.
const EFFORT: u32 = 200_000_000;

/// The programs for which Boogie does not decide within minutes whether all invariants hold.
const DEAR: [&str; 2] = ["scan_blelloch-same-group", "separable_convolution-same-group"];

const PAIRS: [(Pair, &str); 3] =
    [(Pair::SameGroup, "same-group"), (Pair::DifferentGroups, "different-groups"), (Pair::Alone, "alone")];

fn boogie_agrees(path: &Path, source: &str) -> Result<(), Failure> {
    let example = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    if Command::new("boogie").arg("/version").output().is_err() {
        return say("boogie is not installed: skipped");
    }
    let request = launch(source)?;
    let module = import(path, &FrontendOptions::default())?;
    for kernel in &module.kernels {
        let kernel = kernel.kernel.as_ref().map_err(ToString::to_string)?;
        let launch = request.resolve(kernel)?.launch;
        let mut judged = 0;
        for (pair, word) in PAIRS {
            let Some(program) = lower(kernel, &launch, pair, &LockstepOptions::default())? else { continue };
            judged += 1;
            check(&program, &format!("{example}-{word}")).map_err(|failure| format!("{word}: {failure}"))?;
        }
        ensure(judged > 0, || format!("{} has no program", kernel_name(kernel)))?;
    }
    Ok(())
}

fn kernel_name(kernel: &VerifiedKernel) -> &str {
    &kernel.name
}

/// The launch requested by the second line.
fn launch(source: &str) -> Result<LaunchRequest, Failure> {
    let mut request = LaunchRequest::default();
    let flags = source.lines().nth(1).and_then(|line| line.strip_prefix("//")).ok_or("no flags")?;
    for flag in flags.split_whitespace() {
        match flag.split_once('=') {
            Some(("--local_size", size)) => request.local_size = Some(parse_size(size)?),
            Some(("--num_groups", size)) => request.num_groups = Some(parse_size(size)?),
            _ => return Err(format!("not understood here: {flag}").into()),
        }
    }
    Ok(request)
}

fn check(program: &VerifiedProgram, name: &str) -> Result<(), Failure> {
    let mut proof = prove(program, &ProveOptions::default());
    if matches!(proof.outcome, Outcome::Unknown(_)) {
        proof = prove(program, &ProveOptions { timeout: Duration::from_mins(5), ..ProveOptions::default() });
    }
    leave_out_implied(&mut proof.annotated);
    match &proof.outcome {
        Outcome::Proved if proof.executed => check_executed(&proof.annotated, name),
        Outcome::Proved => {
            let opinion = boogie(&as_dear(&proof.annotated, name)?, name)?;
            ensure(opinion == Opinion::Verified, || format!("proved by induction, but Boogie says {opinion:?}"))
        }
        Outcome::Refuted(found) => {
            let found = found.iter().map(|defect| Complaint::Obligation(defect.obligation.to_string())).collect();
            check_refuted(program, &found, name)
        }
        other => Err(format!("our own verdict is {other:?}").into()),
    }
}

fn say(words: &str) -> Result<(), Failure> {
    use std::io::Write as _;
    writeln!(std::io::stderr(), "{words}")?;
    Ok(())
}

fn check_executed(annotated: &Program, name: &str) -> Result<(), Failure> {
    if DEAR.contains(&name) {
        say(&format!("{name}: Boogie is not asked about the invariants"))?;
    } else {
        let opinion = boogie(&with_assertions_assumed(annotated), name)?;
        ensure(opinion == Opinion::Verified, || format!("invariants hold, but Boogie says {opinion:?}"))?;
    }
    let opinion = boogie(&executed(annotated)?, name)?;
    ensure(opinion == Opinion::Verified, || format!("proved by executing the loops, but Boogie says {opinion:?}"))
}

fn check_refuted(program: &Program, found: &BTreeSet<Complaint>, name: &str) -> Result<(), Failure> {
    let mut opinions = Vec::new();
    for (executed, _) in rounds(program) {
        let opinion = boogie(&executed, name)?;
        if matches!(&opinion, Opinion::Failing(failing) if found.is_subset(failing)) {
            return Ok(());
        }
        opinions.push(opinion);
    }
    Err(format!("we found that {found:?} fail, Boogie says {opinions:?}").into())
}

/// The program with its loops executed to their ends.
fn executed(annotated: &Program) -> Result<Program, Failure> {
    let executed = rounds(annotated).find(|(_, complete)| *complete);
    Ok(executed.ok_or("the loops cannot be executed to their ends")?.0)
}

/// The question to Boogie about a program with its invariants.
///
/// If these are too costly, it omits those about trip counts, provided that the others are a proof,
/// too; otherwise the loops are executed.
fn as_dear(annotated: &Program, name: &str) -> Result<Program, Failure> {
    if !DEAR.contains(&name) {
        return Ok(annotated.clone());
    }
    if let Some(lean) = without_iterations(annotated)? {
        say(&format!("{name}: Boogie is not given the invariants about numbers of iterations"))?;
        return Ok(lean);
    }
    say(&format!("{name}: Boogie is not asked about the invariants, but with the loops executed"))?;
    executed(annotated)
}

/// The program without the invariants about trip counts, if the others are a proof, too.
fn without_iterations(annotated: &Program) -> Result<Option<Program>, Failure> {
    let mut program = annotated.clone();
    let expressions = &program.expressions;
    let counts =
        |variable: Variable| matches!(expressions.variables()[variable].role, Role::Counter(_) | Role::ExitCounter(_));
    let recorded = program.sites.values().flat_map(|site| &site.recorded);
    let recorded: BTreeSet<Variable> =
        recorded.filter(|pair| counts(pair.original)).map(|pair| pair.recorded).collect();
    for data in program.loops.values_mut() {
        data.invariants.retain(|invariant| {
            let mut speaks = false;
            expressions.for_each_variable(invariant.condition, |variable| {
                speaks |= counts(variable) || recorded.contains(&variable);
            });
            !speaks
        });
    }
    // No other invariants are to be found.
    program.suggested.clear();
    let lean = verify(program.clone()).map_err(|errors| format!("{errors:?}"))?;
    let proof = prove(&lean, &ProveOptions { no_infer: true, ..ProveOptions::default() });
    let proved = matches!(proof.outcome, Outcome::Proved) && !proof.executed;
    Ok(proved.then_some(program))
}

/// The program with its assertions assumed, so that only the invariants are to be proved.
fn with_assertions_assumed(program: &Program) -> Program {
    let mut program = program.clone();
    let bodies = program.loops.values_mut().map(|data| &mut data.body);
    for statement in bodies.chain([&mut program.body]).flatten() {
        if let Statement::Assert { condition, location, .. } = *statement {
            *statement = Statement::Assume { condition, reason: "asserted".into(), about: None, location };
        }
    }
    program
}

/// The program with its loops executed further and further, and whether the execution is complete.
fn rounds(program: &Program) -> impl Iterator<Item = (Program, bool)> {
    (0..).map_while(|round| unrolled(program, round))
}

/// Boogie's verdict on a program.
#[derive(Debug, PartialEq, Eq)]
enum Opinion {
    Verified,
    /// Counterexamples to these exist.
    Failing(BTreeSet<Complaint>),
    /// The solver gave up or ran out of time.
    Undecided,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Complaint {
    Obligation(String),
    /// An invariant of a loop, on entry or after an iteration.
    Invariant,
}

/// `VERBOSITY` makes it show the solver's answers.
const FLAGS: [&str; 4] =
    ["/useArrayTheory", "/errorLimit:20", "/proverOpt:OPTIMIZE_FOR_BV=true", "/proverOpt:VERBOSITY=1"];

fn boogie(program: &Program, name: &str) -> Result<Opinion, Failure> {
    let text = emit_boogie(program);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join(format!("{name}.bpl"));
    std::fs::write(&path, &text)?;
    let limit = format!("/rlimit:{EFFORT}");
    let output = Command::new("boogie").args(FLAGS).arg(limit).arg(&path).output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    opinion(&text, &said, name)
}

fn opinion(text: &str, said: &str, name: &str) -> Result<Opinion, Failure> {
    let verdict = said.lines().rfind(|line| line.contains("finished with")).unwrap_or_default();
    ensure(!verdict.is_empty(), || format!("Boogie does not accept the program: {said}"))?;
    if verdict.ends_with("1 verified, 0 errors") {
        return Ok(Opinion::Verified);
    }
    let errors = verdict.ends_with("0 verified, 1 error") || verdict.ends_with(" errors");
    if !errors || said.lines().any(|line| line.ends_with("] unknown")) {
        return Ok(Opinion::Undecided);
    }
    let lines: Vec<&str> = text.lines().collect();
    let complaints = said.lines().filter_map(|message| failing_line(message, name)).map(|number| {
        let line = number.checked_sub(1).and_then(|number| lines.get(number)).copied().unwrap_or_default();
        complaint(line).ok_or_else(|| format!("not understood: a complaint about line {number}: {line}"))
    });
    let complaints: BTreeSet<_> = complaints.collect::<Result<_, _>>()?;
    ensure(!complaints.is_empty(), || format!("Boogie complains about nothing that is understood here: {said}"))?;
    Ok(Opinion::Failing(complaints))
}

/// The statement of a line that Boogie complains about.
fn complaint(line: &str) -> Option<Complaint> {
    if line.trim_start().starts_with("invariant ") {
        return Some(Complaint::Invariant);
    }
    let (_, rest) = line.split_once("{:obligation \"")?;
    Some(Complaint::Obligation(rest.split_once('"')?.0.to_owned()))
}

/// The line of a message: `…/name.bpl(12,3): Error BP5001: This assertion might not hold.`
fn failing_line(message: &str, name: &str) -> Option<usize> {
    let (_, rest) = message.split_once(&format!("{name}.bpl("))?;
    let (number, rest) = rest.split_once(',')?;
    rest.contains("Error").then(|| number.parse().ok()).flatten()
}

/// The tests, and the files of each.
pub fn groups() -> Vec<Group> {
    vec![Group::new(boogie_agrees, "examples", r"\.cl$")]
}
