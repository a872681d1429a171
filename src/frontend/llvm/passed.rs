//! The integers and pointers that a launch passes, each with its place in the parameters.
//!
//! The x86-64 ABI passes a small struct in registers, and a larger one in memory that the call
//! copies. The stub shows which register belongs to which parameter. So the marker of a launch gets
//! each integer of each parameter as an operand: a register, a part of one, or a load from the
//! memory right before the call. LLVM's passes then compute these operands with the rest of the
//! host's code. A load that they cannot follow stays one, and nothing is known of its value.
//!
//! A struct has its address taken to store a pointer in it: `cudaMalloc(&p.data, bytes)`. The
//! toolkit's function writes that pointer and nothing else. Before LLVM's passes run, it gets a
//! variable of its own to write, and the pointer is copied from there. Functions of the toolkit
//! that only read memory are declared so. The address of a struct that goes elsewhere is lost:
//! after that, any call may write any field.

use std::collections::HashMap;

use inkwell::llvm_sys::LLVMAttributeFunctionIndex;
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::target::LLVMGetModuleDataLayout;
use lockstep_options::launch::places::ArgumentPlace;

use super::aliases::{Aliases, Place, toolkit_function};
use super::allocations::names_allocation;
use super::launches::{STUB, name_of_called};
use super::passes::functions;
use super::raw::{LBlock, LType, LValue, Layout, Opcode, TypeKind, ValueKind};

/// The most instructions between a struct's copy and the launch.
const MOST_BETWEEN: usize = 1024;

/// LLVM's estimate of the cost of an operand and the computation of it.
const COST_OF_OPERAND: usize = 20;

/// The most integers of one parameter that are followed.
const MOST_LEAVES: usize = 64;

/// The toolkit's functions that only read the memory behind their second argument.
const READING_SECOND: [&str; 4] = ["Memcpy", "MemcpyAsync", "MemcpyToSymbol", "MemcpyToSymbolAsync"];

/// An integer or a pointer of a parameter, as a stub receives it.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Its place in the parameters.
    pub place: ArgumentPlace,
    /// Its width in bits; `None` for a pointer.
    width: Option<u32>,
    /// The position of the stub's own parameter that has it.
    position: usize,
    /// The offset in bytes in that parameter, or in the memory that it points to.
    by: u64,
    /// Whether it is in memory.
    is_in_memory: bool,
    /// Whether it is the whole of the stub's parameter.
    is_whole: bool,
}

/// The integers and pointers that each stub receives, by its name.
pub type Stubs = HashMap<String, Vec<Piece>>;

/// The integers and pointers that the stubs of a module receive.
pub fn stubs(module: LLVMModuleRef) -> Stubs {
    let aliases = Aliases::of(module);
    // SAFETY: the module is alive, and its layout lives as long.
    let layout = Layout(unsafe { LLVMGetModuleDataLayout(module) });
    let all = functions(module).into_iter().filter(|function| function.name().contains(STUB));
    all.map(|stub| (stub.name(), pieces(stub, &aliases, layout))).collect()
}

/// The integers and pointers that a launch passes and that are a whole argument of the call.
pub fn whole(pieces: &[Piece], arguments: &[LValue]) -> Vec<(ArgumentPlace, LValue)> {
    let whole = pieces.iter().filter(|piece| piece.is_whole);
    whole.filter_map(|piece| Some((piece.place, *arguments.get(piece.position)?))).collect()
}

/// The integers and pointers that a marker has behind its first operands.
pub fn in_marker(pieces: &[Piece], operands: &[LValue]) -> Vec<(ArgumentPlace, LValue)> {
    pieces.iter().map(|piece| piece.place).zip(operands.iter().copied()).collect()
}

/// The integers and pointers that a stub receives.
fn pieces(stub: LValue, aliases: &Aliases, layout: Layout) -> Vec<Piece> {
    let parameters = stub.parameters();
    let position = |value: LValue| parameters.iter().position(|&parameter| parameter == value);
    let mut pieces = Vec::new();
    for (parameter, memory) in aliases.set_up(stub) {
        if let Some(position) = position(memory.0) {
            pieces.extend(in_memory(stub, layout, parameter, (position, memory.1)));
            continue;
        }
        let Some(ty) = allocated(memory) else { continue };
        let stored = aliases.stored(memory);
        for (at, _) in leaves(ty, layout).into_iter().filter(|(_, width)| width.is_none()) {
            let mut here = stored.iter().filter(|(from, _)| *from == at);
            if let (Some((_, value)), None) = (here.next(), here.next())
                && let Some(position) = position(*value).filter(|_| is_pointer(value.ty()))
            {
                let place = ArgumentPlace { parameter, at };
                pieces.push(Piece { place, width: None, position, by: 0, is_in_memory: false, is_whole: true });
            }
        }
        let integer = |(at, value): (u64, LValue)| Some((at, position(value)?, integer_width(value.ty())?));
        let stored: Vec<(u64, usize, u32)> = stored.into_iter().filter_map(integer).collect();
        for (at, width) in leaves(ty, layout) {
            let Some(width) = width else { continue };
            let end = at + u64::from(width / 8);
            let holds = |&&(from, _, bits): &&(u64, usize, u32)| from <= at && end <= from + u64::from(bits / 8);
            let mut holding = stored.iter().filter(holds);
            if let (Some(&(from, position, bits)), None) = (holding.next(), holding.next()) {
                let place = ArgumentPlace { parameter, at };
                let is_whole = from == at && bits == width;
                let by = at - from;
                pieces.push(Piece { place, width: Some(width), position, by, is_in_memory: false, is_whole });
            }
        }
    }
    pieces
}

