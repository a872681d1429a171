//! Litmus programs: PTX's memory model, checked against expected answers, and Lockstep's verdicts,
//! checked against the model.

#[path = "litmus/generate.rs"]
mod generate;
#[path = "litmus/judge.rs"]
mod judge;
#[path = "litmus/kernel.rs"]
mod kernel;
#[path = "litmus/model.rs"]
mod model;
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

use program::Asks;

/// The answers of the model to the programs that `LOCKSTEP_LITMUS` names: a file of Dat3M with lines
/// `program,1` or `program,0`, relative to the folder `LOCKSTEP_LITMUS_ROOT`.
#[test]
#[ignore = "needs programs that are not ours"]
#[expect(clippy::print_stdout, reason = "somebody watches")]
fn answers_are_those_expected() {
    let given = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} says where they are"));
    let (table, root) = (given("LOCKSTEP_LITMUS"), given("LOCKSTEP_LITMUS_ROOT"));
    let table = std::fs::read_to_string(table).expect("a table");
    let (mut right, mut left_out, mut wrong) = (0, 0, Vec::new());
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
        let answer = match litmus.question.asks {
            Asks::Exists => behaviour.holds,
            Asks::Never => !behaviour.holds,
            Asks::Always => !behaviour.fails,
        };
        if answer == (expected == "1") {
            right += 1;
        } else {
            println!("{path}: {answer}, expected {expected}: {behaviour:?}");
            wrong.push(path);
        }
    }
    println!("{right} right, {} wrong, {left_out} left out", wrong.len());
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Random programs: judges `LOCKSTEP_FUZZ_KERNELS` of them from `LOCKSTEP_FUZZ_SEED` on.
#[test]
#[ignore = "takes as long as it is told to"]
#[expect(clippy::print_stdout, reason = "somebody watches")]
fn verdicts_agree_with_the_model() {
    let given =
        |name: &str, otherwise: u64| std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise);
    let (first, count) = (given("LOCKSTEP_FUZZ_SEED", 1), given("LOCKSTEP_FUZZ_KERNELS", 100));
    let mut counts: BTreeMap<judge::Outcome, usize> = BTreeMap::new();
    let mut failures = 0;
    for seed in first..first + count {
        let litmus = generate::litmus(seed);
        let (outcome, behaviour, report) = judge::judge(&litmus);
        *counts.entry(outcome).or_default() += 1;
        println!("seed {seed}: {outcome:?}: {:?}", judge::said(&report));
        if let Ok(folder) = std::env::var("LOCKSTEP_LITMUS_KEEP") {
            std::fs::write(Path::new(&folder).join(format!("{seed}.ptx")), kernel::ptx(&litmus)).expect("written");
        }
        if outcome.is_failure() {
            failures += 1;
            println!(
                "seed {seed}: {outcome:?}: {behaviour:?}, {:?} {:?}\n{}",
                report.verdict,
                judge::said(&report),
                kernel::ptx(&litmus)
            );
        }
    }
    println!("{counts:?}");
    assert_eq!(failures, 0, "verdicts are wrong");
}
