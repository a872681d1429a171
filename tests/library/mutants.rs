//! Seeded mistakes: a kernel with a defective run is never verified.
//!
//! Every verified kernel of `examples/` and `benches/kernels/` is changed in one place
//! ([`mutate`]): a barrier is left out or weakened, an access goes to the next element, a branch is
//! taken always, an atomic operation becomes a load and a store. The interpreter runs the mutant
//! with several contents of the arrays. If a run has a race, diverges, leaves an array of known
//! size or fails an assertion, the verifier must not say `verified`. A run in which something else
//! goes wrong first shows nothing.
//!
//! `wrong_mutants_are_not_verified` takes one mutant of a kind of every tenth kernel,
//! `for_the_score` more of all kernels: `cargo test --release --test library -- --ignored
//! --nocapture mutants`.

mod mutate;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use lockstep::command::arguments::{Arguments, Command};
use lockstep::command::compatibility;
use lockstep::deadline::Deadline;
use lockstep::frontend::{self, ImportedKernel};
use lockstep::interpreter::{self, Grid, How, Races, Schedule, Workers, Wrong, arguments};
use lockstep::launch::Extent;
use lockstep::pipeline::{self, Settings};
use lockstep::suite::{Expectation, Header};
use lockstep::verdict::Verdict;
use lockstep_ir::kernel::{Kernel, ParameterKind, VerifiedKernel};
use mutate::{Mistake, Mutant, mutants};
use rayon::prelude::*;

/// The spacing of the inspected kernels in an ordinary run: one of this many.
const KERNELS_APART: usize = 10;

/// The number of mutants of one kind of a kernel that count for the score.
const FOR_THE_SCORE: usize = 2;

/// The most steps of one run.
const MOST_STEPS: u64 = 4_000_000;

/// The number of groups that stands for any number.
const OPEN_GROUPS: u32 = 3;
/// The numbers of threads that stand for any number, along the first dimension and the others.
const OPEN_THREADS: [u32; 3] = [32, 2, 1];

/// The fate of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// No run goes wrong: it may be as correct as the kernel was.
    Harmless,
    /// It goes wrong, and has a confirmed finding.
    Confirmed,
    /// It goes wrong, and has findings.
    Possible,
    /// It goes wrong, and the verifier does not know.
    Unknown,
    /// It goes wrong, and is verified.
    Survived,
    /// The verifier failed.
    Fault,
}

/// A file and the settings that verify its kernels.
struct Subject {
    path: PathBuf,
    settings: Settings,
    kernels: Vec<ImportedKernel>,
}

/// The verified files, with their kernels: one of this many.
fn subjects(apart: usize) -> Vec<Subject> {
    // Each line begins with the name of an undecided file.
    let undecided = fs::read_to_string("benches/kernels/undecided.txt").expect("it is there");
    let undecided: Vec<&str> = undecided.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let mut paths: Vec<PathBuf> = ["examples", "benches/kernels"]
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("it is there").flatten().map(|entry| entry.path()))
        .collect();
    paths.retain(|path| path.file_stem().and_then(|name| name.to_str()).is_some_and(|name| !undecided.contains(&name)));
    paths.sort();
    let some: Vec<&PathBuf> = paths.iter().step_by(apart).collect();
    some.into_par_iter().filter_map(|path| subject(path)).collect()
}

fn subject(path: &Path) -> Option<Subject> {
    path.extension().filter(|ending| ["cl", "cu", "hip"].iter().any(|known| ending == known))?;
    let header = Header::parse(&fs::read_to_string(path).expect("it can be read"))?;
    if header.expectation != Expectation::Pass {
        return None;
    }
    let words = ["lockstep", "verify"].map(OsString::from).into_iter();
    let words = words.chain([path.as_os_str().to_owned()]).chain(header.flags.iter().map(OsString::from));
    let words: Vec<OsString> = words.chain(["--timeout=5".into()]).collect();
    let translated = compatibility::translate(words).ok()?;
    let Command::Verify(arguments) = Arguments::try_parse_from(translated.words).ok()?.command else { return None };
    let settings = Settings::of(&arguments.kernel).ok()?;
    let module = frontend::import(path, &settings.frontend).ok()?;
    Some(Subject { path: path.to_owned(), settings, kernels: module.kernels })
}

