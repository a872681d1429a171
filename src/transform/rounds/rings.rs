//! The rings of a kernel's barriers, and what small launches tell about them.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::kernel::{
    Array, Instruction, InstructionData, Kernel, MOST_ARRIVALS, PHASE_OBJECT_BYTES, Unsupported,
};
use lockstep_options::launch::Launch;

use super::number::MOST_RINGS;
use super::operation::{Synchronisation, before_traps, initialisations, operations, reaches};
use super::order::{self, Traces};
use super::units::{self, Lanes, Unit, Units};
use super::walk::{Act, Barrier, Obstacle, Step, Walk, Walker};
use super::{BARRIERS, Barriers, Maker, Objects, Ring, RingIndex, Rounds, has_objects};

/// The values of integers in the walks.
const SMALL: [u64; 7] = [1, 2, 3, 4, 7, 12, 100];

/// The walks of each unit, by the value of integers.
pub type Walks = BTreeMap<(Unit, u64), Walk>;

/// The plan for groups of this size.
pub fn plan(kernel: &Kernel, launch: &Launch, sizes: [u64; 3], warp_size: u32) -> Result<Rounds, Unsupported> {
    let walker = Walker::new(kernel, launch, sizes, warp_size);
    let warp_size = u64::from(warp_size);
    let warps = sizes.iter().product::<u64>().div_ceil(warp_size);
    let mut walks = BTreeMap::new();
    for warp in 0..warps {
        walks.extend(walks_of_warp(kernel, &walker, warp, warp_size)?);
    }
    let made = all_made(kernel, &walker, warps * warp_size)?;
    let Rings { rings, disordered } = rings(kernel, &walks, &made)?;
    if rings.len() > MOST_RINGS {
        let construct = format!("more than {MOST_RINGS} barriers that are not used in turn");
        return Err(Unsupported { construct, location: kernel.location });
    }
    let sites = sites(kernel, &walks, &rings, warp_size);
    let initialised = initialised(kernel, &made, &rings);
    let miscounted = miscounted(&rings, warp_size);
    let operations = operations(kernel, warp_size);
    let places: Vec<Instruction> = operations.keys().copied().collect();
    let order = |instruction: Instruction| places.binary_search(&instruction).expect("walks are of its operations");
    let reached = reaches(kernel, warp_size);
    let reached: Vec<BTreeSet<usize>> = places
        .iter()
        .map(|instruction| reached.get(instruction).into_iter().flatten().map(|&other| order(other)).collect())
        .collect();
    let before_traps = before_traps(kernel, warp_size).into_iter().map(order).collect();
    let traces = Traces::new(&walks, &rings, &order);
    let mut rounds = Rounds {
        rings,
        sites,
        initialised,
        before_traps,
        miscounted,
        disordered,
        roles: roles(&walks),
        operations: operations.values().copied().collect(),
        group_threads: warps * warp_size,
        warp_size,
        ..Rounds::default()
    };
    order::settle(&mut rounds, &traces, &reached);
    Ok(rounds)
}

/// The walks of a warp: of its first lane, and of the others if there are phase objects, at which
/// each lane arrives for itself.
fn walks_of_warp(kernel: &Kernel, walker: &Walker<'_>, warp: u64, warp_size: u64) -> Result<Walks, Unsupported> {
    let walk = |lane: u64, small: u64| {
        walker.walk(warp * warp_size + lane, small).map_err(|obstacle| refusal(kernel, obstacle))
    };
    let of_lane = |lane: u64| SMALL.iter().map(|&small| walk(lane, small)).collect::<Result<Vec<Walk>, _>>();
    let of_unit = |lanes: Lanes, walks: Vec<Walk>| {
        let unit = Unit { warp, lanes };
        SMALL.iter().zip(walks).map(move |(&small, walk)| ((unit, small), walk))
    };
    // Who initialises the objects is looked for apart.
    let without = |mut walks: Vec<Walk>| -> Vec<Walk> {
        for walk in &mut walks {
            walk.steps.retain(|step| step.act != Act::Initialise);
        }
        walks
    };
    let of_lane = |lane: u64| of_lane(lane).map(without);
    let first = of_lane(0)?;
    if !has_objects(kernel) || warp_size < 2 {
        return Ok(of_unit(Lanes::All, first).collect());
    }
    let others = of_lane(1)?;
    for lane in [2, warp_size / 2, warp_size - 1].into_iter().filter(|&lane| lane > 1 && lane < warp_size) {
        if of_lane(lane)? != others {
            let construct = "mbarrier at which other lanes of a warp arrive than the first, all but the first, or all";
            return Err(Unsupported { construct: construct.to_owned(), location: kernel.location });
        }
    }
    Ok(if first == others {
        of_unit(Lanes::All, first).collect()
    } else {
        of_unit(Lanes::First, first).chain(of_unit(Lanes::Others, others)).collect()
    })
}

