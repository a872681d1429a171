//! Reads of older values, which relaxed order allows.
//!
//! A run executes one step after the other, so without more a read sees the newest value. The
//! memory models of PTX, OpenCL and HIP let a strong read see an older one, if nothing orders the
//! newer write before it. Under [`Schedule::Stale`](crate::Schedule::Stale) such reads choose by
//! chance among the values that they may see.
//!
//! # Which values a read may see
//!
//! The writes of a place (its array, first byte and size) are numbered as they are executed: they
//! are its **messages**. A **view** gives for each place the number of a message; older ones are
//! out of reach. Each thread has a view, and messages carry one. This is the operational form of
//! release-acquire models with relaxed accesses (Kang, Hur, Lahav, Vafeiadis, Dreyer: "A promising
//! semantics for relaxed-memory concurrency", POPL 2017, without promises):
//!
//! * A read chooses a message that is no older than the thread's view of the place, and raises the
//!   view to it. If the read acquires, the thread also gets the view of the message; otherwise it
//!   keeps that for its next acquiring fence.
//! * A write is the newest message of its place. It carries the view of its thread if it releases,
//!   and that of the thread's last releasing fence otherwise.
//! * A read-modify-write reads the newest message, and its own carries the view of that one, too.
//! * A barrier joins the views of the threads that meet.
//! * A fence that is sequentially consistent joins the thread's view with one for all such fences,
//!   both ways. Operations that are sequentially consistent have such a fence on both sides.
//!
//! *The models allow what such a run does.* The order in which writes are executed is the coherence
//! order, and the order in which fences are executed is the Fence-SC order. Each edge of causality
//! order (PTX), or of happens-before and the total order (OpenCL), goes from an earlier step to a
//! later one, and every such edge from a write, or from a read of its value, raises the view of the
//! later thread: program order by the thread's own view, synchronisation by messages, fences and
//! barriers. Scopes are not looked at here: views are joined where a scope is too narrow to
//! synchronise, which excludes more than the models do. So no read sees a value that a causally
//! earlier write has replaced (axiom *Causality*), the reads of a place go forward (*Coherence*,
//! *SC-per-location*), a read-modify-write follows the message that it reads (*Atomicity*), and no
//! value comes from a later step (*No-Thin-Air*). Plain reads see the newest value, which is one of
//! those that they may see. Races are found as in other runs: an older message has the knowledge
//! with it that was released there at its time.
//!
//! The models allow more: reads of values that are written later, orders of fences and writes that
//! differ from the execution's, and what narrow scopes leave open.
//!
//! Kernels with asynchronous copies, named barriers, mbarriers or images see the newest values, and
//! so do lanes in lock-step: their steps are not thought through here.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use lockstep_ir::kernel::{Array, BarrierKind, Ordering};

use super::super::Schedule;
use super::super::code::{Code, Step};
use super::super::memory::scrambled;
use super::clock::Who;
use super::fences::{Past, is_total};
use super::observed::{Chain, overlapped};
use super::sync::{Place, Sequence};
use super::{Accessed, Detector, GroupWatch, Through};

/// The most messages of one place that can be read.
const MOST_MESSAGES: usize = 16;

/// For each place, the number of the oldest message that can be read.
type View = BTreeMap<Place, u64>;

/// Raises a view to another one.
fn join(view: &mut View, other: &View) {
    for (&place, &number) in other {
        raise(view, place, number);
    }
}

fn raise(view: &mut View, place: Place, number: u64) {
    let known = view.entry(place).or_default();
    *known = number.max(*known);
}

/// The knowledge that the detector keeps for the newest message of a place.
#[derive(Clone, Debug, Default)]
struct Knowledge {
    released: Option<Sequence>,
    past: Option<Past>,
    chain: Option<Chain>,
}

/// A value that was written to a place.
#[derive(Clone, Debug, Default)]
struct Message {
    /// The number of the write among all that are recorded; 0 for what was there before.
    number: u64,
    value: u64,
    view: View,
    knowledge: Knowledge,
}

/// The values of a place, the newest one last.
#[derive(Clone, Debug)]
struct Messages {
    bytes: u64,
    all: VecDeque<Message>,
}

