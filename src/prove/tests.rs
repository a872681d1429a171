//! Decides programs built by hand, each with a defective twin.

use std::time::{Duration, Instant};

use cranelift_entity::{EntityRef, PrimaryMap};
use lockstep_invariants::{Answer, Candidate, CandidateId, Check, Phase, Prover};
use lockstep_ir::assumption::Assumptions;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::Language;
use lockstep_ir::sequential::{
    AccessKind, Array, ArrayData, BinaryOp, Claim, CompareOp, Copies, Expression, Expressions, Ground, Invariant, Loop,
    LoopData, Obligation, ObligationData, ObligationKind, Observables, Pair, Precondition, Program, Recorded, Role,
    Site, SiteData, Sort, Statement, Unknown, Variable, VerifiedProgram, verify,
};
use lockstep_solver::{Effort, Session, in_fresh_context};
use lockstep_verdict::reason::{self, Cause, GoalClaim, Loss, Missing, Reason, Spent, Unproved};

use super::discharge::Status;
use super::encode::{Mode, encode};
use super::explain::{self, Attempt};
use super::infer::{Inference, Lost, Shown};
use super::{Outcome, ProveOptions, prove};

const GROUP: u64 = 64;

/// Two distinct threads of a group of 64, and the array `A` with one site that writes to it.
struct Kernel {
    program: Program,
    threads: [Expression; 2],
    array: Array,
    site: Site,
}

fn kernel() -> Kernel {
    let mut expressions = Expressions::new();
    let threads = [0, 1].map(|thread| {
        let name = format!("t${}", thread + 1);
        let id = expressions.add_variable(&name, Sort::Bits(32), Some(thread), Role::Input);
        expressions.variable(id)
    });
    let watched = expressions.add_variable("watched", Sort::Bits(32), None, Role::Watched);
    let hit = expressions.add_variable("hit", Sort::Boolean, Some(0), Role::Hit(Site::new(0)));
    let size = expressions.number(32, GROUP);
    let group = expressions.number(32, 0);
    let mut preconditions = Vec::new();
    for id in threads {
        let condition = expressions.compare(CompareOp::UnsignedLess, id, size);
        preconditions.push(Precondition { condition, ground: Ground::Model("thread ids lie in the group".into()) });
    }
    let same = expressions.equal(threads[0], threads[1]);
    let condition = expressions.not(same);
    preconditions.push(Precondition { condition, ground: Ground::Model("the threads are distinct".into()) });
    let always = expressions.boolean(true);
    let mut arrays = PrimaryMap::new();
    let array = arrays.push(ArrayData {
        name: "A".into(),
        group_shared: false,
        cell_bytes: 4,
        watched,
        digits: Vec::new(),
        element: None,
        image: None,
    });
    let mut sites = PrimaryMap::new();
    let site = sites.push(SiteData {
        array,
        kind: AccessKind::Write,
        volatile: false,
        location: None,
        loops: Vec::new(),
        hit,
        written: None,
        recorded: Vec::new(),
        facts: Vec::new(),
        offset: Copies::Each(threads),
        active: Copies::Uniform(always),
    });
    let program = Program {
        name: "kernel".into(),
        pair: Pair::SameGroup,
        files: PrimaryMap::new(),
        locations: PrimaryMap::new(),
        suggested: Vec::new(),
        observables: Observables {
            local_ids: vec![Copies::Each(threads)],
            group_ids: vec![Copies::Uniform(group)],
            local_sizes: vec![size],
            num_groups: vec![size],
            ..Observables::default()
        },
        expressions,
        preconditions,
        exact: Vec::new(),
        body: Vec::new(),
        loops: PrimaryMap::new(),
        arrays,
        sites,
        obligations: PrimaryMap::new(),
        assumptions: Assumptions::default(),
    };
    Kernel { program, threads, array, site }
}

impl Kernel {
    fn input(&mut self, name: &str, width: u32) -> Expression {
        let variable = self.program.expressions.add_variable(name, Sort::Bits(width), None, Role::Input);
        let expression = self.program.expressions.variable(variable);
        self.program.observables.parameters.push((name.into(), expression));
        expression
    }

