//! The steps of two threads up to their race: barriers, accesses of one place, and the locks that
//! all threads have taken and given back by then.
//!
//! A diary is kept only on request, since a run may be long.

use std::collections::BTreeMap;

use lockstep_ir::kernel::Array;

use super::super::code::Position;
use super::super::machine::Thread;
use super::clock::{Time, Who};

/// The scope of a barrier that a thread has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// The warp.
    Warp,
    /// The group.
    Group,
    /// The launch.
    Launch,
}

/// A barrier that a thread has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// The position of the barrier.
    pub at: Position,
    /// The scope of the barrier.
    pub barrier: Barrier,
    /// The number of the meeting, which threads that pass a barrier together share.
    pub meeting: u32,
}

/// An access to the diary's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The step.
    pub at: Position,
    /// The first byte.
    pub offset: u64,
    /// The number of bytes.
    pub bytes: u64,
    /// The number of barriers that the thread had passed.
    pub passed: usize,
    /// The number of changes of locks before.
    pub changes: usize,
    /// The thread's time.
    time: Time,
}

/// A thread takes a lock, or gives it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockChange {
    /// The number of the thread's group, and the thread's number in its group.
    pub thread: (u64, u32),
    /// The step.
    pub at: Position,
    /// The lock: the group in whose local memory it is, its array, and the first byte.
    pub lock: (Option<u64>, Array, u64),
    /// Whether the thread takes it.
    pub takes: bool,
    /// The number of meetings before.
    pub meeting: u32,
}

/// The most changes of locks that a diary keeps.
const MOST_CHANGES: usize = 1 << 16;

/// The two accesses of a race, the earlier one first.
///
/// Each has its thread's index in the diary.
pub type Meeting = [(usize, Touch); 2];

/// The steps of two threads.
#[derive(Clone, Debug)]
pub struct Diary {
    threads: [Who; 2],
    about: Option<(Array, u64)>,
    touches: [Vec<Touch>; 2],
    meetings: u32,
    /// The arrays of locks, each with the value of a lock that nobody holds.
    locks: BTreeMap<Array, u64>,
    /// The changes of locks by all threads; `None` if there are too many.
    pub changes: Option<Vec<LockChange>>,
    /// The barriers that each of them has passed.
    pub passes: [Vec<Pass>; 2],
    /// Their races at the diary's place.
    pub races: Vec<Meeting>,
    /// For each event, by number: how many barriers each thread had passed when it was reported.
    pub events: Vec<(usize, [usize; 2])>,
}

impl Diary {
    /// A diary of two threads, and of a byte of an array, if one is of interest.
    ///
    /// A thread is given by its group's number and its number in the group.
    pub fn new(threads: [(u64, u32); 2], about: Option<(Array, u64)>) -> Self {
        Self {
            threads: threads.map(|(group, number)| Who { group, number }),
            about,
            touches: [Vec::new(), Vec::new()],
            meetings: 0,
            locks: BTreeMap::new(),
            changes: Some(Vec::new()),
            passes: [Vec::new(), Vec::new()],
            races: Vec::new(),
            events: Vec::new(),
        }
    }

    /// The diary, which also keeps the changes of these locks: arrays, each with the value of a
    /// lock that nobody holds.
    pub fn with_locks(self, locks: BTreeMap<Array, u64>) -> Self {
        Self { locks, ..self }
    }

    /// Records that a thread writes a number to a cell that has held another one.
    pub(super) fn write(&mut self, who: Who, at: Position, lock: (Option<u64>, Array, u64), (old, new): (u64, u64)) {
        let Some(&free) = self.locks.get(&lock.1) else { return };
        if old != free && new != free {
            return;
        }
        let (thread, meeting) = ((who.group, who.number), self.meetings);
        let change = LockChange { thread, at, lock, takes: new != free, meeting };
        self.changes = self.changes.take().filter(|all| all.len() < MOST_CHANGES);
        self.changes.iter_mut().for_each(|all| all.push(change));
    }

    fn is_of(&self, who: Who) -> Option<usize> {
        self.threads.iter().position(|thread| *thread == who)
    }

    /// Starts a new meeting at a barrier; the next calls of [`Self::pass`] belong to it.
    pub(super) fn meet(&mut self) {
        self.meetings += 1;
    }

    /// Records that a thread of a group passes its barrier.
    pub(super) fn pass(&mut self, barrier: Barrier, group: u64, thread: &Thread) {
        let who = Who { group, number: thread.number };
        for (index, _) in self.threads.iter().enumerate().filter(|(_, thread)| **thread == who) {
            let at = thread.at.saturating_sub(1);
            self.passes[index].push(Pass { at, barrier, meeting: self.meetings });
        }
    }

    /// Records an access to memory by a thread.
    pub(super) fn touch(&mut self, who: Who, time: Time, at: Position, array: Array, (offset, bytes): (u64, u64)) {
        let is_there = |(of, byte): (Array, u64)| of == array && (offset..offset.saturating_add(bytes)).contains(&byte);
        if let (Some(index), true) = (self.is_of(who), self.about.is_some_and(is_there)) {
            let passed = self.passes[index].len();
            let changes = self.changes.as_ref().map_or(0, Vec::len);
            self.touches[index].push(Touch { at, offset, bytes, passed, changes, time });
        }
    }

    /// Records a race between the last access of a thread and an earlier one of another.
    ///
    /// The earlier access is given by its time and step.
    pub(super) fn race(&mut self, later: Who, earlier: Who, time: Time, at: Position) {
        let (Some(later), Some(earlier)) = (self.is_of(later), self.is_of(earlier)) else { return };
        let made = self.touches[earlier].iter().rev().find(|touch| (touch.time, touch.at) == (time, at));
        if let (Some(&made), Some(&last)) = (made, self.touches[later].last()) {
            self.races.push([(earlier, made), (later, last)]);
        }
    }

    /// Records that an event is reported.
    pub(super) fn event(&mut self, number: usize) {
        self.events.push((number, [self.passes[0].len(), self.passes[1].len()]));
    }
}
