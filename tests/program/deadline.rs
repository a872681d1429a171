//! Every stage ends and says so when the kernel's deadline has passed; large kernels are lowered
//! all the same.
//!
//! Nothing here is timed: the deadline has passed before a stage begins.

use std::fmt::Write as _;
use std::time::Instant;

use lockstep::deadline::Deadline;
use lockstep::findings;
use lockstep::frontend::{FrontendOptions, import};
use lockstep::interpreter::arguments::prepare;
use lockstep::interpreter::{self, Grid, How, Races, Ran, Schedule, Workers};
use lockstep::launch::{Extent, Launch, LaunchRequest};
use lockstep::lockstep::{LockstepOptions, NotLowered, assumptions_alone, lower, lower_for_proof};
use lockstep::prove::{Counterexample, Outcome, ProveOptions, prove, smaller};
use lockstep::replay::{Replay, Replayed};
use lockstep::verdict::Undecided;
use lockstep::verdict::hinge::Hinge;
use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::VerifiedKernel;
use lockstep_ir::sequential::{Pair, VerifiedProgram};

/// Threads race for one cell.
const RACE: &str = "__kernel void k(__global int *a) { a[0] = get_local_id(0); }";

/// Threads wait for a write that nobody makes, and count meanwhile.
const ENDLESS: &str = "__kernel void k(volatile __global int *a) { while (a[0] == 0) a[1 + get_global_id(0)]++; }";

fn kernel(source: &str) -> VerifiedKernel {
    let file = tempfile::Builder::new().suffix(".cl").tempfile().expect("a file");
    std::fs::write(file.path(), source).expect("a file can be written");
    let module = import(file.path(), &FrontendOptions::default()).expect("it compiles");
    module.kernels.into_iter().next().expect("a kernel").kernel.expect("a kernel that can be read")
}

fn passed() -> Deadline {
    Deadline::at(Instant::now())
}

fn launch(kernel: &VerifiedKernel) -> Launch {
    let request = LaunchRequest {
        local_size: Some(vec![Extent::Known(4)]),
        num_groups: Some(vec![Extent::Known(2)]),
        ..LaunchRequest::default()
    };
    request.resolve(kernel).expect("a launch").launch
}

fn program(kernel: &VerifiedKernel) -> VerifiedProgram {
    lower(kernel, &launch(kernel), Pair::SameGroup, &LockstepOptions::default())
        .expect("a program")
        .expect("two threads")
}

/// The race that is found when there is time.
fn race(program: &VerifiedProgram) -> Counterexample {
    match prove(program, &ProveOptions::default()).outcome {
        Outcome::Refuted(mut found) => found.remove(0),
        other => panic!("there is a race: {other:?}"),
    }
}

fn run(schedule: Schedule, warps_in_lock_step: bool, workers: Workers) -> Ran {
    let kernel = kernel(ENDLESS);
    let grid =
        Grid { local_size: [4, 1, 1], num_groups: [3, 1, 1], global_offset: [0; 3], dimensions: 1, warp_size: 2 };
    let how = How {
        most_steps: u64::MAX,
        schedule,
        warps_in_lock_step,
        lanes_apart: false,
        returned_arrive: false,
        races: Some(Races { tolerant: true, within_groups: false, between: None }),
        groups: None,
        workers,
        deadline: passed(),
    };
    let prepared = prepare(&kernel, &grid, &[], &[]).expect("arguments that fit");
    interpreter::run(&interpreter::compile(&kernel), &grid, prepared.input, how).expect("a small launch")
}

#[test]
fn a_run_without_an_end_is_broken_off_by_every_schedule() {
    let one = Workers::ONE;
    for schedule in [Schedule::InOrder, Schedule::RoundRobin(1), Schedule::RoundRobin(u64::MAX), Schedule::Random(7)] {
        for in_lock_step in [false, true] {
            let ran = run(schedule, in_lock_step, one);
            assert!(ran.broken_off && ran.is_late, "{schedule:?}");
        }
    }
    let ran = run(Schedule::InOrder, false, Workers { most: 3, alone: 0 });
    assert!(ran.broken_off && ran.is_late);
}

#[test]
fn lowering_ends_without_a_program() {
    let kernel = kernel(RACE);
    let options = LockstepOptions { deadline: passed(), ..LockstepOptions::default() };
    let lowered = lower_for_proof(&kernel, &launch(&kernel), Pair::SameGroup, &options);
    assert_eq!(lowered.map(|_| ()), Err(NotLowered::OutOfTime));
}

/// Without them a report would not list everything that its verdict rests on.
#[test]
fn unknown_assumptions_are_an_error() {
    let kernel = kernel(RACE);
    let late = LockstepOptions { deadline: passed(), ..LockstepOptions::default() };
    let launch = launch(&kernel).of_single_threads();
    assert_eq!(assumptions_alone(&kernel, &launch, &late), Err(NotLowered::OutOfTime));
    let in_time = assumptions_alone(&kernel, &launch, &LockstepOptions::default());
    assert!(in_time.is_ok_and(|assumptions| assumptions.find(&Assumed::InsideUnknownSizes).is_some()));
}

