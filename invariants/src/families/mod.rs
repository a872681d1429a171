//! The candidate families, one file each.
//!
//! Each file's comment gives the family's mathematics, an example, and when it pays. In these comments
//! `P` is "the thread executes another iteration", `x` a variable that the loop carries, `x0` its value
//! before the loop, `k` the loop's counter, and `x$1`, `x$2` are the two threads' copies. What is said
//! of `x` is proposed as `P → …` for each thread; for a variable that is one for both threads, without
//! the condition too.

mod advances;
mod alternation;
mod bounds;
mod closed_form;
mod counter;
mod equal_predicates;
mod equal_values;
mod hit_closed_form;
mod hit_facts;
mod hit_value;
mod intervals;
mod known_bits;
mod leaving;
mod no_access;
mod powers_of_two;
mod predicate_facts;
mod progress;
mod stride;
#[cfg(test)]
mod tests;

use lockstep_ir::sequential::{Expression, Loop};

use crate::abstraction::Word;
use crate::context::Context;
use crate::scan::CarriedCopy;

/// A family of candidates.
pub struct Family {
    /// The name by which it is switched off and reported.
    pub name: &'static str,
    /// What it proposes, in a line.
    pub summary: &'static str,
    pub(crate) propose: fn(&mut Context<'_>, Loop),
}

/// All families, in the order in which they propose: of equal candidates the first family's is kept.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "closed-form",
        summary: "a variable in terms of the loop's iteration number",
        propose: closed_form::propose,
    },
    Family {
        name: "hit-facts",
        summary: "what held when an access was recorded still does of the recorded values",
        propose: hit_facts::propose,
    },
    Family {
        name: "hit-closed-form",
        summary: "recorded values in terms of recorded iteration numbers, and the order of those",
        propose: hit_closed_form::propose,
    },
    Family {
        name: "hit-value",
        summary: "what a recorded access wrote, where that is arithmetic",
        propose: hit_value::propose,
    },
    Family {
        name: "bounds",
        summary: "a variable against its initial value, zero and what guards compare it with",
        propose: bounds::propose,
    },
    Family { name: "stride", summary: "a variable modulo its step", propose: stride::propose },
    Family {
        name: "equal-predicates",
        summary: "both threads iterate or none does",
        propose: equal_predicates::propose,
    },
    Family {
        name: "equal-values",
        summary: "both threads' copies are equal, or differ as at the start",
        propose: equal_values::propose,
    },
    Family { name: "leaving", summary: "what a thread takes along when it leaves a loop", propose: leaving::propose },
    Family {
        name: "alternation",
        summary: "a variable that comes back every other iteration",
        propose: alternation::propose,
    },
    Family {
        name: "advances",
        summary: "how far a variable can have come that not every iteration advances",
        propose: advances::propose,
    },
    Family {
        name: "progress",
        summary: "how far a variable has come since an access was recorded",
        propose: progress::propose,
    },
    Family { name: "powers-of-two", summary: "doubled and halved variables", propose: powers_of_two::propose },
    Family {
        name: "no-access",
        summary: "no access is pending at the head of a loop with a barrier",
        propose: no_access::propose,
    },
    Family { name: "counter", summary: "how many iterations there can be", propose: counter::propose },
    Family {
        name: "predicate-facts",
        summary: "what an active thread has passed on its way",
        propose: predicate_facts::propose,
    },
    Family {
        name: "intervals",
        summary: "the constants between which a variable lies, by abstract interpretation",
        propose: intervals::propose,
    },
    Family {
        name: "known-bits",
        summary: "the bits of a variable that never change, by abstract interpretation",
        propose: known_bits::propose,
    },
];

/// The families that ask what is known of words at the loops' heads.
pub const OF_WORDS: [&str; 2] = ["intervals", "known-bits"];

/// Proposes what a family makes of what is known of words: of the variables a loop carries that have no closed form, and of
/// those recorded with hits.
fn propose_of_words(
    context: &mut Context<'_>,
    loop_: Loop,
    conditions: fn(&mut Context<'_>, CarriedCopy, &Word) -> Vec<Expression>,
) {
    let of = |context: &mut Context<'_>, copy: CarriedCopy| match context.word(copy) {
        Some(word) if context.scan.evolution(copy).exact_step().is_none() => conditions(context, copy, &word),
        _ => Vec::new(),
    };
    for copy in context.carried_bits(loop_) {
        for condition in of(context, copy) {
            context.propose_lasting(copy, condition);
        }
    }
    for site in context.changing_sites(loop_) {
        let data = &context.sites[site];
        for recorded in &data.recorded {
            let Some(&copy) = context.scan.carried.get(&recorded.original) else { continue };
            if !data.loops.contains(&copy.loop_) {
                continue;
            }
            for condition in of(context, copy) {
                if let Some(condition) = context.at_hit(site, loop_, condition) {
                    context.propose_of_hit(site, condition);
                }
            }
        }
    }
}
