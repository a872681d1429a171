//! Launches in which a kernel fails, and launches on which preconditions are tried.

use std::collections::BTreeMap;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{ContentsKind, Kernel, Parameter};

use crate::frontend::assume::evaluate::{Number, Values};
use crate::frontend::assume::{Integer, Query};
use crate::launch::DefaultLaunch;
use crate::verdict::Finding;

/// A launch with its sizes and integer arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valuation {
    /// The integer arguments that are known, by the names of the parameters.
    pub arguments: BTreeMap<String, Number>,
    /// Threads per group.
    pub local: [u64; 3],
    /// Groups.
    pub groups: [u64; 3],
    /// The first global id.
    pub offset: [u64; 3],
    /// The number of dimensions.
    pub dimensions: u64,
    /// The width of `size_t`.
    pub pointer_bits: u32,
    /// Whether arrays have orderly contents, which satisfy the facts of templates.
    pub is_orderly: bool,
}

impl Valuation {
    /// The number of threads, at least 1.
    pub fn threads(&self) -> u64 {
        self.local.iter().chain(&self.groups).fold(1, |all: u64, &size| all.saturating_mul(size)).max(1)
    }
}

impl Values for Valuation {
    fn parameter(&self, name: &str) -> Option<Number> {
        self.arguments.get(name).copied()
    }

    fn size(&self, query: Query, dimension: u8) -> Option<u64> {
        let at = usize::from(dimension);
        Some(match query {
            Query::LocalSize => *self.local.get(at)?,
            Query::NumGroups => *self.groups.get(at)?,
            Query::GlobalSize => self.local.get(at)?.checked_mul(*self.groups.get(at)?)?,
            Query::GlobalOffset => *self.offset.get(at)?,
            Query::Dimensions => self.dimensions,
        })
    }

    fn contents(&self, _: ContentsKind, _: &str) -> Option<bool> {
        Some(self.is_orderly)
    }

    fn pointer_bits(&self) -> u32 {
        self.pointer_bits
    }
}

/// The launch of a finding. Integers that are not read have no value there.
pub fn of_finding(
    finding: &Finding,
    integers: &BTreeMap<String, Integer>,
    offset: &[u32],
    pointer_bits: u32,
) -> Valuation {
    let padded = |sizes: &[u64], or: u64| [0, 1, 2].map(|at| sizes.get(at).copied().unwrap_or(or));
    let offset: Vec<u64> = offset.iter().copied().map(u64::from).collect();
    let argument = |(name, ty): (&String, &Integer)| {
        // A negative number stands behind the unsigned one.
        let shown = finding.parameters.get(name)?.split(' ').next()?.parse().ok()?;
        Some((name.clone(), Number::new(shown, *ty)))
    };
    Valuation {
        arguments: integers.iter().filter_map(argument).collect(),
        local: padded(&finding.block, 1),
        groups: padded(&finding.grid, 1),
        offset: padded(&offset, 0),
        dimensions: u64::try_from(finding.block.len()).unwrap_or(1),
        pointer_bits,
        is_orderly: false,
    }
}

/// A launch of these sizes, with small numbers where they are open.
pub fn of_sizes(block: &[Option<u32>], grid: &[Option<u32>], offset: &[u32], pointer_bits: u32) -> Valuation {
    let sizes = |known: &[Option<u32>]| [0, 1, 2].map(|at| known.get(at).map_or(1, |size| size.map_or(2, u64::from)));
    Valuation {
        arguments: BTreeMap::new(),
        local: sizes(block),
        groups: sizes(grid),
        offset: [0, 1, 2].map(|at| offset.get(at).copied().map_or(0, u64::from)),
        dimensions: u64::try_from(block.len()).unwrap_or(1),
        pointer_bits,
        is_orderly: true,
    }
}

/// The launch that the program makes without options, like another launch in what it does not fix.
pub fn of_program(
    launch: &DefaultLaunch,
    kernel: &Kernel,
    integers: &BTreeMap<String, Integer>,
    other: &Valuation,
) -> Valuation {
    let argument = |(parameter, value): (&Parameter, &Option<Bits>)| {
        let (value, ty) = (value.as_ref()?, integers.get(&parameter.name)?);
        Some((parameter.name.clone(), Number::new(value.unsigned().try_into().ok()?, *ty)))
    };
    Valuation {
        arguments: kernel.parameters.iter().zip(&launch.arguments).filter_map(argument).collect(),
        local: launch.local_size.map(u64::from),
        groups: launch.num_groups.map(u64::from),
        is_orderly: true,
        ..other.clone()
    }
}
