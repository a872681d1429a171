//! Copies that a thread starts for itself and waits for in batches (`cp.async`).
//!
//! PTX ISA, "Data movement and conversion instructions: asynchronous copy": a copy moves 4, 8 or 16
//! bytes from global to shared memory while the thread goes on. `commit_group` puts the copies
//! since the last one into a batch, and `wait_group N` waits until at most the `N` latest batches
//! are pending. Until then nothing is promised of the copied bytes, not even to the thread itself.

use lockstep_ir::kernel::{AsyncGroup, AsyncWait, CompareOp, ConvertOp, Operation, Value};

use crate::builder::{Builder, Lanes};
use crate::builtins::Unsupported;
use crate::builtins::call::{Answer, Call};
use crate::builtins::memory::access;

/// The most bytes of one copy in a source.
const MOST_BYTES: u64 = 64;

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
    builder.append_effect(Operation::AsyncCopy {
        group: AsyncGroup::Thread,
        to: access(to, bytes),
        from: access(from, bytes),
        count,
        element_bytes: bytes,
        stride: None,
        event: None,
    });
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
/// * `__lockstep_copy_async(to, from, bytes)`: a copy of any constant size;
/// * `__lockstep_wait_async(closed, kept)`: a wait for all but the `kept` latest of the thread's
///   first `closed` batches.
pub fn expand(call: &mut Call) -> Answer {
    match call.name {
        "__lockstep_copy_async" => {
            let (to, from) = (call.single(0)?, call.single(1)?);
            let bytes = call.constant(2)?.and_then(|bytes| bytes.to_u64()).filter(|bytes| *bytes <= MOST_BYTES);
            let bytes = bytes.and_then(|bytes| u32::try_from(bytes).ok()).filter(|bytes| bytes.is_power_of_two());
            let bytes =
                bytes.ok_or_else(|| Unsupported("asynchronous copy of a size that is no small power of two".into()))?;
            copy(call.builder, [to, from], bytes, Read::Everything);
        }
        "__lockstep_wait_async" => {
            let closed = call.single(0)?;
            let kept = call.constant(1)?.and_then(|kept| kept.to_u64()?.try_into().ok());
            let kept = kept.ok_or_else(|| Unsupported("wait for a number of copies that is computed".into()))?;
            let width = call.builder.kernel.pointer_bits;
            let closed = Some(call.builder.resized(closed, width, ConvertOp::ZeroExtend));
            call.builder.append_effect(Operation::AsyncWait(AsyncWait::Batches { closed, kept }));
        }
        _ => return Ok(None),
    }
    Ok(Some(Lanes::new()))
}
