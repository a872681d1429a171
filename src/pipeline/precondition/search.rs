//! The search for the cheapest conjunction of templates that makes a kernel verified.
//!
//! The search is guided by counterexamples. A conjunction is tried only if each known failing
//! launch violates it. A trial proves the kernel under the conjunction, or ends with a further
//! failing launch, which excludes all weaker conjunctions at once. The conjunctions are tried in
//! ascending order of cost, so no part of the result can be left out: without it a known launch
//! fails, or the trial decided nothing.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// The most templates in a conjunction.
const PARTS: usize = 4;

/// The most conjunctions that are considered before a trial.
const CONSIDERED: usize = 2_000;

/// The result of a trial.
pub enum Trial<T> {
    /// The kernel is verified.
    Proved(T),
    /// The kernel fails in these launches, which satisfy the conjunction.
    Fails(Vec<Vec<bool>>),
    /// Neither is known.
    Open,
}

/// The conjunctions of templates for a kernel. A conjunction is the indices of its templates, in
/// ascending order.
pub trait Conjunctions {
    /// The result of a successful trial.
    type Proof;

    /// The cost of each template.
    fn costs(&self) -> Vec<u32>;

    /// Whether a conjunction is worth writing down.
    fn is_worthwhile(&self, chosen: &[usize]) -> bool;

    /// Whether the first conjunction need not be tried after a trial of the second decided nothing.
    fn is_no_easier(&self, stronger: &[usize], weaker: &[usize]) -> bool;

    /// Tries to prove the kernel under a conjunction; `None` ends the search.
    fn attempt(&mut self, chosen: &[usize]) -> Option<Trial<Self::Proof>>;
}

/// Finds the cheapest worthwhile conjunction under which the kernel is proved.
///
/// A failing launch is represented by the templates that it violates; `failing` are those known. At
/// most `trials` conjunctions are tried.
pub fn cheapest<C: Conjunctions>(
    space: &mut C,
    mut failing: Vec<Vec<bool>>,
    trials: usize,
) -> Option<(Vec<usize>, C::Proof)> {
    let costs = space.costs();
    let mut settled: BTreeSet<Vec<usize>> = BTreeSet::new();
    let mut open: Vec<Vec<usize>> = Vec::new();
    for _ in 0..trials {
        let is_eligible = |chosen: &[usize]| {
            let is_settled = settled.contains(chosen) || open.iter().any(|open| space.is_no_easier(chosen, open));
            !chosen.is_empty() && !is_settled && space.is_worthwhile(chosen)
        };
        let chosen = next(&costs, &failing, &is_eligible)?;
        match space.attempt(&chosen)? {
            Trial::Proved(proof) => return Some((chosen, proof)),
            Trial::Fails(launches) => failing.extend(launches),
            Trial::Open => open.push(chosen.clone()),
        }
        settled.insert(chosen);
    }
    None
}

