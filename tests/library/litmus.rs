//! Litmus programs: PTX's memory model as a program, checked against expected answers, and
//! Lockstep's verdicts, checked against the model.
//!
//! [`model`] tries all executions of a program, weak ones too. [`kernel`] makes a kernel of it, and
//! [`judge`] asks Lockstep. Random programs come from [`generate`], and [`read`] reads others, in
//! the format of herd and Dat3M.

#[path = "litmus/generate.rs"]
mod generate;
#[path = "litmus/judge.rs"]
mod judge;
#[path = "litmus/kernel.rs"]
mod kernel;
#[path = "litmus/model.rs"]
mod model;
#[path = "litmus/older.rs"]
mod older;
#[path = "litmus/program.rs"]
mod program;
#[path = "litmus/read.rs"]
mod read;
#[path = "litmus/relation.rs"]
mod relation;
#[path = "litmus/traces.rs"]
mod traces;

use std::collections::BTreeMap;
use std::path::Path;

use judge::Outcome;
use lockstep::interpreter::Schedule;
use model::Behaviour;
use program::{Asks, Litmus};

use crate::sample::Sample;

/// The number of random programs of an ordinary test run, of which it judges a sample.
const PROGRAMS: u64 = 400;

/// The number of programs for each in a sample.
const ONE_OF: u64 = 8;

/// The answer to the question of a program.
fn answer(litmus: &Litmus, behaviour: &Behaviour) -> bool {
    match litmus.question.asks {
        Asks::Exists => behaviour.holds,
        Asks::Never => !behaviour.holds,
        Asks::Always => !behaviour.fails,
    }
}

/// A program of two threads of different blocks: what each does, and what is asked.
fn two_threads(columns: [&[&str]; 2], question: &str) -> Litmus {
    let rows = columns[0].len().max(columns[1].len());
    let cell = |column: usize, row: usize| columns[column].get(row).copied().unwrap_or("");
    let rows: Vec<String> = (0..rows).map(|row| format!("{} | {}", cell(0, row), cell(1, row))).collect();
    let rows = rows.join(" ;\n");
    let text = format!("PTX two\n{{ x = 0; y = 0; }}\nP0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n{rows} ;\n{question}");
    read::litmus(&text).expect("it is known")
}

/// Whether an old value may be read behind a flag, and whether there is a data race.
fn passes_message(writer: &[&str], reader: &[&str]) -> (bool, bool) {
    let litmus = two_threads([writer, reader], "exists (P1:r0 == 1 /\\ P1:r1 == 0)");
    let behaviour = model::behaviour(&litmus);
    assert!(behaviour.is_whole && behaviour.ends > 0);
    (answer(&litmus, &behaviour), !behaviour.races.is_empty())
}

#[test]
fn message_needs_a_release_and_an_acquire_of_a_wide_scope() {
    let skips = ["ld.acquire.gpu r0, y", "bne r0, 1, END", "ld.weak r1, x", "END:"];
    assert_eq!(passes_message(&["st.weak x, 1", "st.release.gpu y, 1"], &skips), (false, false));
    let wrong = [
        ["st.weak x, 1", "st.relaxed.gpu y, 1"],
        ["st.weak x, 1", "st.release.cta y, 1"],
        ["st.release.gpu y, 1", "st.weak x, 1"],
    ];
    for writer in wrong {
        assert_eq!(passes_message(&writer, &skips), (true, true), "{writer:?}");
    }
    let with_fence = ["ld.relaxed.gpu r0, y", "bne r0, 1, END", "fence.acq_rel.gpu", "ld.weak r1, x", "END:"];
    let releases = ["st.weak x, 1", "fence.acq_rel.gpu", "st.relaxed.gpu y, 1"];
    assert_eq!(passes_message(&releases, &with_fence), (false, false));
    let without = ["ld.relaxed.gpu r0, y", "bne r0, 1, END", "ld.weak r1, x", "END:"];
    assert_eq!(passes_message(&releases, &without), (true, true));
}

