//! Lockstep's answers about litmus programs, compared with the model.

use std::collections::BTreeSet;

use clap::Parser;
use lockstep::command::arguments::{Arguments, Command};
use lockstep::frontend::{self, FrontendOptions};
use lockstep::pipeline::{self, Settings};
use lockstep::verdict::{KernelReport, Verdict};

use lockstep_ir::assumption::Assumed;

use super::kernel;
use super::model::{self, Behaviour};
use super::program::Litmus;

/// Places start with a number below this one: programs compare with no other numbers.
const STARTS: u32 = 3;

/// The comparison of a verdict with the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Verified,
    /// A race that the model has too.
    Race,
    UnknownOfRacy,
    UnknownOfClean,
    /// Another finding.
    Other,
    /// Verified, and the model has a race.
    Unsound,
    /// A confirmed race that the model does not have.
    FalselyConfirmed,
    Fault,
}

impl Outcome {
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Unsound | Self::FalselyConfirmed | Self::Fault)
    }
}

/// Lockstep's report about a program.
fn report(litmus: &Litmus) -> KernelReport {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("litmus.ptx");
    std::fs::write(&path, kernel::ptx(litmus)).expect("the folder is ours");
    let module = frontend::import(&path, &FrontendOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{}", kernel::ptx(litmus)));
    let flags = [
        format!("--local-size={}", litmus.threads_of_block()),
        format!("--num-groups={}", litmus.blocks()),
        "--timeout=3".to_owned(),
        "--no-benign-tolerance".to_owned(),
        "--without=fixes".to_owned(),
    ];
    let words = ["lockstep", "verify", "litmus.ptx"].map(str::to_owned).into_iter().chain(flags);
    let Command::Verify(arguments) = Arguments::try_parse_from(words).expect("known flags").command else {
        unreachable!("it says verify");
    };
    let settings = Settings { seeks_by_runs: true, ..Settings::of(&arguments.kernel).expect("sizes that fit") };
    pipeline::decide_alone(&module.kernels[0], &settings).unwrap_or_else(|fault| panic!("{}", fault.message))
}

/// Whether the model has a race for some values with which places start.
fn races_from_a_start(litmus: &Litmus) -> bool {
    let count = STARTS.pow(u32::try_from(litmus.places.len()).expect("few places"));
    (0..count).any(|number| {
        let mut rest = number;
        let mut from = litmus.clone();
        for (_, start) in &mut from.places {
            *start = rest % STARTS;
            rest /= STARTS;
        }
        !model::behaviour(&from).races.is_empty()
    })
}

/// A judged program.
#[derive(Clone, Debug)]
pub struct Judged {
    pub outcome: Outcome,
    /// The behaviour in the model.
    pub behaviour: Behaviour,
    /// The reasons of the verdict and its findings, in a few words.
    pub said: Vec<String>,
}

/// A program, judged.
pub fn judge(litmus: &Litmus) -> Judged {
    let behaviour = model::behaviour(litmus);
    let report = report(litmus);
    let is_racy = !behaviour.races.is_empty();
    let assumes_zeros = report.assumptions.iter().any(|listed| matches!(listed.what, Assumed::SignalsUnset { .. }));
    let confirmed: BTreeSet<&str> =
        report.findings.iter().filter(|finding| finding.confirmed).map(|finding| finding.kind).collect();
    let outcome = match report.verdict {
        Verdict::Error => Outcome::Fault,
        Verdict::Verified if is_racy => Outcome::Unsound,
        Verdict::Verified if !assumes_zeros && races_from_a_start(litmus) => Outcome::Unsound,
        Verdict::Verified => Outcome::Verified,
        _ if confirmed.contains("race") && !is_racy && !races_from_a_start(litmus) => Outcome::FalselyConfirmed,
        _ if confirmed.contains("race") => Outcome::Race,
        Verdict::Unknown if is_racy => Outcome::UnknownOfRacy,
        Verdict::Unknown => Outcome::UnknownOfClean,
        Verdict::Defect | Verdict::Conditional => Outcome::Other,
    };
    Judged { outcome, behaviour, said: said(&report) }
}

/// The findings in a few words, and the reasons.
fn said(report: &KernelReport) -> Vec<String> {
    let findings = report.findings.iter().map(|finding| {
        let lines: Vec<u32> = finding.accesses.iter().map(|access| access.line).collect();
        format!("{} {lines:?}{}", finding.kind, if finding.confirmed { " confirmed" } else { "" })
    });
    lockstep::report::reasons::of(report).into_iter().chain(findings).collect()
}