/// An initialisation of a phase object, and the number of the thread that executes it.
struct Made {
    thread: u64,
    step: Step,
}

/// The initialisations of all threads, in a launch whose integers are 1.
fn all_made(kernel: &Kernel, walker: &Walker<'_>, threads: u64) -> Result<Vec<Made>, Unsupported> {
    let mut found = Vec::new();
    for thread in 0..if has_objects(kernel) { threads } else { 0 } {
        let walk = walker.walk(thread, 1).map_err(|obstacle| refusal(kernel, obstacle))?;
        let made = walk.steps.into_iter().filter(|step| step.act == Act::Initialise);
        found.extend(made.map(|step| Made { thread, step }));
    }
    Ok(found)
}

fn refusal(kernel: &Kernel, obstacle: Obstacle) -> Unsupported {
    let (construct, at) = match obstacle {
        Obstacle::Guard(at) => ("barrier behind a condition that depends on more than the thread's number", at),
        Obstacle::Operands(at) => ("barrier whose number, address, count, token or parity is loaded", Some(at)),
    };
    Unsupported { construct: construct.to_owned(), location: at.and_then(|at| kernel.instructions[at].location) }
}

struct Rings {
    rings: Vec<Ring>,
    /// Those whose barriers are not used in turn.
    disordered: BTreeSet<RingIndex>,
}

/// The rings, where barriers that a thread uses at one place belong together.
fn rings(kernel: &Kernel, walks: &Walks, made: &[Made]) -> Result<Rings, Unsupported> {
    let mut together: BTreeMap<(Unit, Instruction), BTreeSet<Barrier>> = BTreeMap::new();
    let mut has_group = false;
    let mut of_warps: BTreeSet<(u64, bool)> = BTreeSet::new();
    for ((unit, _), walk) in walks {
        for step in &walk.steps {
            match step.barrier {
                Barrier::Group => has_group = true,
                Barrier::Warp { orders } => {
                    of_warps.insert((unit.warp, orders));
                }
                Barrier::Number(_) | Barrier::Object(..) => {
                    together.entry((*unit, step.at)).or_default().insert(step.barrier);
                }
            }
        }
    }
    // Small launches need not come to it.
    let is_of_group =
        |data: &InstructionData| Synchronisation::of(&data.operation).is_some_and(Synchronisation::is_of_group);
    has_group |= kernel.instructions.values().any(is_of_group);
    let mut sets: Vec<BTreeSet<Barrier>> = Vec::new();
    for barriers in together.values() {
        let (touching, mut rest): (Vec<_>, Vec<_>) = sets.into_iter().partition(|set| !set.is_disjoint(barriers));
        rest.push(touching.into_iter().flatten().chain(barriers.iter().copied()).collect());
        sets = rest;
    }
    sets.sort();
    let refused = |construct: String| {
        let first = together.keys().next().map(|(_, at)| *at);
        Unsupported { construct, location: first.and_then(|at| kernel.instructions[at].location) }
    };
    let mut found = Rings { rings: Vec::new(), disordered: BTreeSet::new() };
    for set in sets {
        let size = u64::try_from(set.len()).unwrap_or(u64::MAX);
        let Some(barriers) = in_steps(&set) else {
            return Err(refused("barriers whose numbers or addresses are not used in turn".to_owned()));
        };
        if let Barriers::Numbers { first } = barriers {
            if first + size > BARRIERS {
                return Err(refused(format!("named barrier {}, of which there are {BARRIERS}", first + size - 1)));
            }
            if first == 0 && has_group {
                return Err(refused("barrier 0 by its number, beside a barrier of the whole group".to_owned()));
            }
        }
        let (ring, is_in_turn) = match barriers {
            Barriers::Objects { array, first, stride } => {
                let (ring, is_in_turn) = of_objects(walks, made, barriers, size);
                // No access of the proof shows whether they are inside of the array.
                let end = first.saturating_add((size - 1).saturating_mul(stride)).saturating_add(PHASE_OBJECT_BYTES);
                (ring, is_in_turn && kernel.arrays[array].size.is_some_and(|bytes| end <= bytes))
            }
            _ => of_numbers(walks, barriers, size),
        };
        if !is_in_turn {
            found.disordered.insert(found.rings.len());
        }
        found.rings.push(ring);
    }
    for (warp, orders) in of_warps {
        let members: Units = walks.keys().map(|(unit, _)| *unit).filter(|unit| unit.warp == warp).collect();
        found.rings.push(Ring { waiting: members.clone(), members, ..Ring::new(Barriers::Warp { warp, orders }, 1) });
    }
    if has_group {
        let members: Units = walks.keys().map(|(unit, _)| *unit).collect();
        found.rings.push(Ring { waiting: members.clone(), members, ..Ring::new(Barriers::Group, 1) });
    }
    Ok(found)
}

