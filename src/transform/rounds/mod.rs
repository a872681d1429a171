//! Named barriers and barriers in shared memory: rounds, what orders them, and why that is a proof.
//!
//! A barrier of PTX (`bar`, `barrier`) is for a number of threads of the group, and matches by its
//! **number**: different warps may meet at different places of the text, some of them without
//! waiting. A statement about two threads cannot make that sense of it. But the warps of a group
//! are finitely many, and so are the numbers.
//!
//! **Rings.** A [`Ring`] is a range of numbers that are used in turn: number `first + (start + i)
//! mod size` in the `i`-th operation of each warp that takes part. A barrier with one number is a
//! ring of size 1, the buffers of a pipeline have rings of two or more. The operations of a thread
//! on a ring are numbered 0, 1, 2, ...; all operations with number `i` make up **round** `i`.
//! The barrier of the whole group is a ring without a number.
//!
//! Every thread carries numbers along ([`number`]), for each ring `r`:
//! `n_r`, the operations that it has executed, and `w_r`: the rounds of `r` that are known to be
//! complete because the thread has waited in the last of them.
//!
//! # Obligations
//!
//! These are asserted for an arbitrary thread, or for two, in the program of two threads of a
//! group; the rest is arithmetic on constants, done here. `P_r` is the set of warps that take part.
//!
//! * **Numbers.** Each operation is on the number that is next in its ring. Rings have no number in
//!   common, and no number above 15.
//! * **Counts.** Each operation on `r` names the same number of threads, a multiple of the warp's
//!   size, and as many as the warps of `P_r` have.
//! * **Participants.** A thread that executes an operation on `r` is in a warp of `P_r`, and in one
//!   of those that execute this operation of the text in small launches. Threads of one warp
//!   execute it together. At their end, any two threads of `P_r` have executed equally many
//!   operations on `r`.
//! * **Recycling.** Operation `i + size` of a thread on a ring, which is on the same barrier as
//!   operation `i`, comes after round `i` is complete.
//! * **Awaited.** Some warp of `P_r` waits in each of its operations on `r`: arrivals for which
//!   nobody waits are no part of a program that is well synchronised (WEFT, section 3).
//! * **Progress.** Nobody waits for ever (see below).
//!
//! An operation that no small launch executes belongs to no ring, and must never be executed. This
//! holds for barriers of the whole group, too: nothing is known of their circles.
//!
//! # Rounds complete one after the other
//!
//! Consider a run in which the obligations hold, and its steps in the order in which they happen.
//! *Each operation with number `i` counts for round `i`, and the thread that waits in it goes on
//! when each warp of `P_r` has executed its operation `i`, not earlier.* By induction over the
//! steps: by recycling, the round before on the same barrier is complete when the operation is
//! executed. By the induction hypothesis, its operations were those with number `i - size` of all
//! warps of `P_r`. So the barrier counts for round `i`: each warp's operation with that number,
//! once, and no other, as numbers of other rings are others. The counts say that it completes with
//! the last of them.
//!
//! # Order
//!
//! By the PTX ISA ("Memory consistency model", barriers), what a thread has done before it arrives
//! happens before what another does after it has waited in the same round. Let `K(a, b)` be a
//! constant such that, when a round of `b` is complete after which `w_b` rounds of it are, at least
//! `w_b + K(a, b)` rounds of `a` are complete, and their completion happens before. `K(a, a)` is 0.
//! A warp `q` of `P_b` gives another one: let it assert at each of its operations on `b`, of number
//! `m`, that `w_a >= m + d`. Round `w_b - 1` contains `q`'s operation of that number, so `K(a, b) =
//! d - 1`. Such constants add up along chains of rings, through any number of other warps: all
//! pairs' longest paths ([`order`]). (A constant above 0 holds only if some round is complete, so
//! it counts as 0 behind another one.)
//!
//! So an access of thread 1 that has executed `n_a` operations on a ring `a`, in which it takes
//! part, happens before what thread 2 does once it has waited in a ring `b` with
//! `n_a < w_b + K(a, b)`: round `n_a` contains thread 1's next operation.
//! The assertions about races state this for all rings, in both directions and without quantifiers.
//!
//! # Progress
//!
//! Suppose that threads wait for ever. Each waits at some place in a round `m` of a ring `r`,
//! because some warp of `P_r` has not executed its operation of that number. As all execute equally
//! many, that warp has not come to its end; it waits at another place, in round `m'` of a ring
//! `r'`. It will execute an operation on `r` behind that place, and has executed at most `m` so
//! far. Let it assert at that place that `n_r >= m' + e`. Then `m - m' >= e`. Around a circle of
//! such waits the differences add up to 0. So nobody waits for ever if the sum of `e` around each
//! circle of places is at least 1 ([`order`]). At a place of the ring itself `e` is 1, as `m' < m`.
//! A place is no successor of another if the numbers of rounds exclude it: `m` is at most a
//! constant at the first place, and `n_r` more than that at the other. All of this is about warps
//! of `P_r`, so it is asserted of these alone. A thread that ends the launch by a trap lets nobody
//! wait any longer. But it may wait on its way there, so such places have all successors; and at
//! its end, too, it has executed no more operations than those that return.
//!
//! # Phase objects
//!
//! A barrier in shared memory (`mbarrier`) is for a number of arrivals, and a thread waits for a
//! phase without arriving in it. Objects at equal distances in one array that are used in turn make
//! up a ring: the `i`-th arrival of each thread of `P_r` is at object `i mod size`, and counts for
//! round `i`, which is phase `i / size` of that object. Here `P_r` is a set of threads, as each one
//! arrives for itself. The `j`-th wait of any thread is for round `j - before`, where `before` is
//! at most `size` and the same for all: the rounds below 0 are the phases before the first, which
//! count as complete. `w_r` is the number of rounds that the thread has waited for so. Nothing else
//! accesses the array, and the objects are inside of it at multiples of their size: none changes
//! another.
//!
//! Besides Numbers (for arrivals and for waits, and for the parity or the token that a wait names),
//! Participants, Counts and Recycling, these are asserted:
//!
//! * **Initialised.** One thread initialises the objects of the ring, in turn and all of them, or
//!   one thread each does. It does so for as many arrivals as `P_r` has threads (times the arrivals
//!   as which each counts), before its first barrier of the whole group. Arrivals and waits come
//!   behind such a barrier, and nothing else is initialised. (So each object has been initialised
//!   once where it is used.)
//! * **Parity.** Where a thread waits for round `i`, round `i + size` is not complete.
//! * **Equally often.** At the end of a thread of `P_r` and of any other thread, the first has
//!   executed as many arrivals as the other knows rounds to be complete.
//!
//! *A thread that has waited for round `i` knows it to be complete.* It has waited for all rounds
//! from 0 to `i - 1`, so at least `i / size` phases of the object are complete; as many or fewer
//! would not let it go on. (After `n` phases, parity `p` is complete if and only if `n + p` is odd;
//! a token is complete if its phase is.) *And it goes on once the round is complete:* no more than
//! `i / size + 1` phases are complete while it waits, by Parity.
//!
//! Parity follows for round `i` if the thread's next arrival on some ring `a`, of number `n_a`, is
//! needed for round `i + size`: if that were complete, so would be `i + size + 1 + K(a, r)` rounds
//! of `a`, and `n_a` is less. Behind the last round of a ring there is none.
//!
//! The completion of a round happens after what its threads have done before they arrive, and
//! before what a thread does that has waited for it: an arrival releases, a wait acquires (PTX ISA,
//! `mbarrier.arrive`, `mbarrier.try_wait`; other forms are refused by the front end). So `K` is
//! found and used as above, at arrivals. In the argument of progress the place of a wait for round
//! `m` has that number, if it is not below 0; by Equally often, each thread of `P_r` executes the
//! arrival that the waiting one lacks. `e` is asserted for places of the same ring as well.
//!
//! # Warps
//!
//! Lanes of a warp may arrive and wait at phase objects apart from each other. So beside phase
//! objects the barriers of a whole warp (`__syncwarp()` with all lanes) are a ring for each warp,
//! whose `P_r` are the warp's lanes; the `i`-th barrier of each lane makes up round `i`, as none
//! completes without all lanes. It orders what they do, and is a link of the chains: one lane may
//! arrive for its warp. Exchanges of a whole warp (`__shfl_sync`) are another ring. They order
//! nothing, so that they have no `K`, but lanes wait for each other there, so that they are places
//! on circles. An operation of some lanes, or of a mask that is computed, is refused beside phase
//! objects. All lanes of a warp count as those that come to its operations, and all threads as
//! those that come to a barrier of the group, whichever do in small launches.
//!
//! # Where the constants come from
//!
//! From executions of the first thread of each warp in small launches ([`walk`]); beside phase
//! objects, of some others of its lanes as well. They are guesses: each is asserted as told here,
//! and if it does not hold in all launches, the proof fails.

