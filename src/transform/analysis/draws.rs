//! Execution counts of an operation in a launch: the number of threads, and the executions by each.
//!
//! The trip count of a loop is known where its header, or the block of its only back edge, compares
//! a number with a constant. The number must begin at a constant and change by a constant. Other
//! exits only make the trip count smaller, so the result is an upper bound.
//!
//! The trip count is found without iterating. A comparison of an `x` of w bits with a constant
//! splits the circle of all 2^w numbers into two intervals. It holds in one of them and fails in
//! the other. In iteration k, x is a + k s. The least k for which x lies in an interval is found as
//! Euclid's algorithm finds a common divisor ([`first_within`]).

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, Block, CompareOp, Definition, Kernel, Operation, Space, Terminator, Value};
use lockstep_options::launch::{Launch, known_product};
use num_bigint::BigUint;

use super::structure::{LoopIndex, Structure};

/// The most iterations that are tried where both compared numbers change. A loop with more counts
/// as one of unknown trip count.
const MOST_ITERATIONS: u64 = 1 << 10;

/// The number of times something happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The upper bound; unknown if a loop around is of unknown trip count.
    pub most: Option<BigUint>,
    /// The count if all threads come to it, once in each loop of unknown trip count.
    pub usual: BigUint,
}

impl Count {
    /// The count of an operation that never happens.
    pub fn none() -> Self {
        Self { most: Some(BigUint::ZERO), usual: BigUint::ZERO }
    }

    /// The sum of both counts.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let most = self.most.zip(other.most).map(|(one, other)| one + other);
        Self { most, usual: self.usual + other.usual }
    }

    /// The count if each of those threads does this.
    #[must_use]
    pub fn by(self, threads: Threads) -> Self {
        Self { most: self.most.map(|most| most * threads.most), usual: self.usual * threads.usual }
    }
}

/// The number of threads that may meet at a place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// The upper bound.
    pub most: u64,
    /// The number in a launch of the least size. A group of open size counts as one of the largest
    /// size there: users who leave sizes open do not ask about single threads.
    pub usual: u64,
}

impl Threads {
    /// The threads that share this memory.
    pub fn sharing(space: Space, launch: &Launch) -> Self {
        let group = known_product(&launch.local_size);
        let largest = group.unwrap_or(launch.max_group_size.into());
        if space == Space::Local {
            return Self { most: largest, usual: largest };
        }
        let groups = known_product(&launch.num_groups);
        let all = group.zip(groups).map(|(group, groups)| group.saturating_mul(groups));
        if let Some(all) = all.or_else(|| known_product(&launch.global_size)) {
            return Self { most: all, usual: all };
        }
        let below_limit = launch.max_launch_threads.saturating_sub(1);
        let by_groups = groups.map_or(u64::MAX, |groups| groups.saturating_mul(largest));
        let usual = largest.saturating_mul(groups.unwrap_or(1)).min(below_limit);
        Self { most: below_limit.min(by_groups), usual }
    }
}

/// The number of times a thread executes a block. `once` tells for which loops a single iteration
/// counts ([`Count::usual`]).
pub fn executions(kernel: &Kernel, structure: &Structure, block: Block, once: impl Fn(LoopIndex) -> bool) -> Count {
    let one = || BigUint::from(1u32);
    let mut count = Count { most: Some(one()), usual: one() };
    for around in structure.loops_around(block) {
        let trips = trips(kernel, structure, around).map(|(tested, trips)| {
            // The header is executed once more than the code after its test.
            let is_header = tested == block && tested == structure.loops[around].header;
            BigUint::from(trips) + u32::from(is_header)
        });
        if let Some(trips) = trips.as_ref().filter(|_| !once(around)) {
            count.usual *= trips;
        }
        count.most = count.most.zip(trips).map(|(most, trips)| most * trips);
    }
    count
}

/// Whether a loop contains a block with this property.
pub fn any_block(structure: &Structure, of: LoopIndex, holds: impl Fn(Block) -> bool) -> bool {
    structure.order.iter().any(|&block| structure.contains(of, structure.loop_of[block]) && holds(block))
}

/// The greatest number of executions of a loop's body, and the block of the test. The body is the
/// code after the test in the header, or the code before the test at the end.
fn trips(kernel: &Kernel, structure: &Structure, of: LoopIndex) -> Option<(Block, u64)> {
    let header = structure.loops[of].header;
    let back: Vec<Block> =
        structure.predecessors[header].iter().copied().filter(|&from| structure.is_back_edge(from, header)).collect();
    let latch = match back.as_slice() {
        [latch] => Some(*latch),
        _ => None,
    };
    [Some(header), latch].into_iter().flatten().find_map(|tested| {
        let Terminator::Branch { condition, then, otherwise } = &kernel.blocks[tested].terminator else { return None };
        let stays = |block: Block| structure.contains(of, structure.loop_of[block]);
        let stay_if = match (stays(then.block), stays(otherwise.block)) {
            (true, false) => true,
            (false, true) => false,
            _ => return None,
        };
        let Some(Operation::Compare(op, a, b)) = kernel.operation(*condition) else { return None };
        let (a, b) = (Number::of(kernel, structure, of, *a)?, Number::of(kernel, structure, of, *b)?);
        let iteration = first_iteration(*op, &a, &b, !stay_if)?;
        // A test at the end comes after a complete iteration.
        Some((tested, if tested == header { iteration } else { iteration.checked_add(1)? }))
    })
}