    fn require(&mut self, condition: Expression, reason: &str) {
        self.program.preconditions.push(Precondition { condition, ground: Ground::Model(reason.into()) });
    }

    fn start(&mut self) -> Statement {
        let value = self.program.expressions.boolean(false);
        Statement::Assign { variable: self.program.sites[self.site].hit, value, location: None }
    }

    /// A write at these offsets: thread 1 logs it, and thread 2 checks it.
    ///
    /// The changing variables are recorded.
    fn write(&mut self, offset: [Expression; 2], changing: &[(Variable, Variable)]) -> Vec<Statement> {
        let expressions = &mut self.program.expressions;
        let choice = expressions.add_variable("choice", Sort::Boolean, Some(0), Role::Choice);
        let watched = expressions.variable(self.program.arrays[self.array].watched);
        let hit_variable = self.program.sites[self.site].hit;
        let hit = expressions.variable(hit_variable);
        let touches = [expressions.equal(offset[0], watched), expressions.equal(offset[1], watched)];
        let chosen = expressions.variable(choice);
        let now = expressions.and([chosen, touches[0]]);
        let mut statements = vec![Statement::Havoc { variable: choice, unknown: Unknown::Choice, location: None }];
        for &(original, recorded) in changing {
            let (value, old) = (expressions.variable(original), expressions.variable(recorded));
            let value = expressions.if_then_else(now, value, old);
            statements.push(Statement::Assign { variable: recorded, value, location: None });
        }
        let value = expressions.or([hit, now]);
        statements.push(Statement::Assign { variable: hit_variable, value, location: None });
        let both = expressions.and([hit, touches[1]]);
        let condition = expressions.not(both);
        let kind = ObligationKind::Race { logged: self.site, checked: self.site };
        let obligation = self.program.obligations.push(ObligationData { kind, location: None });
        statements.push(Statement::Assert { condition, obligation, location: None });
        let site = &mut self.program.sites[self.site];
        site.offset = Copies::Each(offset);
        site.recorded = changing.iter().map(|&(original, recorded)| Recorded { original, recorded }).collect();
        statements
    }

    fn finish(self) -> VerifiedProgram {
        verify(self.program).unwrap_or_else(|problems| panic!("{problems:?}"))
    }
}

/// The loop `for (i = 0; i < n; i++) A[t + stride * i] = …`.
///
/// Its invariant is the hit's closed form.
fn strided_loop(stride: u64, trips: Option<u64>, with_invariant: bool) -> (Kernel, Loop) {
    let mut kernel = kernel();
    let trips = match trips {
        Some(trips) => kernel.program.expressions.number(64, trips),
        None => kernel.input("n", 64),
    };
    let expressions = &mut kernel.program.expressions;
    let counter = expressions.add_variable("k", Sort::Bits(64), None, Role::Counter(Loop::new(0)));
    let recorded = expressions.add_variable("k_hit", Sort::Bits(64), Some(0), Role::Recorded(Site::new(0)));
    let active = expressions.add_variable("active", Sort::Boolean, None, Role::Predicate);
    let k = expressions.variable(counter);
    let guard = expressions.compare(CompareOp::UnsignedLess, k, trips);
    let narrow = expressions.extract(31, 0, k);
    let part = expressions.scale(Bits::new(32, stride), narrow);
    let offset = kernel.threads.map(|id| expressions.add(id, part));
    let hit_narrow = expressions.variable(recorded);
    let hit_narrow = expressions.extract(31, 0, hit_narrow);
    let hit_part = expressions.scale(Bits::new(32, stride), hit_narrow);
    let hit_offset = expressions.add(kernel.threads[0], hit_part);
    let watched = expressions.variable(kernel.program.arrays[kernel.array].watched);
    let hit = expressions.variable(kernel.program.sites[kernel.site].hit);
    let closed = expressions.equal(hit_offset, watched);
    let condition = expressions.implies(hit, closed);
    let body = kernel.write(offset, &[(counter, recorded)]);
    let start = kernel.start();
    let loop_ = kernel.program.loops.push(LoopData {
        counter,
        guard,
        active: Copies::Uniform(active),
        body,
        parent: None,
        invariants: if with_invariant { vec![Invariant { condition, family: "user".into() }] } else { Vec::new() },
        carried: Vec::new(),
        has_barrier: false,
        location: None,
    });
    kernel.program.body = vec![start, Statement::Loop(loop_)];
    kernel.program.sites[kernel.site].loops = vec![loop_];
    (kernel, loop_)
}