/// The integers and pointers of a parameter that the stub receives by its address.
fn in_memory(stub: LValue, layout: Layout, parameter: usize, (position, start): (usize, i64)) -> Vec<Piece> {
    let by_value = u32::try_from(position).ok().and_then(|position| by_value_type(stub, position));
    let Some(ty) = by_value.filter(|_| start == 0) else { return Vec::new() };
    let piece = |(at, width): Leaf| {
        let place = ArgumentPlace { parameter, at };
        Piece { place, width, position, by: at, is_in_memory: true, is_whole: false }
    };
    leaves(ty, layout).into_iter().map(piece).collect()
}

/// The type that a parameter passes by its address.
fn by_value_type(function: LValue, position: u32) -> Option<LType> {
    // SAFETY: the function has more parameters than `position`.
    unsafe {
        let kind = c::LLVMGetEnumAttributeKindForName(c"byval".as_ptr(), 5);
        let attribute = c::LLVMGetEnumAttributeAtIndex(function.0, position + 1, kind);
        (!attribute.is_null()).then(|| LType(c::LLVMGetTypeAttributeValue(attribute)))
    }
}

/// The type of a variable, if the place is its beginning.
fn allocated((base, at): Place) -> Option<LType> {
    let is_variable = matches!(base.kind(), ValueKind::LLVMInstructionValueKind)
        && matches!(base.opcode(), Opcode::LLVMAlloca)
        && at == 0;
    // SAFETY: it is an alloca.
    is_variable.then(|| LType(unsafe { c::LLVMGetAllocatedType(base.0) }))
}

fn is_pointer(ty: LType) -> bool {
    matches!(ty.kind(), TypeKind::LLVMPointerTypeKind)
}

/// The width of an integer type of whole bytes, of at most 64 bits.
fn integer_width(ty: LType) -> Option<u32> {
    let is_integer = matches!(ty.kind(), TypeKind::LLVMIntegerTypeKind);
    is_integer.then(|| ty.integer_width()).filter(|width| width.is_multiple_of(8) && *width <= 64)
}

/// An integer or a pointer in a type: the offset in bytes, and the width of an integer in bits.
type Leaf = (u64, Option<u32>);

/// The integers and pointers in a type.
fn leaves(ty: LType, layout: Layout) -> Vec<Leaf> {
    let mut found = Vec::new();
    add_leaves(ty, layout, 0, &mut found);
    found
}

fn add_leaves(ty: LType, layout: Layout, offset: u64, found: &mut Vec<Leaf>) {
    if found.len() >= MOST_LEAVES {
        return;
    }
    match ty.kind() {
        TypeKind::LLVMStructTypeKind => {
            for (index, field) in (0..).zip(ty.fields()) {
                add_leaves(field, layout, offset + layout.field_offset(ty, index), found);
            }
        }
        TypeKind::LLVMArrayTypeKind => {
            let element = ty.element();
            let count = ty.array_length().min(u64::try_from(MOST_LEAVES).unwrap_or(0));
            for index in 0..count {
                add_leaves(element, layout, offset + index * layout.allocation_bytes(element), found);
            }
        }
        _ if is_pointer(ty) => found.push((offset, None)),
        _ => found.extend(integer_width(ty).map(|width| (offset, Some(width)))),
    }
}