/// The first iteration in which a comparison has this outcome.
fn first_iteration(op: CompareOp, a: &Number, b: &Number, outcome: bool) -> Option<u64> {
    let width = a.start.width();
    let of_interval = match (a.step.is_zero(), b.step.is_zero()) {
        _ if width > 64 => None,
        (_, true) => Some((a, Interval::left(op, &b.start))),
        (true, false) => Some((b, Interval::right(op, &a.start))),
        (false, false) => None,
    };
    let Some((number, holds)) = of_interval else {
        return (0..=MOST_ITERATIONS).find(|&iteration| op.fold(&a.at(iteration), &b.at(iteration)) == outcome);
    };
    let within = if outcome { holds } else { holds.complement(width) };
    let [start, step] = [&number.start, &number.step].map(|bits| bits.to_u64().map(u128::from));
    let first = first_within(start?, step?, 1 << width, within)?;
    u64::try_from(first).ok()
}

/// Consecutive numbers of one width, where the least one follows the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Interval {
    /// The first number.
    first: u128,
    /// The count of numbers.
    count: u128,
}

impl Interval {
    /// The `x` for which `x op constant` holds.
    fn left(op: CompareOp, constant: &Bits) -> Self {
        let (least, below) = Self::order(op, constant);
        match op {
            CompareOp::Equal => Self { first: below, count: 1 },
            CompareOp::NotEqual => Self { first: below, count: 1 }.complement(constant.width()),
            CompareOp::UnsignedLess | CompareOp::SignedLess => Self { first: least, count: below },
            CompareOp::UnsignedLessEqual | CompareOp::SignedLessEqual => Self { first: least, count: below + 1 },
        }
    }

    /// The `x` for which `constant op x` holds: those for which `x < constant` or `x <= constant`
    /// does not hold.
    fn right(op: CompareOp, constant: &Bits) -> Self {
        let opposite = match op {
            CompareOp::Equal | CompareOp::NotEqual => return Self::left(op, constant),
            CompareOp::UnsignedLess => CompareOp::UnsignedLessEqual,
            CompareOp::UnsignedLessEqual => CompareOp::UnsignedLess,
            CompareOp::SignedLess => CompareOp::SignedLessEqual,
            CompareOp::SignedLessEqual => CompareOp::SignedLess,
        };
        Self::left(opposite, constant).complement(constant.width())
    }

    /// The least number in the order of a comparison, and the count of numbers less than the
    /// constant.
    fn order(op: CompareOp, constant: &Bits) -> (u128, u128) {
        let least = match op {
            CompareOp::SignedLess | CompareOp::SignedLessEqual => 1 << (constant.width() - 1),
            _ => 0,
        };
        let all = 1_u128 << constant.width();
        let number = u128::from(constant.to_u64().expect("at most 64 bits"));
        (least, (number + all - least) % all)
    }

    fn complement(self, width: u32) -> Self {
        let all = 1 << width;
        Self { first: (self.first + self.count) % all, count: all - self.count }
    }
}

/// The least `k` for which `start + k step` lies in the interval, modulo `all`, which is at most
/// 2^64.
fn first_within(start: u128, step: u128, all: u128, interval: Interval) -> Option<u128> {
    let (first, count) = (interval.first, interval.count);
    let distance = (start + all - first) % all;
    if distance < count {
        return Some(0);
    }
    // The interval begins at this distance and does not contain the start, so it ends before it
    // wraps around to the start.
    (count > 0).then(|| first_multiple(step % all, all, all - distance, all - distance + count - 1))?
}

/// The least `k` with `low <= k step mod all <= high`, given `0 < low <= high < all` and `step <
/// all`.
///
/// If a multiple of the step lies in between, the first one does. Otherwise k steps wrap around j
/// times: `low + j all <= k step <= high + j all`. There is such a k if and only if `j all` is,
/// modulo `step`, between `-high` and `-low` (none of which is 0, as no multiple lies in between).
/// A smaller j means a smaller k. So j is found in the same way, for numbers that shrink as in
/// Euclid's algorithm.
fn first_multiple(step: u128, all: u128, low: u128, high: u128) -> Option<u128> {
    if step == 0 {
        return None;
    }
    let k = low.div_ceil(step);
    if k * step <= high {
        return Some(k);
    }
    let negated = |number: u128| (step - number % step) % step;
    let j = first_multiple(all % step, step, negated(high), negated(low))?;
    Some((low + j * all).div_ceil(step))
}

