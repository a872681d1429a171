//! Compares Lockstep with Boogie, on the same sequential programs with the same invariants.
//!
//! Both use the same Z3 if Boogie accepts it. Every kernel of `examples/` and `benches/kernels/`
//! that is proved by induction gives a program for each pair of threads, with the invariants that
//! inference kept at its loops' heads. Boogie is given its text ([`emit_boogie`]); its time for an
//! empty program is subtracted. Lockstep is given the same program, infers nothing, searches no
//! defects, and executes no loops. So both prove that the invariants hold and suffice, and the
//! comparison is about proving, not inferring. The column *with inference* includes the time that
//! Lockstep takes to find the invariants. Programs proved by executing their loops are left out,
//! and so are those that Lockstep does not prove from the invariants alone: they are counted.
//!
//! Boogie's Z3 is the first of: `$LOCKSTEP_BOOGIE_Z3`, the `z3` on the path if it is version 5, the
//! distribution's. Each program runs once, since the slow ones matter. Seconds are processor time.
//! Boogie's time includes that of its solver only if it waits for the solver's end. So the solver
//! is also given Boogie's queries once more, by itself, and the larger time counts. Aim: Lockstep's
//! proving takes a fifth of Boogie's time in total.
//!
//! `cargo bench --bench boogie -- NAME` takes kernels whose name contains NAME, and
//! `--limit=SECONDS` of Boogie for a program, which then counts with that time. Without an
//! installed Boogie the benchmark says so and ends.

mod shared;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Parser as _;
use lockstep::command::arguments::{Arguments, Command as Subcommand};
use lockstep::command::compatibility::translate;
use lockstep::frontend::import;
use lockstep::lockstep::lower;
use lockstep::pipeline::Settings;
use lockstep::prove::{Outcome, Proof, ProveOptions, prove};
use lockstep::report;
use lockstep::techniques::{Technique, Techniques};
use lockstep_ir::sequential::{Pair, Program, VerifiedProgram, emit_boogie, verify};
use serde::Serialize;
use shared::{Case, Words};

/// The default limit of Boogie's time for a program, in seconds.
const LIMIT: f64 = 60.0;

/// The aimed ratio of the times.
const AIM: f64 = 5.0;

/// The number of runs of Boogie on the empty program.
const EMPTY_RUNS: usize = 5;

const PAIRS: [(Pair, &str); 3] =
    [(Pair::SameGroup, "same group"), (Pair::DifferentGroups, "different groups"), (Pair::Alone, "alone")];

/// The results of both on one program.
#[derive(Serialize)]
struct Line {
    name: String,
    invariants: usize,
    /// The time with inference.
    inferring_seconds: f64,
    proving_seconds: f64,
    /// The time with its solver.
    boogie_seconds: f64,
    solver_seconds: f64,
    /// `verified`, `not verified` or `time out`.
    boogie_says: String,
}

#[derive(Serialize)]
struct Table {
    schema: &'static str,
    z3: String,
    empty_seconds: f64,
    limit_seconds: f64,
    ratio: f64,
    ratio_with_inference: f64,
    left_out: Vec<String>,
    lines: Vec<Line>,
}

/// The settings of Boogie.
struct Boogie {
    prover: Option<PathBuf>,
    limit: f64,
    /// The time for an empty program, and its solver's time.
    empty: [f64; 2],
}

fn main() {
    let words = Words::read();
    if Command::new("boogie").arg("/help").output().is_err() {
        report::say("boogie is not installed: skipped");
        return;
    }
    // The work runs on one worker, which has room for deep expressions and whose time is measured.
    Settings::on_workers(1, || compare(&words)).expect("worker threads can be started");
}