/// The same kernel of a file with other contents.
fn with(imported: &ImportedKernel, kernel: VerifiedKernel) -> ImportedKernel {
    ImportedKernel { escapes: Vec::new(), pointees: Vec::new(), kernel: Ok(kernel), ..imported.clone() }
}

/// Small sizes within the verified launch.
fn grid(subject: &Subject, imported: &ImportedKernel, kernel: &Kernel) -> Option<Grid> {
    let asked = subject.settings.launches(imported);
    let launch = asked.first()?.request.resolve(kernel).ok()?.launch;
    let dimensions = launch
        .local_size
        .iter()
        .zip(&launch.num_groups)
        .rposition(|(size, groups)| [size, groups].iter().any(|extent| **extent != Extent::Known(1)));
    let dimensions = dimensions.map_or(1, |last| last + 1);
    let sizes = |extents: [Extent; 3], open: [u32; 3]| {
        [0, 1, 2].map(|at| extents[at].known().unwrap_or(if at < dimensions { open[at] } else { 1 }))
    };
    Some(Grid {
        local_size: sizes(launch.local_size, OPEN_THREADS),
        num_groups: sizes(launch.num_groups, [OPEN_GROUPS, 2, 1]),
        global_offset: [0; 3],
        dimensions: u32::try_from(dimensions).ok()?,
        warp_size: subject.settings.lockstep.warp_size_for(kernel.language).min(64),
    })
}

/// Whether some run of the kernel goes wrong in a way that the verifier looks for.
fn goes_wrong(kernel: &VerifiedKernel, grid: &Grid, tolerant: bool) -> bool {
    let code = interpreter::compile(kernel);
    ["zeros", "iota", "random", "among"].iter().any(|contents| {
        let pointers = kernel.parameters.iter().filter_map(|parameter| match parameter.kind {
            ParameterKind::Pointer(array) => Some((parameter, &kernel.arrays[array])),
            _ => None,
        });
        let given: Vec<arguments::Given> = pointers
            .filter(|(_, data)| interpreter::is_of_launch(data.space))
            .map(|(parameter, data)| {
                let ty = arguments::type_of_elements(data);
                let value =
                    if *contents == "among" { format!("among:{ty}[0, 1, 2]") } else { format!("{contents}:{ty}") };
                arguments::Given { name: parameter.name.clone(), value }
            })
            .collect();
        let Ok(prepared) = arguments::prepare(kernel, grid, &given, &[]) else { return false };
        let how = How {
            most_steps: MOST_STEPS,
            schedule: Schedule::InOrder,
            warps_in_lock_step: false,
            lanes_apart: false,
            returned_arrive: false,
            races: Some(Races { tolerant, within_groups: false, between: None }),
            groups: None,
            workers: Workers::ONE,
            deadline: Deadline::NEVER,
        };
        let Some(ran) = interpreter::run(&code, grid, prepared.input, how) else { return false };
        // Events after an undefined one show nothing.
        ran.events.first().is_some_and(|event| match event.what {
            Wrong::Race(_) | Wrong::Divergence { .. } | Wrong::Assertion => true,
            Wrong::OutOfBounds { array: Some(array), .. } => kernel.arrays[array].size.is_some(),
            _ => false,
        })
    })
}

fn fate(subject: &Subject, imported: &ImportedKernel, mutant: &Mutant) -> Fate {
    let tolerant = !subject.settings.lockstep.no_benign_tolerance;
    let Some(grid) = grid(subject, imported, &mutant.kernel) else { return Fate::Harmless };
    if !goes_wrong(&mutant.kernel, &grid, tolerant) {
        return Fate::Harmless;
    }
    let Ok(report) = pipeline::decide_alone(&with(imported, mutant.kernel.clone()), &subject.settings) else {
        return Fate::Unknown;
    };
    match report.verdict {
        Verdict::Verified => Fate::Survived,
        Verdict::Unknown if !report.findings.is_empty() => Fate::Possible,
        Verdict::Unknown => Fate::Unknown,
        Verdict::Error => Fate::Fault,
        Verdict::Defect | Verdict::Conditional => Fate::Confirmed,
    }
}

