//! The things that went wrong in a run, and how often numbers were drawn from counters.

use std::collections::BTreeMap;

use lockstep_ir::kernel::Array;
use rustc_hash::FxHashSet;

use super::arithmetic::Arithmetic;
use super::code::Position;
use super::images::{Image, Pixel};
use super::races::Race;

/// What goes wrong in an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// An access leaves its array; without an array it goes through the null pointer.
    OutOfBounds {
        /// The array.
        array: Option<Array>,
        /// The first byte accessed.
        offset: i64,
        /// How many bytes.
        bytes: u32,
        /// Whether it writes.
        writes: bool,
    },
    /// A pixel is outside of its image.
    OutsideImage {
        /// The image.
        array: Array,
        /// The pixel.
        pixel: Pixel,
        /// How large the image is.
        image: Image,
        /// Whether it is written.
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
    /// Constant memory is written.
    ConstantWritten(Array),
    /// An assertion does not hold.
    Assertion,
    /// What is assumed does not hold: the run is none that the assumption allows.
    Assumption,
    /// A thread waits for another one of the group that has come elsewhere, or has returned: its step and its id.
    Divergence {
        /// The thread that waits elsewhere.
        other: Option<(Position, [u32; 3])>,
        /// The thread that has returned.
        returned: Option<(Position, [u32; 3])>,
    },
    /// What a group does together is done with other operands than by this thread.
    Differs([u32; 3]),
    /// A copy that nobody has waited for when the threads return.
    NotWaitedFor,
    /// A barrier with a number that there is not, or for so many threads as are no whole warps, or as others do not say.
    NoSuchBarrier {
        /// Its number.
        id: u64,
        /// For how many threads.
        threads: u64,
    },
    /// Threads have arrived at a barrier with a number, and nobody waits there for them.
    NobodyWaits {
        /// Its number.
        id: u64,
        /// How many threads have come, counted in whole warps.
        come: u64,
        /// For how many threads it is.
        threads: u64,
    },
    /// A shuffle reads from a lane that does not take part.
    InactiveSource,
    /// A lane executes an operation of its warp whose mask does not name it.
    NotInMask,
    /// The thread is in a loop for ever, as nobody that runs still changes what it depends on.
    GoesRound,
    /// The thread ends the launch with an error. Others have made the steps that they could without it.
    Trap,
    /// What the source promises never to come to.
    Unreachable,
    /// Arithmetic whose result the language leaves undefined.
    Undefined(Arithmetic),
    /// A quotient that there is none of, where the language takes any value for it.
    AnyValue(Arithmetic),
    /// What is not executed here, by its number.
    Refused(u32),
    /// Local memory is read that nobody has written so far.
    Unwritten {
        /// The array.
        array: Array,
        /// The first byte read.
        offset: u64,
    },
    /// A value that is not modelled: a clock's, or of a function without a body.
    NotModelled,
    /// A function whose result had to be made up, by its number.
    Unknown(u32),
    /// An access races with an earlier one.
    Race(Race),
}

/// The most bytes of one access that are noted.
const MOST_BYTES: u64 = 1 << 20;

/// Something went wrong there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// What.
    pub what: Wrong,
    /// At which step.
    pub at: Position,
    /// The group.
    pub group: [u32; 3],
    /// The thread in it.
    pub thread: [u32; 3],
}

impl Event {
    /// Whether the run went on with a value that it made up: what comes after that may come of it.
    pub fn is_made_up(&self) -> bool {
        matches!(self.what, Wrong::Unknown(_) | Wrong::NotModelled | Wrong::AnyValue(_))
    }

    /// Whether the same goes wrong at the same place: one of these stands for the other.
    pub fn is_like(&self, other: &Self) -> bool {
        self.at == other.at && self.kind() == other.kind()
    }

    fn kind(&self) -> Kind {
        let writes =
            matches!(self.what, Wrong::OutOfBounds { writes: true, .. } | Wrong::OutsideImage { writes: true, .. });
        (std::mem::discriminant(&self.what), writes)
    }
}

/// Counts that are kept while a kernel runs.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How often places were changed by atomic operations since they were last written otherwise: the group of local memory, the array, the
    /// first byte.
    now: BTreeMap<(Option<u64>, Array, u64), u64>,
    most: BTreeMap<Array, u64>,
    /// How many threads had made a step when the run ended.
    pub begun: u64,
    /// The bytes that threads ask for, also outside of the array, of arrays of which that is asked.
    pub touched: BTreeMap<Array, Bytes>,
    /// The events so far, by their positions and kinds.
    noted: FxHashSet<(Position, Kind)>,
}

/// The kind of an event: which, and whether it is a write.
type Kind = (std::mem::Discriminant<Wrong>, bool);

/// Bytes of an array, in blocks of 64 by their numbers: those that were accessed, and those of them that were written.
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

    /// A byte of this array that is also one of the other one's, which begins so many bytes behind it, if one of the two is written.
    pub fn shared_with(&self, other: &Self, distance: i64) -> Option<i64> {
        let (blocks, shift) = (distance.div_euclid(64), distance.rem_euclid(64));
        for (&block, &[touched, written]) in &other.0 {
            // As this array counts them they lie in one block, or in two that follow each other.
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
    /// Notes an event, unless one like it is; whether it was not.
    pub fn is_new(&mut self, event: &Event) -> bool {
        self.noted.insert((event.at, event.kind()))
    }

    /// Notes an access.
    pub fn touch(&mut self, array: Array, offset: i64, bytes: u64, writes: bool) {
        if let Some(touched) = self.touched.get_mut(&array) {
            touched.add(offset, bytes, writes);
        }
    }

    /// Notes an atomic operation that changes a place.
    pub fn draw(&mut self, group: Option<u64>, array: Array, offset: u64) {
        let count = self.now.entry((group, array, offset)).or_default();
        *count += 1;
        let most = self.most.entry(array).or_default();
        *most = (*most).max(*count);
    }

    /// Notes another write of it.
    pub fn set(&mut self, group: Option<u64>, array: Array, offset: u64) {
        self.now.remove(&(group, array, offset));
    }

    /// How often at most a place of this array was.
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