/// The views of a thread.
#[derive(Clone, Debug, Default)]
struct OfThread {
    now: View,
    /// At its last releasing fence.
    released: View,
    /// At its last releasing operation on each place.
    headed: BTreeMap<Place, View>,
    /// The views of the messages that it has read without acquiring.
    seen: View,
}

/// The values that reads may see.
#[derive(Clone, Debug)]
pub struct Views {
    state: u64,
    /// The number of recorded writes.
    written: u64,
    places: BTreeMap<Place, Messages>,
    /// The arrays in which accesses of different sizes overlap: their newest values are read.
    mixed: BTreeSet<Array>,
    threads: BTreeMap<Who, OfThread>,
    /// The view of all sequentially consistent fences.
    total: View,
}

/// A read of an older value, while it is made.
pub struct Older {
    /// The value.
    pub value: u64,
    place: Place,
    /// The knowledge that belongs to the newest message.
    newest: Knowledge,
}

impl Views {
    /// The views before a run by this schedule; `None` if all reads see the newest values.
    pub fn of(code: &Code, schedule: Schedule, in_lock_step: bool) -> Option<Self> {
        let Schedule::Stale(seed) = schedule else { return None };
        let is_fit = |step: &Step| match step {
            Step::AsyncCopy(_)
            | Step::AsyncWait(_)
            | Step::OwnCopy(_)
            | Step::OwnWait(_)
            | Step::Image(_)
            | Step::Named(_)
            | Step::Phase(_) => false,
            Step::Barrier { kind, .. } => {
                matches!(kind, BarrierKind::Group | BarrierKind::Grid | BarrierKind::Warp { .. })
            }
            _ => true,
        };
        (!in_lock_step && code.steps.iter().all(is_fit)).then(|| Self {
            state: seed,
            written: 0,
            places: BTreeMap::new(),
            mixed: BTreeSet::new(),
            threads: BTreeMap::new(),
            total: View::new(),
        })
    }

    fn draw(&mut self, below: usize) -> usize {
        self.state = scrambled(self.state);
        usize::try_from(self.state % u64::try_from(below).expect("counted")).expect("smaller than a size")
    }

    /// Lets a thread read a place; gives the message that it sees if that is not the newest one.
    fn read(
        &mut self,
        who: Who,
        (place, bytes): (Place, u64),
        ordering: Ordering,
        may_be_older: bool,
    ) -> Option<Message> {
        self.order(who, ordering);
        let least = self.threads.entry(who).or_default().now.get(&place).copied().unwrap_or(0);
        let messages = self.places.get(&place).filter(|messages| messages.bytes == bytes)?;
        let newest = messages.all.len() - 1;
        let first = messages.all.iter().position(|message| message.number >= least).unwrap_or(newest);
        let index = if may_be_older && first < newest && self.draw(2) == 0 {
            first + self.draw(newest - first)
        } else {
            newest
        };
        let message = self.places.get(&place)?.all.get(index)?.clone();
        let thread = self.threads.entry(who).or_default();
        raise(&mut thread.now, place, message.number);
        join(&mut thread.seen, &message.view);
        if ordering.acquires() {
            join(&mut thread.now, &thread.seen);
        }
        self.order(who, ordering);
        (index != newest).then_some(message)
    }

    /// Records that a thread writes to a place, by an operation of this order.
    fn write(
        &mut self,
        who: Who,
        (place, bytes): (Place, u64),
        (old, new): (u64, u64),
        through: Option<Through>,
        knowledge: Knowledge,
    ) {
        if self.mixed.contains(&place.1) {
            return;
        }
        let ordering = through.map_or(Ordering::Relaxed, |through| through.ordering);
        self.order(who, ordering);
        self.written += 1;
        let number = self.written;
        let thread = self.threads.entry(who).or_default();
        raise(&mut thread.now, place, number);
        if ordering.releases() {
            thread.headed.insert(place, thread.now.clone());
        }
        let mut view = thread.released.clone();
        thread.headed.get(&place).into_iter().for_each(|headed| join(&mut view, headed));
        let messages = match self.places.entry(place) {
            Entry::Occupied(known) => known.into_mut(),
            // Local memory holds nothing before the first write.
            Entry::Vacant(new) => {
                let before = place.0.is_none().then(|| Message { value: old, ..Message::default() });
                new.insert(Messages { bytes, all: before.into_iter().collect() })
            }
        };
        if through.is_some_and(|through| through.reads) {
            messages.all.back().into_iter().for_each(|before| join(&mut view, &before.view));
        }
        messages.all.push_back(Message { number, value: new, view, knowledge });
        if messages.all.len() > MOST_MESSAGES {
            messages.all.pop_front();
        }
        self.order(who, ordering);
    }

