//! The assumptions that a verdict rests on, as data.
//!
//! Each stage that makes an assumption adds an [`Assumption`] to its result. The front end adds it
//! to the imported kernel, the launch to its sizes, and the lock-step transformation to its
//! program. Assumptions are passed on with the kernel to its report, which alone has sentences for
//! them. A run is checked against the data, never against a sentence.
//!
//! `docs/soundness.md` lists all assumptions, with the tests of each.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use strum::VariantNames;

use crate::source::Place;

/// An assumption, with the places that require it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Assumption {
    /// The statement that is assumed.
    pub what: Assumed,
    /// The lines that require it; empty if it is about the whole kernel or launch.
    pub places: BTreeSet<Place>,
}

/// The source of a value or a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GivenBy {
    /// `--kernel-args`
    Values,
    /// `--kernel-arrays`
    Sizes,
    /// A configuration: `lockstep.toml`.
    Configuration,
    /// A recorded launch.
    Recording,
    /// The launch in the source.
    Launch,
}

/// A statement that is assumed. `VariantNames` has the names that the text format and
/// `docs/soundness.md` use.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Assumed {
    /// The launch has only this many dimensions: neither the kernel nor the sizes name another.
    Dimensions {
        /// 0 to 2.
        number: usize,
    },
    /// Open sizes are those that a device could run.
    DeviceSizes {
        /// The maximum number of threads of a group.
        group: u32,
        /// The exclusive upper bound on the threads of the launch.
        launch: u64,
    },
    /// The launch has this many threads in all.
    GlobalSize {
        /// Per dimension; `None` is open.
        threads: Vec<Option<u32>>,
    },
    /// Global ids start at an offset.
    GlobalOffset {
        /// The first id per dimension.
        first: Vec<u32>,
    },
    /// The launch has one thread.
    SingleThread,
    /// All groups of the launch run at once.
    GroupsRunAtOnce,
    /// Consecutive threads execute each instruction together.
    LockStepWarps {
        /// The number of threads.
        lanes: u32,
    },
    /// Groups of open size consist of whole warps.
    WholeWarps {
        /// The number of threads in a warp.
        lanes: u32,
    },
    /// Threads that have returned count as having arrived at barriers.
    ReturnedThreadsArrive,

    /// A parameter has a value.
    Argument {
        /// The parameter.
        name: String,
        /// The value, as the source would write it.
        value: String,
        /// The origin of the value.
        by: GivenBy,
    },
    /// The launch passes pointers into one buffer.
    OneBuffer {
        /// The array that begins first.
        whole: String,
        /// The array that begins in it.
        part: String,
        /// The distance in bytes between their beginnings.
        distance: u64,
        /// Whether the two may also be buffers that do not overlap.
        or_apart: bool,
    },
    /// An array has a size.
    ArraySize {
        /// The array.
        name: String,
        /// Its size.
        bytes: u64,
        /// The origin of the size.
        by: GivenBy,
    },
    /// The host computes a size or an argument from others.
    HostComputes {
        /// The equation in C: `gridDim.x is (n + 255) / 256`.
        equation: String,
    },
    /// The host allocates an array of a size that it computes.
    HostAllocates {
        /// The array.
        name: String,
        /// The number of units in C: `n + 1`.
        count: String,
        /// The bytes in a unit.
        unit: u64,
    },
    /// The host's allocations succeed, with at most 2^`exponent` bytes each, the computation of
    /// their sizes does not wrap, and no memory is freed before the launch.
    AllocationsSucceed {
        /// The power of two.
        exponent: u32,
    },
    /// A condition of `--assume` or of a configuration holds.
    Given {
        /// The condition, as given.
        condition: String,
        /// The place of the configuration that has it; none for one of the command line.
        by: Option<Place>,
    },
    /// The axioms of a file (`--boogie-file`) hold.
    Axioms {
        /// The file.
        file: String,
    },
    /// The source assumes a condition; each line is an assumption of its own.
    Source {
        /// The line.
        place: Place,
        /// The calls that state it, as the source writes them, if the source could be read.
        calls: Vec<String>,
    },
    /// The import made unknown assumptions: the input is a kernel in kernel IR.
    Import,

    /// Different pointer parameters point to memory that does not overlap.
    PointersApart,
    /// No pointer parameter points into these variables at file scope.
    PointersOutsideVariables {
        /// The variables.
        names: Vec<String>,
    },
    /// Different image parameters are different images.
    ImagesApart,
    /// No pointer parameter points into an image.
    PointersOutsideImages,
    /// Accesses stay inside arrays whose sizes are not known, and address computations in them do
    /// not wrap.
    InsideUnknownSizes,
    /// The same for dynamic shared memory.
    InsideDynamicShared {
        /// The array.
        name: String,
    },
    /// An array whose size is not known has at most 2^`exponent` bytes.
    LargestArray {
        /// The power of two.
        exponent: u32,
    },
    /// An array starts at a multiple of this many bytes.
    AlignedStart {
        /// The array.
        name: String,
        /// The alignment.
        bytes: u32,
    },
    /// Arguments and loaded numbers keep an address a multiple of this many bytes.
    AlignedByArguments {
        /// The alignment.
        bytes: u32,
    },
    /// A pointer loaded from memory is aligned.
    LoadedPointerAligned,
    /// A pointer loaded from memory is not null.
    LoadedPointerNotNull,
    /// A pointer parameter that is compared with null is not null at the accesses through it.
    ComparedParameterNotNull,
    /// A pointer that is compared with null is not computed from a null pointer.
    ComparedNotFromNull,
    /// Address computations in private arrays that hold pointers do not wrap.
    PointerArraysDoNotWrap,
    /// An integer parameter is the address of memory of its own.
    IntegerIsAddress {
        /// The parameter.
        name: String,
    },
    /// The addresses in a table are those of its initialiser.
    TableAddresses {
        /// The table.
        name: String,
    },
    /// Textures are not written while the kernel runs.
    TexturesUnchanged,
    /// Temporary storage of library functions has the size given by `sizeof`.
    LibraryStorage,
    /// `tiled_partition` does not wait for threads that do not call it.
    PartitionDoesNotWait,
    /// Headers that were not found declare nothing that device code uses.
    MissingHeaders {
        /// Their names.
        names: Vec<String>,
    },

    /// Signed arithmetic does not overflow.
    NoSignedOverflow,
    /// Loop counters that advance by sizes of the launch do not wrap.
    LaunchStrides,
    /// Divisors are not 0. For signed numbers, quotients also fit.
    NoDivisionByZero {
        /// Whether the numbers are signed.
        signed: bool,
    },
    /// Numbers are shifted by less than their width.
    ShiftsBelowWidth,
    /// The operands of `mul24` have 24 bits.
    OperandsOfMul24,
    /// The factors of `mad24` have 24 bits.
    FactorsOfMad24,
    /// No leading or trailing zeros of 0 are counted.
    NoZerosOfZero,

    /// Every thread terminates, after fewer than 2^64 iterations of each loop.
    Termination,
    /// Code that the source marks as unreachable is not reached.
    NotReached,
    /// A counter has at most this many draws.
    FewDraws {
        /// The counter.
        counter: String,
        /// Whether the limit is per barrier interval instead of per launch.
        each_interval: bool,
        /// The maximum number of draws.
        #[serde(with = "decimal")]
        most: BigUint,
    },
    /// The cells through which threads synchronise are zero when the kernel starts.
    SignalsUnset {
        /// The array of the cells.
        array: String,
    },
    /// Two writes of the same value to the same cell are no race.
    SameValueWrites,
    /// A function without a body has no relevant effects, and returns any value.
    NoBody {
        /// The function.
        function: String,
        /// Whether it is passed private variables, which it may access.
        given_variables: bool,
    },
    /// The result of a function without a body depends on its arguments only.
    FunctionOfArguments {
        /// The function.
        function: String,
    },
    /// A function has the specified effects, and no others.
    AsSpecified {
        /// The function.
        function: String,
    },

    /// Races between groups are not checked (`--only-intra-group`).
    GroupsUnchecked,
    /// Races are not checked, because of an option.
    RacesUnchecked {
        /// `--only-divergence` or `--only-log`.
        option: String,
    },
    /// Races are checked on these arrays only (`--check-arrays`).
    OtherArraysUnchecked {
        /// The arrays.
        names: Vec<String>,
    },
    /// Statements of the source about accesses are not checked (`--only-divergence`).
    StatementsUnchecked,
    /// Statements about arrays that `--check-arrays` leaves out are not checked.
    StatementsAboutOthersUnchecked,
    /// No other thread writes the memory that a barrier invariant reads
    /// (`--no-barrier-access-checks`).
    BarrierAccessesUnchecked,
    /// Accesses stay inside arrays of known size (`--no-check bounds`).
    BoundsUnchecked,
    /// No access goes through the null pointer (`--no-check null`).
    NullUnchecked,
    /// Nothing writes constant memory (`--no-check constant`).
    ConstantUnchecked,
    /// Masks name the lanes that execute the operation (`--no-check lane-mask`).
    LaneMaskUnchecked,
}

