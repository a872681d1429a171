//! A program with its loops executed, for another verifier to judge.
//!
//! It is the program that the search for defects sees.
//!
//! In [`Mode::Unroll`], [`crate::encode`] turns a program into a list of facts and goals over
//! symbols. As assumptions and assertions, they form a program without loops and without
//! assignments.

use lockstep_ir::sequential::{Program, Statement};

use crate::encode::{Encoding, Mode, Source, Subject, encode};
use crate::search::unroll::ROUNDS;

/// The program with its loops executed as far as in this search round.
///
/// The flag says whether every execution is covered.
///
/// Rounds are counted from 0. It is `None` if the round does not exist.
pub fn unrolled(program: &Program, round: usize) -> Option<(Program, bool)> {
    let encoding = encode(program, &[], Mode::Unroll(*ROUNDS.get(round)?));
    let body = statements(&encoding);
    let complete = encoding.complete;
    let mut straight = program.clone();
    straight.loops.clear();
    straight.expressions = encoding.expressions;
    straight.body = body;
    let exact = std::mem::take(&mut straight.exact);
    straight.preconditions.extend(exact);
    Some((straight, complete))
}

fn statements(encoding: &Encoding) -> Vec<Statement> {
    let mut facts: Vec<_> = encoding.facts_before(encoding.end).map(|(_, fact)| fact).collect();
    facts.reverse();
    let mut goals = encoding.goals.iter();
    let mut statements = Vec::new();
    for fact in facts {
        let condition = fact.condition;
        match fact.source {
            // It remains a precondition of the program.
            Source::Precondition => {}
            // Each goal is a fact for everything after it.
            Source::Asserted => {
                let goal = goals.next().expect("an asserted fact has been a goal");
                if let Subject::Obligation(obligation) = goal.subject {
                    statements.push(Statement::Assert { condition, obligation, location: None });
                }
            }
            Source::Program | Source::Invariant | Source::Candidate(_) => {
                let reason = "assumed on the way, or a loop's guard".into();
                statements.push(Statement::Assume { condition, reason, about: None, location: None });
            }
        }
    }
    assert!(goals.next().is_none(), "every goal is followed by its fact");
    statements
}
