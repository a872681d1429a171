//! The limit on inlining.
//!
//! Functions that call others several times each grow exponentially when they are inlined. The
//! calls in a function that would become too large are kept as calls, which the import refuses by
//! name.

use std::collections::HashMap;
use std::ffi::CStr;

use inkwell::llvm_sys::LLVMAttributeFunctionIndex;
use inkwell::llvm_sys::core as c;

use super::raw::{LBlock, LValue, Opcode, ValueKind};

/// The most instructions of a function with those of its callees, unless a few times its own is
/// more.
pub const MOST_INSTRUCTIONS: usize = 250_000;
const MOST_GROWTH: usize = 4;

/// Keeps the calls in functions that inlining would make too large.
pub fn limit(functions: Vec<LValue>) {
    let mut sizes = HashMap::new();
    for function in functions {
        measure(function, &mut sizes);
    }
}

/// A function being measured.
struct Frame {
    function: LValue,
    own: usize,
    calls: Vec<LValue>,
    /// The number of calls inspected so far.
    seen: usize,
}

impl Frame {
    fn new(function: LValue) -> Self {
        let instructions: Vec<LValue> = function.blocks().into_iter().flat_map(LBlock::instructions).collect();
        let own = instructions.len();
        let calls: Vec<LValue> =
            instructions.into_iter().filter(|instruction| callee(*instruction).is_some()).collect();
        calls.iter().copied().for_each(allow);
        Self { function, own, calls, seen: 0 }
    }
}

/// The size of a function with all its callees inlined.
///
/// A function that is being measured further up is recursive, which the import refuses; it counts
/// as nothing.
fn measure(function: LValue, sizes: &mut HashMap<LValue, usize>) {
    let mut stack = Vec::new();
    if sizes.insert(function, 0).is_none() {
        stack.push(Frame::new(function));
    }
    while let Some(frame) = stack.last_mut() {
        if let Some(called) = frame.calls.get(frame.seen).copied().and_then(callee) {
            frame.seen += 1;
            sizes.entry(called).or_insert_with(|| {
                stack.push(Frame::new(called));
                0
            });
            continue;
        }
        let inlined = frame.calls.iter().filter_map(|call| sizes.get(&callee(*call)?));
        let size = inlined.fold(frame.own, |sum, size| sum.saturating_add(*size));
        if size > MOST_INSTRUCTIONS.max(frame.own.saturating_mul(MOST_GROWTH)) {
            frame.calls.iter().copied().for_each(keep);
            sizes.insert(frame.function, frame.own);
        } else {
            sizes.insert(frame.function, size);
        }
        stack.pop();
    }
}

/// The function with a body that an instruction calls.
fn callee(instruction: LValue) -> Option<LValue> {
    let called = matches!(instruction.opcode(), Opcode::LLVMCall).then(|| instruction.called()).flatten()?;
    (matches!(called.kind(), ValueKind::LLVMFunctionValueKind) && !called.is_declaration()).then_some(called)
}

/// The mark of a call that is not inlined because it would lead to too much code.
const TOO_LARGE: &CStr = c"lockstep-too-large";

/// Marks a call as not to be inlined.
fn keep(call: LValue) {
    // SAFETY: `call` is a call, the attribute kind exists.
    unsafe {
        let context = c::LLVMGetTypeContext(c::LLVMTypeOf(call.0));
        let attribute = c::LLVMCreateEnumAttribute(context, not_inlined(), 0);
        c::LLVMAddCallSiteAttribute(call.0, LLVMAttributeFunctionIndex, attribute);
        let length = u32::try_from(TOO_LARGE.to_bytes().len()).unwrap_or(0);
        let mark = c::LLVMCreateStringAttribute(context, TOO_LARGE.as_ptr(), length, c"".as_ptr(), 0);
        c::LLVMAddCallSiteAttribute(call.0, LLVMAttributeFunctionIndex, mark);
    }
}

/// Whether a call was kept because it would lead to too much code.
pub fn is_kept(call: LValue) -> bool {
    let length = u32::try_from(TOO_LARGE.to_bytes().len()).unwrap_or(0);
    // SAFETY: `call` is a call.
    let mark =
        unsafe { c::LLVMGetCallSiteStringAttribute(call.0, LLVMAttributeFunctionIndex, TOO_LARGE.as_ptr(), length) };
    !mark.is_null()
}

/// Removes the source's request that a call is not inlined.
fn allow(call: LValue) {
    // SAFETY: `call` is a call, the attribute kind exists.
    unsafe { c::LLVMRemoveCallSiteEnumAttribute(call.0, LLVMAttributeFunctionIndex, not_inlined()) }
}

fn not_inlined() -> u32 {
    let name = "noinline";
    // SAFETY: the name has this length.
    unsafe { c::LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}
