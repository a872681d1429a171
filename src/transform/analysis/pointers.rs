//! Points-to analysis: the arrays that each pointer may point into.
//!
//! A flow-insensitive fixed point over SSA: pointers start at arrays ([`Operation::ArrayBase`]) or
//! null, and arithmetic, casts, selections and block parameters pass them on. A pointer that comes
//! out of memory or out of an integer may point into any array of its address space, so the result
//! over-approximates.
//!
//! Whether such a pointer may be null is another question: over-approximation would make every
//! access through it a defect. Memory is searched for null pointers instead: [`Targets::null`] is
//! set if one is stored into an array that the pointer may have come from. An otherwise unknown
//! pointer is marked ([`Targets::unknown`]), so that code that takes it not to be null can list
//! this assumption. So soundness does not rest on finding all of these null pointers: a missed one
//! is an assumption in the report instead of a check.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Array, Kernel, Operation, Space, Terminator, Type, Value};
use lockstep_ir::sequential::Pair;

/// The targets of a pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// The arrays that the pointer may point into.
    pub arrays: BTreeSet<Array>,
    /// Whether the null pointer is known to be among its values.
    pub null: bool,
    /// Whether the pointer comes from a source that is not followed: its value may be anything,
    /// null included.
    pub unknown: bool,
    /// Whether the pointer may lead to memory that no array stands for, because the kernel has none
    /// in its address space.
    pub elsewhere: bool,
}

impl Targets {
    /// Whether the pointer may be null, as far as the analysis knows.
    pub fn may_be_null(&self) -> bool {
        self.null || self.unknown
    }

    /// Whether the pointer points into private memory of the thread, if it points into an array.
    pub fn are_private(&self, kernel: &Kernel) -> bool {
        self.arrays.iter().all(|&array| kernel.arrays[array].space == Space::Private)
    }

    fn extend(&mut self, other: &Self) -> bool {
        let before = (self.arrays.len(), self.null, self.unknown, self.elsewhere);
        self.arrays.extend(&other.arrays);
        self.null |= other.null;
        self.unknown |= other.unknown;
        self.elsewhere |= other.elsewhere;
        before != (self.arrays.len(), self.null, self.unknown, self.elsewhere)
    }
}

/// The targets of each pointer-typed value; empty for other values.
pub type PointsTo = SecondaryMap<Value, Targets>;

/// Whether each array holds a null pointer at some time.
type HoldsNull = SecondaryMap<Array, bool>;

/// Computes the targets of each pointer.
pub fn points_to(kernel: &Kernel) -> PointsTo {
    let mut result = PointsTo::new();
    let mut holds_null = initial_nulls(kernel);
    let mut changed = true;
    while changed {
        changed = false;
        for block in kernel.blocks.values() {
            for &instruction in &block.instructions {
                let data = &kernel.instructions[instruction];
                changed |= put_nulls(kernel, &data.operation, &result, &mut holds_null);
                let Some(value) = data.result.filter(|&value| matches!(kernel.ty(value), Type::Pointer(_))) else {
                    continue;
                };
                let new = operation_targets(kernel, &data.operation, value, &result, &holds_null);
                changed |= result[value].extend(&new);
            }
            changed |= pass_arguments(kernel, &block.terminator, &mut result);
        }
    }
    result
}

fn pass_arguments(kernel: &Kernel, terminator: &Terminator, result: &mut PointsTo) -> bool {
    let mut changed = false;
    for target in terminator.targets() {
        for (&parameter, &argument) in kernel.blocks[target.block].parameters.iter().zip(&target.arguments) {
            if matches!(kernel.ty(parameter), Type::Pointer(_)) {
                let new = result[argument].clone();
                changed |= result[parameter].extend(&new);
            }
        }
    }
    changed
}

fn operation_targets(
    kernel: &Kernel,
    operation: &Operation,
    value: Value,
    known: &PointsTo,
    holds_null: &HoldsNull,
) -> Targets {
    match operation {
        Operation::ArrayBase(array) => Targets { arrays: BTreeSet::from([*array]), ..Targets::default() },
        Operation::Null => Targets { null: true, ..Targets::default() },
        Operation::PointerAdd { pointer, .. } | Operation::SpaceCast(pointer) => known[*pointer].clone(),
        Operation::Select(_, a, b) => {
            let mut both = known[*a].clone();
            both.extend(&known[*b]);
            both
        }
        Operation::Load(access) => {
            let null = known[access.pointer].arrays.iter().any(|&array| holds_null[array]);
            Targets { null, ..anything(kernel, kernel.ty(value)) }
        }
        // An uninitialised pointer, or one from a function without a body, is as likely null as
        // anything else.
        Operation::Undefined | Operation::Anything | Operation::Choice(_) | Operation::Cached { .. } => {
            Targets { null: true, ..anything(kernel, kernel.ty(value)) }
        }
        Operation::IntegerToPointer(_) => anything(kernel, kernel.ty(value)),
        // These yield no pointers today. If one did, the pointer might be any.
        Operation::Atomic { .. }
        | Operation::WarpExchange { .. }
        | Operation::GroupExchange { .. }
        | Operation::AsyncCopy { .. }
        | Operation::Phase { .. }
        | Operation::Counted(_)
        | Operation::ImageRead { .. }
        | Operation::Annotation { .. }
        | Operation::Constant(_)
        | Operation::Parameter(_)
        | Operation::ThreadQuery(_)
        | Operation::Contents(_)
        | Operation::Unary(..)
        | Operation::Binary(..)
        | Operation::Compare(..)
        | Operation::Convert(..)
        | Operation::Extract { .. }
        | Operation::Concat(..)
        | Operation::Float(..)
        | Operation::Uninterpreted(..)
        | Operation::PointerToInteger(_)
        | Operation::PointerEqual(..)
        | Operation::PointerDifference(..)
        | Operation::Store(..)
        | Operation::MemoryCopy { .. }
        | Operation::MemorySet { .. }
        | Operation::ImageWrite { .. }
        | Operation::Fence { .. }
        | Operation::Barrier { .. }
        | Operation::AsyncWait(_)
        | Operation::Assume(..)
        | Operation::Assert(..) => Targets { null: true, ..anything(kernel, kernel.ty(value)) },
    }
}