impl Assumed {
    /// The assumption at these places.
    pub fn at(self, places: impl IntoIterator<Item = Place>) -> Assumption {
        Assumption { what: self, places: places.into_iter().collect() }
    }

    /// The assumption, for the whole kernel or launch.
    pub fn everywhere(self) -> Assumption {
        self.at([])
    }
}

/// A list of distinct assumptions, in the order in which they were first made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Assumptions(Vec<Assumption>);

impl Assumptions {
    /// Adds an assumption. If it is already listed, its places are merged.
    pub fn add(&mut self, assumption: Assumption) {
        match self.0.iter_mut().find(|known| known.what == assumption.what) {
            Some(known) => known.places.extend(assumption.places),
            None => self.0.push(assumption),
        }
    }

    /// The assumption, if it is listed.
    pub fn find(&self, what: &Assumed) -> Option<&Assumption> {
        self.0.iter().find(|listed| listed.what == *what)
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Assumption> {
        self.0.iter()
    }

    /// Changes each of them.
    pub fn for_each_mut(&mut self, change: impl FnMut(&mut Assumption)) {
        self.0.iter_mut().for_each(change);
    }

    /// Whether nothing is assumed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of assumptions.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl Extend<Assumption> for Assumptions {
    fn extend<T: IntoIterator<Item = Assumption>>(&mut self, assumptions: T) {
        assumptions.into_iter().for_each(|assumption| self.add(assumption));
    }
}

impl FromIterator<Assumption> for Assumptions {
    fn from_iter<T: IntoIterator<Item = Assumption>>(assumptions: T) -> Self {
        let mut all = Self::default();
        all.extend(assumptions);
        all
    }
}

impl IntoIterator for Assumptions {
    type Item = Assumption;
    type IntoIter = std::vec::IntoIter<Assumption>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Assumptions {
    type Item = &'a Assumption;
    type IntoIter = std::slice::Iter<'a, Assumption>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Large numbers in decimal digits.
mod decimal {
    use num_bigint::BigUint;
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(number: &BigUint, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BigUint, D::Error> {
        let digits = String::deserialize(deserializer)?;
        BigUint::parse_bytes(digits.as_bytes(), 10).ok_or_else(|| de::Error::custom("no decimal number"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32) -> Place {
        Place { file: "k.cl".to_owned(), line }
    }

    #[test]
    fn an_assumption_is_listed_once_with_all_places() {
        let mut all = Assumptions::default();
        all.add(Assumed::NoSignedOverflow.at([place(3)]));
        all.add(Assumed::Termination.everywhere());
        all.add(Assumed::NoSignedOverflow.at([place(2), place(3)]));
        assert_eq!(all.len(), 2);
        let overflow = all.find(&Assumed::NoSignedOverflow).expect("it is listed");
        assert_eq!(overflow.places.iter().map(|place| place.line).collect::<Vec<_>>(), [2, 3]);
        assert!(all.find(&Assumed::PointersApart).is_none());
    }

    #[test]
    fn payloads_tell_assumptions_apart() {
        let draws = |counter: &str| Assumed::FewDraws {
            counter: counter.to_owned(),
            each_interval: false,
            most: BigUint::from(5_u32),
        };
        let all: Assumptions = [draws("a"), draws("b"), draws("a")].map(Assumed::everywhere).into_iter().collect();
        assert_eq!(all.len(), 2);
    }
}