fn compare(words: &Words) {
    let boogie = Boogie::new(words.number("limit", LIMIT));
    report::show(&format!("Boogie's Z3: {}; an empty program: {:.2} s\n\n", boogie.z3(), boogie.empty[0]))
        .expect("the standard output can be written to");
    report::show(&format!(
        "{:48} {:>10} {:>14} {:>9} {:>9} {:>9}\n",
        "", "invariants", "with inference", "proving", "Boogie", "its Z3"
    ))
    .expect("the standard output can be written to");
    let (mut lines, mut left_out) = (Vec::new(), Vec::new());
    for case in shared::cases(words, &["cl"]).iter().filter(|case| !case.defective) {
        for program in programs(case) {
            match program.measure(&boogie) {
                Ok(line) => {
                    report::show(&text(&line)).expect("the standard output can be written to");
                    lines.push(line);
                }
                Err(why) => left_out.push(why),
            }
        }
    }
    let total = |of: fn(&Line) -> f64| lines.iter().map(of).sum::<f64>();
    let (proving, inferring) = (total(|line| line.proving_seconds), total(|line| line.inferring_seconds));
    let theirs = total(|line| line.boogie_seconds);
    let table = Table {
        schema: "lockstep-boogie/1",
        z3: boogie.z3(),
        empty_seconds: boogie.empty[0],
        limit_seconds: boogie.limit,
        ratio: theirs / proving,
        ratio_with_inference: theirs / inferring,
        left_out,
        lines,
    };
    report::show(&format!(
        "\n{} programs: proving {proving:.2} s, Boogie {theirs:.2} s: {:.1} times as long (aim {AIM}); with inference {:.2} s: \
         {:.1} times\nleft out:\n",
        table.lines.len(),
        table.ratio,
        inferring,
        table.ratio_with_inference
    )).expect("the standard output can be written to");
    for why in &table.left_out {
        report::show(&format!("  {why}\n")).expect("the standard output can be written to");
    }
    shared::write_json("bench-boogie.json", &table);
}

fn text(line: &Line) -> String {
    format!(
        "{:48} {:>10} {:>14.3} {:>9.3} {:>9.2} {:>9.2}{}\n",
        line.name,
        line.invariants,
        line.inferring_seconds,
        line.proving_seconds,
        line.boogie_seconds,
        line.solver_seconds,
        if line.boogie_says == "verified" { String::new() } else { format!("  {}", line.boogie_says) }
    )
}

/// A program of two threads.
struct Named {
    name: String,
    program: VerifiedProgram,
    options: ProveOptions,
}

/// The settings of a kernel's flags.
fn settings(case: &Case) -> Settings {
    let words = ["lockstep", "verify"].into_iter().chain(case.flags.iter().map(String::as_str));
    let translated = translate(words.map(OsString::from).chain([case.path.clone().into()]));
    let words = translated.expect("a kernel's flags are supported").words;
    let arguments = Arguments::try_parse_from(words).expect("a kernel's flags are understood");
    let Subcommand::Verify(arguments) = arguments.command else { panic!("a kernel's flags name another command") };
    Settings::of(&arguments.kernel).expect("a kernel's flags agree with each other")
}

/// The programs of a file's kernels.
fn programs(case: &Case) -> Vec<Named> {
    let settings = settings(case);
    let module = import(&case.path, &settings.frontend).expect("a kernel can be read");
    let mut programs = Vec::new();
    for imported in &module.kernels {
        let Ok(kernel) = &imported.kernel else { continue };
        let (Ok(resolved), Ok(given)) =
            (settings.launch.resolve(kernel), settings.given(imported, kernel, &settings.launch))
        else {
            continue;
        };
        for (pair, words) in PAIRS {
            if let Ok(Some(program)) = lower(&given.kernel, &resolved.launch, pair, &given.options) {
                let name = format!("{}, {words}", case.name);
                programs.push(Named { name, program, options: settings.prove.clone() });
            }
        }
    }
    programs
}

