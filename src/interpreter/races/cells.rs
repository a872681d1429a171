//! The comparison of an access with the earlier ones of a cell, and those that a cell keeps.

use smallvec::SmallVec;

use super::clock::{GroupClock, Stamp, ThreadClock, Time, Who};
use super::shadow::Stamps;
use super::sync::Level;
use super::{Detector, GLOBAL, KEPT, Kind, Knows, LOCAL, Now, Order, SmallIndices, position, usize_of};

impl Detector {
    /// Compares an access with the others of a cell, and adds it to them.
    ///
    /// It returns those with which the access races.
    pub(super) fn compare(
        &mut self,
        group: &GroupClock,
        thread: &ThreadClock,
        now: Now,
        stamps: &mut Stamps,
        same: impl Fn() -> bool,
    ) -> Stamps {
        let layout = self.layout;
        let (mut races, mut learned, mut dropped) = (Stamps::new(), false, false);
        let is_marker = |stamp: &Stamp| layout.time(*stamp) == 0;
        // The level of all threads that access the cell.
        let widest = if now.place.0.is_some() { Level::Group } else { Level::Launch };
        let few: SmallVec<[Kind; 2]> =
            stamps.iter().filter(|stamp| is_marker(stamp)).map(|stamp| self.kind(layout.site(*stamp))).collect();
        // By coherence, a write behind the thread's own read is behind what that read came after.
        let is_own_read = |stamp: &Stamp| layout.who(*stamp) == now.me && !self.kind(layout.site(*stamp)).writes;
        let may_hear = self.without_data.is_some() && (!now.kind.writes || stamps.iter().any(is_own_read));
        stamps.retain(|stamp| {
            let old = self.kind(layout.site(*stamp));
            if is_marker(stamp) {
                dropped |= now.kind.may_conflict(old, widest);
                return true;
            }
            let knows = self.knows(group, thread, now, *stamp);
            if knows == Knows::Not {
                let both_plain_writes = old.is_plain_write() && now.kind.is_plain_write();
                let who = layout.who(*stamp);
                let conflicts = old.conflicts(now.kind, who, now.me, layout);
                let is_meant = who.group == now.me.group || !self.races.within_groups;
                let is_tolerated = self.races.tolerant && both_plain_writes && same();
                if conflicts && is_meant && !is_tolerated && !(may_hear && self.is_heard(group, thread, now, *stamp)) {
                    races.push(*stamp);
                }
                return true;
            }
            learned |= knows == Knows::Learned;
            if knows == Knows::Learned && few.contains(&old) && !now.kind.is_plain_write() {
                // It does not represent the dropped ones, with which it need not conflict.
                return true;
            }
            if self.races.between.is_none() && now.kind.covers(old, now.me, layout.who(*stamp), (self.finest, layout)) {
                match self.left_under_tolerance(now, old, *stamp, &same) {
                    Some(left) => *stamp = left,
                    None => return false,
                }
            }
            !self.is_known_to_all(group, now.space, *stamp)
        });
        if now.kind.is_plain_write() && self.races.tolerant {
            self.drop_dominated(group, now, stamps);
        }
        if !few.is_empty() {
            let left: SmallVec<[Kind; 4]> =
                stamps.iter().filter(|stamp| !is_marker(stamp)).map(|stamp| self.kind(layout.site(*stamp))).collect();
            // The marker of dropped accesses is obsolete in two cases. Either all kept ones are
            // known, and the dropped ones with them, or the new write conflicts with all of them.
            let is_written = now.kind.is_plain_write() && !self.races.tolerant;
            let is_settled = |kind: Kind| is_written || (!learned && !left.contains(&kind));
            stamps.retain(|stamp| !is_marker(stamp) || !is_settled(self.kind(layout.site(*stamp))));
        }
        if dropped && learned && races.is_empty() {
            self.unsure.insert(position(layout.site(now.stamp)));
        }
        self.keep(now, stamps);
        races
    }

