//! Explains why a program is neither proved nor refuted.
//!
//! The explanation lists the unproved goals and the invariant that would have shown the first of
//! them, with the way in which it was lost ([`missing_invariant`]). It also lists the
//! unknown values on which the goal depends, and remedies.

pub mod arithmetic;
mod missing_invariant;

use std::collections::BTreeSet;

use lockstep_invariants::{self as invariants, Candidate, Check};
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::Language;
use lockstep_ir::kernel::UNINTERPRETED;
use lockstep_ir::sequential::{
    BinaryOp, Expression, Loop, Node, Obligation, ObligationKind, Program, Role, Site, Statement, Unknown,
};
use lockstep_ir::source::{Location, Place};
use lockstep_solver::Session;
use lockstep_verdict::hinge::Hinge;
use lockstep_verdict::reason::{
    AccessPlace, Advice, Cause, Goal, GoalClaim, LoopPlace, Missing, Phase, Reason, Spent, Unproved,
};
use rustc_hash::FxHashSet;

use crate::discharge::Status;
use crate::encode::{self, Encoding, Subject};
use crate::infer::Lost;

/// The maximum number of further goals that are named.
const NAMED: usize = 3;

/// The maximum number of unknown values that are named.
const UNKNOWNS: usize = 2;

/// The state of an unsuccessful attempt.
pub struct Attempt<'a> {
    /// The candidates.
    pub candidates: &'a [Candidate],
    /// The candidates that may be assumed.
    pub live: &'a [bool],
    /// The candidates that a proof dropped.
    pub lost: &'a [Lost],
    /// The candidates that executions falsify.
    pub falsified: &'a [bool],
    /// The possible invariants and the last check, if inference did not finish.
    pub undecided: Option<(&'a [bool], Option<Check>)>,
    /// The limit that ran out, if any.
    pub spent: Option<Spent>,
}

/// The reason, given the statuses of the goals of the encoding with cut loops.
///
/// The session is used to find the missing invariant.
pub fn unknown(
    program: &Program,
    encoding: &mut Encoding,
    statuses: &[Status],
    attempt: &Attempt<'_>,
    session: &mut Session,
    language: Language,
) -> Reason {
    let unproved: Vec<usize> = (0..statuses.len()).filter(|&goal| statuses[goal] != Status::Proved).collect();
    let all_open = unproved.iter().all(|&goal| statuses[goal] == Status::Open);
    let mut reason = Unproved {
        cause: cause(attempt, all_open),
        pair: program.pair,
        goals: Vec::new(),
        more: 0,
        accesses: Vec::new(),
        missing: Missing::Unclear,
        hinges: Vec::new(),
        advice: Vec::new(),
    };
    if let Some(&first) = unproved.first() {
        (reason.goals, reason.more) = named(program, encoding, &unproved);
        reason.accesses = indices(program, &encoding.goals[first], language).unwrap_or_default();
        let (missing, of_loop) = missing_invariant::missing(program, encoding, first, attempt, session);
        reason.missing = missing;
        reason.hinges = hinges(program, encoding, first);
        reason.advice = advice(program, &encoding.goals[first], attempt, of_loop);
    }
    Reason::Unproved(Box::new(reason))
}

/// The cause of the failure.
fn cause(attempt: &Attempt<'_>, all_open: bool) -> Cause {
    match attempt.spent {
        Some(spent) => Cause::Spent(spent),
        None if attempt.undecided.is_some() => Cause::InferenceBudget,
        None if all_open => Cause::SolverGaveUp,
        None => Cause::WeakInvariants,
    }
}

/// The first goal, some that differ from it, and the number of remaining ones.
fn named(program: &Program, encoding: &Encoding, unproved: &[usize]) -> (Vec<Goal>, usize) {
    let (mut goals, mut more) = (Vec::new(), 0);
    for goal in unproved.iter().map(|&goal| shown(program, &encoding.goals[goal])) {
        if goals.contains(&goal) {
        } else if goals.len() <= NAMED {
            goals.push(goal);
        } else {
            more += 1;
        }
    }
    (goals, more)
}

/// The places of the accesses in a race, in the source's terms.
fn indices(program: &Program, goal: &encode::Goal, language: Language) -> Option<Vec<String>> {
    let [logged, checked] = accesses(program, goal)?;
    let mut places: Vec<String> = Vec::new();
    for (thread, site) in [(0, logged), (1, checked)] {
        let place = arithmetic::of_site(program, thread, site, language)?;
        if !places.contains(&place) {
            places.push(place);
        }
    }
    Some(places)
}