fn decide(kernel: Kernel) -> Outcome {
    prove(&kernel.finish(), &ProveOptions { no_infer: true, ..ProveOptions::default() }).outcome
}

#[test]
fn each_thread_writing_its_own_cell_is_proved() {
    let mut kernel = kernel();
    let mut body = vec![kernel.start()];
    body.extend(kernel.write(kernel.threads, &[]));
    kernel.program.body = body;
    // Each write logs before it checks, and the first check does not see its own log, so there are
    // two writes.
    let again = kernel.write(kernel.threads, &[]);
    kernel.program.body.extend(again);
    let proof = prove(&kernel.finish(), &ProveOptions::default());
    assert!(matches!(proof.outcome, Outcome::Proved), "{:?}", proof.outcome);
    assert_eq!(proof.statistics.obligations, 2);
}

#[test]
fn two_threads_writing_one_cell_are_refuted() {
    let mut kernel = kernel();
    let one = kernel.program.expressions.number(32, 1);
    let half = kernel.threads.map(|id| kernel.program.expressions.binary(BinaryOp::LogicalShiftRight, id, one));
    let mut body = vec![kernel.start()];
    body.extend(kernel.write(half, &[]));
    kernel.program.body = body;
    let Outcome::Refuted(found) = decide(kernel) else { panic!("refuted") };
    assert_eq!(found.len(), 1);
    let [first, second] = [found[0].local_ids[0][0], found[0].local_ids[1][0]];
    assert_ne!(first, second);
    assert_eq!(first / 2, second / 2);
    assert!(first < 4 && second < 4, "small ids are preferred: {first} and {second}");
    assert_eq!(found[0].cell, Some(first / 2));
    assert_eq!(found[0].offsets, Some([Bits::new(32, first / 2), Bits::new(32, first / 2)]));
    assert!(found[0].unknowns.is_empty(), "the choice is no unknown");
}

#[test]
fn a_failure_names_the_arbitrary_value_it_depends_on() {
    let mut kernel = kernel();
    let expressions = &mut kernel.program.expressions;
    let loaded = expressions.add_variable("loaded", Sort::Bits(32), None, Role::Value);
    let other = expressions.add_variable("other", Sort::Bits(32), None, Role::Value);
    let offset = expressions.variable(loaded);
    let havoc =
        |variable, array: &str| Statement::Havoc { variable, unknown: Unknown::Load(array.into()), location: None };
    let mut body = vec![kernel.start(), havoc(loaded, "B"), havoc(other, "C")];
    body.extend(kernel.write([offset, offset], &[]));
    kernel.program.body = body;
    let Outcome::Refuted(found) = decide(kernel) else { panic!("refuted") };
    assert_eq!(found[0].unknowns, [(Unknown::Load("B".into()), None)]);
}

#[test]
fn a_loop_is_proved_with_its_invariant() {
    let (kernel, _) = strided_loop(GROUP, None, true);
    let outcome = decide(kernel);
    assert!(matches!(outcome, Outcome::Proved), "{outcome:?}");
}

#[test]
fn a_loop_whose_iterations_overlap_is_refuted() {
    let (kernel, loop_) = strided_loop(GROUP - 1, None, true);
    let Outcome::Refuted(found) = decide(kernel) else { panic!("refuted") };
    // The equation is t1 + 63 i1 = t2 + 63 i2 with distinct threads: 63 apart, one iteration apart.
    let [[(first_loop, first)], [(_, second)]] = [&found[0].iterations[0][..], &found[0].iterations[1][..]] else {
        panic!("one loop around each")
    };
    assert_eq!(*first_loop, loop_);
    assert_eq!(first.abs_diff(*second), 1);
    let ids = [found[0].local_ids[0][0], found[0].local_ids[1][0]];
    assert_eq!(ids[0] + 63 * first, ids[1] + 63 * second);
    assert_eq!(found[0].cell, Some(ids[0] + 63 * first));
}