    /// Applies a fence of a thread.
    pub fn fence(&mut self, who: Who, ordering: Ordering) {
        let thread = self.threads.entry(who).or_default();
        if ordering.acquires() {
            join(&mut thread.now, &thread.seen);
        }
        self.order(who, ordering);
        let thread = self.threads.entry(who).or_default();
        if ordering.releases() {
            thread.released = thread.now.clone();
        }
    }

    /// Orders a thread with all sequentially consistent operations, if this is one.
    fn order(&mut self, who: Who, ordering: Ordering) {
        if is_total(ordering) {
            let thread = self.threads.entry(who).or_default();
            join(&mut thread.now, &self.total);
            self.total.clone_from(&thread.now);
        }
    }

    /// Lets threads meet at a barrier.
    pub fn meet(&mut self, all: impl Iterator<Item = Who> + Clone) {
        let mut view = View::new();
        for who in all.clone() {
            self.threads.get(&who).into_iter().for_each(|thread| join(&mut view, &thread.now));
        }
        for who in all {
            self.threads.entry(who).or_default().now.clone_from(&view);
        }
    }

    /// Reads the newest values of an array from now on.
    fn forget(&mut self, array: Array) {
        self.mixed.insert(array);
        self.places.retain(|(_, of, _), _| *of != array);
    }
}

impl Detector {
    /// Lets a thread of a group make a strong read. If it sees an older value, the detector has the
    /// knowledge that belongs to this value until [`Self::end_older`].
    pub fn read_older(
        &mut self,
        watch: &GroupWatch,
        number: u32,
        accessed: Accessed,
        ordering: Ordering,
        may_be_older: bool,
    ) -> Option<Older> {
        let me = Who { group: watch.clock.group, number };
        let place = Self::place(me, accessed);
        let Message { value, mut knowledge, .. } =
            self.views.as_mut()?.read(me, (place, accessed.bytes), ordering, may_be_older)?;
        self.exchange(place, &mut knowledge);
        Some(Older { value, place, newest: knowledge })
    }

    /// Ends a read of an older value.
    pub fn end_older(&mut self, mut older: Older) {
        self.exchange(older.place, &mut older.newest);
    }

    /// Records a write for later reads.
    pub(super) fn note_message(
        &mut self,
        me: Who,
        accessed: Accessed,
        numbers: Option<(u64, u64)>,
        through: Option<Through>,
    ) {
        let place = Self::place(me, accessed);
        let knowledge = Knowledge {
            released: self.released.get(&place).cloned(),
            past: self.pasts.get(&place).cloned(),
            chain: self.chain(place),
        };
        let Some(views) = &mut self.views else { return };
        let overlaps = overlapped(&views.places, (me.group, accessed, true), |messages| messages.bytes);
        match numbers {
            Some(numbers) if overlaps.is_empty() => {
                views.write(me, (place, accessed.bytes), numbers, through, knowledge);
            }
            _ if overlaps.is_empty() => {}
            _ => views.forget(accessed.array),
        }
    }

    fn exchange(&mut self, place: Place, knowledge: &mut Knowledge) {
        exchange(&mut self.released, place, &mut knowledge.released);
        exchange(&mut self.pasts, place, &mut knowledge.past);
        self.exchange_chain(place, &mut knowledge.chain);
    }
}

/// Exchanges the record of a place with another one.
fn exchange<T>(records: &mut BTreeMap<Place, T>, place: Place, other: &mut Option<T>) {
    let known = records.remove(&place);
    if let Some(other) = other.take() {
        records.insert(place, other);
    }
    *other = known;
}
