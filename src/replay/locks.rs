//! The locks that the threads of a race hold.
//!
//! A run that has the race is repeated with a diary, which also keeps all changes of locks
//! ([`LockChange`]). Locks are the arrays that kernels use as such, by the same definition as in
//! proofs ([`lockstep_transform::signals::locks`]): they change only by compare-and-swaps and
//! exchanges that take them, and by stores of the value of a free lock.
//!
//! Two critical sections under one lock are ordered, if its operations release and acquire. So if
//! each thread of a race holds a lock, and no property of operations is lacking
//! (`lacking.rs`), one of these is true:
//!
//! * They hold no common lock.
//! * They hold a common one, which somebody else has given back in between: the second thread
//!   could take it although the first one had not given it back. The first one gives it back later
//!   in the run; a thread that never does so may hand the lock over, as with a semaphore.
//!
//! In races between groups, a group holds what one of its threads has taken before a barrier of the
//! group: a leader may take a lock for all. This explains a race that is a fact anyway. A lock may
//! be held for other data than that of the race, so the report says which locks are held, and by
//! whom.

use std::collections::BTreeMap;

use lockstep_findings::race;
use lockstep_interpreter::{Barrier, Diary, Grid, How, Input, LockChange, Races, Touch};
use lockstep_ir::kernel::Array;
use lockstep_verdict::Finding;
use lockstep_verdict::act::Act;
use lockstep_verdict::locks::{GivenBack, Held, Lock, Locks};

use super::lacking::MOST_TIME;
use super::{Replay, STEPS, racing};

/// A thread: its group's number, its number in the group.
type Thread = (u64, u32);

/// The cell of a lock: the group in whose local memory it is, its array, and the first byte.
type Cell = (Option<u64>, Array, u64);

impl Replay<'_> {
    /// Whether the kernel has locks.
    pub fn has_locks(&self) -> bool {
        !self.locks.is_empty()
    }

    /// Notes in a confirmed race which locks its threads hold, and gives it the code for that.
    pub(super) fn note_locks(&self, found: &mut Finding, grid: &Grid, input: &Input, how: &How) {
        if found.code != race::CODE || self.locks.is_empty() {
            return;
        }
        let Some(locks) = self.locks_around(found, grid, input, how) else { return };
        found.code = race::code_under(&locks);
        found.locks = Some(Box::new(locks));
    }

    /// The locks around the accesses of a race; `None` if there are none, or if a repeated run does
    /// not show the race.
    fn locks_around(&self, found: &Finding, grid: &Grid, input: &Input, how: &How) -> Option<Locks> {
        let threads = racing(grid, found)?;
        let array = self.kernel.arrays.iter().find(|(_, data)| found.array.as_ref() == Some(&data.name))?.0;
        let diary = Diary::new(threads, Some((array, found.offset_bytes?))).with_locks(self.locks.clone());
        let races = Races { between: Some(threads), ..how.races? };
        let how = How { deadline: self.options.deadline.within(MOST_TIME), most_steps: STEPS, ..how.clone() };
        let (_, diary) = lockstep_interpreter::run_with_diary((&self.code, grid), input.clone(), how, races, diary)?;
        let changes = diary.changes.as_ref()?;
        let touches = self.places(grid).touches(found, &diary)?;
        let is_between_groups = threads[0].0 != threads[1].0;
        let side = |index: usize| {
            let passes = diary.passes[index].iter().take(touches[index].passed);
            let barriers = passes.filter(|pass| pass.barrier != Barrier::Warp).map(|pass| pass.meeting);
            Side { thread: threads[index], is_between_groups, last_barrier: barriers.max(), touch: touches[index] }
        };
        let sides = [side(0), side(1)];
        let file = &found.accesses.first()?.file;
        let held =
            |side: &Side| side.held(changes).into_values().map(|at| self.held(&changes[at], file, grid)).collect();
        let held: [Option<Vec<Held>>; 2] = [held(&sides[0]), held(&sides[1])];
        let [Some(first), Some(second)] = held else { return None };
        let given_back = given_back(sides, changes).and_then(|change| self.given_back(change, file, grid));
        (!first.is_empty() || !second.is_empty()).then_some(Locks { held: [first, second], given_back })
    }

    fn held(&self, change: &LockChange, file: &str, grid: &Grid) -> Option<Held> {
        let (file, line) = self.line_for(change.at, file)?;
        let (group, thread) = change.thread;
        let by = self.access(change.at, (grid.group_index(group), grid.local_id(thread)), grid, Act::Atomic).thread;
        Some(Held { lock: self.lock(change, grid), file, line, by })
    }

    fn given_back(&self, change: &LockChange, file: &str, grid: &Grid) -> Option<GivenBack> {
        let (file, line) = self.line_for(change.at, file)?;
        let (group, thread) = change.thread;
        let access = self.access(change.at, (grid.group_index(group), grid.local_id(thread)), grid, Act::Atomic);
        Some(GivenBack { lock: self.lock(change, grid), file, line, block: access.block, thread: access.thread })
    }

    /// The lock as the source would write it. Each group has its own in local memory.
    fn lock(&self, change: &LockChange, grid: &Grid) -> Lock {
        let (of_group, array, offset) = change.lock;
        let data = &self.kernel.arrays[array];
        let place = race::place(&data.name, data.element.as_ref(), offset);
        let group = |group| self.access(change.at, (grid.group_index(group), [0; 3]), grid, Act::Atomic).block;
        Lock { place, of_group: of_group.map(group) }
    }
}

/// One access of a race.
#[derive(Clone, Copy)]
struct Side {
    thread: Thread,
    is_between_groups: bool,
    /// The number of the last meeting of the group before the access.
    last_barrier: Option<u32>,
    touch: Touch,
}

impl Side {
    /// Whether a change is made by the access's thread, or for it.
    fn makes(&self, change: &LockChange) -> bool {
        if self.is_between_groups { change.thread.0 == self.thread.0 } else { change.thread == self.thread }
    }

    /// The locks that the thread holds before its access, each with the number of the change by
    /// which it took it. Others of the group may have taken it before a barrier.
    fn held(&self, changes: &[LockChange]) -> BTreeMap<Cell, usize> {
        let mut held = BTreeMap::new();
        for (number, change) in changes.iter().enumerate().take(self.touch.changes) {
            if self.makes(change) {
                held.remove(&change.lock);
                if change.takes {
                    held.insert(change.lock, number);
                }
            }
        }
        let is_told = |change: &LockChange| {
            change.thread == self.thread || self.last_barrier.is_some_and(|barrier| barrier > change.meeting)
        };
        held.retain(|_, number| is_told(&changes[*number]));
        held
    }
}

/// The change by which somebody gives back a lock that one of the threads holds, before the other
/// takes it.
fn given_back([one, other]: [Side; 2], changes: &[LockChange]) -> Option<&LockChange> {
    let of_other = other.held(changes);
    one.held(changes).into_iter().find_map(|(lock, by_one)| {
        let by_other = *of_other.get(&lock)?;
        let (holder, between) = if by_one < by_other { (one, by_one..by_other) } else { (other, by_other..by_one) };
        // Who never gives it back hands it over.
        let gives_back = |change: &LockChange| change.lock == lock && !change.takes && holder.makes(change);
        let (between, behind) = (&changes[between.clone()], &changes[between.end..]);
        let is_wrong = |change: &&LockChange| change.lock == lock && !change.takes && !holder.makes(change);
        between.iter().find(is_wrong).filter(|_| behind.iter().any(gives_back))
    })
}