#[test]
fn a_loop_without_its_invariant_is_unknown() {
    let (kernel, _) = strided_loop(GROUP, None, false);
    let options = ProveOptions { no_infer: true, timeout: Duration::from_secs(4), ..ProveOptions::default() };
    let outcome = prove(&kernel.finish(), &options).outcome;
    let Outcome::Unknown(reason) = outcome else { panic!("{outcome:?}") };
    let Reason::Unproved(unproved) = reason else { panic!("{reason:?}") };
    assert!(matches!(unproved.goals[0].claim, GoalClaim::NoRace { .. }), "{unproved:?}");
}

#[test]
fn a_loop_of_known_length_needs_no_invariant() {
    let (kernel, _) = strided_loop(GROUP, Some(5), false);
    let outcome = decide(kernel);
    assert!(matches!(outcome, Outcome::Proved), "{outcome:?}");
    let (kernel, _) = strided_loop(GROUP - 1, Some(5), false);
    let outcome = decide(kernel);
    assert!(matches!(outcome, Outcome::Refuted(_)), "{outcome:?}");
}

#[test]
fn contradictory_preconditions_prove_nothing() {
    let mut kernel = kernel();
    let n = kernel.input("n", 32);
    let three = kernel.program.expressions.number(32, 3);
    let less = kernel.program.expressions.compare(CompareOp::UnsignedLess, n, three);
    let more = kernel.program.expressions.compare(CompareOp::UnsignedLess, three, n);
    kernel.require(less, "n is small");
    kernel.require(more, "n is large");
    let Outcome::Impossible(reason) = decide(kernel) else { panic!("impossible") };
    let grounds = ["n is small", "n is large"].map(|words| Ground::Model(words.into()));
    assert!(grounds.iter().all(|ground| reason.contains(ground)), "{reason:?}");
}

#[test]
fn an_unreachable_end_proves_nothing() {
    let mut kernel = kernel();
    let n = kernel.input("n", 32);
    let three = kernel.program.expressions.number(32, 3);
    let less = kernel.program.expressions.compare(CompareOp::UnsignedLess, n, three);
    let more = kernel.program.expressions.compare(CompareOp::UnsignedLess, three, n);
    let assume =
        |condition| Statement::Assume { condition, reason: "the user says so".into(), about: None, location: None };
    let mut body = vec![kernel.start(), assume(less), assume(more)];
    body.extend(kernel.write(kernel.threads, &[]));
    kernel.program.body = body;
    let outcome = decide(kernel);
    assert!(matches!(outcome, Outcome::Unknown(Reason::EndUnreachable)), "{outcome:?}");
}

#[test]
fn a_barrier_that_one_thread_misses_is_refuted() {
    let mut kernel = kernel();
    let five = kernel.program.expressions.number(32, 5);
    let active = kernel.threads.map(|id| kernel.program.expressions.compare(CompareOp::UnsignedLess, id, five));
    let condition = kernel.program.expressions.equal(active[0], active[1]);
    let kind = ObligationKind::BarrierDivergence { active: Copies::Each(active) };
    let obligation = kernel.program.obligations.push(ObligationData { kind, location: None });
    kernel.program.body = vec![Statement::Assert { condition, obligation, location: None }];
    let Outcome::Refuted(found) = decide(kernel) else { panic!("refuted") };
    assert_eq!(found[0].obligation, Obligation::new(0));
    let expected = [found[0].local_ids[0][0] < 5, found[0].local_ids[1][0] < 5];
    assert_eq!(found[0].arrives, Some(expected));
    assert_ne!(expected[0], expected[1]);
}

