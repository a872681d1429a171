//! Which arrays each pointer may point into.
//!
//! A flow-insensitive fixed point over SSA: pointers start at arrays ([`Operation::ArrayBase`]) or
//! null, and arithmetic, casts, selections and block parameters pass them on. A pointer that comes
//! out of memory or out of an integer may point into any array of its address space, so the result
//! over-approximates.
//!
//! Whether such a pointer may be null is another question: over-approximating it would make every
//! access through it a defect. Memory is searched for null pointers instead ([`Targets::null`] is
//! set if one is put into an array that the pointer may have come from), and a pointer of which
//! nothing else is known is marked ([`Targets::unknown`]), so that whoever takes it not to be null
//! can say so. So nothing rests on finding all of these null pointers: one that is missed is an
//! assumption of the report where it would have been a check.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Array, Kernel, Operation, Space, Terminator, Type, Value};
use lockstep_ir::sequential::Pair;

/// What a pointer may point into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// These arrays.
    pub arrays: BTreeSet<Array>,
    /// The null pointer is known to be among the values it may have.
    pub null: bool,
    /// It comes from where pointers are not followed: its value may be anything, null included.
    pub unknown: bool,
    /// It may point to memory that no array stands for: the kernel has none in the pointer's
    /// address space.
    pub elsewhere: bool,
}

impl Targets {
    /// Whether it may be null for all that is known.
    pub fn may_be_null(&self) -> bool {
        self.null || self.unknown
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

/// The arrays that hold a null pointer at some time.
type HoldsNull = SecondaryMap<Array, bool>;

/// Computes what each pointer may point into.
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
        // Where a pointer is not initialised, or comes out of a function without a body, null is as
        // likely as any.
        Operation::Undefined | Operation::Anything | Operation::Choice(_) | Operation::Cached { .. } => {
            Targets { null: true, ..anything(kernel, kernel.ty(value)) }
        }
        Operation::IntegerToPointer(_) => anything(kernel, kernel.ty(value)),
        // No pointers come out of these today. If one did, it might be any.
        Operation::Atomic { .. }
        | Operation::WarpExchange { .. }
        | Operation::GroupExchange { .. }
        | Operation::AsyncCopy { .. }
        | Operation::Phase { .. }
        | Operation::ImageRead { .. }
        | Operation::Annotation { .. }
        | Operation::Constant(_)
        | Operation::Parameter(_)
        | Operation::ThreadQuery(_)
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

/// Whether a pointer that is the same array and offset for both threads of a pair has the same
/// address for them: private arrays, and local ones of different groups, may lie anywhere.
pub fn same_address_for_all(kernel: &Kernel, points_to: &PointsTo, pointer: Value, pair: Pair) -> bool {
    points_to[pointer].arrays.iter().all(|&array| match kernel.arrays[array].space {
        Space::Private | Space::Generic => false,
        Space::Local => pair != Pair::DifferentGroups,
        Space::Global | Space::Constant => true,
    })
}

/// Whether a comparison of two pointers that are the same arrays and offsets for both threads of a
/// pair has the same result for them: if it depends on where different arrays lie, these must lie
/// in the same places for both.
pub fn compare_alike(kernel: &Kernel, points_to: &PointsTo, [a, b]: [Value; 2], pair: Pair) -> bool {
    let one_array = points_to[a].arrays.union(&points_to[b].arrays).count() <= 1;
    one_array || [a, b].into_iter().all(|pointer| same_address_for_all(kernel, points_to, pointer, pair))
}

/// Every array that a pointer of this type may point into. Where there is an array, memory that is
/// none of the kernel's arrays need not be looked at: whatever threads do to each other there they
/// may do in that array.
pub fn anything(kernel: &Kernel, ty: Type) -> Targets {
    let Type::Pointer(space) = ty else { return Targets::default() };
    let arrays: BTreeSet<Array> = kernel
        .arrays
        .iter()
        .filter(|(_, data)| space == Space::Generic || data.space == space)
        // What stands for functions is not accessed.
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

/// Whether what is stored is or contains a pointer that may be null: such a pointer, a zero as
/// wide, or what an array held.
fn stores_null(kernel: &Kernel, value: Value, known: &PointsTo, holds_null: &HoldsNull) -> bool {
    match (kernel.ty(value), kernel.operation(value)) {
        // How a variable without an initial value begins.
        (_, Some(Operation::Undefined)) => false,
        (Type::Pointer(_), _) => known[value].null,
        // What a function without a body leaves in a variable that it is given.
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
