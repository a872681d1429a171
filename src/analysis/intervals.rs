//! Which loads read what the array held at the last barrier.
//!
//! Between two barriers that order an array, a race-free thread reads from it either what it wrote itself or
//! what was there at the barrier: a value by another thread would be a race. So where a thread cannot have
//! written the array since the last such barrier, its loads return the contents of that moment, **the same
//! for both threads of a group** (the interval value of DESIGN 2.2). This analysis finds those loads: a forward
//! "may have written since" over the control-flow graph.
//!
//! Not for arrays touched by atomics or asynchronous copies, volatile ones, images, arrays whose races
//! are not checked, nor for threads of different groups, who share no barrier; and local memory has no
//! contents before the first barrier.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::SecondaryMap;
use lockstep_ir::kernel::{Array, ArrayOrigin, BarrierKind, Block, Instruction, Kernel, Operation, Space, SpaceSet};

use super::pointers::PointsTo;
use super::structure::Structure;

/// The arrays whose contents are followed, and the loads that see them.
#[derive(Clone, Debug, Default)]
pub struct Intervals {
    followed: BTreeSet<Array>,
    clean: BTreeMap<Instruction, BTreeSet<Array>>,
}

impl Intervals {
    /// Whether the contents of an array at barriers are worth a variable: some load sees them.
    pub fn follows(&self, array: Array) -> bool {
        self.clean.values().any(|arrays| arrays.contains(&array))
    }

    /// Whether this load from this array returns what it held at the last barrier.
    pub fn clean(&self, instruction: Instruction, array: Array) -> bool {
        self.clean.get(&instruction).is_some_and(|arrays| arrays.contains(&array))
    }
}

/// Whether a barrier with these flags orders accesses to an array.
pub fn orders(kernel: &Kernel, array: Array, spaces: SpaceSet) -> bool {
    let data = &kernel.arrays[array];
    match (data.space, data.origin) {
        (_, ArrayOrigin::Image { .. }) => spaces.image,
        (Space::Local, _) => spaces.local,
        (Space::Global, _) => spaces.global,
        (Space::Private | Space::Constant | Space::Generic, _) => false,
    }
}

/// Finds the loads that read interval values.
pub fn intervals(kernel: &Kernel, structure: &Structure, points_to: &PointsTo) -> Intervals {
    let mut result = Intervals { followed: candidates(kernel, structure, points_to), clean: BTreeMap::new() };
    if result.followed.is_empty() {
        return result;
    }
    let local: BTreeSet<Array> =
        result.followed.iter().copied().filter(|&array| kernel.arrays[array].space == Space::Local).collect();
    let mut dirty_in: SecondaryMap<Block, BTreeSet<Array>> = SecondaryMap::new();
    dirty_in[kernel.entry] = local;
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &structure.order {
            let mut dirty = dirty_in[block].clone();
            for &instruction in &kernel.blocks[block].instructions {
                step(kernel, points_to, &result.followed, instruction, &mut dirty);
            }
            for target in kernel.blocks[block].terminator.targets() {
                let before = dirty_in[target.block].len();
                dirty_in[target.block].extend(&dirty);
                changed |= dirty_in[target.block].len() != before;
            }
        }
    }
    for &block in &structure.order {
        let mut dirty = dirty_in[block].clone();
        for &instruction in &kernel.blocks[block].instructions {
            if let Operation::Load(access) = &kernel.instructions[instruction].operation
                && !access.volatile
            {
                let targets = &points_to[access.pointer].arrays;
                let clean = targets.iter().copied().filter(|a| result.followed.contains(a) && !dirty.contains(a));
                result.clean.insert(instruction, clean.collect());
            }
            step(kernel, points_to, &result.followed, instruction, &mut dirty);
        }
    }
    result
}

/// Written shared arrays of which every access is a plain one.
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
            let mut exclude = |pointer| followed.retain(|array| !points_to[pointer].arrays.contains(array));
            match &kernel.instructions[instruction].operation {
                Operation::Atomic { access, .. } => exclude(access.pointer),
                Operation::AsyncCopy { to, from, .. } => {
                    exclude(to.pointer);
                    exclude(from.pointer);
                }
                Operation::Load(access) | Operation::Store(access, _) if access.volatile => exclude(access.pointer),
                _ => {}
            }
        }
    }
    followed
}

fn step(
    kernel: &Kernel,
    points_to: &PointsTo,
    followed: &BTreeSet<Array>,
    instruction: Instruction,
    dirty: &mut BTreeSet<Array>,
) {
    match &kernel.instructions[instruction].operation {
        Operation::Store(to, _) | Operation::MemoryCopy { to, .. } | Operation::MemorySet { to, .. } => {
            dirty.extend(points_to[to.pointer].arrays.intersection(followed));
        }
        Operation::Barrier { kind: BarrierKind::Group | BarrierKind::Grid, spaces } => {
            dirty.retain(|&array| !orders(kernel, array, *spaces));
        }
        _ => {}
    }
}