mod describe;
pub mod number;
mod operation;
mod order;
mod rings;
#[cfg(test)]
mod tests;
pub mod units;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::kernel::{Array, AsyncGroup, BarrierKind, Kernel, Operation, PhaseOp, Unsupported};
use lockstep_options::launch::Launch;

use operation::OfWarp;
pub use operation::{Synchronisation, initialisations, names_all, operations};
pub use order::{AtMost, Behind, Lag, Least};
use units::{Unit, Units};
use walk::Barrier;

/// The number of named barriers of a group (PTX ISA, `bar`).
pub const BARRIERS: u64 = 16;

/// Barriers that are used in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barriers {
    /// The barrier of the whole group.
    Group,
    /// Barriers or exchanges of all lanes of this warp.
    Warp {
        /// The warp's number.
        warp: u64,
        /// Whether they order accesses.
        orders: bool,
    },
    /// Barriers with numbers.
    Numbers {
        /// The lowest one.
        first: u64,
    },
    /// Phase objects.
    Objects {
        /// Their array.
        array: Array,
        /// The byte at which the first one starts.
        first: u64,
        /// The bytes from one to the next.
        stride: u64,
    },
}

impl Barriers {
    /// The position of a barrier among this many.
    fn index(self, (unit, barrier): (Unit, Barrier), size: u64) -> Option<u64> {
        match (self, barrier) {
            (Self::Group, Barrier::Group) => Some(0),
            (Self::Warp { warp, orders }, Barrier::Warp { orders: other }) => {
                (warp == unit.warp && orders == other).then_some(0)
            }
            (Self::Numbers { first }, Barrier::Number(number)) => {
                number.checked_sub(first).filter(|&distance| distance < size)
            }
            (Self::Objects { array, first, stride }, Barrier::Object(other, offset)) if array == other => {
                let distance = offset.checked_sub(first)?;
                (distance % stride == 0 && distance / stride < size).then_some(distance / stride)
            }
            _ => None,
        }
    }
}

