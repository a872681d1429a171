//! What two threads do on their way to where they meet: the barriers that they pass, and what they access of one place.
//!
//! It is kept of a run only where somebody asks for it, as a run may be long.

use lockstep_ir::kernel::Array;

use super::super::code::Position;
use super::super::machine::Thread;
use super::clock::{Time, Who};

/// Whose barrier a thread has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// The warp's.
    Warp,
    /// The group's.
    Group,
    /// The launch's.
    Launch,
}

/// A barrier that a thread has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// Where it stands.
    pub at: Position,
    /// Of whom.
    pub barrier: Barrier,
    /// Threads that pass a barrier together have the same number.
    pub meeting: u32,
}

/// An access to the place that the diary is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The step.
    pub at: Position,
    /// The first byte.
    pub offset: u64,
    /// How many.
    pub bytes: u64,
    /// How many barriers the thread had passed.
    pub passed: usize,
    /// The thread's time.
    time: Time,
}

/// The two accesses of a race: whose they are among the diary's threads, and what they are. The earlier one comes first.
pub type Meeting = [(usize, Touch); 2];

/// What two threads do.
#[derive(Clone, Debug)]
pub struct Diary {
    threads: [Who; 2],
    about: Option<(Array, u64)>,
    touches: [Vec<Touch>; 2],
    meetings: u32,
    /// The barriers that each of them has passed.
    pub passes: [Vec<Pass>; 2],
    /// Their races at the place that the diary is about.
    pub races: Vec<Meeting>,
    /// For events, by their numbers: how many barriers each of them had passed when it was told.
    pub events: Vec<(usize, [usize; 2])>,
}

impl Diary {
    /// Of two threads, each by its group's number and its number in the group, and of a byte of an array, if one is of interest.
    pub fn new(threads: [(u64, u32); 2], about: Option<(Array, u64)>) -> Self {
        Self {
            threads: threads.map(|(group, number)| Who { group, number }),
            about,
            touches: [Vec::new(), Vec::new()],
            meetings: 0,
            passes: [Vec::new(), Vec::new()],
            races: Vec::new(),
            events: Vec::new(),
        }
    }

    fn is_of(&self, who: Who) -> Option<usize> {
        self.threads.iter().position(|thread| *thread == who)
    }

    /// A barrier is passed: the next calls of [`Self::pass`] are about those who pass it.
    pub(super) fn meet(&mut self) {
        self.meetings += 1;
    }

    /// A thread of a group passes the barrier that it has come to.
    pub(super) fn pass(&mut self, barrier: Barrier, group: u64, thread: &Thread) {
        let who = Who { group, number: thread.number };
        for (index, _) in self.threads.iter().enumerate().filter(|(_, thread)| **thread == who) {
            let at = thread.at.saturating_sub(1);
            self.passes[index].push(Pass { at, barrier, meeting: self.meetings });
        }
    }

    /// A thread accesses memory.
    pub(super) fn touch(&mut self, who: Who, time: Time, at: Position, array: Array, (offset, bytes): (u64, u64)) {
        let is_there = |(of, byte): (Array, u64)| of == array && (offset..offset.saturating_add(bytes)).contains(&byte);
        if let (Some(index), true) = (self.is_of(who), self.about.is_some_and(is_there)) {
            let passed = self.passes[index].len();
            self.touches[index].push(Touch { at, offset, bytes, passed, time });
        }
    }

    /// The last access of a thread races with one of another thread, which made it at a time and a step.
    pub(super) fn race(&mut self, later: Who, earlier: Who, time: Time, at: Position) {
        let (Some(later), Some(earlier)) = (self.is_of(later), self.is_of(earlier)) else { return };
        let made = self.touches[earlier].iter().rev().find(|touch| (touch.time, touch.at) == (time, at));
        if let (Some(&made), Some(&last)) = (made, self.touches[later].last()) {
            self.races.push([(earlier, made), (later, last)]);
        }
    }

    /// An event is told.
    pub(super) fn event(&mut self, number: usize) {
        self.events.push((number, [self.passes[0].len(), self.passes[1].len()]));
    }
}
