//! Precision levels for shared arrays that are written: DESIGN 2.2's ladder for shared state.
//!
//! Between two barriers that order an array, a race-free thread reads from it either its own writes
//! or the contents at the barrier. Reading a value by another thread would be a race.
//!
//! * **Interval value.** If a thread cannot have written the array since the last such barrier, its
//!   loads return the contents at that barrier. The contents are *the same for both threads of a
//!   group*. These loads are **clean**. They are found by a forward "may have written since" over
//!   the control-flow graph, which does not bypass a loop that is surely entered.
//! * **Own writes.** Where a load that is not clean is needed ([`super::need`]), each thread has
//!   its own copy of the array. The copy holds the array's contents at the barrier, and the
//!   thread's writes since then. It lacks other threads' writes since then, and need not have them:
//!   reading one is a race.
//! * **Adversarial**: everything else, including arrays touched by atomics or asynchronous copies,
//!   volatile ones, images, and arrays whose races are not checked.
//!
//! Threads of different groups share no barrier. They have own copies only, which hold anything
//! after a barrier. Local memory has unknown contents before the first barrier, not even the same
//! for both threads.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;
use lockstep_invariants::Word;
use lockstep_ir::kernel::{
    Array, ArrayOrigin, BarrierKind, Block, Instruction, Kernel, Operation, Space, SpaceSet, Terminator,
};
use lockstep_ir::sequential::Pair;
use lockstep_options::techniques::{Technique, Techniques};

use super::accesses::for_each_access;
use super::need::needed;
use super::pointers::PointsTo;
use super::structure::Structure;
use super::word_facts::Words;

/// The arrays whose contents are followed, and the loads that see them.
#[derive(Clone, Debug, Default)]
pub struct Intervals {
    followed: BTreeSet<Array>,
    read_back: BTreeSet<Array>,
    clean: BTreeMap<Instruction, BTreeSet<Array>>,
    /// Whether acquisitions show a thread the writes of others.
    signals: bool,
}

impl Intervals {
    /// Leaves out the levels of techniques that are not in use. An array in neither set is
    /// adversarial.
    pub fn with(mut self, techniques: Techniques) -> Self {
        if !techniques.has(Technique::OwnWrites) {
            self.read_back.clear();
        }
        if !techniques.has(Technique::IntervalValues) {
            self.clean.clear();
        }
        self
    }

    /// Whether the contents of an array at barriers need a variable, because some load sees them or
    /// a copy starts with them.
    pub fn follows(&self, array: Array) -> bool {
        self.reads_back(array) || self.clean.values().any(|arrays| arrays.contains(&array))
    }

    /// Whether each thread has its own copy of the array.
    pub fn reads_back(&self, array: Array) -> bool {
        self.read_back.contains(&array)
    }

    /// Whether this load returns the contents of this array at the last barrier.
    pub fn clean(&self, instruction: Instruction, array: Array) -> bool {
        self.clean.get(&instruction).is_some_and(|arrays| arrays.contains(&array))
    }
}

/// Whether a barrier with these flags orders accesses to an array.
pub fn orders(kernel: &Kernel, array: Array, spaces: SpaceSet) -> bool {
    let data = &kernel.arrays[array];
    match (data.space, data.origin) {
        (_, ArrayOrigin::Image { .. }) => spaces.image,
        (Space::Local, ArrayOrigin::Library) => spaces.local || spaces.library,
        (Space::Local, _) => spaces.local,
        (Space::Global, _) => spaces.global,
        (Space::Private | Space::Constant | Space::Generic, _) => false,
    }
}

/// Chooses the level of each array for a pair of threads. `checked` says whether races on an array
/// are checked.
pub fn intervals(
    kernel: &Kernel,
    structure: &Structure,
    points_to: &PointsTo,
    pair: Pair,
    checked: &dyn Fn(Array) -> bool,
    signals: bool,
) -> Intervals {
    let mut result = Intervals { followed: candidates(kernel, structure, points_to), signals, ..Intervals::default() };
    result.followed.retain(|&array| checked(array));
    if result.followed.is_empty() {
        return result;
    }
    if pair == Pair::SameGroup {
        find_clean(kernel, structure, points_to, &mut result);
    }
    let needed = needed(kernel, structure, points_to);
    for &block in &structure.order {
        for &instruction in &kernel.blocks[block].instructions {
            let data = &kernel.instructions[instruction];
            if let (Operation::Load(access), Some(value)) = (&data.operation, data.result)
                && needed.value(value)
            {
                let targets = points_to[access.pointer].arrays.iter().copied();
                let dirty = targets.filter(|&a| result.followed.contains(&a) && !result.clean(instruction, a));
                result.read_back.extend(dirty.collect::<Vec<_>>());
            }
        }
    }
    result
}