/// The sites of the accesses that an assertion compares.
fn accesses(program: &Program, goal: &encode::Goal) -> Option<[Site; 2]> {
    let Subject::Obligation(obligation) = goal.subject else { return None };
    match program.obligations[obligation].kind {
        ObligationKind::Race { logged, checked } => Some([logged, checked]),
        ObligationKind::BarrierDivergence { .. }
        | ObligationKind::GroupOperationDivergence
        | ObligationKind::WarpDivergence { .. }
        | ObligationKind::Claim { .. }
        | ObligationKind::NamedBarrier(_)
        | ObligationKind::Signal(_)
        | ObligationKind::Digits { .. }
        | ObligationKind::OutOfBounds { .. }
        | ObligationKind::InvariantEntry
        | ObligationKind::InvariantStep => None,
    }
}

/// The unknown values that the goal mentions.
fn hinges(program: &Program, encoding: &Encoding, goal: usize) -> Vec<Hinge> {
    let mut variables = BTreeSet::new();
    encoding.expressions.for_each_variable(encoding.goals[goal].condition, |variable| {
        variables.insert(variable);
    });
    let mut hinges: Vec<Hinge> = Vec::new();
    for (unknown, location) in variables.iter().filter_map(|variable| encoding.unknowns.get(variable)) {
        hinges.extend(unknown_value(program, unknown, *location).filter(|hinge| !hinges.contains(hinge)));
    }
    hinges.truncate(UNKNOWNS);
    hinges
}

/// An unknown value, unless it is a choice of the proof's own.
pub fn unknown_value(program: &Program, unknown: &Unknown, location: Option<Location>) -> Option<Hinge> {
    let place = place(program, location.filter(|&location| program.locations[location].line > 0));
    (*unknown != Unknown::Choice).then(|| Hinge::Value { unknown: unknown.clone(), place })
}

/// The results of an uninterpreted function, in words.
///
/// Nothing is known about them except that they depend only on the operands. Some names come from
/// the user; others come from the lowering (`src/transform/lockstep/`).
pub fn function_in_words(name: &str) -> String {
    let own = name.split('$').next().unwrap_or_default();
    let of_pointers = ["address", "same_address", "is_null"].contains(&own)
        || ["array_at_", "offset_at_"].iter().any(|start| own.starts_with(start) && own.ends_with("_address"));
    if let Some(declared) = name.strip_prefix(UNINTERPRETED) {
        format!("the result of {declared}")
    } else if own.starts_with("float_") {
        "the result of computing with floats".to_owned()
    } else if of_pointers {
        "where pointers lead".to_owned()
    } else {
        format!("the result of {name}")
    }
}

/// Remedies for the user, given the loop of the missing invariant if one was found.
fn advice(program: &Program, goal: &encode::Goal, attempt: &Attempt<'_>, of_missing: Option<Loop>) -> Vec<Advice> {
    let mut advice = Vec::new();
    if attempt.spent.is_some() {
        advice.push(Advice::LongerTimeout);
    }
    let observables = &program.observables;
    let is_input = |expression: &Expression| {
        matches!(*program.expressions.node(*expression), Node::Variable(variable)
            if program.expressions.variables()[variable].role == Role::Input)
    };
    if observables.local_sizes.iter().chain(&observables.num_groups).any(is_input) {
        advice.push(Advice::Sizes);
    }
    advice.extend(multiplied_parameter(program, goal).map(Advice::AssumeFactor));
    let limits: Vec<String> = limits(program, goal).into_iter().collect();
    if !limits.is_empty() {
        advice.push(Advice::AssumeLimits(limits));
    }
    let innermost = || goal.view.iterations.iter().rev().find_map(|loops| loops.last()).map(|&(loop_, _)| loop_);
    advice.extend(of_missing.or_else(innermost).map(|loop_| Advice::Invariant(loop_place(program, loop_))));
    advice
}

/// A parameter that is a factor of an index.
fn multiplied_parameter(program: &Program, goal: &encode::Goal) -> Option<String> {
    let expressions = &program.expressions;
    let parameters = &program.observables.parameters;
    for site in accesses(program, goal)? {
        let mut stack: Vec<Expression> = program.sites[site].offset.iter().copied().collect();
        stack.extend(&program.sites[site].facts);
        let mut seen = FxHashSet::default();
        while let Some(top) = stack.pop() {
            if !seen.insert(top) {
                continue;
            }
            if let &Node::Binary(BinaryOp::Multiply, a, b) = expressions.node(top) {
                let mut factors = BTreeSet::new();
                for side in [a, b] {
                    expressions.for_each_variable(side, |variable| {
                        factors.insert(variable);
                    });
                }
                let named = |(_, expression): &&(String, Expression)| matches!(expressions.node(*expression), Node::Variable(variable) if factors.contains(variable));
                if let Some((name, _)) = parameters.iter().find(named) {
                    return Some(name.clone());
                }
            }
            expressions.for_each_operand(top, |operand| stack.push(operand));
        }
    }
    None
}

