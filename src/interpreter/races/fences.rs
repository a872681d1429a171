//! The order of sequentially consistent fences, following the PTX memory model.
//!
//! References: PTX ISA, "Memory Consistency Model"; Lustig, Sahasrabuddhe and Giroux, "A formal
//! analysis of the NVIDIA PTX memory consistency model", ASPLOS 2019.
//!
//! `__threadfence()` is `fence.sc.gpu`. The model orders any two `fence.sc` that are morally strong
//! (each scope includes the other's thread), in one direction or the other. In this order, **a
//! fence synchronises with the later ones** (*Causality order*: "X precedes Y in Fence-SC order" is
//! one of the ways in which X synchronises with Y). So the steps of one thread before its fence may
//! happen before the steps of another after its own, although neither thread reads or writes a
//! flag. Other threads, separated from them by barriers, may do that for them.
//!
//! # When the direction is known
//!
//! Let F and G be such fences of different threads. Let W be a strong write that F precedes in base
//! causality order (program order, barriers, releases that are acquired). Let R be a strong read
//! that precedes G in the same way. Let W precede R in *observation order*: R reads the value of W,
//! or a value derived from it by a chain of atomic read-modify-writes, each of these pairs being
//! morally strong. Then F precedes G. *Argument.* Otherwise G precedes F, so G synchronises with F,
//! and R precedes W in base causality order, by way of G and F. If R reads from W itself, axiom
//! *Causality* ("if a read R precedes an overlapping write W in causality order, then R does not
//! read from W") is violated. If it reads from the chain, W precedes R in observation order and R
//! precedes W in base causality order. So W precedes itself in causality order, and by axiom
//! *Coherence* in coherence order, which is irreflexive.
//!
//! **Replaced values.** Let F and G again be such fences. Let F precede a strong read or write X of
//! a place in base causality order, and let a strong write W of the place precede G in this order.
//! Let W come behind X in coherence order, or replace the value that X reads. Then F precedes G.
//! *Argument.* Otherwise W precedes X in base causality order, by way of G and F. If X is a write,
//! W precedes it in coherence order (axiom *Coherence*), which is irreflexive. If X is a read, it
//! reads a value that W has replaced (axiom *Causality*).
//!
//! In a run, W comes behind X in coherence order or replaces its value if it is executed later: a
//! run's reads see the newest value. Where they may see older ones
//! ([`Schedule::Stale`](crate::Schedule::Stale)), X may come later. There all fences are ordered
//! as they are executed, as the choice of values assumes: the race is one of that very execution.
//!
//! No other fences are treated as ordered. If F precedes G in causality order, F also comes first
//! (axiom *FenceSC*), but this adds nothing: everything that precedes F then precedes G anyway. If
//! G's thread has observed and replaced nothing that F precedes, either direction is possible.
//!
//! # Implementation
//!
//! Base causality order is propagated by [`Clock`](super::clock::Clock)s: a thread that learns a
//! clock has its holder's past behind it. So a clock carries two more items wherever it goes. The
//! first is the knowledge of the fences in this past (**before**). The second is the `before` of
//! the writes that were observed in this past (**seen**). For each place, the knowledge before its
//! last strong write is recorded ([`Past`]), and the knowledge before all strong accesses. A strong
//! read adds the former to the `seen` of its thread, and a strong write the latter. A fence learns
//! from all seen fences that are morally strong with it. A plain write, or one of other bytes, ends
//! the chain: no thread observes anything through it.
//!
//! These are PTX's rules, for CUDA only. In C11, OpenCL and HIP, sequentially consistent fences are
//! ordered as well, but they synchronise with each other only through atomic operations of their
//! own threads. No such order is modelled for atomic operations that are themselves sequentially
//! consistent: this reports more races, not fewer.

use std::collections::BTreeMap;
use std::sync::Arc;

use lockstep_ir::kernel::Ordering;

use super::clock::{BySpace, Clock, GroupClock, ThreadClock, Who};
use super::observed::{Written, overlapped};
use super::sync::{Level, Means, Place, Released};
use super::{Accessed, Detector, GLOBAL, LOCAL, Through};

