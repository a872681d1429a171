//! Small scopes: launches of few threads combined with few parameter values, in sequence.
//!
//! Most defects have small counterexamples, but these may need several conditions at once. Two
//! threads may have to be at the same place of different groups, or differ in the third dimension
//! only, with a parameter as large as the launch. Random variations rarely meet such conditions;
//! going through all small launches does. In each scope, every thread is executed, and its accesses
//! are compared with those of all others ([`super::scan`]). The number of executions is that of the
//! threads, not that of their pairs.
//!
//! Parameters get revealing values: the launch's sizes and their products, small numbers, and the
//! constants to which the program compares. Launches and parameters are combined diagonally, so
//! simple ones of both come first.

use lockstep_ir::sequential::{Expression, Node, Pair, Program, Variable};
use rustc_hash::FxHashSet;

use super::inputs::{Inputs, Knobs, Size, set_number};
use super::value::mix;

/// A launch.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Launch {
    local_sizes: Vec<u64>,
    num_groups: Vec<u64>,
}

/// A thread of a launch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thread {
    /// The thread's id in its group.
    pub local: Vec<u64>,
    /// The group's id.
    pub group: Vec<u64>,
}

/// A small scope.
pub struct Scope {
    /// Inputs of a launch, for its first pair of threads; they may violate the preconditions.
    pub inputs: Inputs,
    /// The threads of the launch.
    pub threads: Vec<Thread>,
    /// The parameter values that are revealing in this scope.
    pub telling: Vec<u64>,
}

/// The small scopes of a program.
pub struct Scopes<'a> {
    program: &'a Program,
    knobs: &'a Knobs,
    launches: Vec<Launch>,
    /// The parameter assignments for each launch.
    assignments: Vec<Vec<Vec<u64>>>,
    /// The scopes: a launch, and the index of one of its assignments.
    all: Vec<(usize, usize)>,
    /// The constants to which the program compares, and the numbers around them.
    constants: Vec<u64>,
}

/// The maximum number of launches.
const MOST_LAUNCHES: usize = 48;

/// The maximum number of scopes.
const MOST_SCOPES: usize = 600;

/// The maximum number of assignments for one launch.
const MOST_ASSIGNMENTS: usize = 600;

/// The maximum number of the program's constants that parameters get.
const MOST_CONSTANTS: usize = 12;

/// The largest constant that a small scope can reach.
const LARGEST_CONSTANT: u64 = 1 << 12;

/// The largest number of ids in a dimension that are executed exhaustively.
const MOST_IDS: u64 = 256;

/// The largest number of groups in a dimension that are executed exhaustively.
const MOST_GROUPS: u64 = 3;

impl<'a> Scopes<'a> {
    /// The scopes of a program.
    pub fn of(program: &'a Program, knobs: &'a Knobs) -> Self {
        let constants = constants(program);
        let (launches, assignments, all) = (Vec::new(), Vec::new(), Vec::new());
        let mut scopes = Self { program, knobs, launches, assignments, all, constants };
        scopes.launches = scopes.all_launches();
        scopes.assignments = scopes.launches.iter().map(|launch| scopes.assignments(launch)).collect();
        let most = scopes.assignments.iter().map(Vec::len).max().unwrap_or(0) + scopes.launches.len();
        let is_scope = |&(launch, assignment): &(usize, usize)| {
            scopes.assignments.get(launch).is_some_and(|assignments| assignment < assignments.len())
        };
        let diagonals = (0..u64::try_from(most * most).unwrap_or(0)).map(diagonal);
        scopes.all = diagonals.filter(is_scope).take(MOST_SCOPES).collect();
        scopes
    }

    /// The scope of this number, if it exists.
    pub fn inputs(&self, base: &Inputs, number: u64) -> Option<Scope> {
        let &(launch, assignment) = self.all.get(usize::try_from(number).ok()?)?;
        let (launch, assignment) = (&self.launches[launch], &self.assignments[launch][assignment]);
        let mut inputs = base.clone();
        for (sizes, values) in
            [(&self.knobs.local_sizes, &launch.local_sizes), (&self.knobs.num_groups, &launch.num_groups)]
        {
            for (&size, &value) in sizes.iter().zip(values) {
                if let Size::Open(variable) = size {
                    set_number(self.program, &mut inputs, variable, value);
                }
            }
        }
        for (&parameter, value) in self.knobs.parameters.iter().zip(assignment) {
            set_number(self.program, &mut inputs, parameter, *value);
        }
        let threads = self.threads(launch);
        let second = self.partner(&threads, 0);
        let inputs = self.place(&inputs, [threads.first()?, threads.get(second)?]);
        Some(Scope { inputs, threads, telling: self.telling(launch) })
    }

