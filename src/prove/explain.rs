//! Explains in words why a program is neither proved nor refuted: what was not proved, which invariant would have shown it
//! and how that was lost ([`crate::prove::lost`]), which unknown values it hinges on, and what the user can do.

use std::collections::BTreeSet;
use std::time::Duration;

use lockstep_invariants::{Candidate, Check, Phase};
use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{
    BinaryOp, Claim, Expression, Loop, Node, Obligation, ObligationKind, Pair, Program, Role, Site, Statement, Unknown,
};
use lockstep_ir::source::Location;
use rustc_hash::FxHashSet;

use crate::axioms::UNINTERPRETED;
use crate::prove::discharge::Status;
use crate::prove::encode::{Encoding, Goal, Subject};
use crate::prove::infer::Lost;
use crate::prove::lost::{self, Missing};
use crate::report::arithmetic;
use crate::solver::Session;

/// The most other goals that are named.
const NAMED: usize = 3;

/// The most unknown values that are named.
const UNKNOWNS: usize = 2;

/// What was tried.
pub struct Attempt<'a> {
    /// The candidates.
    pub candidates: &'a [Candidate],
    /// Those that may be assumed.
    pub live: &'a [bool],
    /// Those that were dropped by a proof.
    pub lost: &'a [Lost],
    /// Those that executions falsify.
    pub falsified: &'a [bool],
    /// If it is not settled which candidates are invariants: those that might be, and the check at which it ended.
    pub undecided: Option<(&'a [bool], Option<Check>)>,
    /// What ran out, if something did.
    pub spent: Option<Spent>,
}

/// What ran out.
#[derive(Clone, Copy, Debug)]
pub enum Spent {
    /// The time, by the clock.
    Time(Duration),
    /// The effort that stands for this time.
    Effort(Duration),
}

/// The reason, given what came of the goals of the encoding with cut loops: a sentence, and lines with what is known of it.
/// Which invariant is missing is asked of the session.
pub fn unknown(
    program: &Program,
    encoding: &mut Encoding,
    statuses: &[Status],
    attempt: &Attempt<'_>,
    session: &mut Session,
) -> String {
    let unproved: Vec<usize> = (0..statuses.len()).filter(|&goal| statuses[goal] != Status::Proved).collect();
    let all_open = unproved.iter().all(|&goal| statuses[goal] == Status::Open);
    let sentence = cause(attempt, all_open);
    let Some(&first) = unproved.first() else { return sentence };
    let what = goal_in_words(program, &encoding.goals[first]);
    let threads = match program.pair {
        Pair::SameGroup => "of a group",
        Pair::DifferentGroups => "of different groups",
        Pair::Alone => "alone in their group",
    };
    let mut lines = vec![format!("{sentence}; not proved for threads {threads}: {what}")];
    lines.extend(others(program, encoding, &unproved, &what));
    lines.extend(indices(program, &encoding.goals[first]));
    let missing = lost::missing(encoding, first, attempt, session);
    lines.extend(lost::in_words(program, attempt, &missing));
    lines.extend(hinges(program, encoding, first));
    lines.extend(advice(program, &encoding.goals[first], attempt, &missing));
    lines.join("\n")
}

/// How a reason begins if the limit of time was too narrow.
const OUT_OF_TIME: &str = "timeout after";
const OUT_OF_EFFORT: &str = "the solver's effort that a timeout of";

/// Whether a reason says that the limit of time was too narrow.
pub fn is_out_of_time(reason: &str) -> bool {
    reason.starts_with(OUT_OF_TIME) || reason.starts_with(OUT_OF_EFFORT)
}

/// What ran out, in words.
pub fn what_is_spent(spent: Spent) -> String {
    match spent {
        Spent::Time(timeout) => format!("{OUT_OF_TIME} {} s", timeout.as_secs_f64()),
        Spent::Effort(timeout) => format!("{OUT_OF_EFFORT} {} s stands for is spent", timeout.as_secs_f64()),
    }
}

/// Why it ended, in a few words.
fn cause(attempt: &Attempt<'_>, all_open: bool) -> String {
    match attempt.spent {
        Some(spent) => what_is_spent(spent),
        None if attempt.undecided.is_some() => "the search for loop invariants took too much effort".to_owned(),
        None if all_open => "the solver gave up".to_owned(),
        None => "the loop invariants found do not suffice".to_owned(),
    }
}

