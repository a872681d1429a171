//! The order of single accesses that another thread observes, following the PTX memory model.
//!
//! References: PTX ISA, "Memory Consistency Model"; Lustig, Sahasrabuddhe and Giroux, "A formal
//! analysis of the NVIDIA PTX memory consistency model", ASPLOS 2019.
//!
//! *Causality order*: "X precedes Y if X precedes some operation Z in observation order, and Z
//! precedes Y in base causality order". So an atomic operation X precedes whatever follows, in its
//! own thread or by barriers and releases, an atomic operation Z that reads the value of X. It also
//! does if Z reads a value derived from that of X by a chain of atomic read-modify-writes. No fence
//! is needed. The order is one of X alone, not of the accesses before X in its thread. This is how
//! the last of all blocks may set a counter with a plain store.
//!
//! # Implementation
//!
//! For each place, the strong writes since the last one that ended the chain are numbered (a
//! chain). A thread that observes the newest of them knows of all. This knowledge is a
//! [`Unit::Chain`] with the number of observed writes as its time, so it goes wherever clocks go.
//! For the stamps in a cell, the numbers are kept ([`History`]), also of chains that have ended.
//! Each link of a chain must be morally strong: the scopes of both operations include the other's
//! thread, and both access the same bytes. A plain write, one of other bytes, or a store ends the
//! chain.
//!
//! *Two accesses with one stamp* are the same site of a thread without a release in between. The
//! chain has the number of the later one. If the earlier one is not in the chain (a store has
//! replaced its value), it counts as observed all the same. In the same way, a strong access that a
//! later one of the chain follows may be dropped from the cell. By coherence, both precede the
//! later one at this place, but the model has no order for them, so races with them are missed.
//!
//! C11 and OpenCL have no such rule: there, X needs a release and Z an acquire. Neither has LLVM's
//! model, but the documents of HIP promise what CUDA does, so no run claims a defect there. A proof
//! uses the rule for CUDA only.

use std::collections::BTreeMap;

use super::clock::{GroupClock, Layout, Stamp, ThreadClock, Time, Unit, Who};
use super::fences::WIDEST;
use super::sync::{Level, Place};
use super::{Accessed, Detector, GroupWatch, Now, Through, usize_of};

/// The strong write of a place that an operation may observe.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    pub level: Level,
    pub who: Who,
    pub bytes: u64,
}

impl Written {
    /// Whether an operation that is morally strong with the write reads its value.
    pub fn is_observed(&self, other: Self, layout: Layout) -> bool {
        let holds = |level: Level| level.holds(self.who, other.who, layout);
        self.bytes == other.bytes && holds(self.level) && holds(other.level)
    }
}

/// Strong writes of a place, each derived from the one before.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    number: u64,
    /// The newest of them.
    last: Written,
    length: Time,
}

/// A write whose stamp is in the cell.
#[derive(Clone, Copy, Debug)]
struct Link {
    stamp: Stamp,
    chain: u64,
    /// Its number in the chain, from 1.
    number: Time,
}

/// The records of a place.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The chain that may go on.
    chain: Option<Chain>,
    /// The largest number of bytes of any chain.
    bytes: u64,
    links: Vec<Link>,
}

/// The history of each place.
pub type Histories = BTreeMap<Place, History>;

/// The places of these records that a write overlaps, except with a strong write of the same bytes.
///
/// `bytes` gives the bytes of a record.
pub fn overlapped<T>(
    records: &BTreeMap<Place, T>,
    (group, accessed, is_strong): (u64, Accessed, bool),
    bytes: impl Fn(&T) -> u64,
) -> Vec<Place> {
    let of = accessed.local.then_some(group);
    let (from, to) = (accessed.offset.saturating_sub(WIDEST), accessed.offset.saturating_add(accessed.bytes));
    let near = records.range((of, accessed.array, from)..(of, accessed.array, to));
    let overlapping = near.filter(|((.., offset), record)| {
        let bytes = bytes(record);
        let is_same = *offset == accessed.offset && bytes == accessed.bytes;
        offset + bytes > accessed.offset && !(is_strong && is_same)
    });
    overlapping.map(|(place, _)| *place).collect()
}

impl Detector {
    /// The chain of a place that may go on.
    pub(super) fn chain(&self, place: Place) -> Option<Chain> {
        self.histories.get(&place)?.chain
    }

    /// Exchanges the chain of a place that may go on with another one.
    pub(super) fn exchange_chain(&mut self, place: Place, chain: &mut Option<Chain>) {
        if chain.is_some() || self.histories.contains_key(&place) {
            std::mem::swap(&mut self.histories.entry(place).or_default().chain, chain);
            self.drop_empty(place);
        }
    }