#[test]
fn store_buffering_needs_sequentially_consistent_fences() {
    let may_both_be_old = |fence: &str| {
        let thread = |stored: &str, loaded: &str| {
            [format!("st.relaxed.gpu {stored}, 1"), fence.to_owned(), format!("ld.relaxed.gpu r0, {loaded}")]
        };
        let [a, b] = [thread("x", "y"), thread("y", "x")];
        let [a, b] = [&a, &b].map(|thread| thread.iter().map(String::as_str).collect::<Vec<_>>());
        let litmus = two_threads([&a, &b], "exists (P0:r0 == 0 /\\ P1:r0 == 0)");
        let behaviour = model::behaviour(&litmus);
        assert!(behaviour.races.is_empty());
        answer(&litmus, &behaviour)
    };
    assert!(!may_both_be_old("fence.sc.gpu"));
    assert!(may_both_be_old("fence.acq_rel.gpu"));
    assert!(may_both_be_old("fence.sc.cta"));
}

#[test]
fn values_do_not_cause_themselves_and_additions_form_a_chain() {
    let copies = two_threads(
        [&["ld.relaxed.gpu r0, x", "st.relaxed.gpu y, r0"], &["ld.relaxed.gpu r0, y", "st.relaxed.gpu x, r0"]],
        "exists (P0:r0 == 1)",
    );
    assert!(!answer(&copies, &model::behaviour(&copies)));
    let adds = ["atom.relaxed.gpu.add r0, x, 1"];
    let same = two_threads([&adds, &adds], "exists (P0:r0 == P1:r0)");
    assert!(!answer(&same, &model::behaviour(&same)));
    let sum = two_threads([&adds, &adds], "forall (x == 2)");
    assert!(answer(&sum, &model::behaviour(&sum)));
    let narrow = two_threads([&["atom.relaxed.cta.add r0, x, 1"], &adds], "forall (x == 2)");
    assert!(!answer(&narrow, &model::behaviour(&narrow)));
}

#[test]
fn barriers_order_within_blocks_only() {
    let of_blocks = |second: u32| {
        let text = format!(
            "PTX barrier\n{{ x = 0; }}\nP0@cta 0,gpu 0 | P1@cta {second},gpu 0 ;\nst.weak x, 1 | bar.cta.sync 0 ;\n\
             bar.cta.sync 0 | ld.weak r0, x ;\nforall (P1:r0 == 1)"
        );
        let litmus = read::litmus(&text).expect("it is known");
        let behaviour = model::behaviour(&litmus);
        (answer(&litmus, &behaviour), behaviour.races.is_empty())
    };
    assert_eq!(of_blocks(0), (true, true));
    assert_eq!(of_blocks(1), (false, false));
}

#[test]
fn programs_that_are_not_known_are_refused() {
    let refused = |row: &str| {
        let text = format!("PTX a\n{{ x = 0; }}\nP0@cta 0,gpu 0 ;\n{row} ;\nexists (x == 0)");
        read::litmus(&text).expect_err("it is not known")
    };
    assert_eq!(refused("tld.weak r0, x"), "unknown instruction: tld.weak r0, x");
    assert_eq!(refused("ld.acquire.warp r0, x"), "unknown instruction: ld.acquire.warp r0, x");
    assert_eq!(refused("bra.uni END"), "unknown instruction: bra.uni END");
    assert_eq!(refused("goto END"), "unknown label: goto END");
}

/// Verdicts about random programs do not contradict the model.
#[test]
fn verdicts_do_not_contradict_the_model() {
    let sample = Sample::of_commit();
    let mut counts: BTreeMap<Outcome, usize> = BTreeMap::new();
    for seed in (1..=PROGRAMS).filter(|seed| sample.has(&format!("litmus {seed}"), ONE_OF)) {
        let litmus = if seed % 2 == 0 { generate::litmus(seed) } else { generate::of_fences(seed) };
        let judged = judge::judge(&litmus);
        assert!(!judged.outcome.is_failure(), "{}", told(seed, &litmus, &judged));
        *counts.entry(judged.outcome).or_default() += 1;
    }
    sample.report();
    // Programs that are all alike show nothing.
    assert!(counts.contains_key(&Outcome::Verified) && counts.contains_key(&Outcome::Race), "{counts:?}");
}

/// The orders in which each random program runs for its ends.
const ORDERS: u64 = 40;