/// What else is not proved.
fn others(program: &Program, encoding: &Encoding, unproved: &[usize], first: &str) -> Option<String> {
    let mut named: Vec<String> = Vec::new();
    let mut more = 0usize;
    for &goal in unproved {
        let what = goal_in_words(program, &encoding.goals[goal]);
        if what == first || named.contains(&what) {
        } else if named.len() < NAMED {
            named.push(what);
        } else {
            more += 1;
        }
    }
    if named.is_empty() {
        return None;
    }
    if more > 0 {
        named.push(format!("and {more} more"));
    }
    Some(format!("nor: {}", named.join("; ")))
}

/// The places that the accesses of a race are about, in the source's terms.
fn indices(program: &Program, goal: &Goal) -> Option<String> {
    let [logged, checked] = accesses(program, goal)?;
    let mut places: Vec<String> = Vec::new();
    for (thread, site) in [(0, logged), (1, checked)] {
        let place = arithmetic::of_site(program, thread, site)?;
        if !places.contains(&place) {
            places.push(place);
        }
    }
    Some(format!("the accesses: {}", places.join(" and ")))
}

/// The sites of the accesses that an assertion compares.
fn accesses(program: &Program, goal: &Goal) -> Option<[Site; 2]> {
    let Subject::Obligation(obligation) = goal.subject else { return None };
    match program.obligations[obligation].kind {
        ObligationKind::Race { logged, checked } => Some([logged, checked]),
        ObligationKind::BarrierDivergence { .. }
        | ObligationKind::GroupOperationDivergence
        | ObligationKind::WarpDivergence { .. }
        | ObligationKind::Claim { .. }
        | ObligationKind::Digits { .. }
        | ObligationKind::OutOfBounds { .. }
        | ObligationKind::InvariantEntry
        | ObligationKind::InvariantStep => None,
    }
}

/// The values of which nothing is known that the goal speaks of.
fn hinges(program: &Program, encoding: &Encoding, goal: usize) -> Option<String> {
    let mut variables = BTreeSet::new();
    encoding.expressions.for_each_variable(encoding.goals[goal].condition, |variable| {
        variables.insert(variable);
    });
    let mut words: Vec<String> = Vec::new();
    for (unknown, location) in variables.iter().filter_map(|variable| encoding.unknowns.get(variable)) {
        words.extend(unknown_in_words(program, unknown, *location).filter(|word| !words.contains(word)));
    }
    words.truncate(UNKNOWNS);
    (!words.is_empty()).then(|| format!("it hinges on: {}", words.join("; ")))
}

/// What an arbitrary value stands for, as a clause: `the value loaded from a at k.cl:3 is unknown`.
pub fn unknown_in_words(program: &Program, unknown: &Unknown, location: Option<Location>) -> Option<String> {
    let at = at(program, location.filter(|&location| program.locations[location].line > 0));
    match unknown {
        Unknown::Load(array) => Some(format!("the value loaded from {array}{at} is unknown")),
        Unknown::Atomic(array) => Some(format!("the value an atomic operation on {array}{at} returned is unknown")),
        Unknown::Contents(array) => Some(format!("the contents of {array} after the synchronisation{at} are unknown")),
        Unknown::Undefined => Some(format!("a value{at} is uninitialised, undefined or not modelled")),
        Unknown::Unmodelled(what) => Some(format!("{what}{at} is not modelled")),
        Unknown::Choice => None,
    }
}

/// What the results of a function are, of which nothing is known but that they depend on its operands alone. The user has given a name
/// to some; others the lowering has (`src/lockstep/`).
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

/// What the user can do about it.
fn advice(program: &Program, goal: &Goal, attempt: &Attempt<'_>, missing: &Missing) -> Option<String> {
    let mut advice: Vec<String> = Vec::new();
    if attempt.spent.is_some() {
        advice.push("a longer --timeout".to_owned());
    }
    let observables = &program.observables;
    let is_input = |expression: &Expression| {
        matches!(*program.expressions.node(*expression), Node::Variable(variable)
            if program.expressions.variables()[variable].role == Role::Input)
    };
    if observables.local_sizes.iter().chain(&observables.num_groups).any(is_input) {
        advice.push("sizes (--local_size, --num_groups)".to_owned());
    }
    if let Some(parameter) = multiplied_parameter(program, goal) {
        advice.push(format!("what is known of `{parameter}`, as in --assume '{parameter} >= get_global_size(0)'"));
    }
    let bounds: Vec<String> = limits(program, goal).into_iter().map(|limit| format!("{limit} <= 1000000")).collect();
    if !bounds.is_empty() {
        advice.push(format!("how far its loops count, as in --assume '{}'", bounds.join(" && ")));
    }
    let loop_ = match missing {
        Missing::Candidate { loop_, .. } => Some(*loop_),
        Missing::NotProposed(_) | Missing::Unclear => {
            goal.view.iterations.iter().rev().find_map(|loops| loops.last()).map(|&(loop_, _)| loop_)
        }
    };
    if let Some(loop_) = loop_ {
        advice.push(format!("an __invariant of the {}", loop_in_words(program, loop_)));
    }
    (!advice.is_empty()).then(|| format!("what may help: {}", advice.join("; ")))
}

