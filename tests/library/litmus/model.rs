//! PTX's memory model: all consistent executions of a litmus program.
//!
//! The definitions and axioms are those of `docs/memory-model.md`, which has them from the PTX ISA.
//! They are written down as relations between events, and tried on all candidates: the ways through
//! the threads, the write from which each read reads, the order of the sequentially consistent
//! fences, and the coherence order of writes that need one.
//!
//! Coherence order is partial in PTX. Here it relates no more writes than it must: those that
//! causality order relates, and morally strong ones, in either direction. *Argument:* the axioms
//! only forbid communication, so an execution that is consistent with more coherence order is so
//! with less.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{Ordering, Scope};

use super::program::{End, Litmus, Thread};
use super::relation::Relation;
use super::traces::{self, Event, Kind, Trace};

/// The most candidates that are tried.
const MOST_CANDIDATES: u64 = 5_000_000;

/// The behaviour of a program in the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Behaviour {
    /// The number of consistent executions.
    pub executions: u64,
    /// The number of those in which all threads end.
    pub ends: u64,
    /// Whether the condition holds at an end.
    pub holds: bool,
    /// Whether it does not hold at an end.
    pub fails: bool,
    /// The ends.
    pub all_ends: BTreeSet<End>,
    /// The places of data races.
    pub races: BTreeSet<usize>,
    /// Whether all executions were tried.
    pub is_whole: bool,
}

/// The behaviour of a program in the model.
pub fn behaviour(litmus: &Litmus) -> Behaviour {
    let (traces, is_whole) = traces::of(litmus);
    let mut search = Search { litmus, candidates: 0, behaviour: Behaviour { is_whole, ..Behaviour::default() } };
    search.combine(&traces, &mut Vec::new());
    search.behaviour.is_whole &= search.candidates < MOST_CANDIDATES;
    search.behaviour
}

struct Search<'a> {
    litmus: &'a Litmus,
    candidates: u64,
    behaviour: Behaviour,
}

/// The events of one way through each thread.
struct Candidate<'a> {
    litmus: &'a Litmus,
    traces: Vec<&'a Trace>,
    /// All events with their threads: those of `None` write the first values.
    events: Vec<(Option<usize>, &'a Event)>,
    program_order: Relation,
    morally_strong: Relation,
    /// From the read of each read-modify-write to its write.
    updates: Relation,
    depends: Relation,
    barriers: Relation,
    release_patterns: Relation,
    acquire_patterns: Relation,
}

impl<'a> Search<'a> {
    /// Tries all ways through the threads.
    fn combine(&mut self, traces: &'a [Vec<Trace>], chosen: &mut Vec<&'a Trace>) {
        if let Some(ways) = traces.get(chosen.len()) {
            for way in ways {
                chosen.push(way);
                self.combine(traces, chosen);
                chosen.pop();
            }
            return;
        }
        let first: Vec<Event> = self.litmus.places.iter().enumerate().map(first_write).collect();
        if meets_at_barriers(self.litmus, chosen) && reads_what_is_written(self.litmus, chosen) {
            let candidate = Candidate::new(self.litmus, chosen, &first);
            self.read_from(&candidate, 0, &mut Relation::empty(candidate.events.len()));
        }
    }

    /// Tries all writes from which the reads from an event on may read.
    fn read_from(&mut self, candidate: &Candidate, from: usize, reads: &mut Relation) {
        if self.candidates >= MOST_CANDIDATES {
            return;
        }
        let events = &candidate.events;
        let Some(read) = (from..events.len()).find(|&event| events[event].1.kind == Kind::Read) else {
            self.candidates += 1;
            // No thin air.
            if reads.or(&candidate.depends).is_acyclic() {
                self.order_fences(candidate, reads);
            }
            return;
        };
        for write in 0..events.len() {
            if candidate.is_write(write)
                && candidate.is_of_one_place(write, read)
                && events[write].1.value == events[read].1.value
            {
                let mut more = reads.clone();
                more.add(write, read);
                self.read_from(candidate, read + 1, &mut more);
            }
        }
    }

