//! Searches for defects only (`--findbugs`): no proof is attempted, and nothing is ever proved.
//!
//! The search covers concrete executions and symbolic ones. In the symbolic ones, each loop with an
//! unknown trip count runs a bounded number of iterations. A defect found this way is like any
//! other. Finding none says nothing about the executions outside the search.

use std::time::Instant;

use lockstep_ir::sequential::Program;
use lockstep_options::deadline::Deadline;
use lockstep_options::techniques::Technique;
use lockstep_solver::{Session, effort_of, in_fresh_context};
use lockstep_transform::lockstep::Variants;
use lockstep_verdict::reason::{Reason, Spent};
use rayon::prelude::*;

use crate::encode::Bounds;
use crate::search::concrete;
use crate::search::unroll::{self, Found, MOST_DEFECTS};
use crate::{Glance, Outcome, Proof, ProofStatistics, ProveOptions, glance};

/// Searches the programs of a kernel's pairs of threads for defects.
pub fn look_for_defects(pairs: &[Option<&Variants>], options: &ProveOptions, depth: u32) -> Vec<Option<Proof>> {
    let start = Instant::now();
    let search = |variants: &Variants| in_fresh_context(|| search(variants.plain(), options, depth, start));
    pairs.par_iter().map(|pair| pair.map(search)).collect()
}

fn search(program: &Program, options: &ProveOptions, depth: u32, start: Instant) -> Proof {
    let begun = Instant::now();
    let mut glance = glance(program, options, start);
    let deadline = options.ends(start);
    let mut session = Session::new(effort_of(options.timeout), deadline).with(options.techniques);
    let outcome = glance.outcome.take().unwrap_or_else(|| {
        let mut search = Search { program, options, deadline, glance: &glance, session: &mut session };
        search
            .search(depth)
            .unwrap_or_else(|unfinished| Outcome::Unknown(Reason::NoDefectFound { depth, spent: unfinished }))
    });
    let statistics = ProofStatistics {
        prove_seconds: begun.elapsed().as_secs_f64(),
        queries: glance.queries + session.queries(),
        ..ProofStatistics::default()
    };
    Proof { outcome, invariants: Vec::new(), annotated: program.clone(), executed: false, statistics }
}

/// The share of the effort for loops up to the requested depth.
const DEPTH_SHARE: f64 = 0.7;

struct Search<'a> {
    program: &'a Program,
    options: &'a ProveOptions,
    deadline: Instant,
    glance: &'a Glance,
    session: &'a mut Session,
}

impl Search<'_> {
    /// The defects found.
    ///
    /// Without any, the error is the limit that ran out before loops were executed to the requested
    /// depth, if one did.
    fn search(&mut self, depth: u32) -> Result<Outcome, Option<Spent>> {
        if let Some(outcome) = self.execute(concrete::SYSTEMATIC) {
            return Ok(outcome);
        }
        let rounds = rounds(depth);
        let (last, before) = rounds.split_last().expect("there is one round at least");
        if let Some(outcome) = self.unroll(before, DEPTH_SHARE) {
            return Ok(outcome);
        }
        let timeout = self.options.timeout;
        let unfinished = match (self.session.clock_ran_out(), self.session.out_of_time()) {
            (true, _) => Some(Spent::Time(timeout)),
            (false, true) => Some(Spent::Budget(timeout)),
            (false, false) => None,
        };
        // The search continues beyond the requested depth while time remains.
        let further = self.unroll(&[*last], 1.0).or_else(|| self.execute(concrete::EXHAUSTIVE));
        further.ok_or(unfinished)
    }

    fn execute(&mut self, effort: concrete::Effort) -> Option<Outcome> {
        let searched = self.options.techniques.has(Technique::ConcreteSearch) && !self.session.clock_ran_out();
        let base = self.glance.base.as_ref().filter(|_| searched)?;
        let explored =
            concrete::search(self.program, base, effort.within(self.options.timeout), Deadline::at(self.deadline));
        let mut defects = explored.defects;
        defects.truncate(MOST_DEFECTS);
        (!defects.is_empty()).then_some(Outcome::Refuted(defects))
    }

    fn unroll(&mut self, rounds: &[Bounds], share: f64) -> Option<Outcome> {
        let end = effort_of(self.options.timeout.mul_f64(share));
        match unroll::search(self.program, self.session, rounds, end) {
            Found::Defects(defects) => Some(Outcome::Refuted(defects)),
            Found::Nothing(_) | Found::Undecided => None,
        }
    }
}

/// Rounds of increasing depth, up to the requested one.
///
/// A further round runs all loops with a known trip count to their ends.
fn rounds(depth: u32) -> Vec<Bounds> {
    let depth = usize::try_from(depth).unwrap_or(usize::MAX);
    let (first, last) = (unroll::ROUNDS[0], unroll::ROUNDS[unroll::ROUNDS.len() - 1]);
    let limit = Bounds { known: first.known.max(depth), ..last };
    let before = unroll::ROUNDS.into_iter().filter(|bounds| bounds.unknown < depth);
    let mut rounds: Vec<Bounds> =
        before.map(|bounds| Bounds { known: bounds.known.min(limit.known), ..bounds }).collect();
    rounds.push(Bounds { unknown: depth, ..limit });
    rounds.push(Bounds { unknown: depth, known: last.known.max(depth), ..last });
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_round_is_as_deep_as_asked_for() {
        let unknown = |depth| rounds(depth).iter().map(|bounds| bounds.unknown).collect::<Vec<_>>();
        assert_eq!((unknown(1), unknown(2), unknown(3)), (vec![1, 1], vec![1, 2, 2], vec![1, 2, 3, 3]));
        assert_eq!(unknown(10_000), [1, 2, 4, 8, 16, 40, 10_000, 10_000]);
        assert!(rounds(2)[1].known < rounds(2)[2].known);
        assert!(rounds(10_000).iter().rev().take(2).all(|bounds| bounds.known >= 10_000));
    }
}