/// The cheapest conjunction that each failing launch violates and that is eligible.
fn next(costs: &[u32], failing: &[Vec<bool>], is_eligible: &dyn Fn(&[usize]) -> bool) -> Option<Vec<usize>> {
    let mut heap = BinaryHeap::from([Reverse((0, Vec::new()))]);
    let mut seen: BTreeSet<Vec<usize>> = BTreeSet::new();
    for _ in 0..CONSIDERED {
        let Reverse((cost, chosen)) = heap.pop()?;
        let is_violated = |launch: &&Vec<bool>| chosen.iter().any(|&template| launch[template]);
        let fails = failing.iter().find(|launch| !is_violated(launch));
        if fails.is_none() && is_eligible(&chosen) {
            return Some(chosen);
        }
        if chosen.len() == PARTS {
            continue;
        }
        // A further part excludes the launch. If all are excluded, it may make the proof easier.
        let further = (0..costs.len())
            .filter(|&template| !chosen.contains(&template) && fails.is_none_or(|launch| launch[template]));
        for template in further {
            let mut longer = chosen.clone();
            longer.push(template);
            longer.sort_unstable();
            if seen.insert(longer.clone()) {
                heap.push(Reverse((cost + costs[template], longer)));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    type Condition = fn(u32) -> bool;

    /// Launches are numbers up to 30; the kernel fails where `fails` holds, and a trial reports the
    /// first failing number.
    struct Numbers<'a> {
        templates: &'a [(u32, Condition)],
        fails: Condition,
    }

    impl Numbers<'_> {
        fn violated(&self, launch: u32) -> Vec<bool> {
            self.templates.iter().map(|(_, holds)| !holds(launch)).collect()
        }
    }

    impl Conjunctions for Numbers<'_> {
        type Proof = ();

        fn costs(&self) -> Vec<u32> {
            self.templates.iter().map(|(cost, _)| *cost).collect()
        }

        fn is_worthwhile(&self, _: &[usize]) -> bool {
            true
        }

        fn is_no_easier(&self, _: &[usize], _: &[usize]) -> bool {
            false
        }

        fn attempt(&mut self, chosen: &[usize]) -> Option<Trial<()>> {
            let left = |&launch: &u32| chosen.iter().all(|&template| self.templates[template].1(launch));
            Some(match (0..30).filter(left).find(|&launch| (self.fails)(launch)) {
                Some(launch) => Trial::Fails(vec![self.violated(launch)]),
                None => Trial::Proved(()),
            })
        }
    }

    fn seek(templates: &[(u32, Condition)], fails: Condition) -> Option<Vec<usize>> {
        let mut numbers = Numbers { templates, fails };
        let first = numbers.violated((0..30).find(|&launch| fails(launch)).unwrap());
        cheapest(&mut numbers, vec![first], 20).map(|(chosen, ())| chosen)
    }

    #[test]
    fn the_cheapest_conjunction_is_found() {
        let templates: [(u32, Condition); 5] =
            [(1, |n| n > 0), (2, |n| n > 3), (3, |n| n <= 20), (3, |n| n % 2 == 0), (9, |n| n == 10)];
        // The weaker bound fails with 1, the stronger one holds.
        assert_eq!(seek(&templates, |n| n < 3), Some(vec![1]));
        assert_eq!(seek(&templates, |n| !(1..=20).contains(&n)), Some(vec![0, 2]));
        assert_eq!(seek(&templates, |n| !(3..=20).contains(&n) || n % 2 == 1), Some(vec![1, 2, 3]));
        assert_eq!(seek(&templates, |n| n == 10), None);
    }

    /// Trials that decide nothing, but for one conjunction.
    struct Hard {
        proved: Vec<usize>,
        worthwhile: bool,
        is_no_easier: bool,
        left: usize,
        tried: Vec<Vec<usize>>,
    }

    impl Conjunctions for Hard {
        type Proof = ();

        fn costs(&self) -> Vec<u32> {
            vec![1, 2, 4]
        }

        fn is_worthwhile(&self, _: &[usize]) -> bool {
            self.worthwhile
        }

        fn is_no_easier(&self, stronger: &[usize], weaker: &[usize]) -> bool {
            self.is_no_easier && weaker.iter().all(|part| stronger.contains(part))
        }

        fn attempt(&mut self, chosen: &[usize]) -> Option<Trial<()>> {
            self.left = self.left.checked_sub(1)?;
            self.tried.push(chosen.to_vec());
            Some(if chosen == self.proved { Trial::Proved(()) } else { Trial::Open })
        }
    }

    fn try_hard(hard: Hard) -> (bool, Vec<Vec<usize>>) {
        let mut hard = hard;
        let found = cheapest(&mut hard, vec![vec![true, true, false]], 9).is_some();
        (found, hard.tried)
    }

    #[test]
    fn conjunctions_that_decide_nothing_are_made_longer() {
        let hard = || Hard { proved: vec![0, 2], worthwhile: true, is_no_easier: false, left: 9, tried: Vec::new() };
        assert_eq!(try_hard(hard()), (true, vec![vec![0], vec![1], vec![0, 1], vec![0, 2]]));
        // Those that are no easier are left out.
        assert_eq!(try_hard(Hard { is_no_easier: true, ..hard() }), (false, vec![vec![0], vec![1]]));
        assert_eq!(try_hard(Hard { worthwhile: false, ..hard() }), (false, vec![]));
        assert_eq!(try_hard(Hard { left: 1, ..hard() }), (false, vec![vec![0]]));
    }
}