    /// The chain whose newest write a strong read by this thread observes.
    fn observed(&self, place: Place, by: Written) -> Option<Chain> {
        self.histories.get(&place)?.chain.filter(|chain| chain.last.is_observed(by, self.layout))
    }

    /// Lets a thread know of the writes that the strong read which it is about to make observes.
    ///
    /// The read itself then represents them in the cell.
    pub fn observe(&self, watch: &GroupWatch, (thread, number): (&mut ThreadClock, u32), accessed: Accessed) {
        if !self.is_chained(accessed) {
            return;
        }
        let me = Who { group: watch.clock.group, number };
        if let Some(chain) = self.observed(Self::place(me, accessed), self.by(me, accessed)) {
            thread.more().learned[Self::space(accessed)].learn(Unit::Chain(chain.number), chain.length);
        }
    }

    /// Adds a strong write to the chain of its place, or begins another one with it.
    ///
    /// The thread knows of the write itself by its time.
    pub fn extend_chain(
        &mut self,
        thread: &ThreadClock,
        (place, by): (Place, Written),
        (accessed, through): (Accessed, Through),
    ) {
        let stamp = self.layout.stamp(by.who, thread.own, Self::site(accessed));
        let before = self.observed(place, by).filter(|_| through.reads);
        let begun = self.chains_begun + 1;
        let (number, length) = before.map_or((begun, 1), |chain| (chain.number, chain.length.saturating_add(1)));
        self.chains_begun = self.chains_begun.max(number);
        self.exhausted |= length == Time::MAX;
        let is_watched = self.is_watched(by.who);
        let history = self.histories.entry(place).or_default();
        history.chain = Some(Chain { number, last: by, length });
        history.bytes = history.bytes.max(by.bytes);
        history.links.retain(|link| link.stamp != stamp);
        if is_watched {
            history.links.push(Link { stamp, chain: number, number: length });
        }
    }

    /// Ends the chains that a write overlaps, except with a strong write of the same bytes.
    pub fn end_chains(&mut self, group: u64, accessed: Accessed) {
        if self.histories.is_empty() {
            return;
        }
        let is_strong = self.racing(accessed.at).is_some();
        let bytes_of = |history: &History| history.chain.map_or(history.bytes, |chain| chain.last.bytes);
        for place in overlapped(&self.histories, (group, accessed, is_strong), bytes_of) {
            if let Some(history) = self.histories.get_mut(&place) {
                history.chain = None;
            }
            self.drop_empty(place);
        }
    }

    fn drop_empty(&mut self, place: Place) {
        if self.histories.get(&place).is_some_and(|history| history.chain.is_none() && history.links.is_empty()) {
            self.histories.remove(&place);
        }
    }

    /// Forgets the writes whose stamps are in none of the cells of this place.
    ///
    /// These are the stamps of all cells of an access to as many bytes or more.
    pub fn prune_links(&mut self, place: Place, bytes: u64, stamps: &[Stamp]) {
        if let Some(history) = self.histories.get_mut(&place).filter(|history| history.bytes <= bytes) {
            history.links.retain(|link| stamps.contains(&link.stamp));
            self.drop_empty(place);
        }
    }

    /// Whether a strong write with this stamp precedes a thread's next step by its observation.
    pub(super) fn is_observed(&self, group: &GroupClock, thread: &ThreadClock, now: Now, stamp: Stamp) -> bool {
        let kind = self.kind(self.layout.site(stamp));
        if self.histories.is_empty() || !kind.writes || kind.strong.is_none() {
            return false;
        }
        let of_thread = thread.more.as_ref().map(|more| &more.learned[now.space]);
        let known = |chain: u64| {
            let clocks = [Some(&group.learned[now.space]), of_thread].into_iter().flatten();
            clocks.map(|clock| clock.of_chain(chain)).max().unwrap_or(0)
        };
        let (of, array, at) = now.place;
        let near = self.histories.range((of, array, at.saturating_sub(WIDEST))..=(of, array, at));
        let mut links =
            near.filter(|((.., offset), history)| at < offset + history.bytes).flat_map(|(_, of)| &of.links);
        links.any(|link| link.stamp == stamp && link.number <= known(link.chain))
    }

    /// Whether a strong operation at this position takes part in chains.
    pub(super) fn is_chained(&self, accessed: Accessed) -> bool {
        self.observes[usize_of(accessed.array.as_u32())] && self.racing(accessed.at).is_some()
    }
}
