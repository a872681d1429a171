//! Asynchronous copies beside the threads of a group (OpenCL C, section 6.15.11), or beside the
//! thread that starts them (`cp.async`).
//!
//! All threads of a group reach the call that starts a copy, with the same arguments, and the call
//! that waits for it. Neither call is a barrier. The copy is made by no particular thread, at any
//! time between the two calls. Here it is made at once, when all threads have arrived. For race
//! detection, it is a thread of its own ([`super::races`]).
//!
//! A copy of a thread is made at once as well, and ends when the thread waits for its batch.

use lockstep_ir::kernel::{Array, AsyncGroup, StridedSide};

use super::code::{AsyncCopy, Code, Position};
use super::events::Wrong;
use super::group::Group;
use super::machine::{Reach, Stop};
use super::races::Copying;

/// The copies of a group that have not been waited for.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    under_way: Vec<UnderWay>,
    /// The copies that threads have started for themselves.
    of_threads: Vec<OwnCopy>,
    /// The number of copies that the group's threads have shared.
    shared: usize,
    /// The last event allocated; 0 is the null event.
    last_event: u64,
}

#[derive(Clone, Debug)]
struct UnderWay {
    event: u64,
    at: Position,
    first_thread: usize,
    watched: Option<Copying>,
}

/// A copy of a thread.
#[derive(Clone, Debug)]
struct OwnCopy {
    thread: usize,
    batch: u64,
    watched: Copying,
}

/// The elements of a copy that a thread copies: the first of them, and the distance to the next.
#[derive(Clone, Copy)]
struct Part {
    first: u64,
    every: u64,
}

/// One side of a copy.
#[derive(Clone, Copy)]
struct Side {
    array: Option<Array>,
    offset: u64,
    /// The distance between two elements, in bytes.
    distance: u64,
    writes: bool,
}

impl Group {
    /// Starts a copy, once all threads have reached its start.
    pub fn start_copy(&mut self, reach: &mut Reach<'_>, number: u32, at: Position) {
        let code = reach.code;
        let copy = &code.asynchronous[usize::try_from(number).expect("numbers are 32 bits")];
        let here = self.at_step(Stop::AsyncCopy(number, at));
        let Some(&first) = here.first() else { return };
        self.compare_operands(reach, &here, &copy.operands(), at);
        if copy.group == AsyncGroup::Shared {
            self.copies.shared += 1;
            for thread in here {
                self.copy_of_thread(reach, thread, number, at);
                self.stops[thread] = None;
            }
            return;
        }
        let event = copy.event.map_or(0, |event| self.threads[first].get(event));
        let event = if event == 0 {
            self.copies.last_event += 1;
            self.copies.last_event
        } else {
            event
        };
        let watched = reach.watch.as_mut().and_then(|watch| watch.detector.start_copy(watch.group, &mut self.threads));
        self.perform(reach, copy, (first, Part { first: 0, every: 1 }), watched.as_ref(), at);
        self.copies.under_way.push(UnderWay { event, at, first_thread: first, watched });
        for thread in here {
            if let Some(result) = copy.result {
                self.threads[thread].set(result, event);
            }
            self.stops[thread] = None;
        }
    }

    /// Completes copies, once all threads have reached the wait.
    pub fn wait_for_copies(&mut self, reach: &mut Reach<'_>, number: u32, at: Position) {
        let events = &reach.code.waits[usize::try_from(number).expect("numbers are 32 bits")];
        let here = self.at_step(Stop::AsyncWait(number, at));
        let Some(&first) = here.first() else { return };
        self.compare_operands(reach, &here, events, at);
        let events: Vec<u64> = events.iter().map(|&event| self.threads[first].get(event)).collect();
        for ended in self.copies.under_way.extract_if(.., |copy| events.contains(&copy.event)) {
            if let (Some(watch), Some(watched)) = (&mut reach.watch, ended.watched) {
                watch.detector.end_copy(watch.group, watched);
            }
        }
        for thread in here {
            self.stops[thread] = None;
        }
    }