#[test]
fn a_hard_question_ends_in_time() {
    let mut kernel = kernel();
    // A factorisation of a product of two large primes.
    let (x, y) = (kernel.input("x", 128), kernel.input("y", 128));
    let product = kernel.program.expressions.multiply(x, y);
    let primes = Bits::new(128, 18_446_744_073_709_551_557u64).mul(&Bits::new(128, 18_446_744_073_709_551_533u64));
    let primes = kernel.program.expressions.bits(primes);
    let (one, half) = (kernel.program.expressions.number(128, 1), kernel.program.expressions.number(128, u64::MAX));
    let mut parts = vec![kernel.program.expressions.equal(product, primes)];
    for factor in [x, y] {
        parts.push(kernel.program.expressions.compare(CompareOp::UnsignedLess, one, factor));
        parts.push(kernel.program.expressions.compare(CompareOp::UnsignedLessEqual, factor, half));
    }
    let factored = kernel.program.expressions.and(parts);
    let condition = kernel.program.expressions.not(factored);
    let kind = ObligationKind::Claim { claim: Claim::Assertion, thread: None };
    let obligation = kernel.program.obligations.push(ObligationData { kind, location: None });
    kernel.program.body = vec![Statement::Assert { condition, obligation, location: None }];
    let options = ProveOptions { timeout: Duration::from_secs(1), ..ProveOptions::default() };
    let start = Instant::now();
    let outcome = prove(&kernel.finish(), &options).outcome;
    assert!(start.elapsed() < Duration::from_secs(4), "took {:?}", start.elapsed());
    let Outcome::Unknown(reason) = outcome else { panic!("{outcome:?}") };
    let Reason::Unproved(unproved) = reason else { panic!("{reason:?}") };
    assert_eq!(unproved.goals[0].claim, GoalClaim::Thread(Claim::Assertion));
}

#[test]
fn candidates_are_refuted_one_and_all() {
    let (mut kernel, loop_) = strided_loop(GROUP, None, true);
    let good = kernel.program.loops[loop_].invariants.remove(0).condition;
    let counter = kernel.program.loops[loop_].counter;
    let expressions = &mut kernel.program.expressions;
    let k = expressions.variable(counter);
    let (zero, three) = (expressions.number(64, 0), expressions.number(64, 3));
    let always_zero = expressions.equal(k, zero);
    let never_zero = expressions.compare(CompareOp::UnsignedLess, zero, k);
    let small = expressions.compare(CompareOp::UnsignedLess, k, three);
    let candidate = |condition| Candidate { loop_, condition, family: "test" };
    let candidates = [good, always_zero, never_zero, small].map(candidate);
    let program = kernel.finish();
    in_fresh_context(|| {
        let mut encoding = encode(&program, &candidates, Mode::Cut);
        let mut session = Session::new(u64::MAX, Instant::now() + Duration::from_secs(30));
        let mut shown = Shown::default();
        let mut prover = Inference::new(&mut encoding, &mut session, 20_000_000, &[false; 16], &mut shown);
        let entry = Check { loop_, phase: Phase::Entry };
        let step = Check { loop_, phase: Phase::Step };
        let mut live = [true; 4];
        assert_eq!(prover.check(entry, &live), Answer::Refuted(vec![CandidateId::new(2)]));
        live[2] = false;
        assert_eq!(prover.check(entry, &live), Answer::Holds);
        // From `k = 0`, one iteration leads to 1: `k < 3` holds while `k = 0` is assumed, and falls
        // with it.
        let both = [1, 3].map(CandidateId::new);
        assert_eq!(prover.check(step, &live), Answer::Refuted(both.to_vec()));
        for fallen in [1, 3] {
            live[fallen] = false;
        }
        assert_eq!(prover.check(step, &live), Answer::Holds);
    });
}

/// A loop that is entered if `p` holds and may hit the watched cell, followed by a claim.
///
/// It runs arbitrarily long.
fn after_a_loop(claim: &str) -> VerifiedProgram {
    let text = format!(
        "program \"test\" same-group;
         input t$1, t$2: bv32;
         input p: bool;
         watched watched.A: bv32;
         counter loop0 k: bv64;
         hit site0 hit$1: bool;
         predicate active: bool;
         choice track: bool;
         array arr0 \"A\": watched watched.A, cells of 4 bytes;
         require t$1 != t$2 because \"the two threads are different\";
         body {{
           hit$1 = false;
           active = p;
           while loop0 (active) counter k active active {{
             havoc track: choice;
             hit$1 = t$1 == watched.A && track || hit$1;
             havoc active: undefined;
           }}
           assert ob0: {claim};
         }}
         site site0 write arr0 hit hit$1 at {{t$1, t$2}} when {{active, active}} in loop0 {{ }}
         obligation ob0 assertion both;
         observe local-id = {{t$1, t$2}};"
    );
    let program = lockstep_ir::sequential::parse(&text).expect("a program");
    verify(program).expect("a well-formed program")
}

