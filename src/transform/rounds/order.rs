//! The constants between rings: how far they are apart, and that nobody waits for ever.
//!
//! See the module's documentation for what they mean. `Behind` gives `K`, [`Lag`], [`Least`] and
//! [`AtMost`] give progress.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::kernel::Instruction;

use super::rings::{Walks, ring_of};
use super::units::{Unit, Units};
use super::walk::Act;
use super::{Ring, RingIndex, Rounds};

/// The largest constant that is tried. In walks with more rounds than that, a difference that grows
/// with the rounds is told from a constant.
const MOST: i64 = 64;

/// A thread's operation of number `m` on `ring` comes after at least `m + by` rounds of `after`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behind {
    /// The threads that assert it.
    pub units: Units,
    /// The ring of the operation.
    pub ring: RingIndex,
    /// The ring whose rounds are complete.
    pub after: RingIndex,
    /// The difference.
    pub by: i64,
}

/// A thread that takes part in `other` and waits in round `m` of `ring` at this operation has
/// executed at least `m + by` operations on `other`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lag {
    /// The operation.
    pub at: usize,
    /// The ring in which it waits.
    pub ring: RingIndex,
    /// The other ring.
    pub other: RingIndex,
    /// The difference.
    pub by: i64,
}

/// A thread that takes part in `other` and waits at this operation on `ring` has executed at least
/// `count` operations on `other`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Least {
    /// The operation.
    pub at: usize,
    /// The ring in which it waits.
    pub ring: RingIndex,
    /// The other ring.
    pub other: RingIndex,
    /// The operations on it.
    pub count: i64,
}

/// A thread that waits at this operation on `ring` has executed at most `count` operations on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AtMost {
    /// The operation.
    pub at: usize,
    /// The ring in which it waits.
    pub ring: RingIndex,
    /// The operations on it.
    pub count: i64,
}

/// An operation in a walk, with the numbers before it.
struct Event {
    unit: Unit,
    at: usize,
    ring: RingIndex,
    arrives: bool,
    /// The number of the round in which it waits, if it does.
    waits: Option<i64>,
    /// The operations on each ring.
    executed: Vec<i64>,
    /// The rounds of each ring that are known to be complete.
    complete: Vec<i64>,
}

/// The operations of all walks.
pub struct Traces(Vec<Event>);

impl Traces {
    /// The operations, in the order that `index` tells.
    pub fn new(walks: &Walks, rings: &[Ring], index: &impl Fn(Instruction) -> usize) -> Self {
        let mut events = Vec::new();
        for ((unit, _), walk) in walks {
            let mut executed = vec![0; rings.len()];
            let mut complete = vec![0; rings.len()];
            // The number of the next phase that the thread waits for.
            let early = |ring: &Ring| ring.objects.map_or(0, |objects| i64::try_from(objects.before).unwrap_or(0));
            let mut awaited: Vec<i64> = rings.iter().map(|ring| -early(ring)).collect();
            for step in walk.steps.iter().filter(|step| step.act != Act::Initialise) {
                let Some(ring) = ring_of(rings, *unit, step.barrier) else { continue };
                let waits = match step.act {
                    Act::Sync => Some(executed[ring]),
                    // A phase before the first is complete.
                    Act::Phase(_) | Act::Parity(_) => Some(awaited[ring]).filter(|&round| round >= 0),
                    Act::Arrive | Act::Initialise => None,
                };
                let arrives = matches!(step.act, Act::Sync | Act::Arrive);
                events.push(Event {
                    unit: *unit,
                    at: index(step.at),
                    ring,
                    arrives,
                    waits,
                    executed: executed.clone(),
                    complete: complete.clone(),
                });
                if arrives {
                    executed[ring] += 1;
                } else {
                    awaited[ring] += 1;
                }
                if let Some(round) = waits {
                    complete[ring] = round + 1;
                }
            }
        }
        Self(events)
    }
}

/// Finds the constants and what they say. `reached` are the operations that can be executed behind
/// each operation.
pub fn settle(rounds: &mut Rounds, traces: &Traces, reached: &[BTreeSet<usize>]) {
    order(rounds, traces);
    progress(rounds, traces, reached);
}

