//! The places of the values that the host passes in a kernel's parameters.
//!
//! The host passes a struct as several values, in registers or in memory, so a value has no
//! position among the parameters. It has a place: the parameter, and the offset in it. The kernel
//! has a parameter for each integer, and for each field of a struct that it reads.

use std::collections::BTreeSet;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Array, Kernel, Operation, ParameterKind, Type};

use super::allocations::{Allocated, Allocation};
use super::nd_range::{self, NdRange};
use super::ranges::HostRange;
use super::relations::{Relation, Term};
use super::{DefaultLaunch, SourceLaunch};

/// The place of an integer that the host passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArgumentPlace {
    /// The index of the parameter, from 0.
    pub parameter: usize,
    /// The offset in bytes in the parameter, if that is a struct.
    pub at: u64,
}

impl ArgumentPlace {
    /// The kernel's parameter for the integer, and its width.
    fn in_kernel(self, kernel: &Kernel) -> Option<(usize, u32)> {
        let is_here = |parameter: u32, at: u64| usize::try_from(parameter) == Ok(self.parameter) && at == self.at;
        let mut fields = kernel.field_parameters().filter(|(_, _, field)| is_here(field.parameter, field.at));
        let (index, kind) = match (fields.next(), kernel.passed().get(self.parameter)) {
            (Some((index, parameter, _)), _) => (index, &parameter.kind),
            (None, Some(parameter)) if self.at == 0 => (self.parameter, &parameter.kind),
            _ => return None,
        };
        match kind {
            ParameterKind::Scalar(Type::Bits(width)) if *width <= 64 => Some((index, *width)),
            _ => None,
        }
    }
}

/// The integers among a kernel's parameters.
pub fn integers_of(kernel: &Kernel) -> BTreeSet<usize> {
    let is_integer = |kind: &ParameterKind| matches!(kind, ParameterKind::Scalar(Type::Bits(_)));
    let integers = kernel.parameters.iter().enumerate().filter(|(_, parameter)| is_integer(&parameter.kind));
    integers.map(|(index, _)| index).collect()
}

impl SourceLaunch {
    /// For each value that the host passes, the kernel's parameter for it, and its width.
    fn parameters_in(&self, kernel: &Kernel) -> Vec<Option<(usize, u32)>> {
        self.places.iter().map(|place| place.in_kernel(kernel)).collect()
    }

    /// Values of the host in the order of a kernel's parameters; those of other widths are open.
    fn in_order(&self, kernel: &Kernel, values: &[Option<Bits>]) -> Vec<Option<Bits>> {
        let mut ordered = vec![None; kernel.parameters.len()];
        for (value, parameter) in values.iter().zip(self.parameters_in(kernel)) {
            if let (Some(value), Some((index, width))) = (value, parameter)
                && value.width() == width
            {
                ordered[index] = Some(value.clone());
            }
        }
        ordered
    }

    /// The bytes behind a kernel's pointer parameters in every launch.
    pub(super) fn array_bytes_of(&self, kernel: Option<&Kernel>) -> Vec<Option<u64>> {
        let known = self.nd_range.as_ref().zip(kernel);
        known.map(|(range, kernel)| nd_range::bytes_of(&range.memory, kernel)).unwrap_or_default()
    }

