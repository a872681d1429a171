//! The errors of a run, and the number of times that numbers were drawn from counters.

use std::collections::BTreeMap;

use lockstep_ir::kernel::Array;
use rustc_hash::FxHashSet;

use super::arithmetic::Arithmetic;
use super::code::Position;
use super::images::{Image, Pixel};
use super::races::Race;

/// An error in an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// An access is outside its array; without an array, it uses the null pointer.
    OutOfBounds {
        /// The array.
        array: Option<Array>,
        /// The first byte accessed.
        offset: i64,
        /// The number of bytes.
        bytes: u32,
        /// Whether it is a write.
        writes: bool,
    },
    /// A pixel access is outside its image.
    OutsideImage {
        /// The image.
        array: Array,
        /// The pixel.
        pixel: Pixel,
        /// The image's dimensions.
        image: Image,
        /// Whether it is a write.
        writes: bool,
    },
    /// An address is not a multiple of the alignment that the source promises.
    Misaligned {
        /// The array.
        array: Array,
        /// The first byte accessed.
        offset: i64,
        /// The alignment promised, in bytes.
        alignment: u32,
    },
    /// A write to constant memory.
    ConstantWritten(Array),
    /// An assertion fails.
    Assertion,
    /// An assumption fails, so the run is excluded by it.
    Assumption,
    /// A barrier divergence: a thread waits for one that is elsewhere or has returned.
    ///
    /// Both have a step and a thread id.
    Divergence {
        /// The thread that waits elsewhere.
        other: Option<(Position, [u32; 3])>,
        /// The thread that has returned.
        returned: Option<(Position, [u32; 3])>,
    },
    /// A collective operation of the group whose operands differ from those of this thread.
    Differs([u32; 3]),
    /// A copy that was not waited for when the threads returned.
    NotWaitedFor,
    /// An invalid named barrier: the number does not exist, or the thread count is invalid.
    ///
    /// The thread count must be a multiple of the warp size, and all threads must agree on it.
    NoSuchBarrier {
        /// The barrier's number.
        id: u64,
        /// The number of threads.
        threads: u64,
    },
    /// Threads have arrived at a named barrier at which none waits for them.
    NobodyWaits {
        /// The barrier's number.
        id: u64,
        /// The number of threads that have arrived, counted in whole warps.
        come: u64,
        /// The number of threads for which the barrier is.
        threads: u64,
    },
    /// A phase object is used wrongly.
    Phase(PhaseError),
    /// A shuffle reads from a lane that does not participate.
    InactiveSource,
    /// A lane executes a warp operation whose mask does not include it.
    NotInMask,
    /// The thread loops forever, since no running thread changes anything on which it depends.
    GoesRound,
    /// The thread ends the launch with an error.
    ///
    /// The others made the steps that are possible without it.
    Trap,
    /// Code that the source declares unreachable.
    Unreachable,
    /// Arithmetic whose result the language leaves undefined.
    Undefined(Arithmetic),
    /// An impossible quotient, for which the language allows any value.
    AnyValue(Arithmetic),
    /// An unsupported operation, by its number.
    Refused(u32),
    /// A read of local memory that has not been written.
    Unwritten {
        /// The array.
        array: Array,
        /// The first byte read.
        offset: u64,
    },
    /// A value that is not modelled: a clock's, or the result of a function without a body.
    NotModelled,
    /// A function whose result was made up, by its number.
    Unknown(u32),
    /// An access races with an earlier one.
    Race(Race),
}

/// The way in which a phase object is used wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseError {
    /// It has not been initialised.
    NotInitialised,
    /// It cannot be for this number of arrivals.
    NoSuchCount(u64),
    /// More arrivals than are missing in the current phase, or none.
    TooMany {
        /// The arrivals.
        count: u64,
        /// Those that are missing.
        pending: u64,
    },
}

/// The maximum number of bytes recorded for one access.
const MOST_BYTES: u64 = 1 << 20;

/// An error at a place in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The error.
    pub what: Wrong,
    /// The step.
    pub at: Position,
    /// The group's index.
    pub group: [u32; 3],
    /// The thread's id in the group.
    pub thread: [u32; 3],
}

impl Event {
    /// Whether the run continued with a made-up value, so that later errors may result from it.
    pub fn is_made_up(&self) -> bool {
        matches!(self.what, Wrong::Unknown(_) | Wrong::NotModelled | Wrong::AnyValue(_))
    }

    /// Whether both are the same error at the same place, so that one represents the other.
    pub fn is_like(&self, other: &Self) -> bool {
        self.at == other.at && self.kind() == other.kind()
    }

    fn kind(&self) -> Kind {
        let writes =
            matches!(self.what, Wrong::OutOfBounds { writes: true, .. } | Wrong::OutsideImage { writes: true, .. });
        (std::mem::discriminant(&self.what), writes)
    }
}