/// The knowledge of a clock about fences.
#[derive(Clone, Debug, Default)]
pub struct Fences {
    /// The knowledge of the earlier fences.
    before: Released,
    /// The knowledge of the fences before an observed write, which a fence acquires.
    seen: Released,
}

impl Fences {
    /// Adds the knowledge of another clock.
    pub fn join(&mut self, other: &Self) {
        self.before.join_all(&other.before);
        self.seen.join_all(&other.seen);
    }
}

/// The knowledge before the last strong write of a place.
#[derive(Clone, Debug)]
pub struct Past {
    last: Written,
    before: Arc<Released>,
}

/// The past of each place.
pub type Pasts = BTreeMap<Place, Past>;

/// The widest access in bytes.
pub const WIDEST: u64 = 16;

impl Detector {
    /// Adds to a fence the knowledge of the earlier fences in Fence-SC order.
    pub fn learn_of_fences(&self, group: &GroupClock, thread: &mut ThreadClock, (me, level): (Who, Level)) {
        let of_thread = thread.more.as_ref().and_then(|more| more.learned[GLOBAL].fences.clone());
        let known =
            [group.learned[GLOBAL].fences.clone(), of_thread].into_iter().flatten().map(|known| known.seen.clone());
        for seen in known.chain(self.views.is_some().then(|| self.total.clone())) {
            let mut before = Released::default();
            before.add_seen(&seen, level, me, self.layout);
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

    /// Records that a fence with this knowledge happens before the next steps of its thread.
    pub fn note_fence(&mut self, thread: &mut ThreadClock, (me, level): (Who, Level), known: &mut BySpace<Clock>) {
        let alone = known.clone().map(Clock::without_fences);
        let fences = thread.more().learned[GLOBAL].fences_mut();
        fences.before.add((level, Means::Both), me, self.finest, self.layout, &alone);
        known[GLOBAL].fences_mut().before.join_all(&fences.before);
        if self.views.is_some() {
            self.total.join_all(&fences.before);
        }
    }

    /// Follows a strong read or write of a thread.
    pub fn follow_past(
        &mut self,
        group: &GroupClock,
        thread: &mut ThreadClock,
        (place, by): (Place, Written),
        through: Through,
    ) {
        let past = self.pasts.get(&place).filter(|past| through.reads && past.last.is_observed(by, self.layout));
        let observed = past.map(|past| past.before.clone());
        if let Some(observed) = &observed
            && thread.more().observed.as_ref().is_none_or(|known| !Arc::ptr_eq(known, observed))
        {
            thread.more().learned[GLOBAL].fences_mut().seen.join_all(observed);
            thread.more().observed = Some(observed.clone());
        }
        if through.writes
            && let Some(before) = self.passed.get(&place)
        {
            thread.more().learned[GLOBAL].fences_mut().seen.join_all(before);
        }
        let of_thread = thread.more.as_ref().and_then(|more| more.learned[GLOBAL].fences.as_ref());
        let known = [group.learned[GLOBAL].fences.as_ref(), of_thread].into_iter().flatten();
        let mut own = Released::default();
        known.for_each(|known| own.join_all(&known.before));
        if !own.is_empty() {
            self.passed.entry(place).or_default().join_all(&own);
        }
        if !through.writes {
            return;
        }
        let mut before = observed.map_or_else(Released::default, |observed| Released::clone(&observed));
        before.join_all(&own);
        if before.is_empty() {
            self.pasts.remove(&place);
        } else {
            self.pasts.insert(place, Past { last: by, before: Arc::new(before) });
        }
    }

    /// Ends the chains of observed pasts that a write overlaps.
    ///
    /// A strong write of the same bytes does not end a chain.
    pub fn end_pasts(&mut self, group: u64, accessed: Accessed) {
        if self.pasts.is_empty() {
            return;
        }
        let is_strong = self.is_atomic(accessed.at);
        for place in overlapped(&self.pasts, (group, accessed, is_strong), |past| past.last.bytes) {
            self.pasts.remove(&place);
        }
    }
}

/// Whether a fence with this ordering is part of Fence-SC order.
pub fn is_total(ordering: Ordering) -> bool {
    ordering == Ordering::SequentiallyConsistent
}