    /// Tries all orders of the sequentially consistent fences.
    fn order_fences(&mut self, candidate: &Candidate, reads: &Relation) {
        let count = candidate.events.len();
        let is_fence = |event: usize| {
            let event = candidate.events[event].1;
            event.kind == Kind::Fence && matches!(event.strength, Some((Ordering::SequentiallyConsistent, _)))
        };
        let fences: Vec<usize> = (0..count).filter(|&event| is_fence(event)).collect();
        let mut orders = BTreeSet::new();
        permute(&mut fences.clone(), 0, &mut |order| {
            let place = |event| order.iter().position(|&other| other == event).expect("a fence");
            let is_before = |a, b| {
                fences.contains(&a) && fences.contains(&b) && candidate.morally_strong.has(a, b) && place(a) < place(b)
            };
            orders.insert(Relation::of(count, is_before));
        });
        for order in orders {
            self.order_writes(candidate, reads, &order);
        }
    }

    /// Tries the directions of coherence order that are open.
    fn order_writes(&mut self, candidate: &Candidate, reads: &Relation, fences: &Relation) {
        let count = candidate.events.len();
        let cause = candidate.causality(reads, fences);
        if !fences.then(&cause).is_irreflexive() || !reads.then(&cause).is_irreflexive() {
            return;
        }
        let is_write = |event| candidate.is_write(event);
        let same = |a, b| a != b && is_write(a) && is_write(b) && candidate.is_of_one_place(a, b);
        let coherence = Relation::of(count, |a, b| {
            let is_first = candidate.events[a].0.is_none() && candidate.events[b].0.is_some();
            same(a, b) && (cause.has(a, b) || is_first)
        });
        let open: Vec<(usize, usize)> =
            candidate.morally_strong.pairs().filter(|&(a, b)| a < b && same(a, b)).collect();
        self.direct_writes(candidate, (reads, &cause), &open, coherence.closed());
    }

    fn direct_writes(
        &mut self,
        candidate: &Candidate,
        (reads, cause): (&Relation, &Relation),
        open: &[(usize, usize)],
        coherence: Relation,
    ) {
        if !coherence.is_irreflexive() {
            return;
        }
        let Some((&(a, b), rest)) = open.split_first() else {
            if candidate.is_consistent(reads, cause, &coherence) {
                self.record(candidate, cause, &coherence);
            }
            return;
        };
        if coherence.has(a, b) || coherence.has(b, a) {
            return self.direct_writes(candidate, (reads, cause), rest, coherence);
        }
        for (a, b) in [(a, b), (b, a)] {
            let mut more = coherence.clone();
            more.add(a, b);
            self.direct_writes(candidate, (reads, cause), rest, more.closed());
        }
    }

    /// Records a consistent execution.
    fn record(&mut self, candidate: &Candidate, cause: &Relation, coherence: &Relation) {
        self.behaviour.executions += 1;
        let count = candidate.events.len();
        for a in 0..count {
            for b in a + 1..count {
                if candidate.is_conflict(a, b) && !cause.has(a, b) && !cause.has(b, a) {
                    self.behaviour.races.insert(candidate.events[a].1.place);
                }
            }
        }
        if candidate.traces.iter().any(|trace| !trace.ends) {
            return;
        }
        self.behaviour.ends += 1;
        // A place has the value of any of the writes that come last.
        let mut memories = vec![Vec::new()];
        for place in 0..self.litmus.places.len() {
            let is_last = |&write: &usize| {
                candidate.is_write(write)
                    && candidate.events[write].1.place == place
                    && (0..count).all(|other| !coherence.has(write, other))
            };
            let values: BTreeSet<u32> =
                (0..count).filter(is_last).map(|write| candidate.events[write].1.value).collect();
            let with = |memory: &Vec<u32>| {
                values.iter().map(|&value| [memory.clone(), vec![value]].concat()).collect::<Vec<_>>()
            };
            memories = memories.iter().flat_map(with).collect();
        }
        let registers: Vec<Vec<u32>> = candidate.traces.iter().map(|trace| trace.registers.clone()).collect();
        for memory in memories {
            let end = End { registers: registers.clone(), memory };
            let holds = self.litmus.question.condition.holds(&end);
            self.behaviour.holds |= holds;
            self.behaviour.fails |= !holds;
            self.behaviour.all_ends.insert(end);
        }
    }
}