/// The unconstrained parameters that bound loops whose counters step by more than one.
///
/// Such a counter can wrap around before it reaches a large bound.
fn limits(program: &Program, goal: &encode::Goal) -> BTreeSet<String> {
    let e = &program.expressions;
    let around: BTreeSet<_> = goal.view.iterations.iter().flatten().map(|&(loop_, _)| loop_).collect();
    let mut assumed = FxHashSet::default();
    for precondition in &program.preconditions {
        e.for_each_part(precondition.condition, |part| {
            assumed.insert(part);
        });
    }
    let mut found = BTreeSet::new();
    for data in around.into_iter().map(|loop_| &program.loops[loop_]) {
        let mut leaps = BTreeSet::new();
        for carried in &data.carried {
            for (&variable, &next) in carried.variable.iter().zip(carried.next.iter()) {
                let is_self =
                    |(factor, term): &(Bits, Expression)| factor.is_one() && *e.node(*term) == Node::Variable(variable);
                if let Node::Sum(constant, terms) = e.node(next)
                    && terms.iter().any(is_self)
                    && !(terms.len() == 1 && (constant.is_one() || constant.is_ones()))
                {
                    leaps.insert(variable);
                }
            }
        }
        for statement in &data.body {
            let &Statement::Assign { variable, value, .. } = statement else { continue };
            if e.variables()[variable].role != Role::Predicate {
                continue;
            }
            e.for_each_part(value, |part| {
                let &Node::Compare(_, a, b) = e.node(part) else { return };
                for (counter, limit) in [(a, b), (b, a)] {
                    let mut counts = false;
                    e.for_each_variable(counter, |variable| counts |= leaps.contains(&variable));
                    let named = program.observables.parameters.iter().find(|(_, parameter)| *parameter == limit);
                    let named = named.filter(|_| !assumed.contains(&limit));
                    if let (true, Some((name, _))) = (counts, named) {
                        found.insert(name.clone());
                    }
                }
            });
        }
    }
    found
}

/// A goal as shown in a report.
fn shown(program: &Program, goal: &encode::Goal) -> Goal {
    let inside = goal.view.iterations[1].last().map(|&(loop_, _)| loop_place(program, loop_));
    match goal.subject {
        Subject::Obligation(obligation) => Goal { in_loop: inside, ..obligation_shown(program, obligation) },
        Subject::Invariant(check, _, _) => Goal {
            claim: GoalClaim::Invariant(phase(check.phase)),
            place: None,
            in_loop: Some(loop_place(program, check.loop_)),
        },
    }
}

/// The claim of an assertion.
pub fn obligation_shown(program: &Program, obligation: Obligation) -> Goal {
    let data = &program.obligations[obligation];
    let claim = match &data.kind {
        &ObligationKind::Race { logged, checked } => GoalClaim::NoRace {
            array: program.arrays[program.sites[logged].array].name.clone(),
            accesses: [logged, checked].map(|site| access_place(program, site)),
        },
        ObligationKind::BarrierDivergence { .. } => GoalClaim::NoBarrierDivergence,
        ObligationKind::GroupOperationDivergence => GoalClaim::NoGroupDivergence,
        ObligationKind::WarpDivergence { .. } => GoalClaim::LanesArrive,
        ObligationKind::Claim { claim, .. } => GoalClaim::Thread(*claim),
        ObligationKind::NamedBarrier(rule) => GoalClaim::NamedBarrier(*rule),
        ObligationKind::Signal(rule) => GoalClaim::Signal(*rule),
        ObligationKind::Digits { array } => GoalClaim::DigitsInRange { array: array.clone() },
        ObligationKind::OutOfBounds { array, .. } => GoalClaim::InBounds { array: array.clone() },
        ObligationKind::InvariantEntry => GoalClaim::UserInvariantEntry,
        ObligationKind::InvariantStep => GoalClaim::UserInvariantStep,
    };
    Goal { claim, place: place(program, data.location), in_loop: None }
}

/// The place of an access of the program.
pub fn access_place(program: &Program, site: Site) -> AccessPlace {
    let data = &program.sites[site];
    AccessPlace { kind: data.kind, place: place(program, data.location) }
}

/// The place of a loop of the program.
pub fn loop_place(program: &Program, loop_: Loop) -> LoopPlace {
    LoopPlace(place(program, program.loops[loop_].location))
}

/// The phase of an induction: base case or step.
pub fn phase(phase: invariants::Phase) -> Phase {
    match phase {
        invariants::Phase::Entry => Phase::Entry,
        invariants::Phase::Step => Phase::Step,
    }
}

fn place(program: &Program, location: Option<Location>) -> Option<Place> {
    location.map(|location| {
        let data = &program.locations[location];
        Place { file: program.files[data.file].clone(), line: data.line }
    })
}