    /// The revealing parameter values in the launch that the inputs describe.
    pub fn telling_in(&self, inputs: &Inputs) -> Vec<u64> {
        self.telling(&self.launch_of(inputs))
    }

    /// The inputs with these two threads.
    pub fn place(&self, inputs: &Inputs, threads: [&Thread; 2]) -> Inputs {
        let mut inputs = inputs.clone();
        for (number, thread) in threads.into_iter().enumerate() {
            for (ids, values) in [(&self.knobs.local_ids, &thread.local), (&self.knobs.group_ids, &thread.group)] {
                for (dimension, &value) in ids.iter().zip(values) {
                    if let Some(variable) = dimension[number] {
                        set_number(self.program, &mut inputs, variable, value);
                    }
                }
            }
        }
        self.knobs.multiply(self.program, &mut inputs);
        inputs
    }

    /// Whether the program is about pairs such as these threads.
    pub fn are_pair(&self, first: &Thread, second: &Thread) -> bool {
        match self.program.pair {
            Pair::SameGroup => first.group == second.group && first.local != second.local,
            Pair::DifferentGroups => first.group != second.group,
            Pair::Alone | Pair::SameThread => false,
        }
    }

    /// The dimensions in which threads may differ.
    fn moving(&self) -> Vec<usize> {
        let moves = |ids: &[[Option<Variable>; 2]], dimension: usize| {
            ids.get(dimension).is_some_and(|ids| ids.iter().any(Option::is_some))
        };
        let dimensions = self.knobs.local_sizes.len();
        let ids = |dimension| moves(&self.knobs.local_ids, dimension) || moves(&self.knobs.group_ids, dimension);
        (0..dimensions).filter(|&dimension| ids(dimension)).collect()
    }

    fn all_launches(&self) -> Vec<Launch> {
        let moving = self.moving();
        let groups = match self.program.pair {
            Pair::DifferentGroups => patterns(moving.len(), &[2], &[3, 4]),
            Pair::SameGroup | Pair::Alone | Pair::SameThread => patterns(moving.len(), &[1, 2], &[3]),
        };
        let locals = match self.program.pair {
            Pair::DifferentGroups => patterns(moving.len(), &[2, 1], &[4, 3, 8, 64, 256]),
            Pair::SameGroup | Pair::Alone | Pair::SameThread => patterns(moving.len(), &[2], &[4, 3, 8, 16, 64, 256]),
        };
        let mut launches: Vec<Launch> = Vec::new();
        for number in 0..u64::try_from(4 * locals.len() * groups.len()).unwrap_or(0) {
            let (local, group) = diagonal(number);
            let (Some(local), Some(group)) = (locals.get(local), groups.get(group)) else { continue };
            let sizes = |sizes: &[Size], pattern: &[u64]| -> Vec<u64> {
                let mut all: Vec<u64> = vec![1; sizes.len()];
                for (&dimension, &value) in moving.iter().zip(pattern) {
                    all[dimension] = value;
                }
                let known = |(size, open): (&Size, u64)| if let Size::Known(size) = *size { size } else { open };
                sizes.iter().zip(all).map(known).collect()
            };
            let launch = Launch {
                local_sizes: sizes(&self.knobs.local_sizes, local),
                num_groups: sizes(&self.knobs.num_groups, group),
            };
            if !launches.contains(&launch) {
                launches.push(launch);
            }
        }
        launches.truncate(MOST_LAUNCHES);
        launches
    }