    /// Reports copies that were never waited for, once the threads have returned.
    ///
    /// Such a copy outlives them.
    pub fn look_for_copies_left(&mut self, reach: &mut Reach<'_>) {
        for copy in std::mem::take(&mut self.copies.under_way) {
            reach.wrong(&self.threads[copy.first_thread], Wrong::NotWaitedFor, copy.at);
        }
    }

    /// Starts a copy of a thread, or the thread's part of a shared one, and makes it.
    ///
    /// Which thread copies which elements of a shared copy is not said. Here each copies those that
    /// a neighbour would seem to, and another one each time, so that it is not enough that a thread
    /// waits for its own part.
    pub fn copy_of_thread(&mut self, reach: &mut Reach<'_>, thread: usize, number: u32, at: Position) {
        let code = reach.code;
        let copy = &code.asynchronous[usize::try_from(number).expect("numbers are 32 bits")];
        let watch = reach.watch.as_mut();
        let watched = watch.and_then(|watch| watch.detector.start_own_copy(watch.group, &mut self.threads[thread]));
        if copy.group != AsyncGroup::Thread {
            let threads = if copy.group == AsyncGroup::Shared { self.threads.len() } else { 1 };
            let number = (thread + self.copies.shared) % threads;
            let [first, every] = [number, threads].map(|number| u64::try_from(number).expect("threads are few"));
            let part = Part { first, every };
            self.perform(reach, copy, (thread, part), watched.as_ref(), at);
            self.note_copy_of_thread(copy, thread, watched);
            return;
        }
        let thread_of_copy = &mut self.threads[thread];
        let written = u64::from(copy.element_bytes);
        let read = thread_of_copy.get(copy.count).min(written);
        let mut place = |pointer: u32, bytes: u64, alignment: u8, writes: bool| {
            let from = (Code::array(thread_of_copy.get(pointer)), thread_of_copy.get(pointer + 1));
            reach.place_at(thread_of_copy, from, bytes, alignment, writes, at)
        };
        let source = (read > 0).then(|| place(copy.from, read, copy.alignments.0, false));
        let (Some(target), false) = (place(copy.to, written, copy.alignments.1, true), source == Some(None)) else {
            return;
        };
        let mut bytes: Vec<u8> = source.flatten().map_or_else(Vec::new, |(array, offset)| {
            (0..read).map(|byte| reach.byte(thread_of_copy, (array, offset + byte))).collect()
        });
        if let (Some(watched), Some(source)) = (&watched, source.flatten()) {
            reach.watch_copy(thread_of_copy, watched, source, &bytes, false, at);
        }
        bytes.resize(usize::try_from(written).expect("an element is small"), 0);
        if let Some(watched) = &watched {
            reach.watch_copy(thread_of_copy, watched, target, &bytes, true, at);
        }
        for (byte, &value) in (target.1..).zip(&bytes) {
            reach.write(thread_of_copy, (target.0, byte), 1, value.into());
        }
        self.note_copy_of_thread(copy, thread, watched);
    }

    fn note_copy_of_thread(&mut self, copy: &AsyncCopy, thread: usize, watched: Option<Copying>) {
        let batch = copy.event.map_or(0, |event| self.threads[thread].get(event));
        self.copies.of_threads.extend(watched.map(|watched| OwnCopy { thread, batch, watched }));
    }

    /// Ends the copies of a thread for which it has waited.
    pub fn wait_for_own(&mut self, reach: &mut Reach<'_>, thread: usize, number: u32) {
        let (closed, kept) = reach.code.own_waits[usize::try_from(number).expect("numbers are 32 bits")];
        let closed = self.threads[thread].get(closed);
        let is_over = |copy: &mut OwnCopy| copy.thread == thread && copy.batch.wrapping_add(u64::from(kept)) < closed;
        for ended in self.copies.of_threads.extract_if(.., is_over) {
            if let Some(watch) = &mut reach.watch {
                watch.detector.end_own_copy(watch.group, &mut self.threads[thread], &ended.watched);
            }
        }
    }

