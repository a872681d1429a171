//! The memory accesses of operations: the one list that every stage uses.

use lockstep_ir::computation;
use lockstep_ir::kernel::{Access, AtomicOp, Kernel, Needs, Operation, Type, Value};

/// An access of an operation.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct AccessShape {
    /// The address.
    pub pointer: Value,
    /// The number of bytes; `None` if not constant.
    pub bytes: Option<u64>,
    /// Whether the access changes memory.
    pub writes: bool,
    /// Whether the access is atomic.
    pub atomic: bool,
    /// Whether the access proceeds concurrently with the thread.
    pub asynchronous: bool,
    /// Whether the access is volatile.
    pub volatile: bool,
    /// The part of the data read that must have been written by some thread.
    pub needs: Needs,
    /// The alignment in bytes that the source promises.
    pub alignment: u32,
}

/// Calls `visit` on each access of an operation.
#[expect(clippy::unnested_or_patterns, reason = "the pattern of a macro cannot be nested into another")]
pub fn for_each_access(
    kernel: &Kernel,
    operation: &Operation,
    result: Option<Value>,
    mut visit: impl FnMut(AccessShape),
) {
    let plain = |access: &Access, bytes: Option<u64>, writes: bool| AccessShape {
        pointer: access.pointer,
        bytes,
        writes,
        atomic: false,
        asynchronous: false,
        volatile: access.volatile,
        needs: access.needs,
        alignment: access.alignment,
    };
    match operation {
        Operation::Load(access) => {
            visit(plain(access, result.map(|result| byte_width(kernel, kernel.ty(result))), false));
        }
        Operation::Store(access, value) => visit(plain(access, Some(byte_width(kernel, kernel.ty(*value))), true)),
        Operation::Atomic { access, op, operands, .. } => {
            let ty = result.map(|result| kernel.ty(result)).or(operands.first().map(|&operand| kernel.ty(operand)));
            let bytes = ty.map(|ty| byte_width(kernel, ty));
            visit(AccessShape { atomic: true, ..plain(access, bytes, *op != AtomicOp::Load) });
        }
        Operation::MemoryCopy { to, from, .. } => {
            visit(plain(from, None, false));
            visit(plain(to, None, true));
        }
        Operation::MemorySet { to, .. } => visit(plain(to, None, true)),
        Operation::ImageRead { image, .. } => {
            visit(pixel(*image, false));
        }
        Operation::ImageWrite { image, .. } => {
            visit(pixel(*image, true));
        }
        Operation::AsyncCopy { to, from, element_bytes, .. } => {
            let bytes = Some(u64::from(*element_bytes));
            visit(AccessShape { asynchronous: true, ..plain(from, bytes, false) });
            visit(AccessShape { asynchronous: true, ..plain(to, bytes, true) });
        }
        computation!()
        | Operation::Fence { .. }
        | Operation::Barrier { .. }
        | Operation::WarpExchange { .. }
        | Operation::GroupExchange { .. }
        | Operation::AsyncWait(_)
        | Operation::Phase { .. }
        | Operation::Counted(_)
        | Operation::Assume(..)
        | Operation::Assert(..)
        | Operation::Annotation { .. } => {}
    }
}

fn pixel(image: Value, writes: bool) -> AccessShape {
    AccessShape {
        pointer: image,
        bytes: Some(1),
        writes,
        atomic: false,
        asynchronous: false,
        volatile: false,
        needs: Needs::Everything,
        alignment: 1,
    }
}

/// The bytes a value takes in memory.
pub fn byte_width(kernel: &Kernel, ty: Type) -> u64 {
    u64::from(ty.width().unwrap_or(kernel.pointer_bits).div_ceil(8))
}