    /// The assignments for a launch; each gives a value to every parameter.
    fn assignments(&self, launch: &Launch) -> Vec<Vec<u64>> {
        let count = self.knobs.parameters.len();
        let values = self.telling(launch);
        let few = &values[..values.len().min(FEW)];
        let mut all: Vec<Vec<u64>> = few.iter().take(3).map(|&value| vec![value; count]).collect();
        for turn in 0..3 {
            all.push((0..count).map(|parameter| few[(parameter + turn) % few.len()]).collect());
        }
        all.extend(few.iter().skip(3).map(|&value| vec![value; count]));
        let one_differs = |all: &mut Vec<Vec<u64>>, others: &[u64], values: &[u64]| {
            for (&other, &value) in others.iter().flat_map(|other| values.iter().map(move |value| (other, value))) {
                for parameter in 0..count.min(8) {
                    let mut assignment = vec![other; count];
                    assignment[parameter] = value;
                    all.push(assignment);
                }
            }
        };
        one_differs(&mut all, &few[..few.len().min(3)], few);
        all.extend(values.iter().skip(FEW).map(|&value| vec![value; count]));
        one_differs(&mut all, &few[..few.len().min(2)], &values[few.len()..]);
        for seed in 0..64 {
            let drawn = |parameter: u64| mix(seed, parameter) % u64::try_from(values.len()).unwrap_or(1);
            let pick = |parameter| values[usize::try_from(drawn(parameter)).unwrap_or(0)];
            all.push((0u64..).take(count).map(pick).collect());
        }
        let mut seen = FxHashSet::default();
        all.truncate(MOST_ASSIGNMENTS);
        all.retain(|assignment| seen.insert(assignment.clone()));
        all
    }

    /// The revealing values in this launch, the most revealing first.
    fn telling(&self, launch: &Launch) -> Vec<u64> {
        let global: Vec<u64> =
            launch.local_sizes.iter().zip(&launch.num_groups).map(|(a, b)| a.saturating_mul(*b)).collect();
        let first = global.first().copied().unwrap_or(1);
        // A value that does not fit reveals nothing.
        let all = global.iter().fold(1, |all: u64, &size| all.saturating_mul(size));
        // A loop that strides by the size of the launch runs a few iterations.
        let mut values = vec![first, 1, 2, first + 1, 8 * first, all, 3, 0, 2 * first];
        values.extend(global.iter().skip(1));
        values.extend([4, 8]);
        values.extend(&launch.local_sizes);
        values.extend(&self.constants);
        values.extend([5, 16, 7, 64, 17, 100, 1000]);
        let mut distinct: Vec<u64> = Vec::new();
        for value in values {
            if !distinct.contains(&value) {
                distinct.push(value);
            }
        }
        distinct
    }

    /// The threads to execute, the corners first.
    fn threads(&self, launch: &Launch) -> Vec<Thread> {
        let mut groups = places(&launch.num_groups, MOST_GROUPS);
        if self.program.pair != Pair::DifferentGroups {
            groups.truncate(1);
        }
        let of_local = |local: Vec<u64>| -> Vec<Thread> {
            groups.iter().map(|group| Thread { local: local.clone(), group: group.clone() }).collect()
        };
        places(&launch.local_sizes, MOST_IDS).into_iter().flat_map(of_local).collect()
    }

    /// The threads of the launch that inputs describe.
    pub fn threads_of(&self, inputs: &Inputs) -> Vec<Thread> {
        self.threads(&self.launch_of(inputs))
    }

    fn launch_of(&self, inputs: &Inputs) -> Launch {
        let values = |sizes: &[Size]| sizes.iter().map(|size| size.value(inputs)).collect();
        Launch { local_sizes: values(&self.knobs.local_sizes), num_groups: values(&self.knobs.num_groups) }
    }

    /// The partner of each thread: each thread is first in one pair and second in another.
    ///
    /// There is more than one thread.
    pub fn partner(&self, threads: &[Thread], thread: usize) -> usize {
        let groups = threads.iter().take_while(|other| other.local == threads[0].local).count().max(1);
        match self.program.pair {
            Pair::DifferentGroups => thread / groups * groups + (thread + 1) % groups,
            Pair::SameGroup | Pair::Alone | Pair::SameThread => (thread + 1) % threads.len(),
        }
    }
}

/// The number of values of each parameter that are combined with values of the others.
const FEW: usize = 9;

/// Sizes per dimension: all the same, or one dimension larger than the others.
fn patterns(dimensions: usize, small: &[u64], large: &[u64]) -> Vec<Vec<u64>> {
    let mut all: Vec<Vec<u64>> = small.iter().map(|&size| vec![size; dimensions]).collect();
    for &size in [2].iter().chain(large) {
        for dimension in 0..dimensions {
            let mut one = vec![1; dimensions];
            one[dimension] = size;
            all.push(one);
        }
        if size < 8 {
            all.push(vec![size; dimensions]);
        }
    }
    all
}