impl<'a> Candidate<'a> {
    fn new(litmus: &'a Litmus, traces: &[&'a Trace], first: &'a [Event]) -> Self {
        let mut events: Vec<(Option<usize>, &Event)> = first.iter().map(|event| (None, event)).collect();
        let mut starts = Vec::new();
        for (thread, trace) in traces.iter().enumerate() {
            starts.push(events.len());
            events.extend(trace.events.iter().map(|event| (Some(thread), event)));
        }
        let count = events.len();
        let of = |is: &dyn Fn(usize, usize) -> bool| Relation::of(count, is);
        let program_order = of(&|a, b| a < b && events[a].0.is_some() && events[a].0 == events[b].0);
        let depends = of(&|a, b| {
            let start = events[b].0.map(|thread| starts[thread]);
            let is_of_thread = events[a].0.is_some() && events[a].0 == events[b].0;
            is_of_thread && start.is_some_and(|start| events[b].1.depends.contains(&(a - start)))
        });
        let mut candidate = Self {
            litmus,
            traces: traces.to_vec(),
            program_order,
            morally_strong: Relation::empty(count),
            updates: of(&|a, b| a + 1 == b && events[b].1.is_update),
            depends,
            barriers: barriers(litmus, &events),
            release_patterns: Relation::empty(count),
            acquire_patterns: Relation::empty(count),
            events,
        };
        candidate.morally_strong = Relation::of(count, |a, b| candidate.are_morally_strong(a, b));
        candidate.release_patterns = Relation::of(count, |a, b| candidate.is_release_pattern(a, b));
        candidate.acquire_patterns = Relation::of(count, |a, b| candidate.is_acquire_pattern(a, b));
        candidate
    }

    fn is_write(&self, event: usize) -> bool {
        self.events[event].1.kind == Kind::Write
    }

    fn is_read(&self, event: usize) -> bool {
        self.events[event].1.kind == Kind::Read
    }

    fn is_fence(&self, event: usize) -> bool {
        self.events[event].1.kind == Kind::Fence
    }

    fn is_access(&self, event: usize) -> bool {
        self.is_read(event) || self.is_write(event)
    }

    fn is_of_one_place(&self, a: usize, b: usize) -> bool {
        self.is_access(a) && self.is_access(b) && self.events[a].1.place == self.events[b].1.place
    }

    fn is_strong(&self, event: usize) -> bool {
        self.events[event].1.strength.is_some()
    }

    fn ordering(&self, event: usize) -> Ordering {
        self.events[event].1.strength.map_or(Ordering::Relaxed, |(ordering, _)| ordering)
    }

    /// Whether the scope of an operation of thread a includes thread b.
    fn includes(&self, event: usize, b: usize) -> bool {
        let (Some(a), Some((_, scope))) = (self.events[event].0, self.events[event].1.strength) else { return false };
        let [a, b] = [a, b].map(|thread| &self.litmus.threads[thread]);
        match scope {
            Scope::Group => (a.block, a.device) == (b.block, b.device),
            Scope::Cluster | Scope::Device => a.device == b.device,
            Scope::System => true,
            Scope::Thread | Scope::Warp => false,
        }
    }

    fn are_morally_strong(&self, a: usize, b: usize) -> bool {
        let (Some(thread_a), Some(thread_b)) = (self.events[a].0, self.events[b].0) else { return false };
        let is_related = self.program_order.has(a, b)
            || self.program_order.has(b, a)
            || self.is_strong(a) && self.is_strong(b) && self.includes(a, thread_b) && self.includes(b, thread_a);
        let is_whole = !(self.is_access(a) && self.is_access(b)) || self.is_of_one_place(a, b);
        a != b && is_related && is_whole
    }

    /// Whether a release pattern begins with one and ends with the other.
    fn is_release_pattern(&self, a: usize, b: usize) -> bool {
        let ends = self.is_write(b) && self.is_strong(b);
        let releases = self.ordering(a).releases();
        let is_later = self.program_order.has(a, b);
        ends && releases
            && if self.is_fence(a) {
                is_later && self.ordering(a).acquires()
            } else {
                self.is_write(a) && (a == b || is_later && self.is_of_one_place(a, b))
            }
    }

    /// Whether an acquire pattern begins with one and ends with the other.
    fn is_acquire_pattern(&self, a: usize, b: usize) -> bool {
        let begins = self.is_read(a) && self.is_strong(a);
        let acquires = self.ordering(b).acquires();
        let is_later = self.program_order.has(a, b);
        begins
            && acquires
            && if self.is_fence(b) {
                is_later && self.ordering(b).releases()
            } else {
                self.is_read(b) && (a == b || is_later && self.is_of_one_place(a, b))
            }
    }

    /// Causality order.
    fn causality(&self, reads: &Relation, fences: &Relation) -> Relation {
        let first = self.morally_strong.and(reads);
        let over = self.updates.then(&first);
        let observation = first.or(&first.then(&over.closed()));
        let synchronises =
            self.morally_strong.and(&self.release_patterns.then(&observation).then(&self.acquire_patterns));
        let base = self.program_order.or(&synchronises).or(fences).or(&self.barriers).closed();
        base.or(&observation.then(&base))
    }

    /// Whether the axioms hold that are about coherence order.
    fn is_consistent(&self, reads: &Relation, cause: &Relation, coherence: &Relation) -> bool {
        let overwritten = reads.reversed().then(coherence);
        let strong = |relation: &Relation| self.morally_strong.and(relation);
        let between = strong(&overwritten).then(&strong(coherence)).and(&self.updates);
        let of_place =
            Relation::of(self.events.len(), |a, b| self.program_order.has(a, b) && self.is_of_one_place(a, b));
        let communication = strong(&reads.or(coherence).or(&overwritten));
        between.is_empty() && communication.or(&of_place).is_acyclic() && overwritten.then(cause).is_irreflexive()
    }

    /// Whether two accesses of threads conflict and are not morally strong.
    fn is_conflict(&self, a: usize, b: usize) -> bool {
        let threads = self.events[a].0.is_some() && self.events[b].0.is_some() && self.events[a].0 != self.events[b].0;
        threads
            && self.is_of_one_place(a, b)
            && (self.is_write(a) || self.is_write(b))
            && !self.morally_strong.has(a, b)
    }
}

