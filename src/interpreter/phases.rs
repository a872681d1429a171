//! Phase objects: barriers in shared memory (PTX ISA, `mbarrier`).
//!
//! An object is for a number of arrivals. With the last of them its phase completes, and the next
//! one begins. Threads that wait for a phase go on when it is complete: those that name a token, in
//! the phase of its arrival; those that name a parity, if the number of complete phases and the
//! parity have an odd sum. (Phase 0 has parity 0. The phase before it counts as complete.)
//!
//! Everything that the arriving threads did before happens before the later steps of the threads
//! that see the phase complete. This includes the arrivals of earlier phases: all operations on the
//! object read and write it in one step, so they are a chain of releases.
//!
//! The object's memory is accessed by each operation: written by the initialisation, and read and
//! written in one step by the others. So an initialisation races with what it does not come before.
//! To save time, only the first operation of each thread since the initialisation is recorded: a
//! later one races with plain accesses that this one does not race with only if they are ordered
//! behind it.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::kernel::{Array, MOST_ARRIVALS, PHASE_OBJECT_BYTES, PhaseOp};

use super::code::{Code, PhaseStep, Position};
use super::events::{PhaseError, Wrong};
use super::group::Group;
use super::machine::{Reach, Stop};
use super::races::Gathered;

/// The phase objects of a group, by their places.
pub type Phases = BTreeMap<(Array, u64), PhaseObject>;

/// A phase object.
#[derive(Clone, Debug)]
pub struct PhaseObject {
    /// The arrivals that complete a phase.
    count: u64,
    /// Those that are missing in the current one.
    pending: u64,
    /// The number of complete phases.
    complete: u64,
    /// The knowledge of those that have arrived.
    arriving: Gathered,
    /// The same at the end of the last complete phase.
    released: Gathered,
    /// The threads that wait.
    waiting: Vec<(usize, Awaited)>,
    /// The threads whose first operation has been recorded as an access.
    recorded: BTreeSet<usize>,
}

impl PhaseObject {
    /// The object as a thread sees it that runs alone.
    pub fn without_waiting(&self) -> Self {
        Self { waiting: Vec::new(), ..self.clone() }
    }
}

/// The phase that a thread waits for.
#[derive(Clone, Copy, Debug)]
enum Awaited {
    /// The one with this number.
    Number(u64),
    /// The current one, or the one before it, whichever has this parity.
    Parity(u64),
}

impl Awaited {
    fn is_complete(self, complete: u64) -> bool {
        match self {
            Self::Number(number) => complete > number,
            Self::Parity(parity) => (complete + parity) % 2 == 1,
        }
    }
}

impl Group {
    /// Executes an operation on a phase object; the thread stops if it has to wait.
    pub fn phase(&mut self, reach: &mut Reach<'_>, thread: usize, number: u32, at: Position) {
        let code = reach.code;
        let step = code.phase(number);
        let object = (Code::array(self.threads[thread].get(step.object)), self.threads[thread].get(step.object + 1));
        let alignment = u8::try_from(PHASE_OBJECT_BYTES).expect("small");
        let place = reach.place_at(&self.threads[thread], object, PHASE_OBJECT_BYTES, alignment, true, at);
        let Some(place) = place else {
            return step.to.into_iter().for_each(|to| self.threads[thread].set(to, 0));
        };
        let object = self.phases.get_mut(&place).filter(|_| step.op != PhaseOp::Initialise);
        if object.is_none_or(|object| object.recorded.insert(thread)) {
            reach.watch_phase(&mut self.threads[thread], place, at);
        }
        let operand = step.operand.map(|operand| self.threads[thread].get(operand));
        if step.op == PhaseOp::Initialise {
            return self.initialise(reach, thread, place, operand.unwrap_or_default(), at);
        }
        if !self.phases.contains_key(&place) {
            reach.wrong(&self.threads[thread], Wrong::Phase(PhaseError::NotInitialised), at);
            return step.to.into_iter().for_each(|to| self.threads[thread].set(to, 0));
        }
        match step.op {
            PhaseOp::Arrive => self.arrive_in_phase(reach, thread, step, place, operand.unwrap_or(1), at),
            PhaseOp::Wait | PhaseOp::WaitParity | PhaseOp::Test | PhaseOp::TestParity => {
                let awaited = match (step.op, operand.unwrap_or_default()) {
                    (PhaseOp::Wait | PhaseOp::Test, number) => Awaited::Number(number),
                    (_, parity) => Awaited::Parity(parity & 1),
                };
                self.look_at_phase(reach, thread, step, place, awaited, at);
            }
            PhaseOp::Initialise | PhaseOp::ArriveOnCopy => {}
        }
    }

    fn initialise(&mut self, reach: &mut Reach<'_>, thread: usize, place: (Array, u64), count: u64, at: Position) {
        if !(1..=MOST_ARRIVALS).contains(&count) {
            reach.wrong(&self.threads[thread], Wrong::Phase(PhaseError::NoSuchCount(count)), at);
        }
        reach.write(&mut self.threads[thread], place, PHASE_OBJECT_BYTES, 0);
        let none = Gathered::default();
        let object = PhaseObject {
            count,
            pending: count,
            complete: 0,
            arriving: none.clone(),
            released: none,
            waiting: Vec::new(),
            recorded: BTreeSet::new(),
        };
        self.phases.insert(place, object);
    }

    fn arrive_in_phase(
        &mut self,
        reach: &mut Reach<'_>,
        thread: usize,
        step: PhaseStep,
        place: (Array, u64),
        count: u64,
        at: Position,
    ) {
        reach.changes = reach.changes.map(|_| true);
        let known = reach.watch.as_mut().map(|watch| watch.detector.arrive(watch.group, &mut self.threads[thread]));
        let object = self.phases.get_mut(&place).expect("it has been initialised");
        if count == 0 || count > object.pending {
            let error = PhaseError::TooMany { count, pending: object.pending };
            reach.wrong(&self.threads[thread], Wrong::Phase(error), at);
        }
        if let Some(to) = step.to {
            self.threads[thread].set(to, object.complete);
        }
        if let Some(known) = &known {
            object.arriving.add(known);
        }
        object.pending = object.pending.saturating_sub(count);
        if object.pending > 0 {
            return;
        }
        object.pending = object.count;
        object.complete += 1;
        object.released.clone_from(&object.arriving);
        let complete = object.complete;
        let (done, waiting) =
            std::mem::take(&mut object.waiting).into_iter().partition(|(_, awaited)| awaited.is_complete(complete));
        object.waiting = waiting;
        for (thread, _) in done {
            object.released.pass(&mut self.threads[thread]);
            self.stops[thread] = None;
        }
    }

    fn look_at_phase(
        &mut self,
        reach: &mut Reach<'_>,
        thread: usize,
        step: PhaseStep,
        place: (Array, u64),
        awaited: Awaited,
        at: Position,
    ) {
        let object = self.phases.get_mut(&place).expect("it has been initialised");
        let is_complete = awaited.is_complete(object.complete);
        if is_complete && reach.watch.is_some() {
            object.released.pass(&mut self.threads[thread]);
        }
        if let Some(to) = step.to {
            self.threads[thread].set(to, u64::from(is_complete));
        } else if !is_complete {
            object.waiting.push((thread, awaited));
            self.stops[thread] = Some(Stop::Awaits(at));
        }
    }
}