/// Whether a pointer has the same address for both threads of a pair if its array and offset are
/// the same for them. Private arrays, and local ones of different groups, may lie anywhere.
pub fn same_address_for_all(kernel: &Kernel, points_to: &PointsTo, pointer: Value, pair: Pair) -> bool {
    points_to[pointer].arrays.iter().all(|&array| match kernel.arrays[array].space {
        Space::Private | Space::Generic => false,
        Space::Local => pair != Pair::DifferentGroups,
        Space::Global | Space::Constant => true,
    })
}

/// Whether a comparison of two pointers has the same result for both threads of a pair if the
/// arrays and offsets are the same for them. If the result depends on where different arrays lie,
/// these must lie in the same places for both.
pub fn compare_alike(kernel: &Kernel, points_to: &PointsTo, [a, b]: [Value; 2], pair: Pair) -> bool {
    let one_array = points_to[a].arrays.union(&points_to[b].arrays).count() <= 1;
    one_array || [a, b].into_iter().all(|pointer| same_address_for_all(kernel, points_to, pointer, pair))
}

/// Every array that a pointer of this type may point into. Where there is an array, memory outside
/// the kernel's arrays need not be considered: any interaction of threads in it is also possible in
/// that array.
pub fn anything(kernel: &Kernel, ty: Type) -> Targets {
    let Type::Pointer(space) = ty else { return Targets::default() };
    let arrays: BTreeSet<Array> = kernel
        .arrays
        .iter()
        .filter(|(_, data)| space == Space::Generic || data.space == space)
        // Arrays that stand for functions are not accessed.
        .filter(|(_, data)| data.size != Some(0))
        .map(|(array, _)| array)
        .collect();
    Targets { elsewhere: arrays.is_empty(), arrays, null: false, unknown: true }
}

// --- Null pointers in memory ---------------------------------------------------------------------

/// The tables with a null pointer's bytes in them.
fn initial_nulls(kernel: &Kernel) -> HoldsNull {
    let bytes = usize::try_from(kernel.pointer_bits / 8).unwrap_or(8);
    let mut holds_null = HoldsNull::new();
    for (array, data) in &kernel.arrays {
        let is_null = |chunk: &[u8]| chunk.iter().all(|&byte| byte == 0);
        holds_null[array] = data.contents.as_ref().is_some_and(|contents| contents.chunks_exact(bytes).any(is_null));
    }
    holds_null
}

/// Marks the arrays into which an operation may put a null pointer.
fn put_nulls(kernel: &Kernel, operation: &Operation, known: &PointsTo, holds_null: &mut HoldsNull) -> bool {
    let to = match operation {
        Operation::Store(access, value) if stores_null(kernel, *value, known, holds_null) => access,
        Operation::MemoryCopy { to, from, .. } | Operation::AsyncCopy { to, from, .. }
            if known[from.pointer].arrays.iter().any(|&array| holds_null[array]) =>
        {
            to
        }
        Operation::MemorySet { to, value, .. } if kernel.constant(*value).is_some_and(Bits::is_zero) => to,
        _ => return false,
    };
    let mut changed = false;
    for &array in &known[to.pointer].arrays {
        changed |= !holds_null[array];
        holds_null[array] = true;
    }
    changed
}

/// Whether a stored value is or contains a pointer that may be null: such a pointer, a zero as
/// wide, or a value loaded from an array.
fn stores_null(kernel: &Kernel, value: Value, known: &PointsTo, holds_null: &HoldsNull) -> bool {
    match (kernel.ty(value), kernel.operation(value)) {
        // The initial state of a variable without an initial value.
        (_, Some(Operation::Undefined)) => false,
        (Type::Pointer(_), _) => known[value].null,
        // A value that a function without a body leaves in a variable passed to it.
        (ty, Some(Operation::Anything | Operation::Choice(_) | Operation::Cached { .. })) => {
            ty.width().is_some_and(|width| width >= kernel.pointer_bits)
        }
        (ty, Some(Operation::Constant(bits))) => {
            ty.width().is_some_and(|width| width >= kernel.pointer_bits) && bits.is_zero()
        }
        (ty, Some(Operation::Load(access))) => {
            ty.width().is_some_and(|width| width >= kernel.pointer_bits)
                && known[access.pointer].arrays.iter().any(|&array| holds_null[array])
        }
        _ => false,
    }
}