    fn at_step(&self, stop: Stop) -> Vec<usize> {
        (0..self.threads.len()).filter(|&thread| self.stops[thread] == Some(stop)).collect()
    }

    /// Checks that all threads of a group give the same operands to a collective operation.
    fn compare_operands(&self, reach: &mut Reach<'_>, threads: &[usize], operands: &[u32], at: Position) {
        let of = |thread: usize| operands.iter().map(move |&operand| self.threads[thread].get(operand));
        let differs = threads.iter().find(|&&thread| !of(thread).eq(of(threads[0])));
        if let Some(&other) = differs {
            reach.wrong(&self.threads[other], Wrong::Differs(self.threads[threads[0]].local_id), at);
        }
    }

    fn perform(
        &mut self,
        reach: &mut Reach<'_>,
        copy: &AsyncCopy,
        (thread, part): (usize, Part),
        watched: Option<&Copying>,
        at: Position,
    ) {
        let thread = &mut self.threads[thread];
        let size = u64::from(copy.element_bytes);
        let in_bytes = copy.group.is_of_threads();
        let all = if in_bytes { thread.get(copy.count) } else { thread.get(copy.count).saturating_mul(size) };
        let side = |pointer: u32, which: StridedSide| {
            let stride = copy.stride.filter(|(side, _)| *side == which).map_or(1, |(_, stride)| thread.get(stride));
            Side {
                array: Code::array(thread.get(pointer)),
                offset: thread.get(pointer + 1),
                distance: size.wrapping_mul(stride),
                writes: which == StridedSide::To,
            }
        };
        let (from, to) = (side(copy.from, StridedSide::From), side(copy.to, StridedSide::To));
        let mut next = Some(part.first);
        while let Some(element) = next {
            let Some(left) = element.checked_mul(size).and_then(|done| all.checked_sub(done)).filter(|left| *left > 0)
            else {
                return;
            };
            let bytes = left.min(size);
            next = element.checked_add(part.every);
            if reach.steps == 0 || reach.clock.look(1) {
                return;
            }
            reach.steps -= 1;
            let mut place = |side: Side, alignment: u8| {
                let offset = side.offset.wrapping_add(element.wrapping_mul(side.distance));
                reach.place_at(thread, (side.array, offset), bytes, alignment, side.writes, at)
            };
            // Further elements are even further out of bounds.
            let (Some(source), Some(target)) = (place(from, copy.alignments.0), place(to, copy.alignments.1)) else {
                return;
            };
            let read: Vec<u8> = (0..bytes).map(|byte| reach.byte(thread, (source.0, source.1 + byte))).collect();
            if let Some(watched) = watched {
                reach.watch_copy(thread, watched, source, &read, false, at);
                reach.watch_copy(thread, watched, target, &read, true, at);
            }
            for (byte, &value) in (target.1..).zip(&read) {
                reach.write(thread, (target.0, byte), 1, value.into());
            }
        }
    }
}

impl Reach<'_> {
    /// Checks a copy's access to these bytes for races.
    fn watch_copy(
        &mut self,
        thread: &super::machine::Thread,
        copying: &Copying,
        place: (Array, u64),
        written: &[u8],
        writes: bool,
        at: Position,
    ) {
        let bytes = u64::try_from(written.len()).expect("memory fits");
        let Some(accessed) = self.accessed(place, bytes, writes, at) else { return };
        let before: Vec<u8> = (0..bytes).map(|byte| self.byte(thread, (place.0, place.1 + byte))).collect();
        let same = |at: u64, size: u64| {
            let from = usize::try_from(at - place.1).expect("memory fits");
            let cell = from..(from + usize::try_from(size).expect("a word")).min(written.len());
            writes && before[cell.clone()] == written[cell]
        };
        self.compare_copy(copying, accessed, same);
    }
}
