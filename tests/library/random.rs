//! Random kernels: compares the verifier's answers with all runs of a tiny launch.
//!
//! [`generate`] draws a program. [`build`] makes kernel IR of it, and [`source`] OpenCL C or CUDA
//! C++. [`truth`] runs it on all inputs, and [`judge`] asks the verifier. It is a failure if a
//! kernel is verified and goes wrong, or if a finding is confirmed and nothing goes wrong. A
//! correct kernel that is not verified is an imprecision, and counted.
//!
//! `./x fuzz --hours H` judges others, and leaves reduced failures in `tests/attacks/`. With
//! `--vocabulary NAME` all of them are written with the [`vocabulary`] of this name, or those of
//! several (`NAME,NAME`). With `--proof-alone` none of them is searched for defects, so that all
//! proofs are put to the test.

mod build;
mod choices;
mod generate;
mod judge;
mod left_out;
mod meetings;
mod parallel;
mod program;
mod schedules;
mod shrink;
mod source;
mod truth;
mod vocabulary;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use judge::{Judged, Outcome, Way, judge, judge_kernel, kernel};
use left_out::LeftOut;
use lockstep::frontend::{self, FrontendOptions};
use lockstep::pipeline::Settings;
use program::{Program, Statement};
use rayon::prelude::*;
use source::Dialect;
use vocabulary::Vocabulary;

use crate::sample::Sample;

/// The number of kernels that an ordinary test run draws, of which it judges a sample.
const KERNELS: usize = 2_000;

/// The number of kernels for each in a sample.
const ONE_OF: u64 = 5;

/// The number of them that are also compiled.
const COMPILED: usize = 200;

/// The first seed of ordinary runs.
const FIRST_SEED: u64 = 1;

/// The number of detected kernels that shows that any would be detected.
const ENOUGH: usize = 2;

/// The number of kernels between two lines of a long run.
const BATCH: usize = 500;

fn on_workers<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    Settings::on_workers(0, work).expect("workers")
}

/// The way of a seed, without the search for defects if `LOCKSTEP_FUZZ_PROOF_ALONE` is set.
fn way(seed: u64) -> Way {
    let way = Way::of(seed);
    if std::env::var("LOCKSTEP_FUZZ_PROOF_ALONE").is_err() {
        return way;
    }
    Way { proof_alone: Some(Duration::from_secs(2)), ..way }
}

/// Judges the programs of these seeds.
fn judge_all(seeds: &[u64]) -> Vec<(u64, Judged)> {
    let one = |&seed: &u64| (seed, judge(&generate::program(seed), way(seed)));
    on_workers(|| seeds.par_iter().map(one).collect())
}

/// The seeds in the commit's sample, among this many.
fn sampled(count: usize) -> Vec<u64> {
    let sample = Sample::of_commit();
    let seeds = generate::seeds(FIRST_SEED).take(count).filter(|seed| sample.has(&format!("seed {seed}"), ONE_OF));
    let seeds = seeds.collect();
    sample.report();
    seeds
}

#[test]
fn verdicts_are_true() {
    let seeds = sampled(KERNELS);
    let kernels = seeds.len();
    let judged = judge_all(&seeds);
    let failed: Vec<String> = judged
        .iter()
        .filter(|(_, judged)| judged.outcome.is_failure())
        .map(|(seed, judged)| told(*seed, judged))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    // Kernels that are all alike show nothing.
    let share = |wanted: &[Outcome]| judged.iter().filter(|(_, judged)| wanted.contains(&judged.outcome)).count();
    assert!(share(&[Outcome::Verified]) * 7 > kernels, "few are verified");
    assert!(share(&[Outcome::Defect, Outcome::UnknownOfDefective]) * 5 > kernels, "few go wrong");
    // Few proofs rely on signals yet.
    let has_signals = |seed: u64| generate::vocabulary(seed).contains(&Vocabulary::Signals);
    let is_undecided = |outcome: Outcome| [Outcome::FalseAlarm, Outcome::UnknownOfClean].contains(&outcome);
    let undecided = judged.iter().filter(|(seed, judged)| !has_signals(*seed) && is_undecided(judged.outcome)).count();
    assert!(undecided * 25 < kernels, "many are not decided");
}