/// The rounds of barriers that are used in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    /// The barriers.
    pub barriers: Barriers,
    /// How many there are.
    pub size: u64,
    /// The distance of the barrier that is used first from the first one.
    pub start: u64,
    /// The threads for which its barriers with numbers are, or the arrivals for which its phase
    /// objects are.
    pub count: u64,
    /// The threads that arrive.
    pub members: Units,
    /// Whether all wait in each operation.
    pub all_wait: bool,
    /// The threads that wait: at barriers with numbers those that do so in each of their
    /// operations.
    pub waiting: Units,
    /// The threads that wait in none of their operations.
    pub arriving: Units,
    /// More about phase objects.
    pub objects: Option<Objects>,
}

impl Ring {
    /// The warp of which it is.
    pub fn warp(&self) -> Option<u64> {
        match self.barriers {
            Barriers::Warp { warp, .. } => Some(warp),
            _ => None,
        }
    }

    /// Whether its rounds order accesses.
    pub fn orders(&self) -> bool {
        !matches!(self.barriers, Barriers::Warp { orders: false, .. })
    }

    fn new(barriers: Barriers, size: u64) -> Self {
        Self {
            barriers,
            size,
            start: 0,
            count: 0,
            members: Units::new(),
            all_wait: true,
            waiting: Units::new(),
            arriving: Units::new(),
            objects: None,
        }
    }
}

/// The phase objects of a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objects {
    /// The arrivals as which each one counts.
    pub weight: u64,
    /// Who initialises them.
    pub maker: Maker,
    /// The waits with which a thread begins that are for phases before the first.
    pub before: u64,
    /// The rounds that there are at most, if that does not depend on the launch.
    pub rounds: Option<u64>,
}

/// Who initialises phase objects: threads by their numbers in the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// This thread initialises one after the other.
    One(u64),
    /// This thread initialises the first one, the next thread the next one.
    Each(u64),
}

/// An index in [`Rounds::rings`].
pub type RingIndex = usize;