impl Named {
    /// The measured times; the error is the reason why it is left out.
    fn measure(&self, boogie: &Boogie) -> Result<Line, String> {
        let (found, inferring_seconds) = shared::timed(|| prove(&self.program, &self.options));
        let left_out = |why: &str| Err(format!("{}: {why}", self.name));
        match found.outcome {
            Outcome::Proved if found.executed => return left_out("proved by executing its loops"),
            Outcome::Proved => {}
            _ => return left_out("not proved"),
        }
        let (proved, proving_seconds) = shared::timed(|| proved_again(&found.annotated, &self.options));
        if !matches!(proved.outcome, Outcome::Proved) {
            return left_out("not proved from its invariants alone");
        }
        let ([boogie_seconds, solver_seconds], boogie_says) = boogie.judge(&found.annotated);
        Ok(Line {
            name: self.name.clone(),
            invariants: found.invariants.len(),
            inferring_seconds,
            proving_seconds,
            boogie_seconds,
            solver_seconds,
            boogie_says,
        })
    }
}

/// Proves a program with its invariants and nothing else.
fn proved_again(annotated: &Program, options: &ProveOptions) -> Proof {
    let program = verify(annotated.clone()).expect("a program with invariants is one");
    let searches = [Technique::ConcreteSearch, Technique::Unrolling];
    prove(&program, &ProveOptions { no_infer: true, techniques: Techniques::without(&searches), ..options.clone() })
}

impl Boogie {
    fn new(limit: f64) -> Self {
        let mut boogie = Self { prover: prover(), limit, empty: [0.0; 2] };
        let once = || boogie.run("procedure empty() {}\n").0;
        boogie.empty = (0..EMPTY_RUNS).map(|_| once()).fold([f64::INFINITY; 2], |[a, b], [x, y]| [a.min(x), b.min(y)]);
        boogie
    }

    /// The description of its Z3.
    fn z3(&self) -> String {
        match &self.prover {
            Some(path) => version(path).unwrap_or_else(|| path.display().to_string()),
            None => "the distribution's".to_owned(),
        }
    }

    /// The time for a program beyond that for an empty one, and the verdict.
    fn judge(&self, program: &Program) -> ([f64; 2], String) {
        let (seconds, said) = self.run(&emit_boogie(program));
        let verdict = if said.contains(" 1 verified, 0 errors") {
            "verified"
        } else if said.contains("time out") {
            "time out"
        } else {
            "not verified"
        };
        ([0, 1].map(|at| (seconds[at] - self.empty[at]).max(0.0)), verdict.to_owned())
    }

    /// The seconds, those of the solver, and the output.
    fn run(&self, text: &str) -> ([f64; 2], String) {
        let folder = tempfile::tempdir().expect("there is a place for temporary files");
        let path = folder.path().join("program.bpl");
        std::fs::write(&path, text).expect("a temporary file can be written");
        let mut command = Command::new("boogie");
        command
            .args(["/useArrayTheory", "/proverOpt:OPTIMIZE_FOR_BV=true"])
            .arg(format!("/timeLimit:{:.0}", self.limit));
        if let Some(prover) = &self.prover {
            command.arg(format!("/proverOpt:PROVER_PATH={}", prover.display()));
        }
        let log = folder.path().join("solver.smt2");
        command.arg(format!("/proverLog:{}", log.display()));
        let run = shared::run_command(command.arg(&path));
        let prover = self.prover.as_deref().unwrap_or(Path::new("z3"));
        let solver = shared::run_command(Command::new(prover).arg("-smt2").arg(&log));
        let seconds = [run.cpu_seconds.max(solver.cpu_seconds), solver.cpu_seconds];
        (seconds, String::from_utf8_lossy(&run.stdout).into_owned())
    }
}

/// The path of Boogie's Z3, if it is not Boogie's own.
fn prover() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("LOCKSTEP_BOOGIE_Z3") {
        return Some(path.into());
    }
    let folders = std::env::var_os("PATH")?;
    let of_version_5 = |path: &PathBuf| version(path).is_some_and(|version| version.starts_with("Z3 version 5"));
    std::env::split_paths(&folders).map(|folder| folder.join("z3")).find(of_version_5)
}

fn version(z3: &Path) -> Option<String> {
    let output = Command::new(z3).arg("--version").output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
