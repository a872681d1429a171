//! The rings of a kernel's barriers, and what small launches tell about them.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::kernel::{Instruction, Kernel, Unsupported};
use lockstep_options::launch::Launch;

use super::order::{self, Traces};
use super::walk::{Obstacle, Step, Walk, Walker, barrier, reaches};
use super::{BARRIERS, Ring, RingIndex, Rounds};

/// The values of integers in the walks.
const SMALL: [u64; 7] = [1, 2, 3, 4, 7, 12, 100];

/// The plan for groups of this size.
pub fn plan(kernel: &Kernel, launch: &Launch, sizes: [u64; 3], warp_size: u32) -> Result<Rounds, Unsupported> {
    let walker = Walker::new(kernel, launch, sizes, warp_size);
    let warps = sizes.iter().product::<u64>().div_ceil(u64::from(warp_size));
    let group_threads = warps * u64::from(warp_size);
    let mut walks = BTreeMap::new();
    for warp in 0..warps {
        for small in SMALL {
            let walk = walker.walk(warp, small).map_err(|obstacle| refusal(kernel, obstacle))?;
            walks.insert((warp, small), walk);
        }
    }
    let (rings, disordered) = rings(kernel, &walks)?;
    let sites = sites(kernel, &walks, &rings);
    let miscounted = miscounted(&rings, warp_size);
    let operations = Rounds::operations(kernel);
    let order = |instruction: Instruction| operations[&instruction];
    let reached = reaches(kernel);
    let reached: Vec<BTreeSet<usize>> = operations
        .keys()
        .map(|instruction| reached.get(instruction).into_iter().flatten().map(|&other| order(other)).collect())
        .collect();
    let traces = Traces::new(&walks, &rings, &order);
    let roles = roles(&walks, warps);
    let mut rounds = Rounds { rings, sites, miscounted, disordered, roles, group_threads, ..Rounds::default() };
    order::settle(&mut rounds, &traces, &reached);
    Ok(rounds)
}

fn refusal(kernel: &Kernel, obstacle: Obstacle) -> Unsupported {
    let (construct, at) = match obstacle {
        Obstacle::Guard(at) => ("barrier behind a condition that depends on more than the thread's warp", at),
        Obstacle::Operands(at) => ("barrier whose number or count is loaded", Some(at)),
    };
    Unsupported { construct: construct.to_owned(), location: at.and_then(|at| kernel.instructions[at].location) }
}

type Walks = BTreeMap<(u64, u64), Walk>;

/// The rings, where numbers that a warp uses at one place belong together, and those of them that
/// are not used in turn.
fn rings(kernel: &Kernel, walks: &Walks) -> Result<(Vec<Ring>, BTreeSet<RingIndex>), Unsupported> {
    let mut together: BTreeMap<(u64, Instruction), BTreeSet<u64>> = BTreeMap::new();
    for ((warp, _), walk) in walks {
        for step in &walk.steps {
            if let Some(number) = step.number {
                together.entry((*warp, step.at)).or_default().insert(number);
            }
        }
    }
    // Small launches need not come to it.
    let is_of_group = |operation| barrier(operation).is_some_and(|(number, ..)| number.is_none());
    let has_group = kernel.instructions.values().any(|data| is_of_group(&data.operation));
    let mut sets: Vec<BTreeSet<u64>> = Vec::new();
    for numbers in together.values() {
        let (touching, mut rest): (Vec<_>, Vec<_>) = sets.into_iter().partition(|set| !set.is_disjoint(numbers));
        rest.push(touching.into_iter().flatten().chain(numbers.iter().copied()).collect());
        sets = rest;
    }
    sets.sort();
    let refused = |construct: String| {
        let first = together.keys().next().map(|(_, at)| *at);
        Unsupported { construct, location: first.and_then(|at| kernel.instructions[at].location) }
    };
    let (mut rings, mut disordered) = (Vec::new(), BTreeSet::new());
    for numbers in sets {
        let (Some(&first), Some(&last)) = (numbers.first(), numbers.last()) else { continue };
        let size = u64::try_from(numbers.len()).unwrap_or(u64::MAX);
        if last >= BARRIERS {
            return Err(refused(format!("named barrier {last}, of which there are {BARRIERS}")));
        }
        if last - first + 1 != size {
            return Err(refused("named barriers whose numbers are not used in turn".to_owned()));
        }
        if first == 0 && has_group {
            return Err(refused("barrier 0 by its number, beside a barrier of the whole group".to_owned()));
        }
        let (ring, is_in_turn) = ring(walks, first, size);
        if !is_in_turn {
            disordered.insert(rings.len());
        }
        rings.extend(ring);
    }
    if has_group {
        let warps: BTreeSet<u64> = walks.keys().map(|(warp, _)| *warp).collect();
        let (waiting, arriving) = (warps.clone(), BTreeSet::new());
        rings.push(Ring { first: None, size: 1, start: 0, threads: 0, warps, all_wait: true, waiting, arriving });
    }
    Ok((rings, disordered))
}

