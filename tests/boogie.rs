//! Boogie's opinion on the examples: every sequential program, emitted as Boogie, gets the verdict there that it gets from us.
//!
//! A program that we prove, Boogie proves, too: with the invariants that we found at its loops' heads; or, where our proof
//! executed the loops to their ends instead, with its loops executed likewise. Of a program in which an assertion fails Boogie
//! reports that same assertion: with its loops executed, since a failed induction is no defect.
//!
//! The examples that Boogie (2.4.1, with the Z3 4.8 of its time) is known to manage in [`LIMIT_SECONDS`] are listed in
//! `boogie_decides.txt`; the others are asked about where `LOCKSTEP_BOOGIE_ALL` is set, and may go undecided there. Where Boogie
//! is not installed the test says so and passes.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use lockstep::frontend::{FrontendOptions, import};
use lockstep::launch::{LaunchRequest, parse_size};
use lockstep::lockstep::{LockstepOptions, lower};
use lockstep::prove::{Outcome, ProveOptions, prove, unrolled};
use lockstep_ir::kernel::VerifiedKernel;
use lockstep_ir::sequential::{Pair, Program, VerifiedProgram, emit_boogie};

type Failure = Box<dyn std::error::Error>;

/// What one program may take.
const LIMIT_SECONDS: u32 = 100;

const PAIRS: [(Pair, &str); 3] =
    [(Pair::SameGroup, "same-group"), (Pair::DifferentGroups, "different-groups"), (Pair::Alone, "alone")];

#[expect(clippy::needless_pass_by_value, reason = "datatest-stable hands the contents over by value")]
fn boogie_agrees(path: &Path, source: String) -> Result<(), Failure> {
    let example = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    if Command::new("boogie").arg("/version").output().is_err() {
        return say("boogie is not installed: skipped");
    }
    if !known_to_be_decided(example) && std::env::var_os("LOCKSTEP_BOOGIE_ALL").is_none() {
        return say(&format!("{example} is not known to be decided by Boogie: skipped"));
    }
    let request = launch(&source)?;
    let module = import(path, &FrontendOptions::default())?;
    for kernel in &module.kernels {
        let kernel = kernel.kernel.as_ref().map_err(ToString::to_string)?;
        let launch = request.resolve(kernel)?.launch;
        let mut judged = 0;
        for (pair, word) in PAIRS {
            let Some(program) = lower(kernel, &launch, pair, &LockstepOptions::default())? else { continue };
            judged += 1;
            match check(&program, &format!("{example}-{word}")) {
                Err(failure) if failure.is::<TooSlow>() && !known_to_be_decided(example) => {
                    say(&format!("{example}, {word}: too slow for Boogie"))?;
                }
                checked => checked.map_err(|failure| format!("{word}: {failure}"))?,
            }
        }
        ensure(judged > 0, || format!("{} has no program", kernel_name(kernel)))?;
    }
    Ok(())
}

fn kernel_name(kernel: &VerifiedKernel) -> &str {
    &kernel.name
}

/// The launch that the second line asks for.
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
    let options = ProveOptions { timeout: Duration::from_mins(5), ..ProveOptions::default() };
    let proof = prove(program, &options);
    match proof.outcome {
        Outcome::Proved => check_proved(&proof.annotated, name),
        Outcome::Refuted(found) => {
            let found = found.iter().map(|defect| defect.obligation.to_string()).collect();
            check_refuted(program, &found, name)
        }
        other => Err(format!("our own verdict is {other:?}").into()),
    }
}

/// Boogie came to no opinion in time.
#[derive(Debug, thiserror::Error)]
#[error("too slow for Boogie")]
struct TooSlow;

fn known_to_be_decided(example: &str) -> bool {
    include_str!("boogie_decides.txt").lines().any(|listed| listed == example)
}

fn say(words: &str) -> Result<(), Failure> {
    use std::io::Write as _;
    writeln!(std::io::stderr(), "{words}")?;
    Ok(())
}

fn check_proved(annotated: &Program, name: &str) -> Result<(), Failure> {
    let with_invariants = boogie(annotated, name)?;
    if with_invariants == Opinion::Verified {
        return Ok(());
    }
    for round in 0.. {
        let Some((program, complete)) = unrolled(annotated, round) else { break };
        if complete {
            let executed = boogie(&program, name)?;
            if executed == Opinion::OutOfTime {
                return Err(TooSlow.into());
            }
            return ensure(executed == Opinion::Verified, || {
                format!("with invariants: {with_invariants:?}; with the loops executed: {executed:?}")
            });
        }
    }
    if with_invariants == Opinion::OutOfTime {
        return Err(TooSlow.into());
    }
    Err(format!("with invariants: {with_invariants:?}; the loops cannot be executed to their ends").into())
}

fn check_refuted(program: &Program, found: &BTreeSet<String>, name: &str) -> Result<(), Failure> {
    let mut opinions = Vec::new();
    for round in 0.. {
        let Some((program, _)) = unrolled(program, round) else { break };
        let opinion = boogie(&program, name)?;
        if opinion == Opinion::OutOfTime {
            return Err(TooSlow.into());
        }
        if matches!(&opinion, Opinion::Failing(failing) if found.is_subset(failing)) {
            return Ok(());
        }
        opinions.push(opinion);
    }
    Err(format!("we found that {found:?} fail, Boogie says {opinions:?}").into())
}

/// What Boogie says of a program.
#[derive(Debug, PartialEq, Eq)]
enum Opinion {
    Verified,
    /// These obligations fail; or a loop invariant, if none.
    Failing(BTreeSet<String>),
    OutOfTime,
}

fn boogie(program: &Program, name: &str) -> Result<Opinion, Failure> {
    let text = emit_boogie(program);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join(format!("{name}.bpl"));
    std::fs::write(&path, &text)?;
    let output = Command::new("boogie")
        .args(["/useArrayTheory", "/errorLimit:20", &format!("/timeLimit:{LIMIT_SECONDS}")])
        .arg(&path)
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let verdict = said.lines().rfind(|line| line.contains("finished with")).unwrap_or_default();
    ensure(!verdict.is_empty(), || format!("Boogie does not accept the program: {said}"))?;
    if verdict.contains("time out") || verdict.contains("out of resource") {
        return Ok(Opinion::OutOfTime);
    }
    if verdict.contains("1 verified, 0 errors") {
        return Ok(Opinion::Verified);
    }
    let lines: Vec<&str> = text.lines().collect();
    let failing = said.lines().filter_map(|message| failing_line(message, name)).filter_map(|number| {
        let (_, rest) = lines.get(number.checked_sub(1)?)?.split_once("{:obligation \"")?;
        Some(rest.split_once('"')?.0.to_owned())
    });
    Ok(Opinion::Failing(failing.collect()))
}

/// The line that a message is about: `…/name.bpl(12,3): Error BP5001: This assertion might not hold.`
fn failing_line(message: &str, name: &str) -> Option<usize> {
    let (_, rest) = message.split_once(&format!("{name}.bpl("))?;
    let (number, rest) = rest.split_once(',')?;
    rest.contains("Error").then(|| number.parse().ok()).flatten()
}

fn ensure(condition: bool, message: impl FnOnce() -> String) -> Result<(), Failure> {
    if condition { Ok(()) } else { Err(message().into()) }
}

datatest_stable::harness! {
    { test = boogie_agrees, root = "examples", pattern = r"\.cl$" },
}