/// The write of a place's value at first.
fn first_write((place, (_, value)): (usize, &(String, u32))) -> Event {
    let (kind, value) = (Kind::Write, *value);
    Event { kind, place, value, strength: None, is_update: false, depends: BTreeSet::new() }
}

/// The barriers to which a thread comes, in their order.
fn comings(trace: &Trace) -> Vec<usize> {
    trace.events.iter().filter(|event| event.kind == Kind::Barrier).map(|event| event.place).collect()
}

/// Whether all threads of each block come to the same barriers; otherwise some wait for ever.
fn meets_at_barriers(litmus: &Litmus, traces: &[&Trace]) -> bool {
    let all = || litmus.threads.iter().zip(traces);
    all().all(|(a, trace)| {
        let is_same = |b: &Thread| (a.block, a.device) == (b.block, b.device);
        all().filter(|(b, _)| is_same(b)).all(|(_, other)| comings(trace) == comings(other))
    })
}

/// Whether each value that is read is the first one of its place, or written.
fn reads_what_is_written(litmus: &Litmus, traces: &[&Trace]) -> bool {
    let events = || traces.iter().flat_map(|trace| &trace.events);
    events().filter(|event| event.kind == Kind::Read).all(|read| {
        let is_source =
            |other: &Event| other.kind == Kind::Write && (other.place, other.value) == (read.place, read.value);
        litmus.places[read.place].1 == read.value || events().any(is_source)
    })
}

/// From each arrival at a barrier to those of the other threads at the same time.
fn barriers(litmus: &Litmus, events: &[(Option<usize>, &Event)]) -> Relation {
    let number = |at: usize| {
        let same = |other: &usize| {
            events[*other].0 == events[at].0
                && events[*other].1.kind == Kind::Barrier
                && events[*other].1.place == events[at].1.place
        };
        (0..at).filter(same).count()
    };
    Relation::of(events.len(), |a, b| {
        let (Some(thread_a), Some(thread_b)) = (events[a].0, events[b].0) else { return false };
        let [of_a, of_b] = [thread_a, thread_b].map(|thread| &litmus.threads[thread]);
        thread_a != thread_b
            && (of_a.block, of_a.device) == (of_b.block, of_b.device)
            && events[a].1.kind == Kind::Barrier
            && events[b].1.kind == Kind::Barrier
            && events[a].1.place == events[b].1.place
            && number(a) == number(b)
    })
}

fn permute(all: &mut [usize], from: usize, visit: &mut impl FnMut(&[usize])) {
    if from == all.len() {
        return visit(all);
    }
    for at in from..all.len() {
        all.swap(from, at);
        permute(all, from + 1, visit);
        all.swap(from, at);
    }
}
