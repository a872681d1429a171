//! The candidate families, one file each.
//!
//! Each file's comment gives the family's mathematics, an example, and the cases in which it is
//! useful. In these comments `P` is "the thread executes another iteration". A variable `x` is
//! carried by the loop, `x0` is its value before the loop, and `x$1`, `x$2` are the two threads'
//! copies. The loop's counter is `k`. A condition on `x` is a claim: it is proposed as `P → …` for
//! each thread, or as `P ∨ left → …` if it is about a value that stays when the thread has left.
//! For a variable that both threads share, it is also proposed without `P`. For a value recorded
//! with an access it is proposed as `hit → …` ([`crate::claims`]).

mod abstract_values;
mod affine_equalities;
mod bounds;
mod counter;
mod equal_values;
mod equal_variables;
mod hit_facts;
mod last_round;
mod leaving;
mod no_access;
mod predicate_facts;
mod progress;
mod recurrences;
#[cfg(test)]
mod tests;
mod turning_points;

use lockstep_ir::sequential::Loop;

use crate::claims::Claim;
use crate::context::Context;

/// A family of candidates.
pub struct Family {
    /// The name by which it is disabled and reported.
    pub name: &'static str,
    /// The proposed conditions, in one line.
    pub summary: &'static str,
    /// States claims about the values of a loop.
    pub(crate) claims: fn(&mut Context<'_>, Loop) -> Vec<Claim>,
    /// Proposes all other candidates for a loop.
    pub(crate) propose: fn(&mut Context<'_>, Loop),
}

impl Family {
    const fn new(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, claims: |_, _| Vec::new(), propose: |_, _| {} }
    }
}

/// All families, in the order in which they propose: of equal candidates, that of the first family
/// is kept.
pub const FAMILIES: &[Family] = &[
    Family {
        claims: recurrences::claims,
        ..Family::new("recurrences", "a variable in terms of the loop's iteration number")
    },
    Family {
        claims: turning_points::claims,
        ..Family::new("turning-points", "a variable that advances only before, or only after, a certain iteration")
    },
    Family {
        propose: hit_facts::propose,
        ..Family::new("hit-facts", "the place, the value and the iteration of a recorded access")
    },
    Family {
        claims: bounds::claims,
        ..Family::new("bounds", "bounds of a variable: its initial value, zero, and the operands of guards")
    },
    Family {
        propose: equal_values::propose,
        ..Family::new("equal-values", "both threads iterate, and their copies are equal, or differ as at the start")
    },
    Family { propose: leaving::propose, ..Family::new("leaving", "facts about a thread that has left the loop") },
    Family {
        claims: last_round::claims,
        propose: last_round::propose,
        ..Family::new("last-round", "facts that a flag records about the previous iteration")
    },
    Family {
        claims: progress::claims,
        propose: progress::propose,
        ..Family::new("progress", "the distance of a variable from its value at a recorded access")
    },
    Family {
        propose: no_access::propose,
        ..Family::new(NO_ACCESS, "no access is pending at the head of a loop with a barrier")
    },
    Family { propose: counter::propose, ..Family::new("counter", "a bound of the trip count") },
    Family {
        propose: predicate_facts::propose,
        ..Family::new("predicate-facts", "conditions that hold while a thread is active")
    },
    Family {
        claims: affine_equalities::claims,
        ..Family::new("affine-equalities", "linear equations between variables, wrap-around included")
    },
    Family {
        claims: equal_variables::claims,
        ..Family::new("equal-variables", "two variables of a thread that start alike and are assigned alike")
    },
    Family {
        claims: abstract_values::claims,
        ..Family::new(ABSTRACT_VALUES, "constant bounds and bits of a variable, by abstract interpretation")
    },
];

/// The family that claims that no access is pending.
pub const NO_ACCESS: &str = "no-access";

/// The family that uses the facts about words at the loops' heads.
pub const ABSTRACT_VALUES: &str = "abstract-values";