/// The plan of a proof about named barriers and phase objects.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    /// The rings.
    pub rings: Vec<Ring>,
    /// The operations on barriers.
    pub operations: Vec<Synchronisation>,
    /// The rings of each operation, with the threads that execute it there.
    pub sites: Vec<BTreeMap<RingIndex, Units>>,
    /// The rings of each initialisation of phase objects, in the order of [`initialisations`].
    pub initialised: Vec<BTreeSet<RingIndex>>,
    /// `K(a, b)`, where there is one.
    pub known: Vec<Vec<Option<i64>>>,
    /// The assertions from which `K` follows.
    pub behind: Vec<Behind>,
    /// The assertions from which progress follows, by operation.
    pub lags: Vec<Lag>,
    /// As many operations have been executed at least, by operation.
    pub least: Vec<Least>,
    /// The operation has at most this number, by operation.
    pub at_most: Vec<AtMost>,
    /// The rings that are wrong by themselves: too few or too many take part.
    pub miscounted: BTreeSet<RingIndex>,
    /// The rings whose barriers are not used in turn.
    pub disordered: BTreeSet<RingIndex>,
    /// The operations at which a thread waits in a ring, in small launches.
    pub waited: BTreeSet<(usize, RingIndex)>,
    /// The operations on a circle of waits.
    pub circle: BTreeSet<usize>,
    /// The operations behind which a thread may end the whole launch.
    pub before_traps: BTreeSet<usize>,
    /// The threads of equal programs.
    pub roles: Vec<Units>,
    /// The threads of the group, counted in whole warps.
    pub group_threads: u64,
    /// The lanes of a warp.
    pub warp_size: u64,
}

impl Rounds {
    /// The plan for a kernel with barriers that have numbers or are phase objects; `None` for one
    /// without.
    ///
    /// The error names what prevents it.
    pub fn of(kernel: &Kernel, launch: &Launch, warp_size: u32) -> Result<Option<Self>, Unsupported> {
        let is_of_rounds = |operation: &Operation| {
            matches!(operation, Operation::Phase { .. })
                || Synchronisation::of(operation).is_some_and(|operation| !operation.is_of_group())
        };
        let Some(first) = kernel.instructions.values().find(|data| is_of_rounds(&data.operation)) else {
            return Ok(None);
        };
        let what = if has_objects(kernel) { "mbarrier" } else { "named barrier" };
        let refused =
            |construct: &str| Unsupported { construct: format!("{what} {construct}"), location: first.location };
        let is_any = |is: &dyn Fn(&Operation) -> bool| kernel.instructions.values().any(|data| is(&data.operation));
        if is_any(&|operation| matches!(operation, Operation::AsyncCopy { group: AsyncGroup::Group, .. })) {
            return Err(refused("beside a copy of the group"));
        }
        // Rounds order all memory.
        let is_weak = |operation: &Operation| match operation {
            Operation::Barrier { kind: BarrierKind::Group, spaces, flags } => flags.is_some() || !spaces.is_all(),
            _ => false,
        };
        if is_any(&is_weak) {
            return Err(refused("beside a barrier of the group that does not order all memory"));
        }
        // A circle of waits may lead through other groups.
        let is_wider = |operation: &Operation| {
            matches!(operation, Operation::Barrier { kind: BarrierKind::Grid | BarrierKind::Cluster, .. })
        };
        if is_any(&is_wider) {
            return Err(refused("beside a barrier of several groups"));
        }
        let is_test = |operation: &Operation| {
            matches!(operation, Operation::Phase { op: PhaseOp::Test | PhaseOp::TestParity, .. })
        };
        if is_any(&is_test) {
            return Err(refused("that is tested but not waited for"));
        }
        if is_any(&|operation| matches!(operation, Operation::Phase { op: PhaseOp::ArriveOnCopy, .. })) {
            return Err(refused("at which copies arrive"));
        }
        let is_of_some =
            |operation: &Operation| operation::of_warp(kernel, operation, warp_size.into()) == OfWarp::Some;
        if has_objects(kernel) && is_any(&is_of_some) {
            return Err(refused("beside an operation of some lanes of a warp"));
        }
        if number::arrays_of_objects(kernel).is_err() {
            return Err(refused("that is not in one array of shared memory which has no other accesses"));
        }
        if !operation::tokens_are_opaque(kernel) {
            return Err(refused("whose token is more than waited for"));
        }
        let extents = launch.local_size.map(lockstep_options::launch::Extent::known);
        let [Some(x), Some(y), Some(z)] = extents else {
            return Err(refused("in a group of open size (--local_size)"));
        };
        let sizes = [x, y, z].map(u64::from);
        // The assertions are about two threads of the group.
        let threads = sizes.iter().product::<u64>();
        if threads < 2 {
            return Err(refused("in a group of one thread"));
        }
        if has_objects(kernel) && !threads.is_multiple_of(u64::from(warp_size)) {
            return Err(refused("in a group that is not made of whole warps"));
        }
        rings::plan(kernel, launch, sizes, warp_size).map(Some)
    }
}

/// Whether a kernel has phase objects.
fn has_objects(kernel: &Kernel) -> bool {
    kernel.instructions.values().any(|data| matches!(data.operation, Operation::Phase { .. }))
}