/// A verifier that skips some pairs of threads calls some defective kernels correct, and is
/// detected.
#[test]
fn a_verifier_that_looks_away_is_found_out() {
    for (flag, vocabulary) in
        [("--only-intra-group", None), ("--only-divergence", None), ("--only-divergence", Some(Vocabulary::Signals))]
    {
        let found_out = |&seed: &u64| {
            let (program, way) = (generate::program(seed), Way { open_sizes: false, ..Way::of(seed) });
            let flags = [way.flags(&program), vec![flag.to_owned()]].concat();
            judge_kernel(&program, kernel(&program), way, &flags).outcome == Outcome::Unsound
        };
        let seeds = seeds_of(vocabulary, KERNELS / 10);
        assert!(on_workers(|| seeds.par_iter().any(found_out)), "{flag} is not noticed");
    }
}

/// A verifier that assumes larger warps than there are is detected.
#[test]
fn larger_warps_are_found_out() {
    let found_out = |&seed: &u64| {
        let (program, way) = (generate::program(seed), Way { open_sizes: false, ..Way::of(seed) });
        let smaller = Program { warp_size: 2, ..program.clone() };
        let races = || truth::truth(&smaller, &kernel(&smaller), way.tolerant).kinds.contains("race");
        program.warp_size > 2 && races() && is_verified(&program, way)
    };
    let seeds = seeds_of(Some(Vocabulary::Warps), KERNELS / 4);
    let count = on_workers(|| seeds.par_iter().filter(|seed| found_out(seed)).take_any(ENOUGH).count());
    assert_eq!(count, ENOUGH, "the size of a warp hardly matters");
}

/// A verifier that assumes a part that is left out of a kernel is detected.
#[test]
fn parts_left_out_are_found_out() {
    find_parts_left_out(&LeftOut::ALL);
}

/// The same for parts of the synchronisation through memory.
#[test]
fn parts_of_signals_left_out_are_found_out() {
    find_parts_left_out(&LeftOut::OF_SIGNALS.map(|left_out| (left_out, Some(Vocabulary::Signals))));
}

fn find_parts_left_out(parts: &[(LeftOut, Option<Vocabulary>)]) {
    for &(left_out, vocabulary) in parts {
        let found_out = |&seed: &u64| {
            let (program, way) = (generate::program(seed), Way { open_sizes: false, ..Way::of(seed) });
            let without = left_out.of(&program);
            let differs = without != program;
            // A verifier that knows too much of a kernel is detected by the kernel as it is.
            let (in_fact, told) = if left_out == LeftOut::Unknowns { (program, without) } else { (without, program) };
            let goes_wrong = || !truth::truth(&in_fact, &kernel(&in_fact), way.tolerant).kinds.is_empty();
            differs && goes_wrong() && is_verified(&told, way)
        };
        let seeds = seeds_of(vocabulary, KERNELS / 4);
        let count = on_workers(|| seeds.par_iter().filter(|seed| found_out(seed)).take_any(ENOUGH).count());
        assert_eq!(count, ENOUGH, "{left_out:?} hardly matter");
    }
}

/// About half of the kernels whose threads signal each other are right, and the others are wrong.
#[test]
fn signals_are_right_or_wrong() {
    let truth = |&seed: &u64| {
        let program = generate::program(seed);
        truth::truth(&program, &kernel(&program), false)
    };
    let seeds = seeds_of(Some(Vocabulary::Signals), KERNELS / 10);
    let truths: Vec<truth::Truth> = on_workers(|| seeds.par_iter().map(truth).collect());
    let right = truths.iter().filter(|truth| truth.is_clean()).count();
    let race = truths.iter().filter(|truth| truth.kinds.contains("race")).count();
    assert!(right * 3 > seeds.len() && race * 5 > seeds.len(), "{right} are right and {race} race, of {}", seeds.len());
    let depend = truths.iter().filter(|truth| truth.is_clean() && !truth.kinds_of_starts.is_empty()).count();
    assert!(depend * 20 > seeds.len(), "the start of signals hardly matters: {depend}");
}

