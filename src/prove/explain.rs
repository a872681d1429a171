//! Explains in words why a program is neither proved nor refuted.

use std::time::Duration;

use cranelift_entity::EntityRef;
use lockstep_invariants::{Candidate, Phase};
use lockstep_ir::sequential::{Loop, Obligation, ObligationKind, Program, Site, print_expression};
use lockstep_ir::source::Location;

use crate::prove::discharge::Status;
use crate::prove::encode::{Encoding, Goal, Subject};
use crate::prove::infer::Lost;

/// The most goals that are named.
const NAMED: usize = 3;

/// What was tried.
pub struct Attempt<'a> {
    /// The candidates.
    pub candidates: &'a [Candidate],
    /// Those that were dropped by a proof.
    pub lost: &'a [Lost],
    /// Whether it is settled which candidates are invariants.
    pub inferred: bool,
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

/// The reason, given what came of the goals of the encoding with cut loops.
pub fn unknown(program: &Program, encoding: &Encoding, statuses: &[Status], attempt: &Attempt<'_>) -> String {
    let mut named: Vec<String> = Vec::new();
    let mut more = 0usize;
    let unproved = || encoding.goals.iter().zip(statuses).filter(|(_, status)| **status != Status::Proved);
    for (goal, _) in unproved() {
        let what = goal_in_words(program, goal);
        if named.contains(&what) {
        } else if named.len() < NAMED {
            named.push(what);
        } else {
            more += 1;
        }
    }
    let mut reason = match attempt.spent {
        Some(Spent::Time(timeout)) => format!("timeout after {} s", timeout.as_secs_f64()),
        Some(Spent::Effort(timeout)) => {
            format!("the solver's effort that a timeout of {} s stands for is spent", timeout.as_secs_f64())
        }
        None if !attempt.inferred => "the search for loop invariants took too much effort".to_owned(),
        None if unproved().all(|(_, &status)| status == Status::Open) => "the solver gave up".to_owned(),
        None => "the loop invariants found do not suffice".to_owned(),
    };
    reason.push_str("; not proved: ");
    reason.push_str(&named.join("; "));
    if more > 0 {
        reason.push_str("; and ");
        reason.push_str(&more.to_string());
        reason.push_str(" more");
    }
    if let Some((goal, _)) = unproved().next()
        && let Some(lost) = lost_in_words(program, goal, attempt)
    {
        reason.push_str("; ");
        reason.push_str(&lost);
    }
    reason
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

/// The invariant whose loss explains most: one about the access of thread 1 that the assertion compares with.
fn lost_in_words(program: &Program, goal: &Goal, attempt: &Attempt<'_>) -> Option<String> {
    let Subject::Obligation(obligation) = goal.subject else { return None };
    let ObligationKind::Race { logged, .. } = program.obligations[obligation].kind else { return None };
    let hit = program.sites[logged].hit;
    let condition = |lost: &&Lost| attempt.candidates[lost.candidate.index()].condition;
    let concerns = |lost: &&Lost| {
        let mut mentions = false;
        program.expressions.for_each_variable(condition(lost), |variable| mentions |= variable == hit);
        mentions
    };
    let lost = attempt.lost.iter().find(concerns)?;
    let why = match (lost.refuted, lost.check.phase) {
        (true, Phase::Entry) => "does not hold before",
        (true, Phase::Step) => "is not kept by an iteration of",
        (false, Phase::Entry) => "could not be shown before",
        (false, Phase::Step) => "could not be shown to be kept by an iteration of",
    };
    let condition = print_expression(&program.expressions, condition(&lost));
    Some(format!("`{condition}` {why} the {}", loop_in_words(program, lost.check.loop_)))
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
        ObligationKind::Assertion { .. } => format!("the assertion{at}"),
        ObligationKind::ConstantWrite { .. } => format!("no write to constant memory{at}"),
        ObligationKind::NullDereference { .. } => format!("no access through a null pointer{at}"),
        ObligationKind::OutOfBounds { array, .. } => format!("no access outside `{array}`{at}"),
        ObligationKind::InvariantEntry => format!("the invariant before the loop{at}"),
        ObligationKind::InvariantStep => format!("the invariant in the loop{at}"),
    }
}

fn site_in_words(program: &Program, site: Site) -> String {
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