    /// Whether a volatile access follows another one, except that no acquire lies between.
    ///
    /// The thread of the earlier access released it, and the later thread or its group has read a
    /// value of that release. By the PTX model, this is no order. The CUDA Programming Guide
    /// ("Memory Fence Functions") does without an acquire before volatile reads, so no run claims a
    /// defect. A proof needs the acquire.
    fn is_heard(&self, group: &GroupClock, thread: &ThreadClock, now: Now, earlier: Stamp) -> bool {
        let layout = self.layout;
        let is_data = |site: u64| {
            let at = position(site);
            self.is_atomic(at) && self.racing(at).is_none()
        };
        let sites = [layout.site(earlier), layout.site(now.stamp)];
        if !sites.into_iter().all(is_data) {
            return false;
        }
        let (who, time) = (layout.who(earlier), layout.time(earlier));
        let by_thread = || {
            let more = thread.more.as_ref()?;
            let heard = [LOCAL, GLOBAL].into_iter().flat_map(|at| more.seen[at].learned(Level::Launch, now.me, layout));
            heard.map(|(_, clocks)| clocks[now.space].of(who, layout)).max()
        };
        time <= group.heard[now.space].of(who, layout) || by_thread().is_some_and(|known| time <= known)
    }

    /// The residue of an access that this one covers, if two writes of the same value do not race.
    ///
    /// In this mode, a plain write covers only writes of the same value. An older write of another
    /// value is kept as a read: the value of any write by another thread differs from one of the
    /// two.
    fn left_under_tolerance(&self, now: Now, old: Kind, stamp: Stamp, same: &impl Fn() -> bool) -> Option<Stamp> {
        if !self.races.tolerant || !now.kind.is_plain_write() || (old.is_plain_write() && same()) {
            return None;
        }
        let site = self.layout.site(stamp);
        let as_read = self.layout.stamp(self.layout.who(stamp), self.layout.time(stamp), site & !1);
        Some(if old.is_plain_write() { as_read } else { stamp })
    }