/// The ring of these numbers, and whether the warps use them in turn.
fn ring(walks: &Walks, first: u64, size: u64) -> (Option<Ring>, bool) {
    let mut ring: Option<Ring> = None;
    let (mut is_in_turn, mut waits, mut arrives) = (true, BTreeSet::new(), BTreeSet::new());
    for ((warp, _), walk) in walks {
        let is_here = |step: &&Step| step.number.is_some_and(|number| (first..first + size).contains(&number));
        for (position, step) in walk.steps.iter().filter(is_here).enumerate() {
            let number = step.number.unwrap_or(first) - first;
            let ring = ring.get_or_insert_with(|| Ring {
                first: Some(first),
                size,
                start: number,
                threads: step.threads,
                warps: BTreeSet::new(),
                all_wait: true,
                waiting: BTreeSet::new(),
                arriving: BTreeSet::new(),
            });
            ring.warps.insert(*warp);
            ring.all_wait &= step.waits;
            if step.waits { &mut waits } else { &mut arrives }.insert(*warp);
            let position = u64::try_from(position).expect("walks are short");
            is_in_turn &= number == (ring.start + position) % size;
        }
    }
    if let Some(ring) = &mut ring {
        ring.waiting = waits.difference(&arrives).copied().collect();
        ring.arriving = arrives.difference(&waits).copied().collect();
    }
    (ring, is_in_turn)
}

/// The rings of each operation, and the warps.
fn sites(kernel: &Kernel, walks: &Walks, rings: &[Ring]) -> Vec<BTreeMap<RingIndex, BTreeSet<u64>>> {
    let mut found: BTreeMap<Instruction, BTreeMap<RingIndex, BTreeSet<u64>>> = BTreeMap::new();
    for ((warp, _), walk) in walks {
        for step in &walk.steps {
            if let Some(ring) = ring_of(rings, step.number) {
                found.entry(step.at).or_default().entry(ring).or_default().insert(*warp);
            }
        }
    }
    let barriers = kernel.instructions.iter().filter(|(_, data)| barrier(&data.operation).is_some());
    barriers.map(|(instruction, _)| found.remove(&instruction).unwrap_or_default()).collect()
}

/// The ring with a number.
pub fn ring_of(rings: &[Ring], number: Option<u64>) -> Option<RingIndex> {
    rings.iter().position(|ring| match (ring.first, number) {
        (Some(first), Some(number)) => (first..first + ring.size).contains(&number),
        (first, number) => first == number,
    })
}

/// The rings for other numbers of threads than take part.
fn miscounted(rings: &[Ring], warp_size: u32) -> BTreeSet<RingIndex> {
    let is_wrong = |ring: &Ring| {
        let come = u64::try_from(ring.warps.len()).unwrap_or(u64::MAX).saturating_mul(u64::from(warp_size));
        ring.first.is_some() && ring.threads != come
    };
    rings.iter().enumerate().filter(|(_, ring)| is_wrong(ring)).map(|(index, _)| index).collect()
}

/// The warps whose walks are equal.
fn roles(walks: &Walks, warps: u64) -> Vec<BTreeSet<u64>> {
    let mut roles: BTreeMap<Vec<&[Step]>, BTreeSet<u64>> = BTreeMap::new();
    for warp in 0..warps {
        let walks = SMALL.iter().filter_map(|&small| walks.get(&(warp, small)));
        roles.entry(walks.map(|walk| walk.steps.as_slice()).collect()).or_default().insert(warp);
    }
    let mut roles: Vec<BTreeSet<u64>> = roles.into_values().collect();
    roles.sort();
    roles
}
