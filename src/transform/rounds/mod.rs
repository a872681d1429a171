//! Named barriers: rounds, what orders them, and why that is a proof.
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
//! constant at the first place, and `n_r` more than that at the other.
//!
//! # Where the constants come from
//!
//! From executions of the first thread of each warp in small launches ([`walk`]). They are guesses:
//! each is asserted as told here, and if it does not hold in all launches, the proof fails.

mod describe;
pub mod number;
mod order;
mod rings;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::kernel::{AsyncGroup, BarrierKind, Instruction, Kernel, Operation, Unsupported};
use lockstep_options::launch::Launch;

pub use order::{AtMost, Behind, Lag, Least};
pub use walk::barrier;

/// The number of named barriers of a group (PTX ISA, `bar`).
pub const BARRIERS: u64 = 16;

/// The numbers of barriers that are used in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    /// The lowest number; `None` for the barrier of the whole group.
    pub first: Option<u64>,
    /// How many numbers it has.
    pub size: u64,
    /// The distance of the number that is used first from the lowest.
    pub start: u64,
    /// The threads for which its barriers are.
    pub threads: u64,
    /// The warps that take part.
    pub warps: BTreeSet<u64>,
    /// Whether all wait in each operation.
    pub all_wait: bool,
    /// The warps that wait in each of their operations.
    pub waiting: BTreeSet<u64>,
    /// The warps that wait in none of their operations.
    pub arriving: BTreeSet<u64>,
}

/// An index in [`Rounds::rings`].
pub type RingIndex = usize;

/// The plan of a proof about named barriers.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    /// The rings.
    pub rings: Vec<Ring>,
    /// The rings of each operation on a barrier, in the order of the operations, with the warps
    /// that execute it there.
    pub sites: Vec<BTreeMap<RingIndex, BTreeSet<u64>>>,
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
    /// The rings whose numbers are not used in turn.
    pub disordered: BTreeSet<RingIndex>,
    /// The operations on a circle of waits.
    pub circle: BTreeSet<usize>,
    /// The warps of equal programs.
    pub roles: Vec<BTreeSet<u64>>,
    /// The threads of the group, counted in whole warps.
    pub group_threads: u64,
}

impl Rounds {
    /// The plan for a kernel with named barriers; `None` for one without.
    ///
    /// The error names what prevents it.
    pub fn of(kernel: &Kernel, launch: &Launch, warp_size: u32) -> Result<Option<Self>, Unsupported> {
        let is_named = |operation: &Operation| barrier(operation).is_some_and(|(number, ..)| number.is_some());
        let Some(first) = kernel.instructions.values().find(|data| is_named(&data.operation)) else { return Ok(None) };
        let refused = |construct: &str| Unsupported { construct: construct.to_owned(), location: first.location };
        let is_group_copy =
            |operation: &Operation| matches!(operation, Operation::AsyncCopy { group: AsyncGroup::Group, .. });
        if kernel.instructions.values().any(|data| is_group_copy(&data.operation)) {
            return Err(refused("named barrier beside a copy of the group"));
        }
        // Rounds order all memory.
        let is_weak = |operation: &Operation| match operation {
            Operation::Barrier { kind: BarrierKind::Group, spaces, flags } => flags.is_some() || !spaces.is_all(),
            _ => false,
        };
        if kernel.instructions.values().any(|data| is_weak(&data.operation)) {
            return Err(refused("named barrier beside a barrier of the group that does not order all memory"));
        }
        // A circle of waits may lead through other groups.
        let is_wider = |operation: &Operation| {
            matches!(operation, Operation::Barrier { kind: BarrierKind::Grid | BarrierKind::Cluster, .. })
        };
        if kernel.instructions.values().any(|data| is_wider(&data.operation)) {
            return Err(refused("named barrier beside a barrier of several groups"));
        }
        let extents = launch.local_size.map(lockstep_options::launch::Extent::known);
        let [Some(x), Some(y), Some(z)] = extents else {
            return Err(refused("named barrier in a group of open size (--local_size)"));
        };
        let sizes = [x, y, z].map(u64::from);
        // The assertions are about two threads of the group.
        if sizes.iter().product::<u64>() < 2 {
            return Err(refused("named barrier in a group of one thread"));
        }
        rings::plan(kernel, launch, sizes, warp_size).map(Some)
    }

    /// The operations on barriers in the order of [`Self::sites`].
    pub fn operations(kernel: &Kernel) -> BTreeMap<Instruction, usize> {
        let operations = kernel.instructions.iter().filter(|(_, data)| barrier(&data.operation).is_some());
        operations.map(|(instruction, _)| instruction).enumerate().map(|(index, at)| (at, index)).collect()
    }
}