#[test]
fn a_proof_ends_without_an_answer() {
    let program = program(&kernel(RACE));
    let options = ProveOptions { deadline: passed(), ..ProveOptions::default() };
    match prove(&program, &options).outcome {
        Outcome::Unknown(reason) => assert!(reason.undecided() == Some(Undecided::OutOfTime), "{reason:?}"),
        other => panic!("there was no time: {other:?}"),
    }
}

#[test]
fn a_finding_that_there_was_no_time_to_run_is_possible() {
    let kernel = kernel(RACE);
    let program = program(&kernel);
    let found = race(&program);
    let options = LockstepOptions { deadline: passed(), ..LockstepOptions::default() };
    let (mut finding, counterexample) =
        findings::findings(&program, std::slice::from_ref(&found), kernel.language).remove(0);
    let replay = Replay::new(&kernel, &options, [0; 3], 32);
    assert_eq!(replay.replay(&mut finding, counterexample), Replayed::Possible);
    assert!(!finding.confirmed);
    assert!(finding.hinges.contains(&Hinge::TimeUp), "{:?}", finding.hinges);
    assert!(smaller(&program, counterexample, passed()).is_none());
    let in_time = LockstepOptions::default();
    let (mut finding, counterexample) =
        findings::findings(&program, std::slice::from_ref(&found), kernel.language).remove(0);
    let replay = Replay::new(&kernel, &in_time, [0; 3], 32);
    assert_eq!(replay.replay(&mut finding, counterexample), Replayed::Confirmed);
}

/// This many statements, one a line.
fn straight_line(statement: impl Fn(u32) -> String, count: u32) -> VerifiedKernel {
    let mut source =
        "__kernel void k(__global int *a, __global int *b, int n) {\n  int t = get_global_id(0);\n".to_owned();
    for number in 0..count {
        writeln!(source, "  {}", statement(number)).expect("a string takes all");
    }
    source.push_str("}\n");
    kernel(&source)
}

#[test]
fn writes_to_one_place_are_compared_once() {
    let kernel = straight_line(|number| format!("a[t] += {number};"), 600);
    let program = program(&kernel);
    assert!(program.sites.len() > 600, "{}", program.sites.len());
    assert!(program.obligations.len() < 20, "{}", program.obligations.len());
    assert!(matches!(prove(&program, &ProveOptions::default()).outcome, Outcome::Proved));
}

#[test]
fn a_race_among_very_many_writes_is_found() {
    for last in ["a[0] = t;", "a[t + 1] = 1;"] {
        let kernel =
            straight_line(|number| if number == 599 { last.into() } else { format!("a[t] += {number};") }, 600);
        let program = program(&kernel);
        let found = race(&program);
        let options = LockstepOptions::default();
        let (mut finding, counterexample) =
            findings::findings(&program, std::slice::from_ref(&found), kernel.language).remove(0);
        let replay = Replay::new(&kernel, &options, [0; 3], 32);
        // A run keeps the last write of a cell, but the finding names the first: it may not be
        // confirmed.
        assert_ne!(replay.replay(&mut finding, counterexample), Replayed::Contradicted, "{last}");
    }
}

#[test]
fn a_barrier_ends_what_is_compared_once() {
    // The writes after the barrier go elsewhere: they race with nothing before it, but with each
    // other.
    let body = |number| match number {
        300 => "barrier(CLK_GLOBAL_MEM_FENCE);".to_owned(),
        301 => "a[t ^ 1] = 7;".to_owned(),
        599 => "a[t] = 8;".to_owned(),
        _ if number < 300 => format!("a[t] += {number};"),
        _ => format!("b[t] += {number};"),
    };
    let program = program(&straight_line(body, 600));
    assert!(matches!(prove(&program, &ProveOptions::default()).outcome, Outcome::Refuted(_)));
    let body = |number| if number == 599 { "b[t] = 8;".to_owned() } else { body(number) };
    let program = self::program(&straight_line(body, 600));
    assert!(matches!(prove(&program, &ProveOptions::default()).outcome, Outcome::Proved));
}

#[test]
fn too_many_places_are_refused_by_name() {
    let kernel = straight_line(|number| format!("a[t + n * {number}] = {number};"), 600);
    let lowered = lower_for_proof(&kernel, &launch(&kernel), Pair::SameGroup, &LockstepOptions::default());
    match lowered {
        Err(error) => {
            assert_eq!(error, NotLowered::TooLarge);
            assert!(error.to_string().starts_with("too large"), "{error}");
        }
        Ok(_) => panic!("there are 180,000 pairs"),
    }
}

#[test]
fn long_sums_take_no_square_of_memory() {
    let terms: Vec<String> = (0..2_000).map(|number| format!("b[t + {number}]")).collect();
    let kernel = straight_line(|_| format!("a[t] = {};", terms.join("\n + ")), 1);
    let program = program(&kernel);
    assert!(program.expressions.len() < 60_000, "{}", program.expressions.len());
    assert!(matches!(prove(&program, &ProveOptions::default()).outcome, Outcome::Proved));
}