/// A parameter that is a factor of an index.
fn multiplied_parameter(program: &Program, goal: &Goal) -> Option<String> {
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

/// The parameters that loops around a goal count to in steps other than one, and of which nothing is assumed: a counter that
/// takes greater steps can wrap before it comes to a great limit.
fn limits(program: &Program, goal: &Goal) -> BTreeSet<String> {
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

fn goal_in_words(program: &Program, goal: &Goal) -> String {
    let inside = goal.view.iterations[1].last().map(|&(loop_, _)| loop_);
    match goal.subject {
        Subject::Obligation(obligation) => {
            let what = obligation_in_words(program, obligation);
            match inside {
                Some(loop_) => format!("{what} in the {}", loop_in_words(program, loop_)),
                None => what,
            }
        }
        Subject::Invariant(check, _, _) => {
            let when = match check.phase {
                Phase::Entry => "holds before",
                Phase::Step => "is kept by",
            };
            format!("that the invariant {when} the {}", loop_in_words(program, check.loop_))
        }
    }
}

/// What an assertion claims.
pub fn obligation_in_words(program: &Program, obligation: Obligation) -> String {
    let data = &program.obligations[obligation];
    let at = at(program, data.location);
    match &data.kind {
        ObligationKind::Race { logged, checked } => {
            let array = &program.arrays[program.sites[*logged].array].name;
            let (first, second) = (site_in_words(program, *logged), site_in_words(program, *checked));
            format!("no race on `{array}` between {first} and {second}")
        }
        ObligationKind::BarrierDivergence { .. } => format!("no divergence at the barrier{at}"),
        ObligationKind::GroupOperationDivergence => format!("no divergence at the group operation{at}"),
        ObligationKind::WarpDivergence { .. } => format!("that the lanes named in the mask arrive{at}"),
        ObligationKind::Claim { claim, .. } => format!("{}{at}", claim_in_words(*claim)),
        ObligationKind::Digits { array } => format!("the digits of the index into `{array}`{at} below their radices"),
        ObligationKind::OutOfBounds { array, .. } => format!("no access outside `{array}`{at}"),
        ObligationKind::InvariantEntry => format!("the invariant before the loop{at}"),
        ObligationKind::InvariantStep => format!("the invariant in the loop{at}"),
    }
}

fn claim_in_words(claim: Claim) -> &'static str {
    match claim {
        Claim::Assertion => "the assertion",
        Claim::KnownTarget => "that the function that is called is known",
        Claim::ConstantWrite => "no write to constant memory",
        Claim::NullDereference => "no access through a null pointer",
        Claim::LaneInMask => "that each lane is in its own mask",
        Claim::ActiveSource => "that the lane that is read from takes part",
        Claim::Alignment => "the alignment of the access",
        Claim::Initialised => "that what is read has been written",
        Claim::Overflow => "no overflow of the index",
    }
}

/// An access, with its place.
pub fn site_in_words(program: &Program, site: Site) -> String {
    use lockstep_ir::sequential::AccessKind;
    let data = &program.sites[site];
    let kind = match data.kind {
        AccessKind::Read => "the read",
        AccessKind::Write => "the write",
        AccessKind::Atomic => "the atomic",
        AccessKind::AsyncRead => "the asynchronous read",
        AccessKind::AsyncWrite => "the asynchronous write",
    };
    format!("{kind}{}", at(program, data.location))
}

/// A loop, with its place.
pub fn loop_in_words(program: &Program, loop_: Loop) -> String {
    format!("loop{}", at(program, program.loops[loop_].location))
}

fn at(program: &Program, location: Option<Location>) -> String {
    match location {
        Some(location) => {
            let data = &program.locations[location];
            format!(" at {}:{}", program.files[data.file], data.line)
        }
        None => String::new(),
    }
}