/// Places in a box of this size, the corners first.
///
/// These are all places if no dimension has more than `most`; otherwise those near the borders and
/// in the middle.
fn places(sizes: &[u64], most: u64) -> Vec<Vec<u64>> {
    // Each place comes with the largest rank of its coordinates in their dimensions' orders.
    let mut all: Vec<(usize, Vec<u64>)> = vec![(0, Vec::new())];
    for &size in sizes {
        let last = size.saturating_sub(1);
        let mut ids = vec![0, 1, last];
        if size <= most {
            ids.extend(0..size);
        } else if most > 3 {
            ids.extend([2, size / 2, last.saturating_sub(1)]);
        }
        let mut distinct: Vec<u64> = Vec::new();
        for id in ids {
            if id < size && !distinct.contains(&id) {
                distinct.push(id);
            }
        }
        let mut longer = Vec::new();
        for (order, id) in distinct.into_iter().enumerate() {
            longer.extend(all.iter().map(|(latest, place)| (order.max(*latest), [&place[..], &[id]].concat())));
        }
        all = longer;
    }
    all.sort_by_key(|&(latest, _)| latest);
    all.into_iter().map(|(_, place)| place).collect()
}

/// The constants to which the program compares, and the numbers around them.
fn constants(program: &Program) -> Vec<u64> {
    let expressions = &program.expressions;
    let mut found = std::collections::BTreeSet::new();
    for number in 0..expressions.len() {
        let Ok(number) = u32::try_from(number) else { break };
        let (&Node::Compare(_, a, b) | &Node::Equal(a, b)) = expressions.node(Expression::from_u32(number)) else {
            continue;
        };
        for constant in [a, b].into_iter().filter_map(|side| expressions.as_bits(side)) {
            let constant = constant.to_u64().filter(|_| constant.width() >= 8);
            if let Some(constant) = constant.filter(|&constant| constant <= LARGEST_CONSTANT) {
                found.extend([constant.saturating_sub(1), constant, constant + 1]);
            }
        }
    }
    found.into_iter().filter(|&constant| constant > 4).take(MOST_CONSTANTS).collect()
}

/// The pair of this number, in the order (0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (2, 0), ...
fn diagonal(number: u64) -> (usize, usize) {
    let number = usize::try_from(number).unwrap_or(usize::MAX);
    let (mut sum, mut first) = (0usize, 0usize);
    while first + sum < number {
        first += sum + 1;
        sum += 1;
    }
    let column = number - first;
    (column, sum - column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagonals_come_one_after_the_other() {
        let first: Vec<(usize, usize)> = (0..7).map(diagonal).collect();
        assert_eq!(first, [(0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (2, 0), (0, 3)]);
        let all: FxHashSet<(usize, usize)> = (0..5050).map(diagonal).collect();
        assert_eq!(all.len(), 5050, "none comes twice");
        assert!((0..100).all(|sum| all.contains(&(0, sum)) && all.contains(&(sum, 0))), "and none is left out");
    }

    #[test]
    fn all_places_of_a_small_box_the_corners_first() {
        assert_eq!(places(&[5], MOST_IDS), [[0], [1], [4], [2], [3]]);
        assert_eq!(places(&[2, 2], MOST_IDS), [[0, 0], [1, 0], [0, 1], [1, 1]]);
        assert_eq!(places(&[1, 3], MOST_GROUPS), [[0, 0], [0, 1], [0, 2]]);
        assert_eq!(places(&[3, 2], MOST_GROUPS), [[0, 0], [1, 0], [0, 1], [1, 1], [2, 0], [2, 1]], "in all dimensions");
    }

    #[test]
    fn of_a_large_box_the_borders() {
        assert_eq!(places(&[1000], MOST_IDS), [[0], [1], [999], [2], [500], [998]]);
        assert_eq!(places(&[8], MOST_GROUPS), [[0], [1], [7]]);
    }

    #[test]
    fn each_dimension_is_the_large_one_once() {
        let all = patterns(3, &[2], &[]);
        assert_eq!(all, [[2, 2, 2], [2, 1, 1], [1, 2, 1], [1, 1, 2], [2, 2, 2]]);
    }
}