/// Appends the integers and pointers that a call of a stub passes to the operands of its marker:
/// one for each piece, or none at all.
///
/// # Safety
///
/// The builder stands right before the call.
pub unsafe fn append_operands(
    builder: LLVMBuilderRef,
    pieces: &[Piece],
    launching: LValue,
    operands: &mut Vec<LLVMValueRef>,
) -> bool {
    let arguments = launching.call_arguments();
    if pieces.iter().any(|piece| piece.position >= arguments.len()) {
        return false;
    }
    for piece in pieces {
        let argument = arguments[piece.position];
        // SAFETY: the integer or pointer lies in the argument, or in the memory that it points to.
        let value = unsafe {
            let context = c::LLVMGetTypeContext(c::LLVMTypeOf(argument.0));
            let ty = match piece.width {
                Some(width) => c::LLVMIntTypeInContext(context, width),
                None => c::LLVMPointerTypeInContext(context, 0),
            };
            if piece.width.is_none() && !piece.is_in_memory {
                argument.0
            } else if piece.is_in_memory {
                // LLVM's passes follow a load through no copy of a whole struct.
                let copy = copy_to(argument, launching);
                c::LLVMPositionBuilderBefore(builder, copy.unwrap_or(launching).0);
                let from = copy.and_then(|copy| copy.call_arguments().get(1).copied());
                let loaded = load(builder, from.unwrap_or(argument), (piece.by, ty));
                c::LLVMPositionBuilderBefore(builder, launching.0);
                loaded
            } else {
                part(builder, argument, (piece.by, ty))
            }
        };
        operands.push(value);
    }
    true
}

/// Lets the operands of a marker cost nothing where LLVM decides what to inline.
///
/// # Safety
///
/// The marker is a call.
pub unsafe fn make_free(marker: LValue, operands: usize) {
    let (name, bonus) = ("call-threshold-bonus", (operands * COST_OF_OPERAND).to_string());
    let length = |text: &str| u32::try_from(text.len()).unwrap_or(0);
    // SAFETY: the attribute belongs to the context of the call; the texts have these lengths.
    unsafe {
        let context = c::LLVMGetTypeContext(c::LLVMTypeOf(marker.0));
        let (name, value) = ((name.as_ptr().cast(), length(name)), (bonus.as_ptr().cast(), length(&bonus)));
        let attribute = c::LLVMCreateStringAttribute(context, name.0, name.1, value.0, value.1);
        c::LLVMAddCallSiteAttribute(marker.0, LLVMAttributeFunctionIndex, attribute);
    }
}

/// The copy that alone fills a variable, if it stands before the call in the call's block.
fn copy_to(variable: LValue, launching: LValue) -> Option<LValue> {
    allocated((variable, 0))?;
    let mut copies = Vec::new();
    for user in variable.users() {
        let name = name_of_called(user).unwrap_or_default();
        let is_copy = name.starts_with("llvm.memcpy") && user.call_arguments().first() == Some(&variable);
        if is_copy {
            copies.push(user);
        } else if user != launching && !name.starts_with("llvm.lifetime.") {
            return None;
        }
    }
    let &[copy] = copies.as_slice() else { return None };
    let behind = std::iter::successors(copy.next_instruction(), |next| next.next_instruction());
    (behind.take(MOST_BETWEEN).any(|next| next == launching)).then_some(copy).filter(|copy| fills(*copy, variable))
}

/// Whether a copy fills all of a variable.
fn fills(copy: LValue, variable: LValue) -> bool {
    let size = copy.call_arguments().get(2).and_then(|size| size.small_constant());
    // SAFETY: a variable's type has a size, and the module is that of the instruction.
    let bytes = unsafe {
        let function = c::LLVMGetBasicBlockParent(c::LLVMGetInstructionParent(copy.0));
        let layout = Layout(LLVMGetModuleDataLayout(c::LLVMGetGlobalParent(function)));
        layout.store_bytes(LType(c::LLVMGetAllocatedType(variable.0)))
    };
    size.is_some_and(|size| size >= bytes)
}

/// The integer or pointer at an offset behind a pointer.
///
/// # Safety
///
/// As for [`append_operands`].
unsafe fn load(builder: LLVMBuilderRef, pointer: LValue, (by, ty): (u64, LLVMTypeRef)) -> LLVMValueRef {
    unsafe {
        let context = c::LLVMGetTypeContext(ty);
        let mut index = [c::LLVMConstInt(c::LLVMInt64TypeInContext(context), by, 0)];
        let byte = c::LLVMInt8TypeInContext(context);
        let place = c::LLVMBuildInBoundsGEP2(builder, byte, pointer.0, index.as_mut_ptr(), 1, c"".as_ptr());
        let value = c::LLVMBuildLoad2(builder, ty, place, c"".as_ptr());
        c::LLVMSetAlignment(value, 1);
        value
    }
}

/// The integer at an offset in a larger one.
///
/// # Safety
///
/// As for [`append_operands`].
unsafe fn part(builder: LLVMBuilderRef, whole: LValue, (by, ty): (u64, LLVMTypeRef)) -> LLVMValueRef {
    unsafe {
        let wide = c::LLVMTypeOf(whole.0);
        let shifted = match by {
            0 => whole.0,
            _ => c::LLVMBuildLShr(builder, whole.0, c::LLVMConstInt(wide, 8 * by, 0), c"".as_ptr()),
        };
        if wide == ty { shifted } else { c::LLVMBuildTrunc(builder, shifted, ty, c"".as_ptr()) }
    }
}

