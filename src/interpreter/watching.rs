//! The accesses of threads, as the race detector learns of them.

use lockstep_ir::kernel::{Array, AtomicOp, Ordering, PHASE_OBJECT_BYTES, Space};

use super::code::{AtomicStep, Position};
use super::events::{Event, Wrong};
use super::machine::{Reach, Thread, Watch, at, within};
use super::races::{self, Accessed, Copying, Older, Race, Through};

impl Reach<'_> {
    pub(super) fn accessed(
        &self,
        (array, offset): (Array, u64),
        bytes: u64,
        writes: bool,
        here: Position,
    ) -> Option<Accessed> {
        let local = match self.code.arrays[at(array.as_u32())].space {
            Space::Private => return None,
            // Only a library's model accesses it, with barriers between its accesses, which the
            // proof checks.
            Space::Local if self.code.arrays[at(array.as_u32())].of_library => return None,
            Space::Local => true,
            Space::Global | Space::Constant | Space::Generic => false,
        };
        Some(Accessed { at: here, writes, array, local, offset, bytes })
    }

    pub(super) fn watch_read(&mut self, thread: &mut Thread, place: (Array, u64), bytes: u64, here: Position) {
        let Some(accessed) = self.accessed(place, bytes, false, here).filter(|_| self.watch.is_some()) else { return };
        self.observe(thread, accessed);
        self.compare(thread, accessed, |_, _| false);
        self.learn_beside_fences(thread, accessed);
    }

    pub(super) fn watch_write(&mut self, thread: &mut Thread, place: (Array, u64), written: &[u8], here: Position) {
        if self.watch.is_none() {
            return;
        }
        let bytes = u64::try_from(written.len()).expect("memory fits");
        let Some(accessed) = self.accessed(place, bytes, true, here) else { return };
        let (array, offset) = place;
        let before: Vec<u8> = (offset..offset + bytes).map(|byte| self.byte(thread, (array, byte))).collect();
        let same = |at: u64, size: u64| {
            let from = within(at - offset);
            let cell = from..(from + within(size)).min(written.len());
            before[cell.clone()] == written[cell]
        };
        self.compare(thread, accessed, same);
        self.learn_beside_fences(thread, accessed);
        let ordering = self.code.volatile_order(here);
        let through = self.code.is_volatile(here).then_some(Through { ordering, reads: false, writes: true });
        self.note_write(thread, accessed, number(&before).zip(number(written)), through);
    }

    /// Records that a thread changes a cell.
    fn note_write(
        &mut self,
        thread: &Thread,
        accessed: Accessed,
        numbers: Option<(u64, u64)>,
        through: Option<Through>,
    ) {
        if let Some(watch) = &mut self.watch {
            watch.detector.note_write(watch.group, thread.number, accessed, numbers, through);
        }
    }

    /// Lets a thread make a strong read, which may see an older value. If it does, the caller ends
    /// it by [`Self::end_older`].
    pub(super) fn older(
        &mut self,
        thread: &Thread,
        (place, bytes): ((Array, u64), u64),
        ordering: Ordering,
        may_be_older: bool,
        here: Position,
    ) -> Option<Older> {
        self.watch.as_ref()?.detector.views.as_ref()?;
        let accessed = self.accessed(place, bytes, false, here)?;
        let watch = self.watch.as_mut()?;
        watch.detector.read_older(watch.group, thread.number, accessed, ordering, may_be_older)
    }

    pub(super) fn end_older(&mut self, older: Older) {
        if let Some(watch) = &mut self.watch {
            watch.detector.end_older(older);
        }
    }

    pub(super) fn watch_atomic(
        &mut self,
        thread: &mut Thread,
        place: (Array, u64),
        atomic: &AtomicStep,
        (old, new): (u64, Option<u64>),
        here: Position,
    ) {
        if self.watch.is_none() {
            return;
        }
        let (bytes, writes) = (u64::from(atomic.bits.div_ceil(8)), new.is_some());
        let Some(accessed) = self.accessed(place, bytes, writes, here) else { return };
        let fails = atomic.op == AtomicOp::CompareExchange && !writes;
        let ordering = if fails { atomic.failing } else { atomic.ordering };
        let through = Through { ordering, reads: races::reads(atomic.op), writes };
        if through.reads {
            self.observe(thread, accessed);
        }
        self.compare(thread, accessed, |_, _| false);
        self.learn_through(thread, accessed, through);
        if let Some(new) = new {
            self.note_write(thread, accessed, Some((old, new)), Some(through));
        }
    }

    /// Records that an operation accesses a phase object.
    pub(super) fn watch_phase(&mut self, thread: &mut Thread, place: (Array, u64), here: Position) {
        if self.watch.is_some()
            && let Some(accessed) = self.accessed(place, PHASE_OBJECT_BYTES, true, here)
        {
            self.compare(thread, accessed, |_, _| false);
        }
    }

    fn compare(&mut self, thread: &Thread, accessed: Accessed, same: impl Fn(u64, u64) -> bool) {
        let Some(watch) = &mut self.watch else { return };
        let (group, regions, events) = (self.group, &*self.regions, &mut *self.events);
        watch.detector.access(watch.group, (&thread.clock, thread.number), accessed, same, |race| {
            let image = regions[at(race.array.as_u32())].image;
            let race = Race { pixel: image.map(|image| image.pixel(race.offset)), ..race };
            events.push(Event { what: Wrong::Race(race), at: accessed.at, group, thread: thread.local_id });
        });
    }

    /// Does the same for an asynchronous copy.
    pub(super) fn compare_copy(&mut self, copying: &Copying, accessed: Accessed, same: impl Fn(u64, u64) -> bool) {
        let Some(watch) = &mut self.watch else { return };
        let (group, grid, events) = (self.group, self.grid, &mut *self.events);
        watch.detector.access_of_copy(watch.group, copying, accessed, same, |race| {
            let thread = grid.local_id(race.later_thread);
            events.push(Event { what: Wrong::Race(race), at: accessed.at, group, thread });
        });
    }

    /// Lets a thread know what the read that it is about to make observes.
    fn observe(&mut self, thread: &mut Thread, accessed: Accessed) {
        if let Some(watch) = &mut self.watch {
            watch.detector.observe(watch.group, (&mut thread.clock, thread.number), accessed);
        }
    }

    /// Propagates knowledge through volatile accesses, and through plain ones beside fences.
    fn learn_beside_fences(&mut self, thread: &mut Thread, accessed: Accessed) {
        let is_such =
            |watch: &Watch<'_>| watch.detector.is_atomic(accessed.at) || watch.detector.is_beside_fence(accessed.at);
        if self.watch.as_ref().is_some_and(is_such) {
            let ordering = self.code.volatile_order(accessed.at);
            let through = Through { ordering, reads: !accessed.writes, writes: accessed.writes };
            self.learn_through(thread, accessed, through);
        }
    }

    fn learn_through(&mut self, thread: &mut Thread, accessed: Accessed, through: Through) {
        if let Some(watch) = &mut self.watch {
            watch.detector.through_memory(watch.group, (&mut thread.clock, thread.number), accessed, through);
        }
    }
}

/// The number in some bytes; `None` if it has more than 64 bits.
fn number(bytes: &[u8]) -> Option<u64> {
    (bytes.len() <= 8).then(|| bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}
