//! How often an operation is executed in a launch: by how many threads, and how often by each.
//!
//! The trip count of a loop is known where its header, or the block of its only back edge, compares a number that begins at a
//! constant and changes by a constant with a constant. Other exits only make it smaller, so the count is an upper bound.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, Block, Definition, Kernel, Operation, Space, Terminator, Value};
use num_bigint::BigUint;

use super::structure::{LoopIndex, Structure};
use crate::launch::{Launch, known_product};

/// Loops of more iterations are taken for ones of unknown count.
const MOST_ITERATIONS: u64 = 1 << 10;

/// How often something happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// At most so often; unknown if a loop around it is one of unknown count.
    pub most: Option<BigUint>,
    /// So often if all threads come to it, once in each loop of unknown count.
    pub usual: BigUint,
}

impl Count {
    /// Never.
    pub fn none() -> Self {
        Self { most: Some(BigUint::ZERO), usual: BigUint::ZERO }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let most = self.most.zip(other.most).map(|(one, other)| one + other);
        Self { most, usual: self.usual + other.usual }
    }

    /// Each of these times by each of those threads.
    #[must_use]
    pub fn by(self, threads: Threads) -> Self {
        Self { most: self.most.map(|most| most * threads.most), usual: self.usual * threads.usual }
    }
}

/// How many threads may meet at a place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// At most so many.
    pub most: u64,
    /// So many in a launch of the least size. A group whose size is left open counts as one of the largest size there: who leaves sizes
    /// open does not ask about single threads.
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

/// How often a thread executes what stands in a block; `once` says of which loops one iteration is enough for what is
/// asked ([`Count::usual`]).
pub fn executions(kernel: &Kernel, structure: &Structure, block: Block, once: impl Fn(LoopIndex) -> bool) -> Count {
    let one = || BigUint::from(1u32);
    let mut count = Count { most: Some(one()), usual: one() };
    for around in structure.loops_around(block) {
        let trips = trips(kernel, structure, around).map(|(tested, trips)| {
            // The header is executed once more than what comes behind its test.
            if tested == block && tested == structure.loops[around].header { trips + 1 } else { trips }
        });
        count.most = count.most.zip(trips).map(|(most, trips)| most * trips);
        if let Some(trips) = trips.filter(|_| !once(around)) {
            count.usual *= trips;
        }
    }
    count
}

/// Whether a loop contains a block for which this holds.
pub fn any_block(structure: &Structure, of: LoopIndex, holds: impl Fn(Block) -> bool) -> bool {
    structure.order.iter().any(|&block| structure.contains(of, structure.loop_of[block]) && holds(block))
}

/// How often a loop's body is executed at most: what comes behind the test in its header, or what comes before the one at its end. And the
/// block of that test.
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
        let mut iteration = 0;
        while op.fold(&a.at(iteration), &b.at(iteration)) == stay_if {
            iteration += 1;
            if iteration > MOST_ITERATIONS {
                return None;
            }
        }
        // A test at the end comes behind an iteration that is complete.
        Some((tested, if tested == header { iteration } else { iteration + 1 }))
    })
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

    /// Of a parameter of the loop's header.
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

/// A value that is another one plus a constant.
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