// --- The toolkit's functions ---------------------------------------------------------------------

/// Lets the toolkit's functions change no more of a struct than they do.
pub fn restrict_toolkit(module: LLVMModuleRef) {
    for function in functions(module) {
        let instructions: Vec<LValue> = function.blocks().into_iter().flat_map(LBlock::instructions).collect();
        for call in instructions.into_iter().filter(|instruction| is_plain_call(*instruction)) {
            let Some((name, called)) = toolkit_function(call).zip(call.called()) else { continue };
            // It writes a pointer through its first argument, and nothing else of what the program
            // can name.
            if (names_allocation(call) || name == "HostGetDevicePointer")
                && is_toolkits(called, &name)
                && let Some(&pointer) = call.call_arguments().first()
                && is_field(pointer)
            {
                write_apart(function, call, pointer);
            }
            if READING_SECOND.contains(&name.as_str()) && called.is_declaration() {
                mark_as_read(module, called);
            }
        }
    }
}

/// Whether a function is the toolkit's: it is elsewhere, or its template for any type of pointer,
/// which passes its arguments on to the function of this name.
fn is_toolkits(function: LValue, name: &str) -> bool {
    if function.is_declaration() {
        return true;
    }
    let instructions: Vec<LValue> = function.blocks().into_iter().flat_map(LBlock::instructions).collect();
    let is_own = |pointer: LValue| allocated((pointer, 0)).is_some();
    let passes_on = |call: LValue| {
        toolkit_function(call).as_deref() == Some(name) && call.called().is_some_and(LValue::is_declaration)
    };
    instructions.iter().all(|&instruction| match instruction.opcode() {
        Opcode::LLVMStore => instruction.operands().get(1).is_some_and(|&to| is_own(to)),
        Opcode::LLVMCall | Opcode::LLVMInvoke => passes_on(instruction) || is_intrinsic(instruction),
        _ => true,
    })
}

/// Whether an instruction calls one of LLVM's functions for debuggers.
fn is_intrinsic(call: LValue) -> bool {
    name_of_called(call).is_some_and(|name| name.starts_with("llvm.dbg."))
}

/// A call that ends no block.
fn is_plain_call(instruction: LValue) -> bool {
    matches!(instruction.opcode(), Opcode::LLVMCall)
}

/// Whether a pointer points to a field of a struct, as Clang writes it.
fn is_field(pointer: LValue) -> bool {
    let is_part = matches!(pointer.kind(), ValueKind::LLVMInstructionValueKind)
        && matches!(pointer.opcode(), Opcode::LLVMGetElementPtr);
    if !is_part {
        return false;
    }
    // SAFETY: it is a getelementptr.
    let ty = LType(unsafe { c::LLVMGetGEPSourceElementType(pointer.0) });
    matches!(ty.kind(), TypeKind::LLVMStructTypeKind)
}

/// Lets a call write a pointer to a variable of its own, from where it is copied.
fn write_apart(function: LValue, call: LValue, pointer: LValue) {
    let Some(first) = function.blocks().first().and_then(|entry| entry.instructions().first().copied()) else {
        return;
    };
    let Some(behind) = call.next_instruction() else { return };
    // SAFETY: everything belongs to one function; the builder is disposed of.
    unsafe {
        let ty = c::LLVMTypeOf(pointer.0);
        let builder = c::LLVMCreateBuilderInContext(c::LLVMGetTypeContext(ty));
        c::LLVMPositionBuilderBefore(builder, first.0);
        let own = c::LLVMBuildAlloca(builder, ty, c"".as_ptr());
        c::LLVMPositionBuilderBefore(builder, call.0);
        // If the function fails, the pointer stays as it is.
        let before = c::LLVMBuildLoad2(builder, ty, pointer.0, c"".as_ptr());
        c::LLVMBuildStore(builder, before, own);
        c::LLVMPositionBuilderBefore(builder, behind.0);
        let after = c::LLVMBuildLoad2(builder, ty, own, c"".as_ptr());
        c::LLVMBuildStore(builder, after, pointer.0);
        c::LLVMSetOperand(call.0, 0, own);
        c::LLVMDisposeBuilder(builder);
    }
}

/// Declares that a function only reads the memory behind its second argument.
fn mark_as_read(module: LLVMModuleRef, function: LValue) {
    let is_pointer = |value: &LValue| matches!(value.ty().kind(), TypeKind::LLVMPointerTypeKind);
    if !function.parameters().get(1).is_some_and(is_pointer) {
        return;
    }
    for name in ["readonly", "nocapture"] {
        // SAFETY: the attributes belong to the function's context.
        unsafe {
            let kind = c::LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = c::LLVMCreateEnumAttribute(c::LLVMGetModuleContext(module), kind, 0);
            c::LLVMAddAttributeAtIndex(function.0, 2, attribute);
        }
    }
}