/// The barriers of a set, if they are at equal distances.
fn in_steps(set: &BTreeSet<Barrier>) -> Option<Barriers> {
    let places: Vec<(Option<Array>, u64)> = set
        .iter()
        .map(|barrier| match *barrier {
            Barrier::Number(number) => Some((None, number)),
            Barrier::Object(array, offset) => Some((Some(array), offset)),
            Barrier::Group | Barrier::Warp { .. } => None,
        })
        .collect::<Option<_>>()?;
    let &(array, first) = places.first()?;
    let stride = places.get(1).map_or(PHASE_OBJECT_BYTES, |(_, second)| second - first);
    let is_next = |pair: &[(Option<Array>, u64)]| pair[0].0 == pair[1].0 && pair[0].1 + stride == pair[1].1;
    let barriers = match array {
        None if places.len() > 1 && stride != 1 => return None,
        None => Barriers::Numbers { first },
        Some(array) => Barriers::Objects { array, first, stride },
    };
    places.windows(2).all(is_next).then_some(barriers)
}

/// The ring of barriers with numbers, and whether the warps use them in turn.
fn of_numbers(walks: &Walks, barriers: Barriers, size: u64) -> (Ring, bool) {
    let mut ring = Ring::new(barriers, size);
    let (mut is_in_turn, mut waits, mut arrives) = (true, BTreeSet::new(), BTreeSet::new());
    for ((unit, _), walk) in walks {
        let here = walk.steps.iter().filter_map(|step| Some((step, ring.barriers.index((*unit, step.barrier), size)?)));
        for (position, (step, index)) in here.collect::<Vec<_>>().into_iter().enumerate() {
            if ring.members.is_empty() {
                (ring.start, ring.count) = (index, step.count);
            }
            ring.members.insert(*unit);
            ring.all_wait &= step.act == Act::Sync;
            if step.act == Act::Sync { &mut waits } else { &mut arrives }.insert(*unit);
            let position = u64::try_from(position).expect("walks are short");
            is_in_turn &= index == (ring.start + position) % size;
        }
    }
    ring.waiting = waits.difference(&arrives).copied().collect();
    ring.arriving = arrives.difference(&waits).copied().collect();
    (ring, is_in_turn)
}

/// The ring of phase objects, and whether the threads use them in turn.
fn of_objects(walks: &Walks, made: &[Made], barriers: Barriers, size: u64) -> (Ring, bool) {
    let mut ring = Ring::new(barriers, size);
    ring.all_wait = false;
    let mut is_in_turn = true;
    let (mut weights, mut before) = (BTreeSet::new(), None);
    // The most arrivals of a thread, by the value of integers.
    let mut rounds: BTreeMap<u64, u64> = BTreeMap::new();
    for ((unit, small), walk) in walks {
        let (mut arrived, mut awaited) = (0, 0);
        for step in &walk.steps {
            let Some(index) = ring.barriers.index((*unit, step.barrier), size) else { continue };
            match step.act {
                Act::Arrive => {
                    is_in_turn &= index == arrived % size;
                    weights.insert(step.count);
                    ring.members.insert(*unit);
                    arrived += 1;
                }
                Act::Phase(_) | Act::Parity(_) => {
                    // As many waits at the start are for phases that are complete at once.
                    let early = *before.get_or_insert_with(|| match step.act {
                        Act::Parity(1) => size - index,
                        _ => 0,
                    });
                    let round = awaited + size - early;
                    let phase = match step.act {
                        Act::Parity(parity) => (round / size + 1) % 2 == parity,
                        Act::Phase(phase) => round / size == phase + 1,
                        _ => false,
                    };
                    is_in_turn &= index == round % size && phase;
                    ring.waiting.insert(*unit);
                    awaited += 1;
                }
                Act::Sync | Act::Initialise => {}
            }
        }
        let most = rounds.entry(*small).or_default();
        *most = arrived.max(*most);
    }
    let only = |set: &BTreeSet<u64>| set.first().copied().filter(|_| set.len() == 1);
    let position = |made: &Made| ring.barriers.index((Unit::of_warp(0), made.step.barrier), size);
    let made: Vec<(&Made, u64)> = made.iter().filter_map(|made| Some((made, position(made)?))).collect();
    let counts: BTreeSet<u64> = made.iter().map(|(made, _)| made.step.count).collect();
    let maker = maker(&made, size);
    if let Barriers::Objects { first, stride, .. } = barriers {
        is_in_turn &= first.is_multiple_of(PHASE_OBJECT_BYTES) && stride.is_multiple_of(PHASE_OBJECT_BYTES);
    }
    is_in_turn &= only(&weights).is_some() && only(&counts).is_some() && maker.is_some();
    ring.count = only(&counts).unwrap_or_default();
    ring.objects = Some(Objects {
        weight: only(&weights).unwrap_or_default(),
        maker: maker.unwrap_or(Maker::One(0)),
        before: before.unwrap_or_default(),
        rounds: only(&rounds.into_values().collect()),
    });
    (ring, is_in_turn)
}

