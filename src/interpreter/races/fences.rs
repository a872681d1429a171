//! The order of sequentially consistent fences (PTX ISA, "Memory Consistency Model"; Lustig, Sahasrabuddhe and Giroux, "A formal analysis
//! of the NVIDIA PTX memory consistency model", ASPLOS 2019).
//!
//! `__threadfence()` is `fence.sc.gpu`. The model orders any two `fence.sc` that are morally strong (each scope holds the other's
//! thread), in one direction or the other, and **a fence synchronises with those behind it** in this order (*Causality order*: "X precedes Y in
//! Fence-SC order" is one of the ways in which X synchronises with Y). So what a thread did before its fence may come before what another one does
//! behind its own though neither of the two reads or writes a flag: others may do that for them, on the far side of barriers.
//!
//! # When the direction is known
//!
//! Let F and G be such fences of different threads, W a strong write that F precedes in base causality order (program order, barriers,
//! releases that are acquired), R a strong read that precedes G in the same way, and let W precede R in *observation order*: R reads
//! what W has written, or what a chain of atomic read-modify-writes has made of it, each of these pairs morally strong. Then F
//! precedes G. *Argument.* Otherwise G precedes F, so G synchronises with F, and R precedes W in base causality order, by way of G and F. If R
//! reads from W itself, axiom *Causality* ("if a read R precedes an overlapping write W in causality order, then R does not read from
//! W") is violated. If it reads from the chain, W precedes R in observation order and R precedes W in base causality order, so W
//! precedes itself in causality order, and by axiom *Coherence* in coherence order, which is irreflexive.
//!
//! Nothing else is taken for ordered. That F precedes G in causality order puts F first, too (axiom *FenceSC*), and teaches nothing: what precedes
//! F precedes G then anyway. Where G's thread has observed nothing of what F precedes, either direction is possible.
//!
//! # How it is followed
//!
//! What travels in base causality order are [`Clock`](super::clock::Clock)s: whoever learns one has its holder's past behind it. So a clock carries two things
//! besides, and they go wherever it goes: what the fences know that are in this past (**before**), and of the writes that were observed in
//! this past what their own `before` was (**seen**). At a place it is kept what the last strong write had before it ([`Past`]). A strong read adds that to
//! what its thread has seen; a fence learns of all seen fences that are morally strong with it. A plain write, and one of other bytes, ends the chain: nobody
//! observes anything through it.
//!
//! These are PTX's rules, for CUDA alone. In C11, OpenCL and HIP sequentially consistent fences are ordered as well, but synchronise with
//! each other by atomic operations of their own threads only. Of atomic operations that are sequentially consistent themselves no such order is
//! followed: that tells more races, not fewer.

use std::collections::BTreeMap;
use std::sync::Arc;

use lockstep_ir::kernel::Ordering;

use super::clock::{BySpace, Clock, GroupClock, Layout, ThreadClock, Who};
use super::sync::{Level, Means, Place, Released};
use super::{Accessed, Detector, GLOBAL, LOCAL, Through};

/// What a clock knows of fences.
#[derive(Clone, Debug, Default)]
pub struct Fences {
    /// What the fences know that come before.
    before: Released,
    /// What those know that came before a write that was observed: a fence learns it.
    seen: Released,
}

impl Fences {
    /// Adds what another clock knows.
    pub fn join(&mut self, other: &Self) {
        self.before.join_all(&other.before);
        self.seen.join_all(&other.seen);
    }
}

/// What the last strong write of a place has before it.
#[derive(Clone, Debug)]
pub struct Past {
    level: Level,
    who: Who,
    bytes: u64,
    before: Arc<Released>,
}

/// Of all places.
pub type Pasts = BTreeMap<Place, Past>;

impl Past {
    /// Whether an operation of this level by this thread observes the write.
    fn is_observed(&self, (level, who, bytes): (Level, Who, u64), layout: Layout) -> bool {
        self.bytes == bytes && self.level.holds(self.who, who, layout) && level.holds(self.who, who, layout)
    }
}

