//! Checks that bits and integers agree.
//!
//! A result shown with the help of integers is not refuted by bits alone (`--math bv`), nor the
//! other way round. One may decide a kernel that is unknown to the other.

use std::path::{Path, PathBuf};

use clap::Parser;
use lockstep::command::arguments::{Arguments, Command};
use lockstep::frontend::{ImportedKernel, import};
use lockstep::lockstep::lower_for_proof;
use lockstep::pipeline::Settings;
use lockstep::prove::{Outcome, prove_all};
use lockstep::suite::Header;
use lockstep::verdict::reason::Reason;
use lockstep_ir::sequential::Pair;
use rayon::prelude::*;

use crate::sample::Sample;

const FOLDERS: [&str; 6] =
    ["examples", "tests/annotations", "tests/attacks", "tests/kernels", "tests/proofs", "benches/kernels"];

/// A time limit that suffices for most kernels.
///
/// The solver budget that it stands for is the limit, and also the clock on a busy machine. The
/// reason for an unknown does not matter here.
const FLAGS: [&str; 2] = ["--timeout=1", "--without=missing-invariants"];

const PAIRS: [Pair; 3] = [Pair::SameGroup, Pair::DifferentGroups, Pair::Alone];

/// The result for one pair of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opinion {
    Nothing,
    Proved,
    Refuted,
    Unknown,
    Vacuous,
    Impossible,
}

/// The results of both for the kernels of some folders.
#[derive(Debug, Default)]
struct Comparison {
    kernels: usize,
    /// Kernels that both decide.
    decided: usize,
    contradictions: Vec<String>,
}

/// Runs on a sample of the kernels: all take two minutes.
#[test]
fn bits_and_integers_never_contradict_each_other() {
    never_contradict(&Sample::of_commit());
}

#[test]
#[ignore = "takes two minutes"]
fn they_never_do_about_any_kernel() {
    never_contradict(&Sample::all());
}

/// The number of kernels for each in a sample.
const ONE_OF: u64 = 8;

fn never_contradict(sample: &Sample) {
    let files: Vec<PathBuf> = FOLDERS.iter().flat_map(|folder| kernels(Path::new(folder))).collect();
    assert!(files.len() > 300, "{} kernels", files.len());
    let files: Vec<PathBuf> =
        files.into_iter().filter(|file| sample.has(&format!("math {}", file.display()), ONE_OF)).collect();
    sample.report();
    let compared = Settings::on_workers(0, || files.par_iter().map(|file| compare(file)).collect::<Vec<_>>());
    let mut all = Comparison::default();
    for one in compared.expect("workers") {
        all.kernels += one.kernels;
        all.decided += one.decided;
        all.contradictions.extend(one.contradictions);
    }
    assert!(all.contradictions.is_empty(), "{}", all.contradictions.join("\n"));
    // Few would suffice on a machine so busy that the clock decides.
    assert!(4 * all.decided > all.kernels, "hardly anything is decided by both: {all:?}");
}

fn kernels(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of kernels");
    let files = entries.map(|entry| entry.expect("an entry").path());
    let mut kernels: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|name| name == "cl")).collect();
    kernels.sort();
    kernels
}

/// The settings of a file with the flags in its second line; `None` if these are faulty, as some
/// are on purpose.
fn settings(file: &Path, source: &str, math: &str) -> Option<Settings> {
    let flags = Header::parse(source)?.flags;
    let flags = flags.iter().map(String::as_str).filter(|flag| !flag.starts_with("--timeout"));
    let words = ["lockstep", "verify", "--math", math].into_iter().chain(FLAGS).chain(flags);
    match Arguments::try_parse_from(words.chain([file.to_str()?])).ok()?.command {
        Command::Verify(arguments) => Settings::of(&arguments.kernel).ok(),
        _ => None,
    }
}

fn compare(file: &Path) -> Comparison {
    let source = std::fs::read_to_string(file).expect("a kernel");
    let mut compared = Comparison::default();
    let [Some(auto), Some(bits)] = ["auto", "bv"].map(|math| settings(file, &source, math)) else { return compared };
    let Ok(module) = import(file, &auto.frontend) else { return compared };
    for kernel in &module.kernels {
        let first = opinions(kernel, &auto, &[]);
        // A pair unknown to one is not contradicted by the other.
        let unknown: Vec<Pair> = PAIRS
            .into_iter()
            .zip(&first)
            .filter(|(_, opinion)| **opinion == Opinion::Unknown)
            .map(|(pair, _)| pair)
            .collect();
        let second = opinions(kernel, &bits, &unknown);
        compared.kernels += 1;
        compared.decided += usize::from(decided(&first) && decided(&second));
        for ((pair, first), second) in PAIRS.iter().zip(first).zip(second) {
            if first != second && first != Opinion::Unknown && second != Opinion::Unknown {
                let name = format!("{} ({}), {pair:?}", file.display(), kernel.name);
                compared.contradictions.push(format!("{name}: {first:?} with integers, {second:?} with bits"));
            }
        }
    }
    compared
}

/// Whether a kernel is decided: refuted for one pair of threads, or proved for all.
fn decided(opinions: &[Opinion]) -> bool {
    opinions.contains(&Opinion::Refuted) || !opinions.contains(&Opinion::Unknown)
}

/// The results for each pair of threads that has something to check, except those that stay
/// unknown.
fn opinions(imported: &ImportedKernel, settings: &Settings, unknown: &[Pair]) -> Vec<Opinion> {
    let Ok(kernel) = &imported.kernel else { return Vec::new() };
    let (Ok(resolved), Ok(given)) =
        (settings.launch.resolve(kernel), settings.given(imported, kernel, &settings.launch))
    else {
        return Vec::new();
    };
    let asked = PAIRS.map(|pair| (pair, !unknown.contains(&pair)));
    let programs = asked.map(|(pair, asked)| {
        lower_for_proof(&given.kernel, &resolved.launch, pair, &given.options).ok().flatten().filter(|_| asked)
    });
    let tasks = programs.each_ref().map(|programs| programs.as_ref());
    let proofs = prove_all(&tasks, &settings.prove);
    let opinion = |outcome: &Outcome| match outcome {
        Outcome::Proved => Opinion::Proved,
        Outcome::Refuted(_) => Opinion::Refuted,
        Outcome::Unknown(Reason::EndUnreachable) => Opinion::Vacuous,
        Outcome::Unknown(_) => Opinion::Unknown,

        Outcome::Impossible(_) => Opinion::Impossible,
    };
    // If there is nothing to check, there is nothing to contradict.
    let opinions = proofs.iter().map(|proof| proof.as_ref().map_or(Opinion::Nothing, |proof| opinion(&proof.outcome)));
    opinions.zip(asked).map(|(opinion, (_, asked))| if asked { opinion } else { Opinion::Unknown }).collect()
}
