//! The memory that the host allocates for a kernel's pointers, in terms of what it passes.
//!
//! `cudaMalloc(&p, n * sizeof(float))` gives `p` as many elements as `n` says, in every launch with
//! that `p`. Such sizes need relations of their own: numbers that a size mentions are followed,
//! too.

use lockstep_ir::bits::Bits;

use super::places::ArgumentPlace;
use super::ranges::HostRange;
use super::relations::{HostNumber, Relation, Term};

/// The size of the memory behind a pointer that the host passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// The place of the pointer in the parameters.
    pub place: ArgumentPlace,
    /// The bytes in a unit, from 1 to 2^32.
    pub unit: u64,
    /// The number of units, of 64 bits.
    pub count: Term,
}

/// The allocations of a launch with all that is known of the numbers in them, in place of what is
/// known of the launch without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocated {
    /// The sizes.
    pub allocations: Vec<Allocation>,
    /// Relations between sizes, arguments and the host's own numbers.
    pub relations: Vec<Relation>,
    /// Ranges of them.
    pub ranges: Vec<(Term, HostRange)>,
    /// The host's own numbers.
    pub host: Vec<HostNumber>,
    /// Whether the host may well pass all numbers of which this holds.
    pub are_all: bool,
}

impl Allocation {
    /// The allocation in a launch with these arguments and sizes; `None` if the number of units is
    /// not known there, or the host's arithmetic wraps around.
    #[must_use]
    pub fn in_launch(&self, arguments: &[Option<Bits>], groups: [u32; 3], threads: [u32; 3]) -> Option<Self> {
        if self.count.wraps(arguments, groups, threads) {
            return None;
        }
        let count = self.count.value(arguments, groups, threads)?;
        Some(Self { count: Term::Constant(count), ..self.clone() })
    }

    /// The number of bytes, if that is a constant.
    pub fn bytes(&self) -> Option<u64> {
        let Term::Constant(count) = &self.count else { return None };
        count.to_u64()?.checked_mul(self.unit)
    }
}
