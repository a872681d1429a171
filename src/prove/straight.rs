//! A program with its loops executed: the one that the search for defects looks at, for another verifier to judge.
//!
//! What [`super::encode`] makes of a program in [`Mode::Unroll`] is a list of facts and goals over symbols. As assumptions
//! and assertions they are a program without loops and without assignments.

use lockstep_ir::sequential::{Program, Statement};

use crate::encode::{Encoding, Mode, Source, Subject, encode};
use crate::unroll::ROUNDS;

/// The program with its loops executed as far as the search does in this round, counted from 0, and whether every
/// execution is covered; `None` if there is no such round.
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
            // It stays the program's own.
            Source::Precondition => {}
            // Each goal is a fact for what follows it.
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