/// The patterns of signals are right before a mistake is made in them.
#[test]
fn signals_without_mistakes_are_right() {
    let wrong = |&seed: &u64| {
        let program = generate::right_signals(seed);
        let truth = truth::truth(&program, &kernel(&program), false);
        (!truth.is_clean()).then(|| format!("seed {seed}: {:?}\n{}", truth.kinds, source::kernel(&program, "k")))
    };
    let seeds: Vec<u64> = generate::seeds(FIRST_SEED).take(KERNELS / 10).collect();
    let wrong: Vec<String> = on_workers(|| seeds.par_iter().filter_map(wrong).collect());
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Right kernels go wrong without their fences, their orderings or their scopes.
#[test]
fn signals_need_fences_orderings_and_scopes() {
    let seeds: Vec<u64> = generate::seeds(FIRST_SEED).take(KERNELS / 20).collect();
    for left_out in LeftOut::OF_SIGNALS {
        let races = |&seed: &u64| {
            let program = generate::right_signals(seed);
            let without = left_out.of(&program);
            (without != program).then(|| truth::truth(&without, &kernel(&without), false).kinds.contains("race"))
        };
        let races: Vec<bool> = on_workers(|| seeds.par_iter().filter_map(races).collect());
        let count = races.iter().filter(|races| **races).count();
        assert!(count * 2 > races.len() && races.len() > 20, "{left_out:?}: {count} of {} race", races.len());
    }
}

/// The first seeds of kernels that are written with this vocabulary.
fn seeds_of(vocabulary: Option<Vocabulary>, count: usize) -> Vec<u64> {
    let has = |seed: &u64| vocabulary.is_none_or(|vocabulary| generate::vocabulary(*seed).contains(&vocabulary));
    generate::seeds(FIRST_SEED).filter(has).take(count).collect()
}

fn is_verified(program: &Program, way: Way) -> bool {
    judge::report(kernel(program), &way.flags(program)).verdict == lockstep::verdict::Verdict::Verified
}

/// Several workers report the same about a launch as one does.
///
/// The kernels include some whose groups depend on each other, and some whose groups do not.
#[test]
fn several_workers_tell_what_one_does() {
    let compared = |&seed: &u64| {
        let program = generate::program(seed);
        let body = if seed & 4 == 0 { parallel::apart(&program.body) } else { program.body.clone() };
        let program = Program { body, ..program };
        parallel::compare(&program, &kernel(&program), seed / 8).map_err(|difference| format!("{seed}: {difference}"))
    };
    let seeds = sampled(5 * KERNELS);
    let compared: Result<Vec<_>, String> = on_workers(|| seeds.par_iter().map(compared).collect());
    let compared = compared.unwrap_or_else(|difference| panic!("{difference}"));
    let count = |is: fn(&parallel::Alike) -> bool| compared.iter().filter(|alike| is(alike)).count();
    let counts = [
        count(|alike| alike.together && alike.events == 0),
        count(|alike| alike.together && alike.events > 0),
        count(|alike| !alike.together && alike.events == 0),
        count(|alike| !alike.together && alike.events > 0),
    ];
    assert!(
        counts.iter().all(|&count| count * 100 > seeds.len()),
        "nothing is shown by runs that are all alike: {counts:?}"
    );
}

/// Clang's and the import's kernel does the same as the kernel IR, and its verdict is as true.
#[test]
fn compiled_kernels_do_the_same() {
    let programs = generate::seeds(FIRST_SEED).take(COMPILED).map(|seed| (seed, generate::program(seed)));
    let programs: Vec<(u64, Program)> = programs.filter(|(_, program)| source::compiles(program)).collect();
    for dialect in [Dialect::OpenCl, Dialect::Cuda] {
        let of_dialect = |(_, program): &&(u64, Program)| Dialect::of(program) == dialect;
        let programs: Vec<&(u64, Program)> = programs.iter().filter(of_dialect).collect();
        assert!(programs.len() * 20 > COMPILED, "few are written in {dialect:?}");
        let imported = compiled(dialect, &programs.iter().map(|(_, program)| program).collect::<Vec<_>>());
        let work: Vec<_> = imported.into_iter().zip(&programs).collect();
        let wrong = |(imported, (seed, program)): (frontend::ImportedKernel, &&(u64, Program))| {
            let way = Way { open_sizes: false, ..Way::of(*seed) };
            let judged = judge_kernel(program, imported.kernel.expect("it is read"), way, &way.flags(program));
            let truth = truth::truth(program, &kernel(program), way.tolerant);
            let is_wrong = judged.outcome.is_failure() || !judged.truth.agrees_with(&truth);
            is_wrong.then(|| format!("{judged}; without Clang: {:?}\n{}", truth.kinds, source::kernel(program, "k")))
        };
        let wrong: Vec<String> = on_workers(|| work.into_par_iter().filter_map(wrong).collect());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// Clang's output for programs that are printed into one file.
fn compiled(dialect: Dialect, programs: &[&Program]) -> Vec<frontend::ImportedKernel> {
    let texts = programs.iter().enumerate().map(|(at, program)| source::kernel(program, &format!("k{at}")));
    let has = |vocabulary: Vocabulary| programs.iter().any(|program| program.has(vocabulary));
    let libraries = if has(Vocabulary::Libraries) { source::LIBRARIES } else { "" };
    let copies = if has(Vocabulary::OwnCopies) { source::OWN_COPIES } else { "" };
    let signals = if dialect == Dialect::Cuda && has(Vocabulary::Signals) { source::SIGNALS } else { "" };
    let text = [libraries, copies, signals, dialect.prologue()].concat() + &texts.collect::<String>();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(format!("kernels.{}", dialect.extension()));
    fs::write(&path, text).expect("it can be written");
    let module = frontend::import(&path, &FrontendOptions::default()).expect("it compiles");
    assert_eq!(module.kernels.len(), programs.len());
    module.kernels
}

/// A kernel may rely on the documented behaviour of library functions, which [`build`] writes down.
///
/// It may rely on no other behaviour of their models.
#[test]
fn libraries_promise_what_is_documented() {
    judge_compiled(Vocabulary::Libraries, Dialect::Cuda);
}

/// Components of vectors are memory of their own: bytes and pairs of bytes, for [`build`].
///
/// Clang loads and stores the whole vector.
#[test]
fn components_are_memory_of_their_own() {
    judge_compiled(Vocabulary::Components, Dialect::OpenCl);
}

/// Judges Clang's and the import's kernels of programs in this vocabulary by those of [`build`].
///
/// It judges `LOCKSTEP_FUZZ_KERNELS` of them, from `LOCKSTEP_FUZZ_SEED` on.
#[expect(clippy::print_stdout, reason = "it is shown where somebody asks for it, with --nocapture")]
fn judge_compiled(vocabulary: Vocabulary, dialect: Dialect) {
    let kernels = given("LOCKSTEP_FUZZ_KERNELS").unwrap_or(COMPILED);
    let seed = given("LOCKSTEP_FUZZ_SEED").unwrap_or(FIRST_SEED);
    let seeds: Vec<u64> = generate::seeds(seed).take(kernels).collect();
    let mut counts: BTreeMap<Outcome, usize> = BTreeMap::new();
    let mut failed = Vec::new();
    for seeds in seeds.chunks(COMPILED) {
        let programs: Vec<Program> = seeds.iter().map(|&seed| generate::program_of(vocabulary, seed)).collect();
        let imported = compiled(dialect, &programs.iter().collect::<Vec<_>>());
        let work: Vec<_> = imported.into_iter().zip(&programs).zip(seeds).collect();
        let judged = |((imported, program), &seed): ((frontend::ImportedKernel, &Program), &u64)| {
            let way = Way { open_sizes: false, ..Way::of(seed) };
            let truth = truth::truth(program, &kernel(program), way.tolerant);
            (seed, judge::judge_by(truth, imported.kernel.expect("it is read"), way, &way.flags(program)))
        };
        let judged: Vec<(u64, Judged)> = on_workers(|| work.into_par_iter().map(judged).collect());
        for (seed, judged) in judged {
            *counts.entry(judged.outcome).or_default() += 1;
            if judged.outcome.is_failure() {
                let program = generate::program_of(vocabulary, seed);
                failed.push(format!("seed {seed}: {judged}\n{}", source::kernel(&program, "k")));
            }
        }
    }
    assert!(failed.is_empty(), "{}\n{counts:?}", failed.join("\n"));
    println!("{}: {counts:?}", vocabulary.name());
    let right = counts.get(&Outcome::Verified).copied().unwrap_or_default();
    assert!(right * 10 > kernels, "few are verified: {counts:?}");
}

#[test]
fn failing_programs_are_made_smaller() {
    let writes_bytes = |program: &Program| {
        let mut found = false;
        program.for_each(&mut |statement| {
            found |= matches!(statement, Statement::Store { place, .. } if place.bytes == 1);
        });
        found
    };
    let programs = generate::seeds(FIRST_SEED).take(200).map(generate::program);
    let program = programs.filter(writes_bytes).max_by_key(|program| source::kernel(program, "k").len());
    let program = program.expect("some write bytes");
    let smallest = shrink::shrink(&program, writes_bytes);
    assert_eq!(smallest.body.len(), 1, "{}", source::kernel(&smallest, "k"));
    assert!(writes_bytes(&smallest));
}

// --- Long runs -----------------------------------------------------------------------------------

/// `./x fuzz`: judges kernels for `LOCKSTEP_FUZZ_HOURS`, or `LOCKSTEP_FUZZ_KERNELS` of them, from
/// `LOCKSTEP_FUZZ_SEED` on.
#[test]
#[ignore = "takes as long as it is told to"]
#[expect(clippy::print_stdout, reason = "somebody watches")]
fn for_hours() {
    let seconds = given::<f64>("LOCKSTEP_FUZZ_HOURS").map_or(f64::INFINITY, |hours| hours * 3_600.0);
    let most = given("LOCKSTEP_FUZZ_KERNELS").unwrap_or(if seconds.is_finite() { usize::MAX } else { 100_000 });
    let seed = given("LOCKSTEP_FUZZ_SEED").unwrap_or_else(by_time);
    let names = std::env::var("LOCKSTEP_FUZZ_VOCABULARY").unwrap_or_default();
    let named = |name: &str| Vocabulary::named(name).unwrap_or_else(|| panic!("no vocabulary {name}"));
    let wanted = names.split(',').filter(|name| !name.is_empty()).map(named).collect();
    let started = Instant::now();
    let mut counts: BTreeMap<&str, BTreeMap<Outcome, usize>> = BTreeMap::new();
    let (mut done, mut runs, mut failures) = (0, 0, 0);
    let mut seeds = generate::seeds(seed).filter(|&seed| generate::vocabulary(seed).is_superset(&wanted));
    while started.elapsed().as_secs_f64() < seconds && done < most {
        let batch: Vec<u64> = seeds.by_ref().take(BATCH.min(most - done)).collect();
        for (seed, judged) in judge_all(&batch) {
            done += 1;
            runs += judged.truth.runs;
            let vocabulary = generate::vocabulary(seed);
            let names = vocabulary.iter().map(|vocabulary| vocabulary.name());
            for name in names.chain(["all"]).chain(vocabulary.is_empty().then_some("plain")) {
                *counts.entry(name).or_default().entry(judged.outcome).or_default() += 1;
            }
            if judged.outcome.is_failure() {
                failures += 1;
                println!("{}", told(seed, &judged));
                if std::env::var("LOCKSTEP_FUZZ_AS_THEY_ARE").is_err() {
                    println!("kept as {}", keep(seed).display());
                }
            }
        }
        println!("{done} kernels from seed {seed} in {} s, {runs} runs", started.elapsed().as_secs());
        for (name, counts) in &counts {
            println!("  {name}: {counts:?}");
        }
    }
    assert_eq!(failures, 0, "verdicts are wrong");
}

fn given<T: FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

fn by_time() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.unwrap_or(Duration::ZERO).as_secs()
}

fn told(seed: u64, judged: &Judged) -> String {
    let program = generate::program(seed);
    let flags = way(seed).flags(&program).join(" ");
    format!("seed {seed}: {judged}\n{flags}\n{}", source::kernel(&program, "k"))
}

/// Writes the smallest kernel that fails in the same way to `tests/attacks/`.
fn keep(seed: u64) -> PathBuf {
    let (program, way) = (generate::program(seed), way(seed));
    let outcome = judge(&program, way).outcome;
    let smallest = on_workers(|| shrink::shrink(&program, |program| judge(program, way).outcome == outcome));
    let expected = if outcome == Outcome::Unsound { "//xfail:NOT_ALL_VERIFIED" } else { "//pass" };
    let dialect = Dialect::of(&smallest);
    let copies = if smallest.has(Vocabulary::OwnCopies) { source::OWN_COPIES } else { "" };
    let signals = if dialect == Dialect::Cuda && smallest.has(Vocabulary::Signals) { source::SIGNALS } else { "" };
    let text = format!(
        "{expected}\n//{}\n// {outcome:?}, by chance from the seed {seed}. Mark the lines that race, and say what it is about.\n{copies}{signals}{}{}",
        way.flags(&smallest).join(" "),
        dialect.prologue(),
        source::kernel(&smallest, "k"),
    );
    let name = format!("tests/attacks/random_{seed}.{}", dialect.extension());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::write(&path, text).expect("the folder is there");
    path
}
