//! Asks the verifier about a program, and compares its answer with the program's runs.

use std::fmt;
use std::time::Duration;

use clap::Parser;
use lockstep::command::arguments::{Arguments, Command};
use lockstep::frontend::ImportedKernel;
use lockstep::pipeline::{self, Settings};
use lockstep::techniques::Technique;
use lockstep::verdict::{KernelReport, Verdict};
use lockstep_ir::assumption::{Assumed, Assumptions};
use lockstep_ir::kernel::transform::number_batches;
use lockstep_ir::kernel::{VerifiedKernel, verify};

use super::build;
use super::program::Program;
use super::truth::{Truth, truth, truth_of_sizes};
use super::vocabulary::Vocabulary;

/// The settings for verifying a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Whether two writes of the same value are no race.
    pub tolerant: bool,
    /// Whether the sizes are open: a proof holds for all launches, and a defect need not occur in
    /// the tiny launch.
    pub open_sizes: bool,
    /// The time for a proof if no defects are searched for.
    ///
    /// A search that finds a defect hides a proof that would have missed it. A defective kernel
    /// takes the whole time if there is none.
    pub proof_alone: Option<Duration>,
    /// A part of the proof that is disabled.
    pub without: Option<Technique>,
}

/// The default number of threads in a warp.
pub const DEFAULT_WARP_SIZE: u32 = 32;

/// The searches without which no defect is found.
const SEARCHES: [Technique; 2] = [Technique::ConcreteSearch, Technique::Unrolling];

impl Way {
    /// The settings for a seed.
    pub fn of(seed: u64) -> Self {
        let mut rest = seed;
        let mut one_in = |times: u64| {
            let is = rest.is_multiple_of(times);
            rest /= times;
            is
        };
        let (tolerant, open_sizes, proof_alone, is_without) = (one_in(4), one_in(8), one_in(6), one_in(3));
        let others: Vec<Technique> =
            Technique::ALL.iter().copied().filter(|technique| !SEARCHES.contains(technique)).collect();
        let number = usize::try_from(rest % 1_000).expect("small") % others.len();
        let proof_alone = proof_alone.then_some(Duration::from_millis(200));
        Self { tolerant, open_sizes, proof_alone, without: is_without.then(|| others[number]) }
    }

    /// The settings for a program, which may have to know the sizes.
    pub fn of_program(self, program: &Program) -> Self {
        Self { open_sizes: self.open_sizes && !program.has(Vocabulary::NamedBarriers), ..self }
    }

    /// The flags for the command line.
    pub fn flags(self, program: &Program) -> Vec<String> {
        let way = self.of_program(program);
        let size = |[x, y]: [u32; 2]| if y == 1 { x.to_string() } else { format!("{x}x{y}") };
        let open = |size: [u32; 2]| if size[1] == 1 { "*".to_owned() } else { "*x*".to_owned() };
        let size = |given: [u32; 2]| if way.open_sizes { open(given) } else { size(given) };
        let mut flags = vec![
            format!("--local-size={}", size(program.local_size)),
            format!("--num-groups={}", size(program.num_groups)),
            format!("--timeout={}", self.proof_alone.unwrap_or(Duration::from_secs(10)).as_secs_f64()),
        ];
        if program.warp_size != DEFAULT_WARP_SIZE {
            flags.push(format!("--warp-size={}", program.warp_size));
        }
        if !self.tolerant {
            flags.push("--no-benign-tolerance".to_owned());
        }
        let searches = SEARCHES.into_iter().filter(|_| self.proof_alone.is_some());
        flags.extend(searches.chain(self.without).map(|technique| format!("--without={}", technique.name())));
        flags
    }
}

/// A judged program.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The behaviour of its runs.
    pub truth: Truth,
    /// The verifier's verdict.
    pub verdict: Verdict,
    /// The verdict's reason, and its findings in a few words.
    pub said: String,
    /// The comparison of the two.
    pub outcome: Outcome,
}

/// The comparison of the verifier's answer with the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Verified, and nothing goes wrong.
    Verified,
    /// A defect, which is real.
    Defect,
    /// A real defect without a confirmed finding.
    Possible,
    /// Nothing goes wrong, but it is not verified: an imprecision.
    FalseAlarm,
    /// Nothing goes wrong, and the verifier cannot say so.
    UnknownOfClean,
    /// Something goes wrong, and the verifier cannot say so.
    UnknownOfDefective,
    /// Verified under the listed assumption that counters do not wrap around.
    ///
    /// Something goes wrong only where a counter does, which some inputs avoid.
    Assumed,
    /// Not everything could be tried, or the sizes are open: nothing contradicts the answer.
    NotCompared,
    /// The same, but no input avoids it: every run breaks the assumption.
    AssumptionBroken,
    /// Verified, and something goes wrong.
    Unsound,
    /// A finding is confirmed, but nothing goes wrong.
    FalselyConfirmed,
    /// The verifier failed.
    Fault,
}

impl Outcome {
    /// Whether the outcome is a failure of the verifier.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Unsound | Self::AssumptionBroken | Self::FalselyConfirmed | Self::Fault)
    }
}

/// A program, judged.
pub fn judge(program: &Program, way: Way) -> Judged {
    let way = way.of_program(program);
    judge_kernel(program, kernel(program), way, &way.flags(program))
}

