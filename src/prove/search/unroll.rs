//! Searches for defects by executing loops, deeper and deeper.
//!
//! Each round executes more iterations than the last and asks for a state in which an assertion
//! fails. Such a state is an execution of the program. If a round covers every execution, because
//! all loops have a known and manageable trip count, the absence of such a state is a proof.

use lockstep_ir::sequential::Program;
use lockstep_options::deadline::Deadline;
use lockstep_options::techniques::Technique;
use lockstep_solver::{Effort, Session};

use crate::Counterexample;
use crate::discharge::{Status, discharge, undecided};
use crate::encode::{Bounds, Encoding, Mode, encode};
use crate::search::counterexample;

/// The result of a search.
#[derive(Debug)]
pub enum Found {
    /// Defects, at least one.
    Defects(Vec<Counterexample>),
    /// There are no defects, and every execution was covered; with the number of goals.
    Nothing(usize),
    /// There are none so far.
    Undecided,
}

/// The maximum number of defects of one program that are reported.
pub const MOST_DEFECTS: usize = 4;

/// The bounds of each round.
pub const ROUNDS: [Bounds; 6] = [
    Bounds { unknown: 1, known: 48, expressions: 60_000, deadline: Deadline::NEVER },
    Bounds { unknown: 2, known: 160, expressions: 200_000, deadline: Deadline::NEVER },
    Bounds { unknown: 4, known: 600, expressions: 400_000, deadline: Deadline::NEVER },
    Bounds { unknown: 8, known: 2_048, expressions: 800_000, deadline: Deadline::NEVER },
    Bounds { unknown: 16, known: 4_096, expressions: 1_200_000, deadline: Deadline::NEVER },
    Bounds { unknown: 40, known: 4_096, expressions: 1_200_000, deadline: Deadline::NEVER },
];

/// The number of rounds that take little time.
pub const FIRST_ROUNDS: usize = 3;

/// Searches in the given rounds, until the session has spent `end`.
pub fn search(program: &Program, session: &mut Session, rounds: &[Bounds], end: Effort) -> Found {
    if !session.techniques().has(Technique::Unrolling) {
        return Found::Undecided;
    }
    let found = in_rounds(program, session, rounds, end);
    session.change_arena();
    found
}

/// The bounds that [`glance`] uses.
const GLANCE: Bounds = ROUNDS[1];

/// The budget of [`glance`].
const GLANCE_EFFORT: Effort = 4_000_000;

/// Checks whether the program has so few executions that examining all of them decides it at once.
pub fn glance(program: &Program, session: &mut Session, end: Effort) -> Found {
    if !session.techniques().has(Technique::Unrolling) || session.clock_ran_out() {
        return Found::Undecided;
    }
    let mut encoding = encode(program, &[], Mode::Unroll(Bounds { deadline: session.deadline(), ..GLANCE }));
    if !encoding.complete {
        return Found::Undecided;
    }
    session.change_arena();
    session.set_allowance(end.min(session.spent() + GLANCE_EFFORT));
    let found = covered(program, &mut encoding, session, GLANCE_EFFORT / 4);
    session.change_arena();
    found
}

/// The defects among all executions, given an encoding that covers them.
fn covered(program: &Program, encoding: &mut Encoding, session: &mut Session, limit: Effort) -> Found {
    let open = undecided(encoding);
    let statuses = discharge(encoding, &[], open, session, limit, MOST_DEFECTS).statuses;
    if statuses.iter().all(|&status| status == Status::Proved) {
        return Found::Nothing(encoding.goals.len() + encoding.trivial_goals);
    }
    let defects = defects(program, encoding, &statuses, session, limit);
    if defects.is_empty() { Found::Undecided } else { Found::Defects(defects) }
}

fn in_rounds(program: &Program, session: &mut Session, rounds: &[Bounds], end: Effort) -> Found {
    for (round, &bounds) in rounds.iter().enumerate() {
        let left = end.saturating_sub(session.spent());
        session.set_allowance(end);
        if session.out_of_time() {
            break;
        }
        // Early rounds must not use up the effort of later ones.
        let last = round + 1 == rounds.len();
        session.set_allowance(if last { end } else { session.spent() + left / 5 * 2 });
        let bounds = Bounds { deadline: session.deadline(), ..bounds };
        let mut encoding = encode(program, &[], Mode::Unroll(bounds));
        session.change_arena();
        let limit = (left / 8).max(LEAST_LIMIT);
        let open = undecided(&encoding);
        let statuses = discharge(&mut encoding, &[], open, session, limit, MOST_DEFECTS).statuses;
        session.set_allowance(end);
        let defects = defects(program, &mut encoding, &statuses, session, limit);
        if !defects.is_empty() {
            return Found::Defects(defects);
        }
        if encoding.complete {
            if statuses.iter().all(|&status| status == Status::Proved) {
                return Found::Nothing(encoding.goals.len() + encoding.trivial_goals);
            }
            // The encoding stays the same, but each question gets more effort.
            return covered(program, &mut encoding, session, left);
        }
    }
    Found::Undecided
}

/// The least budget of a question.
const LEAST_LIMIT: Effort = 500_000;

/// The counterexamples of the goals that fail, one for each obligation, in the obligations' order.
pub fn defects(
    program: &Program,
    encoding: &mut Encoding,
    statuses: &[Status],
    session: &mut Session,
    limit: Effort,
) -> Vec<Counterexample> {
    let mut found: Vec<Counterexample> = Vec::new();
    for (goal, &status) in statuses.iter().enumerate() {
        if status == Status::Failed
            && let Some(defect) = counterexample::find(program, encoding, goal, session, limit)
            && found.iter().all(|known| known.obligation != defect.obligation)
        {
            found.push(defect);
        }
    }
    found.sort_by_key(|defect| defect.obligation);
    found.truncate(MOST_DEFECTS);
    found
}
