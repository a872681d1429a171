//! Explains in words why a program is neither proved nor refuted.

use std::time::Duration;

use lockstep_invariants::Phase;
use lockstep_ir::sequential::{Loop, Obligation, ObligationKind, Program, Site};
use lockstep_ir::source::Location;

use crate::prove::discharge::Status;
use crate::prove::encode::{Encoding, Subject};

/// The most goals that are named.
const NAMED: usize = 3;

/// The reason, given what came of the goals of the encoding with cut loops.
pub fn unknown(program: &Program, encoding: &Encoding, statuses: &[Status], timeout: Option<Duration>) -> String {
    let mut named: Vec<String> = Vec::new();
    let mut more = 0usize;
    for (goal, _) in encoding.goals.iter().zip(statuses).filter(|(_, status)| **status != Status::Proved) {
        let what = match goal.subject {
            Subject::Obligation(obligation) => obligation_in_words(program, obligation),
            Subject::Invariant(check, _, _) => {
                let when = match check.phase {
                    Phase::Entry => "holds before",
                    Phase::Step => "is kept by",
                };
                format!("that the invariant {when} the {}", loop_in_words(program, check.loop_))
            }
        };
        let inside = goal.view.iterations[1].last().map(|&(loop_, _)| loop_);
        let what = match (inside, goal.subject) {
            (Some(loop_), Subject::Obligation(_)) => format!("{what} in the {}", loop_in_words(program, loop_)),
            _ => what,
        };
        if named.contains(&what) {
        } else if named.len() < NAMED {
            named.push(what);
        } else {
            more += 1;
        }
    }
    let mut reason = match timeout {
        Some(timeout) => format!("timeout after {} s; not proved: ", timeout.as_secs_f64()),
        None if program.loops.is_empty() => "the solver gave up; not proved: ".to_owned(),
        None => "the loop invariants found do not suffice; not proved: ".to_owned(),
    };
    reason.push_str(&named.join("; "));
    if more > 0 {
        reason.push_str("; and ");
        reason.push_str(&more.to_string());
        reason.push_str(" more");
    }
    reason
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
