//! The questions that decide a program, for other solvers to answer.
//!
//! Loops are cut at their proved invariants. So there is one question for each loop's entry and one
//! for its step: do the invariants hold before the loop, and does an iteration preserve them? There
//! is also one question for each run of assertions with no assumption between them. A question asks
//! for a state in which one of its claims fails. If all claims hold, the answer is *unsatisfiable*.
//! The program is proved if every answer is *unsatisfiable*.

use std::time::Instant;

use lockstep_invariants::Check;
use lockstep_ir::sequential::{Expression, Expressions, Loop, Program, VerifiedProgram, print_expression};
use lockstep_solver::{Session, effort_of, in_fresh_context};
use lockstep_verdict::reason::{LoopPlace, Phase, QuestionClaim};

use crate::ProveOptions;
use crate::discharge::{Status, discharge, undecided};
use crate::encode::{Encoding, Mode, Source, Subject, encode};
use crate::explain::{loop_place, obligation_shown, phase};
use crate::prove;

/// A question to a solver.
#[derive(Clone, Debug)]
pub struct Question {
    /// The loop and phase of the induction that it asks about; `None` for assertions.
    pub induction: Option<(Loop, LoopPlace, Phase)>,
    /// The claims.
    pub claims: Vec<QuestionClaim>,
    /// The usable facts, each with its origin, and the assertion that a claim fails.
    pub assertions: Vec<(Expression, &'static str)>,
    /// Whether they can hold together, as far as our solver has answered that.
    pub satisfiable: Option<bool>,
}

/// The questions about a program.
#[derive(Debug)]
pub struct Questions {
    /// The expressions used in the questions.
    pub expressions: Expressions,
    /// The questions in program order.
    pub questions: Vec<Question>,
    /// The number of trivially true claims, which are not asked about.
    pub trivial: usize,
}

/// Infers the invariants of a program and asks all questions.
pub fn questions(program: &VerifiedProgram, options: &ProveOptions) -> Questions {
    let program = prove(program, options).annotated;
    in_fresh_context(|| {
        let deadline = options.ends(Instant::now());
        let mut session = Session::new(effort_of(options.timeout), deadline).with(options.techniques);
        let mut encoding = encode(&program, &[], Mode::Cut);
        let limit = effort_of(options.timeout / 4);
        let open = undecided(&encoding);
        let statuses = discharge(&mut encoding, &[], open, &mut session, limit, usize::MAX).statuses;
        let mut questions = Vec::new();
        for group in groups(&encoding) {
            questions.push(question(&program, &mut encoding, &group, &statuses));
        }
        Questions { expressions: encoding.expressions, questions, trivial: encoding.trivial_goals }
    })
}

/// Runs of goals that are asked about together.
pub(super) fn groups(encoding: &Encoding) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut last = None;
    for (index, goal) in encoding.goals.iter().enumerate() {
        let this = (encoding.last_assumption(goal.position), check_of(goal.subject));
        match groups.last_mut() {
            Some(group) if last == Some(this) => group.push(index),
            _ => groups.push(vec![index]),
        }
        last = Some(this);
    }
    groups
}

fn check_of(subject: Subject) -> Option<Check> {
    match subject {
        Subject::Obligation(_) => None,
        Subject::Invariant(check, ..) => Some(check),
    }
}

fn question(program: &Program, encoding: &mut Encoding, goals: &[usize], statuses: &[Status]) -> Question {
    let first = &encoding.goals[goals[0]];
    let induction =
        check_of(first.subject).map(|check| (check.loop_, loop_place(program, check.loop_), phase(check.phase)));
    let mut assertions: Vec<(Expression, &'static str)> =
        encoding.facts_before(first.position).map(|(_, fact)| (fact.condition, origin(fact.source))).collect();
    assertions.reverse();
    let claims = goals.iter().map(|&goal| claim(program, encoding.goals[goal].subject)).collect();
    let conditions: Vec<Expression> = goals.iter().map(|&goal| encoding.goals[goal].condition).collect();
    let failing: Vec<Expression> = conditions.into_iter().map(|goal| encoding.expressions.not(goal)).collect();
    assertions.push((encoding.expressions.or(failing), "one of the claims fails"));
    let of_group = || goals.iter().map(|&goal| statuses[goal]);
    let satisfiable = if of_group().all(|status| status == Status::Proved) {
        Some(false)
    } else {
        of_group().any(|status| status == Status::Failed).then_some(true)
    };
    Question { induction, claims, assertions, satisfiable }
}

/// A goal as a question's claim.
pub(super) fn claim(program: &Program, subject: Subject) -> QuestionClaim {
    match subject {
        Subject::Obligation(obligation) => QuestionClaim::Assertion(obligation, obligation_shown(program, obligation)),
        Subject::Invariant(check, index, _) => {
            let invariant = &program.loops[check.loop_].invariants[index];
            let condition = print_expression(&program.expressions, invariant.condition);
            QuestionClaim::Invariant { family: invariant.family.clone(), condition }
        }
    }
}

fn origin(source: Source) -> &'static str {
    match source {
        Source::Precondition => "a precondition",
        Source::Program => "assumed on the way: a loop's guard, or an assumption",
        Source::Asserted => "claimed before",
        Source::Invariant | Source::Candidate(_) => "an invariant at its loop's head",
    }
}
