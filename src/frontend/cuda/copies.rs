//! Copies that a thread starts for itself and waits for in batches (`cp.async`).
//!
//! PTX ISA, "Data movement and conversion instructions: asynchronous copy": a copy moves 4, 8 or 16
//! bytes from global to shared memory while the thread goes on. `commit_group` puts the copies
//! since the last one into a batch, and `wait_group N` waits until at most the `N` latest batches
//! are pending. Until then nothing is promised of the copied bytes, not even to the thread itself.

use lockstep_ir::kernel::{Access, AsyncGroup, AsyncWait, CompareOp, ConvertOp, Operation, Value};

use crate::builder::{Builder, Lanes};
use crate::builtins::Unsupported;
use crate::builtins::call::{Answer, Call};
use crate::builtins::memory::access;

/// The most bytes of a copy that is made in pieces. More are copied element by element.
const MOST_BYTES: u32 = 64;

/// The source of a copy.
#[derive(Clone, Copy)]
pub enum Read {
    /// All bytes.
    Everything,
    /// This many bytes, at most as many as are written; the others become zero.
    Bytes(Value),
    /// All bytes, or none if this Boolean holds.
    Unless(Value),
}

/// Appends a copy of so many bytes.
pub fn copy(builder: &mut Builder<'_>, [to, from]: [Value; 2], bytes: u32, read: Read) {
    let width = builder.kernel.pointer_bits;
    let all = builder.number(width, u64::from(bytes));
    let count = match read {
        Read::Everything => all,
        Read::Bytes(read) => {
            // More is undefined.
            let read = builder.resized(read, width, ConvertOp::ZeroExtend);
            let fits = builder.compare(CompareOp::UnsignedLessEqual, read, all);
            builder.select(fits, read, all)
        }
        Read::Unless(ignored) => {
            let none = builder.number(width, 0);
            builder.select(ignored, none, all)
        }
    };
    append(builder, AsyncGroup::Thread, [access(to, bytes), access(from, bytes)], count, bytes);
}

fn append(builder: &mut Builder<'_>, group: AsyncGroup, [to, from]: [Access; 2], count: Value, element_bytes: u32) {
    builder.append_effect(Operation::AsyncCopy { group, to, from, count, element_bytes, stride: None, event: None });
}

/// Appends copies of a few bytes: of powers of two, the largest first, so that each of them begins
/// at a multiple of its own size or of the alignment.
fn pieces(builder: &mut Builder<'_>, ends: [Value; 2], bytes: u32, alignment: u32) {
    let width = builder.kernel.pointer_bits;
    let mut done = 0;
    while done < bytes {
        let piece = 1 << (bytes - done).ilog2();
        let [to, from] = ends.map(|end| {
            let offset = builder.number(width, done.into());
            let ty = builder.ty(end);
            builder.append(Operation::PointerAdd { pointer: end, offset, in_bounds: false }, ty)
        });
        let alignment = alignment.min(piece);
        let count = builder.number(width, piece.into());
        append(builder, AsyncGroup::Thread, [access(to, alignment), access(from, alignment)], count, piece);
        done += piece;
    }
}

/// The constant alignment at a position of the arguments.
fn alignment(call: &Call, position: usize) -> Result<u32, Unsupported> {
    let bytes = call.constant(position)?.and_then(|bytes| bytes.to_u64()?.try_into().ok());
    let bytes = bytes.filter(|bytes: &u32| bytes.is_power_of_two() && *bytes <= 16);
    bytes.ok_or_else(|| Unsupported("asynchronous copy of an alignment that is no small power of two".into()))
}

/// Closes the thread's batch of copies.
pub fn commit(builder: &mut Builder<'_>) {
    builder.append_effect(Operation::AsyncWait(AsyncWait::Commit));
}

/// Waits for all closed batches but so many.
pub fn wait(builder: &mut Builder<'_>, kept: u32) {
    builder.append_effect(Operation::AsyncWait(AsyncWait::Batches { closed: None, kept }));
}

/// Waits for all copies of the thread.
pub fn wait_for_all(builder: &mut Builder<'_>) {
    commit(builder);
    wait(builder, 0);
}

/// Appends the meaning of an intrinsic `llvm.nvvm.cp.async.<name>`.
pub fn intrinsic(builder: &mut Builder<'_>, name: &str, operands: &[Value]) -> Answer {
    let refused = || Unsupported(format!("asynchronous copy cp.async.{name}"));
    let words: Vec<&str> = name.split('.').collect();
    match (words.as_slice(), operands) {
        (["ca" | "cg", "shared", "global", bytes, rest @ ..], &[to, from, ref read @ ..]) => {
            let bytes = bytes.parse().ok().filter(|bytes| [4, 8, 16].contains(bytes)).ok_or_else(refused)?;
            let read = match (rest, read) {
                ([], []) => Read::Everything,
                (["s"], &[read]) => Read::Bytes(read),
                _ => return Err(refused()),
            };
            copy(builder, [to, from], bytes, read);
        }
        (["commit", "group"], []) => commit(builder),
        (["wait", "group"], &[kept]) => {
            let kept = builder.kernel.constant(kept).and_then(|kept| kept.to_u64()?.try_into().ok());
            wait(builder, kept.ok_or_else(refused)?);
        }
        (["wait", "all"], []) => wait_for_all(builder),
        _ => return Err(refused()),
    }
    Ok(Some(Lanes::new()))
}

/// Appends the functions that the headers of this project call.
///
/// * `__lockstep_copy_async(to, from, bytes, alignment)`: a copy from and to addresses that have a
///   constant alignment;
/// * `__lockstep_share_copy_async(to, from, bytes, alignment)`: the same, made by the threads of a
///   block together, each of which waits for its part;
/// * `__lockstep_commit_async()`: closes the thread's batch;
/// * `__lockstep_wait_async(later)`: a wait for all closed batches but so many of the latest.
pub fn expand(call: &mut Call) -> Answer {
    match call.name {
        "__lockstep_copy_async" | "__lockstep_share_copy_async" => {
            let (to, from, bytes) = (call.single(0)?, call.single(1)?, call.single(2)?);
            let alignment = alignment(call, 3)?;
            let is_shared = call.name == "__lockstep_share_copy_async";
            let few = call.constant(2)?.and_then(|bytes| bytes.to_u64()?.try_into().ok());
            let are_few = |few: &u32| !is_shared && *few <= MOST_BYTES && few.is_multiple_of(alignment);
            if let Some(few) = few.filter(are_few) {
                pieces(call.builder, [to, from], few, alignment);
            } else {
                let group = if is_shared { AsyncGroup::Shared } else { AsyncGroup::Elements };
                let bytes = call.builder.resized(bytes, call.builder.kernel.pointer_bits, ConvertOp::ZeroExtend);
                append(call.builder, group, [access(to, alignment), access(from, alignment)], bytes, alignment);
            }
        }
        "__lockstep_commit_async" => commit(call.builder),
        "__lockstep_wait_async" => {
            let constant = call.constant(0)?.and_then(|later| later.to_u64()?.try_into().ok());
            if let Some(kept) = constant {
                wait(call.builder, kept);
            } else {
                let later = call.single(0)?;
                let later = call.builder.resized(later, call.builder.kernel.pointer_bits, ConvertOp::ZeroExtend);
                call.builder.append_effect(Operation::AsyncWait(AsyncWait::AllBut(later)));
            }
        }
        _ => return Ok(None),
    }
    Ok(Some(Lanes::new()))
}