    /// Drops plain reads that only tolerance keeps and that another read covers.
    ///
    /// A tolerated write does not cover these reads. The other read is a later one of the same
    /// thread. It may also be one of the group, if all threads of the group know of the dropped
    /// read. A thread that does not know of the dropped read does not know of the other one either.
    fn drop_dominated(&self, group: &GroupClock, now: Now, stamps: &mut Stamps) {
        let layout = self.layout;
        let is_read = |stamp: Stamp| {
            let kind = self.kind(layout.site(stamp));
            layout.time(stamp) > 0 && !kind.writes && kind.strong.is_none()
        };
        let known = group.known[now.space];
        let mut at = 0;
        while at < stamps.len() {
            let (one, who, time) = (stamps[at], layout.who(stamps[at]), layout.time(stamps[at]));
            if layout.is_copy(who) {
                // No barrier orders it.
                at += 1;
                continue;
            }
            let dominates = |(other_at, other): (usize, &Stamp)| {
                let (other_who, other_time) = (layout.who(*other), layout.time(*other));
                let is_later = other_time > time || (other_time == time && other_at > at);
                let of_group = who.group == now.me.group && other_who.group == who.group && time <= known;
                let of_group = of_group && !layout.is_copy(other_who);
                let after_barrier = of_group && other_time > known;
                is_read(*other) && ((other_who == who && is_later) || after_barrier)
            };
            if is_read(one) && stamps.iter().enumerate().any(dominates) {
                stamps.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// Whether every future access happens after this one.
    fn is_known_to_all(&self, group: &GroupClock, space: usize, stamp: Stamp) -> bool {
        let time = self.layout.time(stamp);
        let is_known = time <= self.everywhere || (space == LOCAL && time <= group.known[LOCAL]);
        is_known && !(self.layout.has_copies && self.layout.is_copy(self.layout.who(stamp)))
    }

    /// Keeps an access, or drops one of its kind if there are too many.
    fn keep(&self, now: Now, stamps: &mut Stamps) {
        let layout = self.layout;
        if self.races.between.is_some() {
            // If only two threads are watched, every place in the code is reported, so one site
            // does not represent another.
            let site = layout.site(now.stamp);
            stamps.retain(|stamp| (layout.site(*stamp), layout.who(*stamp)) != (site, now.me));
            return stamps.push(now.stamp);
        }
        if layout.is_copy(now.me) {
            // No access represents a copy's, nor one copy's access another's.
            return stamps.push(now.stamp);
        }
        let is_of_copy = |stamp: &Stamp| layout.has_copies && layout.is_copy(layout.who(*stamp));
        let is_of_thread = |stamp: &Stamp| layout.time(*stamp) > 0 && !is_of_copy(stamp);
        let is_alike = |stamp: &Stamp| is_of_thread(stamp) && self.kind(layout.site(*stamp)) == now.kind;
        let alike: SmallIndices =
            (0..).zip(stamps.iter()).filter(|(_, stamp)| is_alike(stamp)).map(|(i, _)| i).collect();
        if alike.len() < KEPT[usize::from(self.order != Order::Tree)] {
            return stamps.push(now.stamp);
        }
        // The new access replaces one of the closest two if it is farther from all others.
        let pairs = alike.iter().flat_map(|&a| alike.iter().filter(move |b| a < **b).map(move |&b| (a, b)));
        let closest = pairs.min_by_key(|&(a, b)| layout.distance(stamps[a], stamps[b]));
        let nearest = alike.iter().map(|&i| layout.distance(stamps[i], now.stamp)).min().unwrap_or(0);
        if let Some((a, b)) = closest.filter(|&(a, b)| nearest > layout.distance(stamps[a], stamps[b])) {
            debug_assert!(a < b, "pairs are in order");
            stamps[b] = now.stamp;
        }
        // Under barriers alone, only strong writes may be known without those that are dropped.
        let is_observable =
            self.observes[usize_of(now.place.1.as_u32())] && now.kind.writes && now.kind.strong.is_some();
        if self.order != Order::Tree || is_observable {
            let marker = layout.site(now.stamp);
            if !stamps.iter().any(|&stamp| layout.time(stamp) == 0 && self.kind(layout.site(stamp)) == now.kind) {
                stamps.push(marker);
            }
        }
    }

    fn knows(&self, group: &GroupClock, thread: &ThreadClock, now: Now, stamp: Stamp) -> Knows {
        let (layout, space) = (self.layout, now.space);
        let time = layout.time(stamp);
        let who = layout.who(stamp);
        if layout.is_copy(who) {
            return Self::knows_of_copy(group, thread, now, (who, time));
        }
        if time <= self.everywhere {
            return Knows::Tree;
        }
        if who == now.me {
            return Knows::Tree;
        }
        if who.group == now.me.group {
            if time <= group.known[space] {
                return Knows::Tree;
            }
            let lane = || usize_of(who.number % layout.warp_size);
            if layout.warp(who) == layout.warp(now.me) && time <= thread.of_lane(space, lane()) {
                return Knows::Learned;
            }
        }
        let learned = thread.more.as_ref().map_or(0, |more| more.learned[space].of(who, layout));
        let is_learned = time <= learned || time <= group.learned[space].of(who, layout);
        if is_learned || self.is_observed(group, thread, now, stamp) { Knows::Learned } else { Knows::Not }
    }

    /// Whether a thread knows of a copy's access.
    ///
    /// Only threads that have waited for the copy, or have learned from such threads, know of it.
    /// It represents no other access.
    #[cold]
    fn knows_of_copy(group: &GroupClock, thread: &ThreadClock, now: Now, (who, time): (Who, Time)) -> Knows {
        let by_thread = thread.more.as_ref().map_or(0, |more| more.learned[now.space].of_copy(who));
        let is_known = who == now.me || time <= by_thread.max(group.learned[now.space].of_copy(who));
        if is_known { Knows::Tree } else { Knows::Not }
    }
}