/// A program as a kernel.
pub fn kernel(program: &Program) -> VerifiedKernel {
    verify(number_batches(build::kernel(program, "k"))).unwrap_or_else(|problems| panic!("not a kernel: {problems:?}"))
}

/// Judges a kernel of a program, verified under these flags.
pub fn judge_kernel(program: &Program, kernel: VerifiedKernel, way: Way, flags: &[String]) -> Judged {
    let truth = if way.open_sizes && program.has(Vocabulary::Signals) {
        truth_of_sizes(program, &kernel, way.tolerant)
    } else {
        truth(program, &kernel, way.tolerant)
    };
    judge_by(truth, kernel, way, flags)
}

/// Judges a kernel, verified under these flags, against the truth.
pub fn judge_by(truth: Truth, kernel: VerifiedKernel, way: Way, flags: &[String]) -> Judged {
    let report = report(kernel, flags);
    let findings = report.findings.iter().map(|finding| {
        let lines: Vec<u32> = finding.accesses.iter().map(|access| access.line).collect();
        format!("{} {:?}{}", finding.kind, lines, if finding.confirmed { " confirmed" } else { "" })
    });
    let said = lockstep::report::reasons::of(&report).into_iter().chain(findings).collect::<Vec<_>>().join("; ");
    let outcome = compare(&report, &truth, way);
    Judged { truth, verdict: report.verdict, said, outcome }
}

/// The verifier's report about a kernel under these flags.
pub fn report(kernel: VerifiedKernel, flags: &[String]) -> KernelReport {
    let words = ["lockstep", "verify", "k.cl"].map(str::to_owned).into_iter().chain(flags.iter().cloned());
    let Command::Verify(arguments) = Arguments::try_parse_from(words).expect("known flags").command else {
        unreachable!("it says verify");
    };
    let settings = Settings::of(&arguments.kernel).expect("sizes that fit");
    let imported = ImportedKernel {
        name: kernel.name.clone(),
        names: vec![kernel.name.clone()],
        parameter_types: None,
        symbol: kernel.name.clone(),
        file: "k.cl".to_owned(),
        line: 1,
        sources: Vec::new(),
        assumptions: Assumptions::default(),
        launches: Vec::new(),
        escapes: Vec::new(),
        passes_unknown: false,
        set_by_host: std::collections::BTreeSet::new(),
        is_never_launched: false,
        pointees: Vec::new(),
        initial: Vec::new(),
        program: None,
        assumed: Vec::new(),
        integers: std::collections::BTreeMap::new(),
        kernel: Ok(kernel),
    };
    pipeline::decide_alone(&imported, &settings).unwrap_or_else(|fault| panic!("{}", fault.message))
}

fn compare(report: &KernelReport, truth: &Truth, way: Way) -> Outcome {
    let is_clean = truth.is_clean();
    let confirmed: Vec<&str> =
        report.findings.iter().filter(|finding| finding.confirmed).map(|finding| finding.kind).collect();
    let compares = truth.is_complete && !way.open_sizes;
    match report.verdict {
        Verdict::Error => Outcome::Fault,
        Verdict::Verified if !is_clean && is_assumed_away(report, truth) => match truth.without_wrapping {
            0 => Outcome::AssumptionBroken,
            _ => Outcome::Assumed,
        },
        Verdict::Verified if !is_clean => Outcome::Unsound,
        Verdict::Verified if !truth.kinds_of_starts.is_empty() && !assumes_zeros(report) => Outcome::Unsound,
        Verdict::Defect if compares && confirmed.iter().any(|kind| !truth.has(kind)) => Outcome::FalselyConfirmed,
        Verdict::Unknown if !is_clean && report.findings.is_empty() => Outcome::UnknownOfDefective,
        _ if !compares => Outcome::NotCompared,
        Verdict::Verified => Outcome::Verified,
        Verdict::Unknown if is_clean && !report.findings.is_empty() => Outcome::FalseAlarm,
        Verdict::Unknown if !report.findings.is_empty() => Outcome::Possible,
        Verdict::Defect | Verdict::Conditional => Outcome::Defect,
        Verdict::Unknown => Outcome::UnknownOfClean,
    }
}

/// Whether the report assumes that arrays of signals start with zeros.
fn assumes_zeros(report: &KernelReport) -> bool {
    report.assumptions.iter().any(|listed| matches!(listed.what, Assumed::SignalsUnset { .. }))
}

/// Whether the report's assumptions name everything that goes wrong.
fn is_assumed_away(report: &KernelReport, truth: &Truth) -> bool {
    let is_listed = report.assumptions.iter().any(|listed| matches!(listed.what, Assumed::FewDraws { .. }));
    is_listed && truth.kinds.is_empty()
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<&str> = self.truth.kinds.iter().copied().collect();
        write!(f, "{:?}: {} ({}); in fact: {}", self.outcome, self.verdict.name(), self.said, kinds.join(", "))?;
        if !self.truth.kinds_of_wrapped.is_empty() {
            let kinds: Vec<&str> = self.truth.kinds_of_wrapped.iter().copied().collect();
            let without = self.truth.without_wrapping;
            write!(f, "; where a counter wraps around, which it does not in {without} runs: {}", kinds.join(", "))?;
        }
        if !self.truth.kinds_of_starts.is_empty() {
            let kinds: Vec<&str> = self.truth.kinds_of_starts.iter().copied().collect();
            write!(f, "; where signals do not start with zeros: {}", kinds.join(", "))?;
        }
        Ok(())
    }
}