/// Finds the clean loads.
fn find_clean(kernel: &Kernel, structure: &Structure, points_to: &PointsTo, result: &mut Intervals) {
    let local: BTreeSet<Array> =
        result.followed.iter().copied().filter(|&array| kernel.arrays[array].space == Space::Local).collect();
    let first_ways = first_ways(kernel, structure);
    let mut dirty_in: SecondaryMap<Block, Dirty> = SecondaryMap::new();
    dirty_in[kernel.entry].at_first = local;
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &structure.order {
            let through = |mut dirty: BTreeSet<Array>| {
                for &instruction in &kernel.blocks[block].instructions {
                    step(kernel, points_to, result, instruction, &mut dirty);
                }
                dirty
            };
            let Dirty { at_first, again } = dirty_in[block].clone();
            let (at_first, again) = (through(at_first), through(again));
            for target in kernel.blocks[block].terminator.targets() {
                let taken_at_first = first_ways[block].is_none_or(|first| first == target.block);
                let before = &mut dirty_in[target.block];
                let before =
                    if leads_back(structure, block, target.block) { &mut before.again } else { &mut before.at_first };
                let count = before.len();
                before.extend(&again);
                before.extend(at_first.iter().filter(|_| taken_at_first));
                changed |= before.len() != count;
            }
        }
    }
    for &block in &structure.order {
        let mut dirty: BTreeSet<Array> = dirty_in[block].at_first.union(&dirty_in[block].again).copied().collect();
        for &instruction in &kernel.blocks[block].instructions {
            if let Operation::Load(access) = &kernel.instructions[instruction].operation
                && !access.volatile
            {
                let targets = &points_to[access.pointer].arrays;
                let clean = targets.iter().copied().filter(|a| result.followed.contains(a) && !dirty.contains(a));
                result.clean.insert(instruction, clean.collect());
            }
            step(kernel, points_to, result, instruction, &mut dirty);
        }
    }
}

/// The arrays that may have been written since the last barrier when a block begins.
#[derive(Clone, Debug, Default)]
struct Dirty {
    /// The arrays when a loop header is entered from outside its loop; for other blocks, on any
    /// entry.
    at_first: BTreeSet<Array>,
    /// The arrays when a loop header is entered after an iteration.
    again: BTreeSet<Array>,
}

/// Whether an edge leads back to the header of a loop.
fn leads_back(structure: &Structure, from: Block, to: Block) -> bool {
    let of = structure.loops.iter().position(|shape| shape.header == to);
    of.is_some_and(|index| structure.contains(index, structure.loop_of[from]))
}

/// The block that a loop header surely continues with when it is entered from outside the loop.
/// `for (i = 0; i < 8; i++)` enters its body at first.
fn first_ways(kernel: &Kernel, structure: &Structure) -> SecondaryMap<Block, Option<Block>> {
    let mut ways = SecondaryMap::new();
    for shape in &structure.loops {
        let header = shape.header;
        let Terminator::Branch { condition, then, otherwise } = &kernel.blocks[header].terminator else { continue };
        let from = structure.predecessors[header].iter().filter(|&&from| !leads_back(structure, from, header));
        let jumps = from.flat_map(|&from| kernel.blocks[from].terminator.targets());
        let jumps: Vec<_> = jumps.filter(|target| target.block == header).collect();
        let mut words = Words::new(kernel, |_| None);
        for (index, &parameter) in kernel.blocks[header].parameters.iter().enumerate() {
            let passed: Option<Vec<Word>> = jumps.iter().map(|jump| words.of(jump.arguments[index])).collect();
            let any = passed.and_then(|passed| passed.into_iter().reduce(|a, b| a.or(&b)));
            words.learn(parameter, any);
        }
        ways[header] = words.condition(*condition).map(|holds| if holds { then.block } else { otherwise.block });
    }
    ways
}

/// Written shared arrays with plain accesses only.
fn candidates(kernel: &Kernel, structure: &Structure, points_to: &PointsTo) -> BTreeSet<Array> {
    let shared = |array: &Array| {
        let data = &kernel.arrays[*array];
        matches!(data.space, Space::Local | Space::Global)
            && !data.volatile
            && !matches!(data.origin, ArrayOrigin::Image { .. })
    };
    let mut followed: BTreeSet<Array> = kernel.arrays.keys().filter(shared).collect();
    for &block in &structure.order {
        for &instruction in &kernel.blocks[block].instructions {
            let data = &kernel.instructions[instruction];
            for_each_access(kernel, &data.operation, data.result, |access| {
                if access.atomic || access.asynchronous || access.volatile {
                    followed.retain(|array| !points_to[access.pointer].arrays.contains(array));
                }
            });
        }
    }
    followed
}

fn step(
    kernel: &Kernel,
    points_to: &PointsTo,
    Intervals { followed, signals, .. }: &Intervals,
    instruction: Instruction,
    dirty: &mut BTreeSet<Array>,
) {
    let data = &kernel.instructions[instruction];
    for_each_access(kernel, &data.operation, data.result, |access| {
        if access.writes {
            dirty.extend(points_to[access.pointer].arrays.intersection(followed));
        }
    });
    // A warp barrier shows a thread the writes of others in its warp, unlike the rest of the group;
    // a named barrier or a phase object those of some others of the group.
    if let Operation::Phase { .. } = &data.operation {
        dirty.extend(followed.iter().copied().filter(|&array| orders(kernel, array, SpaceSet::ALL)));
    }
    if let Operation::Barrier {
        kind: BarrierKind::Warp { .. } | BarrierKind::Named { .. } | BarrierKind::Arrive { .. },
        spaces,
        ..
    } = &data.operation
    {
        dirty.extend(followed.iter().copied().filter(|&array| orders(kernel, array, *spaces)));
    }
    let may_acquire = match &data.operation {
        Operation::Fence { ordering, .. } | Operation::Atomic { ordering, .. } => ordering.acquires(),
        _ => false,
    };
    if *signals && may_acquire {
        dirty.extend(followed);
    }
    // With flags that the kernel computes, a barrier may order nothing.
    if let Operation::Barrier { kind: BarrierKind::Group | BarrierKind::Grid, spaces, flags: None } = &data.operation {
        dirty.retain(|&array| !orders(kernel, array, *spaces));
    }
}