/// Counters that are kept while a kernel runs.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The number of atomic changes of each place since its last other write.
    ///
    /// A place is the group of local memory, the array and the first byte.
    now: BTreeMap<(Option<u64>, Array, u64), u64>,
    most: BTreeMap<Array, u64>,
    /// The number of threads that had made a step when the run ended.
    pub begun: u64,
    /// The bytes that threads access, also outside the array, for the arrays of interest.
    pub touched: BTreeMap<Array, Bytes>,
    /// The events so far, by position and kind.
    noted: FxHashSet<(Position, Kind)>,
}

/// The kind of an event: its variant, and whether it is a write.
type Kind = (std::mem::Discriminant<Wrong>, bool);

/// The accessed bytes of an array, as numbered blocks of 64.
///
/// A block has a mask of accessed bytes and one of written bytes.
#[derive(Clone, Debug, Default)]
pub struct Bytes(BTreeMap<i64, [u64; 2]>);

impl Bytes {
    /// Adds an access.
    fn add(&mut self, offset: i64, bytes: u64, writes: bool) {
        let end = offset.saturating_add(bytes.min(MOST_BYTES).cast_signed());
        let mut at = offset;
        while at < end {
            let (block, first) = (at.div_euclid(64), at.rem_euclid(64));
            let count = (64 - first).min(end - at);
            let bits = (u64::MAX >> (64 - count)) << first;
            let [touched, written] = self.0.entry(block).or_default();
            *touched |= bits;
            *written |= if writes { bits } else { 0 };
            at += count;
        }
    }

    /// A byte of this array that the other one also accesses, if either access is a write.
    ///
    /// The other array starts `distance` bytes behind this one.
    pub fn shared_with(&self, other: &Self, distance: i64) -> Option<i64> {
        let (blocks, shift) = (distance.div_euclid(64), distance.rem_euclid(64));
        for (&block, &[touched, written]) in &other.0 {
            // In this array's numbering, the bytes of a block lie in one block or in two
            // consecutive ones.
            let here = block.saturating_add(blocks);
            let parts = [(here, shift, 0), (here.saturating_add(1), 0, 64 - shift)];
            for (here, left, right) in parts {
                let moved = |bits: u64| if right == 64 { 0 } else { bits << left >> right };
                let Some(&[also_touched, also_written]) = self.0.get(&here) else { continue };
                let both = (moved(touched) & also_written) | (moved(written) & also_touched);
                if both != 0 {
                    return Some(here.saturating_mul(64).saturating_add(both.trailing_zeros().into()));
                }
            }
        }
        None
    }
}

impl Tally {
    /// Records an event, and returns whether it is the first of its kind.
    pub fn is_new(&mut self, event: &Event) -> bool {
        self.noted.insert((event.at, event.kind()))
    }

    /// Records an access.
    pub fn touch(&mut self, array: Array, offset: i64, bytes: u64, writes: bool) {
        if let Some(touched) = self.touched.get_mut(&array) {
            touched.add(offset, bytes, writes);
        }
    }

    /// Records an atomic operation that changes a place.
    pub fn draw(&mut self, group: Option<u64>, array: Array, offset: u64) {
        let count = self.now.entry((group, array, offset)).or_default();
        *count += 1;
        let most = self.most.entry(array).or_default();
        *most = (*most).max(*count);
    }

    /// Records any other write of a place.
    pub fn set(&mut self, group: Option<u64>, array: Array, offset: u64) {
        self.now.remove(&(group, array, offset));
    }

    /// The largest number of atomic changes of a place of this array.
    pub fn most(&self, array: Array) -> u64 {
        self.most.get(&array).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn bytes_are_shared_where_both_arrays_have_them_and_one_is_written() {
        let of = |accesses: &[(i64, u64, bool)]| {
            let mut bytes = Bytes::default();
            for &(offset, count, writes) in accesses {
                bytes.add(offset, count, writes);
            }
            bytes
        };
        for start in [-200, -64, -3, 0, 60, 64, 100, 1000] {
            for count in [1, 4, 64, 130] {
                let written = of(&[(start, count, true)]);
                for distance in -300..300_i64 {
                    for (at, bytes) in [(0, 4), (61, 8), (128, 64), (-130, 200)] {
                        let read = of(&[(at, bytes, false)]);
                        let (first, end) = (at + distance, start + count.cast_signed());
                        let is_shared = first < end && start < first + bytes.cast_signed();
                        let found = written.shared_with(&read, distance);
                        assert_eq!(found.is_some(), is_shared, "{start} {count} {distance} {at} {bytes}");
                        assert!(found.is_none_or(|found| (start..end).contains(&found)));
                        assert_eq!(of(&[(start, count, false)]).shared_with(&read, distance), None, "nobody writes");
                    }
                }
            }
        }
    }
}