/// A number that begins at a constant and changes by a constant in each iteration.
struct Number {
    start: Bits,
    step: Bits,
}

impl Number {
    fn of(kernel: &Kernel, structure: &Structure, of: LoopIndex, value: Value) -> Option<Self> {
        if let Some(constant) = kernel.constant(value) {
            return Some(Self { start: constant.clone(), step: Bits::zero(constant.width()) });
        }
        if let Some((base, step)) = moved(kernel, value) {
            let base = Self::carried(kernel, structure, of, base)?;
            return Some(Self { start: base.start.add(&step), ..base });
        }
        Self::carried(kernel, structure, of, value)
    }

    /// The number that a parameter of the loop's header is.
    fn carried(kernel: &Kernel, structure: &Structure, of: LoopIndex, value: Value) -> Option<Self> {
        let header = structure.loops[of].header;
        let Definition::Parameter(block, index) = kernel.values[value].definition else { return None };
        if block != header {
            return None;
        }
        let index = usize::try_from(index).ok()?;
        let (mut start, mut step): (Option<Bits>, Option<Bits>) = (None, None);
        for &from in &structure.predecessors[header] {
            let targets = kernel.blocks[from].terminator.targets().filter(|target| target.block == header);
            for argument in targets.map(|target| target.arguments[index]) {
                let (known, now) = if structure.is_back_edge(from, header) {
                    let (base, by) = moved(kernel, argument).filter(|(base, _)| *base == value)?;
                    debug_assert_eq!(base, value, "it is what is carried");
                    (&mut step, by)
                } else {
                    (&mut start, kernel.constant(argument)?.clone())
                };
                if known.get_or_insert_with(|| now.clone()) != &now {
                    return None;
                }
            }
        }
        Some(Self { start: start?, step: step? })
    }

    fn at(&self, iteration: u64) -> Bits {
        self.start.add(&self.step.mul(&Bits::new(self.step.width(), iteration)))
    }
}

/// The value and the constant whose sum a value is.
fn moved(kernel: &Kernel, value: Value) -> Option<(Value, Bits)> {
    match kernel.operation(value)? {
        Operation::Binary(BinaryOp::Add, _, a, b) => match (kernel.constant(*a), kernel.constant(*b)) {
            (None, Some(by)) => Some((*a, by.clone())),
            (Some(by), None) => Some((*b, by.clone())),
            _ => None,
        },
        Operation::Binary(BinaryOp::Subtract, _, a, b) => kernel.constant(*b).map(|by| (*a, by.neg())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_iteration_is_the_one_that_going_round_comes_to() {
        let ops = [
            CompareOp::Equal,
            CompareOp::NotEqual,
            CompareOp::UnsignedLess,
            CompareOp::UnsignedLessEqual,
            CompareOp::SignedLess,
            CompareOp::SignedLessEqual,
        ];
        let number = |start: u32, step: u32| Number { start: Bits::new(5, start), step: Bits::new(5, step) };
        let mut never = 0;
        for (op, outcome) in ops.into_iter().flat_map(|op| [(op, false), (op, true)]) {
            for (start, step, constant) in (0..32)
                .flat_map(|start| (0..32).flat_map(move |step| (0..32).map(move |constant| (start, step, constant))))
            {
                let (moving, fixed) = (number(start, step), number(constant, 0));
                for (a, b) in [(&moving, &fixed), (&fixed, &moving)] {
                    // After 32 iterations, five bits have taken all their values.
                    let tried = (0..32).find(|&iteration| op.fold(&a.at(iteration), &b.at(iteration)) == outcome);
                    never += u32::from(tried.is_none());
                    assert_eq!(first_iteration(op, a, b, outcome), tried, "{start} + k {step} {op:?} {constant}");
                }
            }
        }
        assert!(never > 1000, "{never}");
    }

    #[test]
    fn loops_as_long_as_a_word_allows_are_counted() {
        let number = |start: u64, step: u64| Number { start: Bits::new(64, start), step: Bits::new(64, step) };
        let first = |start, step, op, constant| first_iteration(op, &number(start, step), &number(constant, 0), false);
        assert_eq!(first(0, 1, CompareOp::UnsignedLess, 131_072), Some(131_072));
        assert_eq!(first(0, 1, CompareOp::UnsignedLess, u64::MAX), Some(u64::MAX));
        assert_eq!(first(0, 2, CompareOp::NotEqual, u64::MAX), None);
        // Three is invertible modulo 2^64.
        assert_eq!(first(0, 3, CompareOp::NotEqual, 1), Some(12_297_829_382_473_034_411));
    }
}