/// No access is wider.
const WIDEST: u64 = 16;

impl Detector {
    /// A fence learns what the fences before it in Fence-SC order know.
    pub fn learn_of_fences(&self, group: &GroupClock, thread: &mut ThreadClock, (me, level): (Who, Level)) {
        let of_thread = thread.more.as_ref().and_then(|more| more.learned[GLOBAL].fences.clone());
        for known in [group.learned[GLOBAL].fences.clone(), of_thread].into_iter().flatten() {
            let mut before = Released::default();
            before.add_seen(&known.seen, level, me, self.layout);
            if before.is_empty() {
                continue;
            }
            for (_, clocks) in before.learned(level, me, self.layout) {
                for space in [LOCAL, GLOBAL] {
                    thread.more().learned[space].join(&clocks[space]);
                }
            }
            thread.more().learned[GLOBAL].fences_mut().before.join_all(&before);
        }
    }

    /// A fence that knows this comes before whatever its thread does next.
    pub fn note_fence(&self, thread: &mut ThreadClock, (me, level): (Who, Level), known: &mut BySpace<Clock>) {
        let alone = known.clone().map(Clock::without_fences);
        let fences = thread.more().learned[GLOBAL].fences_mut();
        fences.before.add((level, Means::Both), me, self.finest, self.layout, &alone);
        known[GLOBAL].fences_mut().before.join_all(&fences.before);
    }

    /// A thread observes a strong write, or makes one.
    pub fn follow_past(
        &mut self,
        group: &GroupClock,
        thread: &mut ThreadClock,
        (me, level, place): (Who, Level, Place),
        (accessed, through): (Accessed, Through),
    ) {
        let past = self.pasts.get(&place).filter(|_| through.reads);
        let observed = past.filter(|past| past.is_observed((level, me, accessed.bytes), self.layout));
        let observed = observed.map(|past| past.before.clone());
        if let Some(observed) = &observed
            && thread.more().observed.as_ref().is_none_or(|known| !Arc::ptr_eq(known, observed))
        {
            thread.more().learned[GLOBAL].fences_mut().seen.join_all(observed);
            thread.more().observed = Some(observed.clone());
        }
        if !through.writes {
            return;
        }
        let of_thread = thread.more.as_ref().and_then(|more| more.learned[GLOBAL].fences.as_ref());
        let known = [group.learned[GLOBAL].fences.as_ref(), of_thread].into_iter().flatten();
        let mut before = observed.map_or_else(Released::default, |observed| Released::clone(&observed));
        known.for_each(|known| before.join_all(&known.before));
        if before.is_empty() {
            self.pasts.remove(&place);
        } else {
            let past = Past { level, who: me, bytes: accessed.bytes, before: Arc::new(before) };
            self.pasts.insert(place, past);
        }
    }

    /// A write of these bytes ends the chains of others that it overlaps, and a plain one any.
    pub fn end_pasts(&mut self, group: u64, accessed: Accessed) {
        let of = accessed.local.then_some(group);
        let (from, to) = (accessed.offset.saturating_sub(WIDEST), accessed.offset.saturating_add(accessed.bytes));
        let is_strong = self.strong[super::usize_of(accessed.at)].is_some();
        let overlapping = self.pasts.range((of, accessed.array, from)..(of, accessed.array, to));
        let ended = overlapping.filter(|((.., offset), past)| {
            offset + past.bytes > accessed.offset
                && !(is_strong && *offset == accessed.offset && past.bytes == accessed.bytes)
        });
        for place in ended.map(|(place, _)| *place).collect::<Vec<_>>() {
            self.pasts.remove(&place);
        }
    }
}

/// Whether a fence of this ordering has a place in Fence-SC order.
pub fn is_total(ordering: Ordering) -> bool {
    ordering == Ordering::SequentiallyConsistent
}