/// The ends of runs in which reads see older values are ends in the model.
#[test]
fn older_values_are_those_of_the_model() {
    let sample = Sample::of_commit();
    let (mut programs, mut ends, mut all_ends, mut weak) = (0, 0, 0, 0);
    for seed in (1..=PROGRAMS).filter(|seed| sample.has(&format!("older {seed}"), ONE_OF)) {
        let litmus = if seed % 4 == 0 { generate::litmus(seed) } else { generate::of_signals(seed) };
        let of = |schedule: fn(u64) -> Schedule| older::ends(&litmus, (1..=ORDERS).map(schedule));
        let (stale, newest) = (of(Schedule::Stale), of(Schedule::Random));
        let behaviour = model::behaviour(&litmus);
        for end in stale.iter().filter(|_| behaviour.is_whole) {
            let is_allowed = behaviour.all_ends.contains(end);
            assert!(is_allowed, "seed {seed}: {end:?}\n{}", kernel::ptx_with_ends(&litmus));
            ends += 1;
            weak += u32::from(!newest.contains(end));
        }
        all_ends += behaviour.all_ends.len();
        programs += 1;
    }
    sample.report();
    // Ends that other orders have, too, show nothing about older values.
    let counts = format!("{programs} programs, {ends} of {all_ends} ends, {weak} with older values alone");
    assert!(programs < 20 || weak > 0 && ends < all_ends, "{counts}");
}

fn told(seed: u64, litmus: &Litmus, judged: &judge::Judged) -> String {
    let (outcome, behaviour) = (judged.outcome, &judged.behaviour);
    format!("seed {seed}: {outcome:?}: {behaviour:?}, {:?}\n{}", judged.said, kernel::ptx(litmus))
}

// --- Programs and numbers that are given ---------------------------------------------------------

/// The answers of the model to the programs of a table of Dat3M, which `LOCKSTEP_LITMUS` names. Its
/// lines are `program,1` or `program,0`, with paths from the folder `LOCKSTEP_LITMUS_ROOT`.
/// Lockstep's verdicts about them do not contradict the model either.
#[test]
#[ignore = "needs programs that are not ours"]
#[expect(clippy::print_stdout, reason = "somebody watches")]
fn answers_are_those_expected() {
    let given = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} says where they are"));
    let (table, root) = (given("LOCKSTEP_LITMUS"), given("LOCKSTEP_LITMUS_ROOT"));
    let table = std::fs::read_to_string(table).expect("a table");
    let (mut right, mut left_out, mut wrong) = (0, 0, Vec::new());
    let mut verdicts: BTreeMap<Outcome, usize> = BTreeMap::new();
    for line in table.lines().filter(|line| !line.is_empty()) {
        let mut columns = line.split(',');
        let (path, expected) = columns.next().zip(columns.next()).expect("a program and an answer");
        let text = std::fs::read_to_string(Path::new(&root).join(path)).expect("a program");
        let litmus = match read::litmus(&text) {
            Ok(litmus) => litmus,
            Err(why) => {
                println!("left out: {path}: {why}");
                left_out += 1;
                continue;
            }
        };
        let behaviour = model::behaviour(&litmus);
        if behaviour.ends == 0 {
            println!("left out: {path}: no execution ends");
            left_out += 1;
            continue;
        }
        if answer(&litmus, &behaviour) == (expected == "1") {
            right += 1;
        } else {
            println!("{path}: expected {expected}: {behaviour:?}");
            wrong.push(path);
        }
        let is_plain = litmus.threads.iter().all(|thread| thread.device == 0);
        if is_plain && litmus.places.iter().all(|(_, start)| *start == 0) {
            let judged = judge::judge(&litmus);
            if judged.outcome.is_failure() {
                println!("{path}: {}", told(0, &litmus, &judged));
                wrong.push(path);
            }
            *verdicts.entry(judged.outcome).or_default() += 1;
        }
    }
    println!("{right} right, {} wrong, {left_out} left out; verdicts: {verdicts:?}", wrong.len());
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Judges `LOCKSTEP_FUZZ_KERNELS` random programs from `LOCKSTEP_FUZZ_SEED` on.
#[test]
#[ignore = "takes as long as it is told to"]
#[expect(clippy::print_stdout, reason = "somebody watches")]
fn verdicts_agree_with_the_model() {
    let given =
        |name: &str, otherwise: u64| std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise);
    let (first, count) = (given("LOCKSTEP_FUZZ_SEED", 1), given("LOCKSTEP_FUZZ_KERNELS", PROGRAMS));
    let mut counts: BTreeMap<Outcome, usize> = BTreeMap::new();
    let mut failures = 0;
    for seed in first..first + count {
        let litmus = generate::litmus(seed);
        let judged = judge::judge(&litmus);
        *counts.entry(judged.outcome).or_default() += 1;
        if judged.outcome.is_failure() {
            failures += 1;
            println!("{}", told(seed, &litmus, &judged));
        }
    }
    println!("{counts:?}");
    assert_eq!(failures, 0, "verdicts are wrong");
}