/// Who makes the objects of a ring, if it is one thread or one for each.
fn maker(made: &[(&Made, u64)], size: u64) -> Option<Maker> {
    let (first, _) = made.first()?;
    let is_next = |(position, (_, index)): (u64, &(&Made, u64))| *index == position;
    if u64::try_from(made.len()).ok()? != size || !(0..).zip(made).all(is_next) {
        return None;
    }
    let first = first.thread;
    if made.iter().all(|(made, _)| made.thread == first) {
        return Some(Maker::One(first));
    }
    let is_of_next = |(made, index): &(&Made, u64)| made.thread == first + index;
    made.iter().all(is_of_next).then_some(Maker::Each(first))
}

/// The rings of each initialisation of phase objects, in order.
fn initialised(kernel: &Kernel, made: &[Made], rings: &[Ring]) -> Vec<BTreeSet<RingIndex>> {
    let places = initialisations(kernel);
    let mut found = vec![BTreeSet::new(); places.len()];
    for made in made {
        found[places[&made.step.at]].extend(ring_of(rings, Unit::of_warp(0), made.step.barrier));
    }
    found
}

/// The rings of each operation, and the units that execute it there.
///
/// All threads come to a barrier of the group, and all lanes to one of their warp, whichever do in
/// small launches: the plan does not assert who does.
fn sites(kernel: &Kernel, walks: &Walks, rings: &[Ring], warp_size: u64) -> Vec<BTreeMap<RingIndex, Units>> {
    let mut found: BTreeMap<Instruction, BTreeMap<RingIndex, Units>> = BTreeMap::new();
    for ((unit, _), walk) in walks {
        for step in &walk.steps {
            if let Some(ring) = ring_of(rings, *unit, step.barrier) {
                let units = found.entry(step.at).or_default().entry(ring).or_default();
                match rings[ring].barriers {
                    Barriers::Group | Barriers::Warp { .. } => units.extend(&rings[ring].members),
                    Barriers::Numbers { .. } | Barriers::Objects { .. } => units.extend([*unit]),
                }
            }
        }
    }
    operations(kernel, warp_size).keys().map(|instruction| found.remove(instruction).unwrap_or_default()).collect()
}

/// The ring of a barrier.
pub fn ring_of(rings: &[Ring], unit: Unit, barrier: Barrier) -> Option<RingIndex> {
    rings.iter().position(|ring| ring.barriers.index((unit, barrier), ring.size).is_some())
}

/// The rings for other numbers of threads than take part.
fn miscounted(rings: &[Ring], warp_size: u64) -> BTreeSet<RingIndex> {
    let is_wrong = |ring: &Ring| {
        let threads = units::count(&ring.members, warp_size);
        let come = threads.saturating_mul(ring.objects.map_or(1, |objects| objects.weight));
        let is_possible = ring.objects.is_none() || (1..=MOST_ARRIVALS).contains(&ring.count);
        !matches!(ring.barriers, Barriers::Group | Barriers::Warp { .. }) && (ring.count != come || !is_possible)
    };
    rings.iter().enumerate().filter(|(_, ring)| is_wrong(ring)).map(|(index, _)| index).collect()
}

/// The units whose walks are equal.
fn roles(walks: &Walks) -> Vec<Units> {
    let mut steps: BTreeMap<Unit, Vec<&[Step]>> = BTreeMap::new();
    for ((unit, _), walk) in walks {
        steps.entry(*unit).or_default().push(&walk.steps);
    }
    let mut roles: BTreeMap<Vec<&[Step]>, Units> = BTreeMap::new();
    for (unit, steps) in steps {
        roles.entry(steps).or_default().insert(unit);
    }
    let mut roles: Vec<Units> = roles.into_values().collect();
    roles.sort();
    roles
}