    /// The bytes behind a kernel's pointer parameters, given in the order of the host's values.
    fn in_order_of_arrays(&self, kernel: &Kernel, values: &[Option<u64>]) -> Vec<Option<u64>> {
        let mut ordered = vec![None; kernel.passed().len()];
        for (bytes, place) in values.iter().zip(&self.places) {
            if place.at == 0
                && let Some(ParameterKind::Pointer(_)) = kernel.passed().get(place.parameter).map(|of| &of.kind)
            {
                ordered[place.parameter] = *bytes;
            }
        }
        // Trailing open sizes do not distinguish two launches.
        ordered.truncate(ordered.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
        ordered
    }

    /// The launch without options, if it fixes every integer that a kernel gets.
    pub(super) fn default_of(&self, kernel: &Kernel) -> Option<DefaultLaunch> {
        let launch = self.by_default.as_ref()?;
        let arguments = self.in_order(kernel, &launch.arguments);
        let array_bytes = match &self.nd_range {
            Some(range) => nd_range::bytes_of(&range.memory_by_default, kernel),
            None => self.in_order_of_arrays(kernel, &launch.array_bytes),
        };
        let dimensions = self.nd_range.as_ref().map(NdRange::used);
        let by_default = DefaultLaunch { arguments, array_bytes, dimensions, ..launch.clone() };
        by_default.is_complete_for(kernel).then_some(by_default)
    }

    /// The values of a kernel's parameters.
    pub(super) fn arguments_of(&self, kernel: &Kernel) -> Vec<Option<Bits>> {
        let mut values = self.in_order(kernel, &self.arguments);
        // Trailing open values do not distinguish two launches.
        let known = values.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        values.truncate(known);
        values
    }

    /// The relations about a kernel's parameters.
    pub(super) fn relations_of(&self, kernel: &Kernel) -> Vec<Relation> {
        let parameters = self.parameters_in(kernel);
        self.relations.iter().filter_map(|relation| moved_relation(relation, &parameters)).collect()
    }

    /// The ranges of a kernel's parameters and sizes.
    pub(super) fn ranges_of(&self, kernel: &Kernel) -> Vec<(Term, HostRange)> {
        let parameters = self.parameters_in(kernel);
        self.ranges.iter().filter_map(|range| moved_range(range, &parameters)).collect()
    }

    /// The kernel's parameters that the host computes where that is not followed. Those that it
    /// passes in an unknown way are among them. A host of OpenCL says of each argument how it is
    /// set.
    pub(super) fn computed_elsewhere_in(&self, kernel: &Kernel) -> BTreeSet<usize> {
        let parameters = self.parameters_in(kernel);
        let is_followed = |(_, elsewhere): &(&Option<(usize, u32)>, &bool)| !**elsewhere;
        if self.nd_range.is_some() {
            let elsewhere = parameters.iter().zip(&self.computed_elsewhere).filter(|one| !is_followed(one));
            return elsewhere.filter_map(|(parameter, _)| Some(parameter.as_ref()?.0)).collect();
        }
        let mut found = integers_of(kernel);
        let followed = parameters.iter().zip(&self.computed_elsewhere).filter(is_followed);
        for (index, _) in followed.filter_map(|(parameter, _)| parameter.as_ref()) {
            found.remove(index);
        }
        found
    }

    /// The memory that the host allocates, in terms of a kernel's parameters.
    pub(super) fn allocated_in(&self, kernel: &Kernel) -> Option<Allocated> {
        let allocated = self.allocated.as_ref()?;
        let parameters = self.parameters_in(kernel);
        let moved = |one: &Allocation| Some(Allocation { count: one.count.moved(&parameters)?, ..one.clone() });
        let allocations: Vec<Allocation> = allocated.allocations.iter().filter_map(moved).collect();
        (!allocations.is_empty()).then(|| Allocated {
            allocations,
            relations: allocated.relations.iter().filter_map(|one| moved_relation(one, &parameters)).collect(),
            ranges: allocated.ranges.iter().filter_map(|range| moved_range(range, &parameters)).collect(),
            host: allocated.host.clone(),
            are_all: allocated.are_all,
        })
    }
}

/// A relation about a kernel's parameters, which have these indices and widths.
fn moved_relation(relation: &Relation, parameters: &[Option<(usize, u32)>]) -> Option<Relation> {
    let [left, right] = [&relation.left, &relation.right].map(|term| term.moved(parameters));
    Some(Relation { op: relation.op, left: left?, right: right? })
}

/// The range of a kernel's parameter or a size.
fn moved_range((number, range): &(Term, HostRange), parameters: &[Option<(usize, u32)>]) -> Option<(Term, HostRange)> {
    Some((number.moved(parameters)?, *range))
}

impl DefaultLaunch {
    /// Whether the arguments, in the order of a kernel's parameters, fix every integer it gets.
    pub fn is_complete_for(&self, kernel: &Kernel) -> bool {
        let is_known = |(kind, value): (&ParameterKind, &Option<Bits>)| match kind {
            ParameterKind::Scalar(Type::Bits(_)) => value.is_some(),
            ParameterKind::Aggregate(array) => !accesses(kernel, *array),
            ParameterKind::Scalar(_) | ParameterKind::Pointer(_) | ParameterKind::Opaque => true,
        };
        let kinds = kernel.parameters.iter().map(|parameter| &parameter.kind);
        kinds.zip(&self.arguments).all(is_known)
    }
}

/// Whether a kernel may access an array.
fn accesses(kernel: &Kernel, array: Array) -> bool {
    let instructions = kernel.blocks.values().flat_map(|block| &block.instructions);
    instructions
        .map(|&at| &kernel.instructions[at].operation)
        .any(|operation| *operation == Operation::ArrayBase(array))
}

impl Term {
    /// The same number of a kernel whose parameters have these indices and widths; `None` if it
    /// has no parameter for an argument.
    fn moved(&self, parameters: &[Option<(usize, u32)>]) -> Option<Self> {
        Some(match self {
            Self::Argument { index, width } => {
                let (index, own) = parameters.get(*index).copied().flatten()?;
                (own == *width).then_some(Self::Argument { index, width: own })?
            }
            Self::Groups(_) | Self::Threads(_) | Self::Host { .. } | Self::Constant(_) => self.clone(),
            Self::Binary(op, both) => {
                let [a, b] = &**both;
                Self::Binary(*op, Box::new([a.moved(parameters)?, b.moved(parameters)?]))
            }
            Self::Convert(op, width, from) => Self::Convert(*op, *width, Box::new(from.moved(parameters)?)),
            Self::Choice(op, four) => {
                let [a, b, then, otherwise] = &**four;
                let four =
                    [a.moved(parameters)?, b.moved(parameters)?, then.moved(parameters)?, otherwise.moved(parameters)?];
                Self::Choice(*op, Box::new(four))
            }
        })
    }
}
