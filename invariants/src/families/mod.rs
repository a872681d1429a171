//! The candidate families, one file each.
//!
//! Each file's comment gives the family's mathematics, an example, and the cases in which it is
//! useful. In these comments `P` is "the thread executes another iteration". A variable `x` is
//! carried by the loop, `x0` is its value before the loop, and `x$1`, `x$2` are the two threads'
//! copies. The loop's counter is `k`. A condition on `x` is proposed as `P → …` for each thread.
//! For a variable that both threads share, it is also proposed without `P`.

mod advances;
mod affine_equalities;
mod alternation;
mod bounds;
mod closed_form;
mod counter;
mod equal_predicates;
mod equal_values;
mod guarded_steps;
mod hit_closed_form;
mod hit_facts;
mod hit_value;
mod intervals;
mod known_bits;
mod last_round;
mod leaving;
mod no_access;
mod powers_of_two;
mod predicate_facts;
mod progress;
mod stride;
#[cfg(test)]
mod tests;

use lockstep_ir::sequential::{Expression, Expressions, Loop, Site, Variable};

use crate::abstraction::Word;
use crate::context::Context;
use crate::scan::CarriedCopy;

/// A family of candidates.
pub struct Family {
    /// The name by which it is disabled and reported.
    pub name: &'static str,
    /// The proposed conditions, in one line.
    pub summary: &'static str,
    pub(crate) propose: fn(&mut Context<'_>, Loop),
}

/// All families, in the order in which they propose: of equal candidates, that of the first family
/// is kept.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "closed-form",
        summary: "a variable in terms of the loop's iteration number",
        propose: closed_form::propose,
    },
    Family {
        name: "hit-facts",
        summary: "facts at the time of a recorded access, about its recorded values",
        propose: hit_facts::propose,
    },
    Family {
        name: "hit-closed-form",
        summary: "recorded values in terms of recorded iteration numbers, and the order of those",
        propose: hit_closed_form::propose,
    },
    Family {
        name: "hit-value",
        summary: "the value that a recorded access wrote, where that is arithmetic",
        propose: hit_value::propose,
    },
    Family {
        name: "bounds",
        summary: "bounds of a variable: its initial value, zero, and the operands of guards",
        propose: bounds::propose,
    },
    Family {
        name: "guarded-steps",
        summary: "the range of a variable that a comparison guards the steps of",
        propose: guarded_steps::propose,
    },
    Family { name: "stride", summary: "a variable modulo its step", propose: stride::propose },
    Family {
        name: "equal-predicates",
        summary: "both threads iterate, or neither does",
        propose: equal_predicates::propose,
    },
    Family {
        name: "equal-values",
        summary: "both threads' copies are equal, or differ as at the start",
        propose: equal_values::propose,
    },
    Family { name: "leaving", summary: "facts about a thread that has left the loop", propose: leaving::propose },
    Family {
        name: "last-round",
        summary: "facts that a flag records about the previous iteration",
        propose: last_round::propose,
    },
    Family { name: "alternation", summary: "a variable that has two values in turns", propose: alternation::propose },
    Family {
        name: "advances",
        summary: "the range of a variable that only some iterations advance",
        propose: advances::propose,
    },
    Family {
        name: "progress",
        summary: "the distance of a variable from its value at a recorded access",
        propose: progress::propose,
    },
    Family {
        name: "powers-of-two",
        summary: "variables that some iterations double or halve",
        propose: powers_of_two::propose,
    },
    Family {
        name: NO_ACCESS,
        summary: "no access is pending at the head of a loop with a barrier",
        propose: no_access::propose,
    },
    Family { name: "counter", summary: "a bound of the trip count", propose: counter::propose },
    Family {
        name: "predicate-facts",
        summary: "conditions that hold while a thread is active",
        propose: predicate_facts::propose,
    },
    Family {
        name: "affine-equalities",
        summary: "linear equations between variables, wrap-around included",
        propose: affine_equalities::propose,
    },
    Family {
        name: "intervals",
        summary: "constant bounds of a variable, by abstract interpretation",
        propose: intervals::propose,
    },
    Family {
        name: "known-bits",
        summary: "constant bits of a variable, by abstract interpretation",
        propose: known_bits::propose,
    },
];

/// The family that claims that no access is pending.
pub const NO_ACCESS: &str = "no-access";

/// The families that use the facts about words at the loops' heads.
pub const OF_WORDS: [&str; 2] = ["intervals", "known-bits"];

/// Proposes a family's conditions from the facts about words. They are about carried variables
/// without a closed form, values that threads take along when they leave the loop, and values
/// recorded with hits.
fn propose_of_words(
    context: &mut Context<'_>,
    loop_: Loop,
    conditions: fn(&mut Expressions, Expression, &Word) -> Vec<Expression>,
) {
    for copy in context.carried_bits(loop_) {
        let Some(word) = word_of_carried(context, copy) else { continue };
        let x = context.current(copy);
        for condition in conditions(context.expressions, x, &word) {
            context.propose_lasting(copy, condition);
        }
    }
    for exit in context.scan.exits[loop_].clone() {
        let both = exit.values.iter().map(|&(variable, _)| variable);
        for (variable, word) in with_words(context, loop_, both) {
            let (x, left) = (context.expressions.variable(variable), context.expressions.variable(exit.taken));
            let of_thread = |variable| context.expressions.variables()[variable].thread;
            let alike = of_thread(variable).is_none_or(|thread| of_thread(exit.taken).is_none_or(|of| of == thread));
            for condition in conditions(context.expressions, x, &word) {
                let guarded = context.expressions.implies(left, condition);
                if alike {
                    context.propose(guarded);
                }
            }
        }
    }
    for site in context.changing_sites(loop_) {
        for recorded in &context.sites[site].recorded {
            let Some(word) = word_at_site(context, site, recorded.original) else { continue };
            let x = context.expressions.variable(recorded.recorded);
            for condition in conditions(context.expressions, x, &word) {
                context.propose_of_hit(site, condition);
            }
        }
    }
}

/// The word of a variable that has no closed form; other families handle variables that have one.
fn word_of_carried(context: &Context<'_>, copy: CarriedCopy) -> Option<Word> {
    let evolution = context.scan.evolution(copy);
    let closed = evolution.exact_step().is_some() || evolution.shift().is_some();
    (!closed).then(|| context.word(copy)).flatten()
}

/// The variables with known facts at a loop's head; the facts of thread 2 are those of thread 1 for
/// the preceding variables.
fn with_words(context: &Context<'_>, loop_: Loop, variables: impl Iterator<Item = Variable>) -> Vec<(Variable, Word)> {
    let mut found: Vec<(Variable, Word)> = Vec::new();
    for variable in variables {
        let word = match context.expressions.variables()[variable].thread {
            Some(1) => context.first_copy(variable).and_then(|first| context.word_of(loop_, first)),
            _ => context.word_of(loop_, variable),
        };
        found.extend(word.map(|word| (variable, word)));
    }
    found
}

/// The word of thread 1's value at a site: of a variable carried by a loop around it, or taken
/// along from an earlier loop.
fn word_at_site(context: &Context<'_>, site: Site, original: Variable) -> Option<Word> {
    if let Some(&copy) = context.scan.carried.get(&original) {
        return context.sites[site].loops.contains(&copy.loop_).then(|| word_of_carried(context, copy)).flatten();
    }
    let (left, _) = context.scan.leaving.get(&original)?;
    context.word_of(*left, original)
}