/// At most this many mutants of each kind, spread over the kernel.
fn some(mutants: Vec<Mutant>, most: usize) -> Vec<Mutant> {
    let mut by_kind: BTreeMap<Mistake, Vec<Mutant>> = BTreeMap::new();
    for mutant in mutants {
        by_kind.entry(mutant.mistake).or_default().push(mutant);
    }
    let spread = |mutants: Vec<Mutant>| {
        let step = mutants.len().div_ceil(most).max(1);
        mutants.into_iter().step_by(step)
    };
    by_kind.into_values().flat_map(spread).collect()
}

/// The fates of at most `most` mutants of each kind of each kernel, for one file of this many.
fn fates(most: usize, apart: usize) -> Vec<(String, Mistake, Fate)> {
    let all = subjects(apart);
    let work: Vec<(&Subject, &ImportedKernel, Mutant)> = all
        .par_iter()
        .flat_map_iter(|subject| subject.kernels.iter().map(move |imported| (subject, imported)))
        .filter_map(|(subject, imported)| Some((subject, imported, imported.kernel.as_ref().ok()?)))
        .flat_map_iter(|(subject, imported, kernel)| {
            some(mutants(kernel), most).into_iter().map(move |mutant| (subject, imported, mutant))
        })
        .collect();
    let one = |(subject, imported, mutant): (&Subject, &ImportedKernel, Mutant)| {
        let place = format!("{}:{} {}: {:?}", subject.path.display(), mutant.line, imported.name, mutant.mistake);
        (place, mutant.mistake, fate(subject, imported, &mutant))
    };
    work.into_par_iter().map(one).collect()
}

fn on_workers<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    Settings::on_workers(0, work).expect("workers")
}

#[track_caller]
fn assert_none_survives(fates: &[(String, Mistake, Fate)]) {
    let is_failure = |fate: &Fate| matches!(fate, Fate::Survived | Fate::Fault);
    let survived: Vec<&String> = fates.iter().filter(|(.., fate)| is_failure(fate)).map(|(place, ..)| place).collect();
    assert!(survived.is_empty(), "{survived:#?}");
}

#[test]
fn wrong_mutants_are_not_verified() {
    let fates = on_workers(|| fates(1, KERNELS_APART));
    assert_none_survives(&fates);
    let wrong = fates.iter().filter(|(.., fate)| *fate != Fate::Harmless).count();
    assert!(wrong * 5 > fates.len(), "{wrong} of {} go wrong", fates.len());
}

/// An unchanged kernel goes wrong in no run.
#[test]
fn verified_kernels_do_not_go_wrong() {
    let wrong = on_workers(|| {
        let of_subject = |subject: &Subject| -> Vec<String> {
            let tolerant = !subject.settings.lockstep.no_benign_tolerance;
            let goes_wrong = |imported: &&ImportedKernel| {
                let Ok(kernel) = &imported.kernel else { return false };
                grid(subject, imported, kernel).is_some_and(|grid| goes_wrong(kernel, &grid, tolerant))
            };
            let wrong = subject.kernels.iter().filter(goes_wrong);
            wrong.map(|imported| format!("{}: {}", subject.path.display(), imported.name)).collect()
        };
        subjects(KERNELS_APART).par_iter().flat_map_iter(of_subject).collect::<Vec<_>>()
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// `cargo test --release --test library -- --ignored --nocapture mutants`: the table of
/// docs/soundness.md.
#[test]
#[ignore = "takes half an hour"]
#[expect(clippy::print_stdout, reason = "somebody watches")]
fn for_the_score() {
    let fates = on_workers(|| fates(FOR_THE_SCORE, 1));
    let mut counts: BTreeMap<Mistake, [usize; 6]> = BTreeMap::new();
    for (place, mistake, fate) in &fates {
        let all = [Fate::Harmless, Fate::Confirmed, Fate::Possible, Fate::Unknown, Fate::Survived, Fate::Fault];
        let at = all.iter().position(|other| other == fate).expect("it is one of them");
        counts.entry(*mistake).or_default()[at] += 1;
        if !matches!(fate, Fate::Harmless | Fate::Confirmed) {
            println!("{fate:?} {place}");
        }
    }
    for (mistake, counts) in counts {
        println!("{mistake:?}: harmless, confirmed, possible, unknown, survived, fault: {counts:?}");
    }
    assert_none_survives(&fates);
}