/// Finds `K`.
fn order(rounds: &mut Rounds, Traces(events): &Traces) {
    let count = rounds.rings.len();
    let mut best: BTreeMap<(RingIndex, RingIndex), Behind> = BTreeMap::new();
    let orders: Vec<bool> = rounds.rings.iter().map(Ring::orders).collect();
    for (role, after) in rounds.roles.iter().flat_map(|role| (0..count).map(move |after| (role, after))) {
        for ring in (0..count).filter(|&ring| ring != after && orders[ring] && orders[after]) {
            // The rounds of a warp are known to its own lanes only.
            let warps: Vec<u64> = [after, ring].into_iter().filter_map(|ring| rounds.rings[ring].warp()).collect();
            let units: Units =
                role.iter().copied().filter(|unit| warps.iter().all(|&warp| warp == unit.warp)).collect();
            let of_role = || events.iter().filter(|event| units.contains(&event.unit));
            if !of_role().any(|event| event.ring == after && event.waits.is_some()) {
                continue;
            }
            let differences = of_role().filter(|event| event.ring == ring && event.arrives);
            let least = differences.map(|event| event.complete[after] - event.executed[ring]).min();
            let Some(by) = least.filter(|by| by.abs() <= MOST) else { continue };
            let found = Behind { units: units.clone(), ring, after, by };
            let known = best.entry((after, ring)).or_insert_with(|| found.clone());
            if known.by < by {
                *known = found;
            }
        }
    }
    let mut known = vec![vec![None; count]; count];
    for (ring, row) in known.iter_mut().enumerate().filter(|(ring, _)| orders[*ring]) {
        row[ring] = Some(0);
    }
    for ((after, ring), behind) in &best {
        known[*after][*ring] = Some(behind.by - 1);
    }
    for by in 0..count {
        for after in 0..count {
            for ring in (0..count).filter(|&ring| ring != after) {
                let (Some(first), Some(second)) = (known[by][ring], known[after][by]) else { continue };
                // Rounds that are certain only if another one is complete count for nothing there.
                let through: i64 = first + second.min(0);
                known[after][ring] = known[after][ring].max(Some(through));
            }
        }
    }
    rounds.known = known;
    rounds.behind = best.into_values().collect();
}

/// A place where a thread waits: an operation, and the ring.
type Waits = (usize, RingIndex);

/// Finds a reason why nobody waits for ever, or a circle.
fn progress(rounds: &mut Rounds, Traces(events): &Traces, reached: &[BTreeSet<usize>]) {
    let mut most: BTreeMap<Waits, i64> = BTreeMap::new();
    let mut least: BTreeMap<(Waits, RingIndex), i64> = BTreeMap::new();
    let mut lag: BTreeMap<(Waits, RingIndex), i64> = BTreeMap::new();
    for event in events {
        let Some(number) = event.waits else { continue };
        let place = (event.at, event.ring);
        let known = most.entry(place).or_insert(number);
        *known = number.max(*known);
        // Only a thread that takes part in the other ring can be missed there.
        let is_missed = |other: &usize| rounds.rings[*other].members.contains(&event.unit);
        for other in (0..event.executed.len()).filter(is_missed) {
            let executed = event.executed[other];
            let known = least.entry((place, other)).or_insert(executed);
            *known = executed.min(*known);
            let known = lag.entry((place, other)).or_insert(executed - number);
            *known = (executed - number).min(*known);
        }
    }
    let places: Vec<Waits> = most.keys().copied().collect();
    let mut distance = vec![vec![None::<i64>; places.len()]; places.len()];
    let (mut lags, mut leasts, mut at_most) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (from, &(at, ring)) in places.iter().enumerate() {
        for (to, &place) in places.iter().enumerate() {
            let takes_part = !rounds.sites[place.0][&place.1].is_disjoint(&rounds.rings[ring].members);
            let arrives = |other: &&usize| rounds.operations[**other].arrives();
            let comes_again =
                reached[place.0].iter().filter(arrives).any(|other| rounds.sites[*other].contains_key(&ring));
            // A thread that ends the launch behind that place need not execute as many as others.
            let may_trap = rounds.before_traps.contains(&place.0);
            if !takes_part || !(comes_again || may_trap) {
                continue;
            }
            let (executed, number) = (least.get(&(place, ring)), most[&(at, ring)]);
            if let Some(&count) = executed.filter(|&&executed| number <= MOST && executed > number) {
                leasts.insert(Least { at: place.0, ring: place.1, other: ring, count });
                at_most.insert(AtMost { at, ring, count: number });
                continue;
            }
            if place.1 == ring && rounds.rings[ring].objects.is_none() {
                distance[from][to] = Some(1);
                continue;
            }
            // Small launches need not lead a thread of the ring there.
            let by = lag.get(&(place, ring)).copied().filter(|by| by.abs() <= MOST);
            if let Some(by) = by {
                lags.insert(Lag { at: place.0, ring: place.1, other: ring, by });
            }
            distance[from][to] = Some(by.unwrap_or(-i64::from(u16::MAX)));
        }
    }
    for by in 0..places.len() {
        for from in 0..places.len() {
            for to in 0..places.len() {
                let (Some(first), Some(second)) = (distance[from][by], distance[by][to]) else { continue };
                let sum = (first + second).max(-i64::from(u32::MAX));
                if distance[from][to].is_none_or(|known| sum < known) {
                    distance[from][to] = Some(sum);
                }
            }
        }
    }
    let on_circle = |place: &usize| distance[*place][*place].is_some_and(|sum| sum <= 0);
    rounds.circle = (0..places.len()).filter(on_circle).map(|place| places[place].0).collect();
    rounds.waited = places.iter().copied().collect();
    rounds.lags = lags.into_iter().collect();
    rounds.least = leasts.into_iter().collect();
    rounds.at_most = at_most.into_iter().collect();
}