#[test]
fn a_loop_that_is_not_entered_hits_nothing() {
    let options = ProveOptions { no_infer: true, ..ProveOptions::default() };
    let entered = prove(&after_a_loop("hit$1 ==> p"), &options).outcome;
    assert!(matches!(entered, Outcome::Proved), "{entered:?}");
    for claim in ["!hit$1", "hit$1 ==> !p", "p ==> hit$1"] {
        let outcome = prove(&after_a_loop(claim), &options).outcome;
        assert!(matches!(outcome, Outcome::Refuted(_)), "{claim}: {outcome:?}");
    }
}

#[test]
fn the_reason_names_the_lost_invariant_and_what_ran_out() {
    let (mut kernel, loop_) = strided_loop(GROUP, None, true);
    let condition = kernel.program.loops[loop_].invariants.remove(0).condition;
    let candidates = [Candidate { loop_, condition, family: "test" }];
    let program = kernel.finish();
    let mut encoding = encode(&program, &candidates, Mode::Cut);
    let statuses = vec![Status::Failed; encoding.goals.len()];
    let mut lost = Lost { candidate: CandidateId::new(0), check: Check { loop_, phase: Phase::Step }, refuted: true };
    let mut reason = |lost: &[Lost], undecided, spent| {
        let attempt = Attempt { candidates: &candidates, live: &[false], lost, falsified: &[false], undecided, spent };
        let mut session = Session::new(Effort::MAX, Instant::now() + Duration::from_secs(20));
        let reason = explain::unknown(&program, &mut encoding, &statuses, &attempt, &mut session, Language::OpenCl);
        let Reason::Unproved(unproved) = reason else { panic!("{reason:?}") };
        *unproved
    };
    let lost_how = |unproved: Unproved| match unproved.missing {
        Missing::Lost(lost) => lost.lost,
        other => panic!("{other:?}"),
    };
    let unproved = reason(&[lost], None, None);
    assert_eq!((unproved.cause, unproved.pair), (Cause::WeakInvariants, Pair::SameGroup));
    assert!(matches!(unproved.goals[0].claim, GoalClaim::NoRace { .. }), "{unproved:?}");
    let Missing::Lost(found) = &unproved.missing else { panic!("{unproved:?}") };
    assert!(found.invariant.starts_with("hit ==> "), "{unproved:?}");
    let is_refuted_step = |loss: &Loss| matches!(loss, Loss::Dropped { refuted: true, phase: reason::Phase::Step, .. });
    assert!(is_refuted_step(&lost_how(unproved)));
    (lost.check.phase, lost.refuted) = (Phase::Entry, false);
    let is_open_entry = |loss: &Loss| matches!(loss, Loss::Dropped { refuted: false, phase: reason::Phase::Entry, .. });
    assert!(is_open_entry(&lost_how(reason(&[lost], None, None))));
    assert!(!matches!(reason(&[], None, None).missing, Missing::Lost(_)), "nothing was lost");
    let second = Duration::from_secs(1);
    let open = Some((&[true][..], Some(lost.check)));
    for (undecided, spent, cause) in [
        (None, Some(Spent::Time(second)), Cause::Spent(Spent::Time(second))),
        (None, Some(Spent::Budget(second)), Cause::Spent(Spent::Budget(second))),
        (open, None, Cause::InferenceBudget),
    ] {
        assert_eq!(reason(&[], undecided, spent).cause, cause);
    }
    let unsettled = lost_how(reason(&[], open, None));
    assert!(matches!(unsettled, Loss::Unsettled(Some((reason::Phase::Entry, _)))), "{unsettled:?}");
}
