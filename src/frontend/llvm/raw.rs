//! Plain handles over LLVM's C interface.
//!
//! inkwell's own value types panic on types and instructions they do not know, such as images,
//! samplers and events. An input must never cause a panic, so the import reads modules through
//! these handles, which answer for everything. A handle is valid as long as the
//! [`inkwell::module::Module`] it came from; handles never leave `frontend::llvm`.

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_uint};
use std::ptr;

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::debuginfo as d;
pub use inkwell::llvm_sys::debuginfo::LLVMMetadataKind as MetadataKind;
use inkwell::llvm_sys::prelude::{
    LLVMBasicBlockRef, LLVMContextRef, LLVMMetadataRef, LLVMTypeRef, LLVMUseRef, LLVMValueRef,
};
use inkwell::llvm_sys::target::{LLVMABISizeOfType, LLVMOffsetOfElement, LLVMStoreSizeOfType, LLVMTargetDataRef};
pub use inkwell::llvm_sys::{LLVMOpcode as Opcode, LLVMTypeKind as TypeKind, LLVMValueKind as ValueKind};
use lockstep_system::printable;

/// A value of LLVM: constant, argument, instruction, function, global variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LValue(pub LLVMValueRef);

/// A type of LLVM.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LType(pub LLVMTypeRef);

/// A basic block of LLVM.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LBlock(pub LLVMBasicBlockRef);

/// A node of LLVM's metadata.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LMetadata(pub LLVMMetadataRef);

/// The sizes and layouts of a module's types.
#[derive(Clone, Copy, Debug)]
pub struct Layout(pub LLVMTargetDataRef);

/// A string that LLVM owns.
pub fn borrowed(text: *const c_char, length: usize) -> String {
    if text.is_null() || length == 0 {
        return String::new();
    }
    // SAFETY: LLVM returned the pair of pointer and length.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// A name that LLVM owns, made printable: names of modules have any characters.
fn named(text: *const c_char, length: usize) -> String {
    let name = borrowed(text, length);
    match printable::one_line(&name) {
        Cow::Borrowed(_) => name,
        Cow::Owned(shown) => shown,
    }
}

/// A string that LLVM allocated for the caller.
pub fn owned(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: a NUL-terminated string that the caller must dispose of with LLVMDisposeMessage.
    unsafe {
        let string = CStr::from_ptr(text).to_string_lossy().into_owned();
        c::LLVMDisposeMessage(text);
        string
    }
}

/// LLVM's number for the kind of metadata of this name.
fn mark_kind(context: LLVMContextRef, kind: &str) -> c_uint {
    let length = c_uint::try_from(kind.len()).unwrap_or(0);
    // SAFETY: the context is alive, and the name has the given length.
    unsafe { c::LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), length) }
}

// SAFETY of all that follows: the handles are non-null and their module is alive (see the module's
// comment). A function that is valid for one kind of value only says so in its own comment, and its
// callers check the kind first.
impl LValue {
    /// `None` for LLVM's null.
    pub fn new(value: LLVMValueRef) -> Option<Self> {
        (!value.is_null()).then_some(Self(value))
    }

    /// Which kind of value it is.
    pub fn kind(self) -> ValueKind {
        unsafe { c::LLVMGetValueKind(self.0) }
    }

    /// Its type.
    pub fn ty(self) -> LType {
        LType(unsafe { c::LLVMTypeOf(self.0) })
    }

    /// Whether no other file knows the name of this global value.
    pub fn is_internal(self) -> bool {
        // SAFETY: it is a global value.
        let linkage = unsafe { c::LLVMGetLinkage(self.0) };
        matches!(linkage, LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
    }

    /// Whether this function is in a file with a `main`.
    pub fn is_in_program(self) -> bool {
        // SAFETY: a function belongs to a module.
        let main = unsafe { c::LLVMGetNamedFunction(c::LLVMGetGlobalParent(self.0), c"main".as_ptr()) };
        Self::new(main).is_some_and(|main| !main.is_declaration())
    }

    /// The function that has this parameter; `None` if it is no parameter.
    pub fn function_of_parameter(self) -> Option<Self> {
        let is_parameter = matches!(self.kind(), ValueKind::LLVMArgumentValueKind);
        // SAFETY: it is a parameter of a function.
        is_parameter.then(|| Self(unsafe { c::LLVMGetParamParent(self.0) }))
    }

    /// Whether another file may have another definition of this function, which is used instead.
    pub fn may_be_replaced(self) -> bool {
        // SAFETY: it is a global value.
        let linkage = unsafe { c::LLVMGetLinkage(self.0) };
        matches!(
            linkage,
            LLVMLinkage::LLVMWeakAnyLinkage
                | LLVMLinkage::LLVMLinkOnceAnyLinkage
                | LLVMLinkage::LLVMExternalWeakLinkage
                | LLVMLinkage::LLVMCommonLinkage
        )
    }

    /// Its name, empty if it has none.
    pub fn name(self) -> String {
        let mut length = 0;
        let text = unsafe { c::LLVMGetValueName2(self.0, &raw mut length) };
        named(text, length)
    }

    /// The value as LLVM prints it.
    pub fn print(self) -> String {
        owned(unsafe { c::LLVMPrintValueToString(self.0) })
    }

    /// The operands; of instructions, constants and other users.
    pub fn operands(self) -> Vec<LValue> {
        let count = unsafe { c::LLVMGetNumOperands(self.0) };
        (0..c_uint::try_from(count).unwrap_or(0))
            .filter_map(|index| Self::new(unsafe { c::LLVMGetOperand(self.0, index) }))
            .collect()
    }

    /// The users of the value, once for each use.
    pub fn users(self) -> Vec<LValue> {
        let some = |at: LLVMUseRef| (!at.is_null()).then_some(at);
        let first = some(unsafe { c::LLVMGetFirstUse(self.0) });
        let all = std::iter::successors(first, |&at| some(unsafe { c::LLVMGetNextUse(at) }));
        all.map(|at| Self(unsafe { c::LLVMGetUser(at) })).collect()
    }

    /// An instruction's opcode.
    pub fn opcode(self) -> Opcode {
        unsafe { c::LLVMGetInstructionOpcode(self.0) }
    }

    /// A constant expression's opcode.
    pub fn constant_opcode(self) -> Opcode {
        unsafe { c::LLVMGetConstOpcode(self.0) }
    }

    /// The element of a constant aggregate.
    pub fn aggregate_element(self, index: u32) -> Option<LValue> {
        Self::new(unsafe { c::LLVMGetAggregateElement(self.0, index) })
    }

    /// The blocks of a function.
    pub fn blocks(self) -> Vec<LBlock> {
        let mut blocks = Vec::new();
        let mut next = unsafe { c::LLVMGetFirstBasicBlock(self.0) };
        while !next.is_null() {
            blocks.push(LBlock(next));
            next = unsafe { c::LLVMGetNextBasicBlock(next) };
        }
        blocks
    }

    /// The parameters of a function.
    pub fn parameters(self) -> Vec<LValue> {
        let count = unsafe { c::LLVMCountParams(self.0) };
        (0..count).filter_map(|index| Self::new(unsafe { c::LLVMGetParam(self.0, index) })).collect()
    }

    /// Whether a function or global variable has no body.
    pub fn is_declaration(self) -> bool {
        unsafe { c::LLVMIsDeclaration(self.0) != 0 }
    }

    /// The value type of a global variable or function.
    pub fn global_type(self) -> LType {
        LType(unsafe { c::LLVMGlobalGetValueType(self.0) })
    }

    /// The section that a global variable is put into; empty if none.
    pub fn section(self) -> String {
        // SAFETY: it is a global variable, and what LLVM returns is null or ends with a zero.
        let section = unsafe { c::LLVMGetSection(self.0) };
        if section.is_null() {
            return String::new();
        }
        unsafe { CStr::from_ptr(section) }.to_string_lossy().into_owned()
    }

    /// The called function or pointer of a call instruction.
    pub fn called(self) -> Option<LValue> {
        Self::new(unsafe { c::LLVMGetCalledValue(self.0) })
    }

    /// The arguments of a call instruction.
    pub fn call_arguments(self) -> Vec<LValue> {
        let count = unsafe { c::LLVMGetNumArgOperands(self.0) };
        (0..count).filter_map(|index| Self::new(unsafe { c::LLVMGetOperand(self.0, index) })).collect()
    }

    /// Whether a call passes a copy of its argument's target (`byval`); arguments count from 1.
    pub fn passes_copy(self, argument: u32) -> bool {
        let name = "byval";
        let kind = unsafe { c::LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        !unsafe { c::LLVMGetCallSiteEnumAttribute(self.0, argument, kind) }.is_null()
    }

    /// Whether anything uses the value.
    pub fn is_used(self) -> bool {
        !unsafe { c::LLVMGetFirstUse(self.0) }.is_null()
    }

    /// The next instruction in the block.
    pub fn next_instruction(self) -> Option<LValue> {
        Self::new(unsafe { c::LLVMGetNextInstruction(self.0) })
    }

    /// The successors of a terminator.
    pub fn successors(self) -> Vec<LBlock> {
        let count = unsafe { c::LLVMGetNumSuccessors(self.0) };
        (0..count).map(|index| LBlock(unsafe { c::LLVMGetSuccessor(self.0, index) })).collect()
    }

    /// The value that a φ-node has when its block is entered from `predecessor`.
    pub fn incoming(self, predecessor: LBlock) -> Option<LValue> {
        let count = unsafe { c::LLVMCountIncoming(self.0) };
        (0..count)
            .find(|&index| unsafe { c::LLVMGetIncomingBlock(self.0, index) } == predecessor.0)
            .and_then(|index| Self::new(unsafe { c::LLVMGetIncomingValue(self.0, index) }))
    }

    /// The indices of an extractvalue or insertvalue instruction.
    pub fn indices(self) -> Vec<u32> {
        unsafe {
            let count = c::LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(c::LLVMGetIndices(self.0), count).to_vec()
        }
    }

    /// The lanes of its operands that a shufflevector instruction takes; `None` for an undefined
    /// one.
    ///
    /// The lanes of the second operand follow those of the first.
    pub fn mask(self) -> Vec<Option<usize>> {
        (0..unsafe { c::LLVMGetNumMaskElements(self.0) })
            .map(|index| usize::try_from(unsafe { c::LLVMGetMaskValue(self.0, index) }).ok())
            .collect()
    }

    /// Attaches a mark to an instruction: metadata of this kind with nothing in it.
    pub fn set_mark(self, kind: &str) {
        unsafe {
            let context = c::LLVMGetTypeContext(c::LLVMTypeOf(self.0));
            let nothing = c::LLVMMetadataAsValue(context, c::LLVMMDNodeInContext2(context, ptr::null_mut(), 0));
            c::LLVMSetMetadata(self.0, mark_kind(context, kind), nothing);
        }
    }

    /// Removes such a mark, if there is one.
    pub fn remove_mark(self, kind: &str) {
        unsafe {
            let context = c::LLVMGetTypeContext(c::LLVMTypeOf(self.0));
            c::LLVMSetMetadata(self.0, mark_kind(context, kind), ptr::null_mut());
        }
    }

    /// Whether an instruction has such a mark.
    pub fn has_mark(self, kind: &str) -> bool {
        unsafe {
            let context = c::LLVMGetTypeContext(c::LLVMTypeOf(self.0));
            !c::LLVMGetMetadata(self.0, mark_kind(context, kind)).is_null()
        }
    }

    /// Removes an instruction that nobody uses.
    pub fn erase(self) {
        unsafe { c::LLVMInstructionEraseFromParent(self.0) };
    }

    /// The metadata attached to a global variable or function, of the kind with this name.
    pub fn global_metadata(self, kind: &str) -> Option<LMetadata> {
        unsafe {
            let context = c::LLVMGetTypeContext(c::LLVMTypeOf(self.0));
            let wanted = c::LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), c_uint::try_from(kind.len()).ok()?);
            let mut count = 0;
            let entries = c::LLVMGlobalCopyAllMetadata(self.0, &raw mut count);
            let found = (0..c_uint::try_from(count).ok()?)
                .find(|&index| c::LLVMValueMetadataEntriesGetKind(entries, index) == wanted)
                .map(|index| LMetadata(c::LLVMValueMetadataEntriesGetMetadata(entries, index)));
            c::LLVMDisposeValueMetadataEntries(entries);
            found
        }
    }

    /// The source location of an instruction.
    pub fn debug_location(self) -> Option<LMetadata> {
        LMetadata::new(unsafe { d::LLVMInstructionGetDebugLoc(self.0) })
    }

    /// The metadata behind an argument of type `metadata`.
    pub fn metadata(self) -> Option<LMetadata> {
        matches!(self.kind(), ValueKind::LLVMMetadataAsValueValueKind)
            .then(|| LMetadata::new(unsafe { c::LLVMValueAsMetadata(self.0) }))
            .flatten()
    }

    /// The string behind an argument of type `metadata`.
    pub fn string(self) -> Option<String> {
        let mut length = 0;
        let is_metadata = matches!(self.kind(), ValueKind::LLVMMetadataAsValueValueKind);
        let text = if is_metadata { unsafe { c::LLVMGetMDString(self.0, &raw mut length) } } else { ptr::null() };
        (!text.is_null()).then(|| named(text, length as usize))
    }

    /// A constant integer of at most 64 bits.
    pub fn small_constant(self) -> Option<u64> {
        let small = matches!(self.kind(), ValueKind::LLVMConstantIntValueKind) && self.ty().integer_width() <= 64;
        small.then(|| unsafe { c::LLVMConstIntGetZExtValue(self.0) })
    }
}

impl LType {
    /// Which kind of type it is.
    pub fn kind(self) -> TypeKind {
        unsafe { c::LLVMGetTypeKind(self.0) }
    }

    /// The type as LLVM prints it.
    pub fn print(self) -> String {
        owned(unsafe { c::LLVMPrintTypeToString(self.0) })
    }

    /// The width of an integer type.
    pub fn integer_width(self) -> u32 {
        unsafe { c::LLVMGetIntTypeWidth(self.0) }
    }

    /// The number of elements of a vector type.
    pub fn vector_length(self) -> u32 {
        unsafe { c::LLVMGetVectorSize(self.0) }
    }

    /// The number of elements of an array type.
    pub fn array_length(self) -> u64 {
        unsafe { c::LLVMGetArrayLength2(self.0) }
    }

    /// The element type of an array or vector type.
    pub fn element(self) -> LType {
        LType(unsafe { c::LLVMGetElementType(self.0) })
    }

    /// The fields of a struct type.
    pub fn fields(self) -> Vec<LType> {
        let count = unsafe { c::LLVMCountStructElementTypes(self.0) };
        (0..count).map(|index| LType(unsafe { c::LLVMStructGetTypeAtIndex(self.0, index) })).collect()
    }

    /// The address space of a pointer type.
    pub fn address_space(self) -> u32 {
        unsafe { c::LLVMGetPointerAddressSpace(self.0) }
    }

    /// Whether values of the type have a known size.
    pub fn is_sized(self) -> bool {
        unsafe { c::LLVMTypeIsSized(self.0) != 0 }
    }

    /// The name of a target's own type: `spirv.Image`.
    pub fn target_name(self) -> String {
        unsafe { CStr::from_ptr(c::LLVMGetTargetExtTypeName(self.0)).to_string_lossy().into_owned() }
    }

    /// The numbers of a target's own type.
    pub fn target_numbers(self) -> Vec<u32> {
        let count = unsafe { c::LLVMGetTargetExtTypeNumIntParams(self.0) };
        (0..count).map(|index| unsafe { c::LLVMGetTargetExtTypeIntParam(self.0, index) }).collect()
    }
}

impl LBlock {
    /// The instructions, the terminator last.
    pub fn instructions(self) -> Vec<LValue> {
        self.iter().collect()
    }

    /// The instructions, the terminator last. Valid as long as the block is not changed.
    pub fn iter(self) -> impl Iterator<Item = LValue> {
        let first = LValue::new(unsafe { c::LLVMGetFirstInstruction(self.0) });
        std::iter::successors(first, |instruction| instruction.next_instruction())
    }

    /// The terminator.
    pub fn terminator(self) -> Option<LValue> {
        LValue::new(unsafe { c::LLVMGetBasicBlockTerminator(self.0) })
    }
}

impl LMetadata {
    /// `None` for LLVM's null.
    pub fn new(metadata: LLVMMetadataRef) -> Option<Self> {
        (!metadata.is_null()).then_some(Self(metadata))
    }

    /// Which kind of metadata it is.
    pub fn kind(self) -> MetadataKind {
        unsafe { d::LLVMGetMetadataKind(self.0) }
    }

    /// The scope of a local variable; of these only.
    pub fn variable_scope(self) -> Option<LMetadata> {
        match self.kind() {
            MetadataKind::LLVMDILocalVariableMetadataKind => Self::new(unsafe { d::LLVMDIVariableGetScope(self.0) }),
            _ => None,
        }
    }

    /// The value that the metadata wraps; of `ValueAsMetadata` only.
    pub fn value(self, anchor: LType) -> Option<LValue> {
        match self.kind() {
            MetadataKind::LLVMConstantAsMetadataMetadataKind | MetadataKind::LLVMLocalAsMetadataMetadataKind => unsafe {
                let mut operand = ptr::null_mut();
                c::LLVMGetMDNodeOperands(self.wrapped(anchor), &raw mut operand);
                LValue::new(operand)
            },
            _ => None,
        }
    }

    /// The operands of a node (not of strings and wrapped values); absent ones are `None`.
    pub fn operands(self, anchor: LType) -> Vec<Option<LValue>> {
        match self.kind() {
            MetadataKind::LLVMMDStringMetadataKind
            | MetadataKind::LLVMConstantAsMetadataMetadataKind
            | MetadataKind::LLVMLocalAsMetadataMetadataKind
            | MetadataKind::LLVMDIArgListMetadataKind => Vec::new(),
            _ => unsafe {
                let node = self.wrapped(anchor);
                let mut operands = vec![ptr::null_mut(); c::LLVMGetMDNodeNumOperands(node) as usize];
                c::LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
                operands.into_iter().map(LValue::new).collect()
            },
        }
    }

    /// The operand of a node that is itself metadata.
    pub fn operand(self, index: usize, anchor: LType) -> Option<LMetadata> {
        self.operands(anchor).get(index).copied().flatten().and_then(LValue::metadata)
    }

    /// The operand of a node that is a string.
    pub fn string(self, index: usize, anchor: LType) -> Option<String> {
        let operand = self.operands(anchor).get(index).copied().flatten()?;
        let mut length = 0;
        let text = unsafe { c::LLVMGetMDString(operand.0, &raw mut length) };
        (!text.is_null()).then(|| named(text, length as usize))
    }

    /// The operand of a node that is a constant integer.
    pub fn number(self, index: usize, anchor: LType) -> Option<u64> {
        let operand = self.operands(anchor).get(index).copied().flatten()?;
        operand.small_constant()
    }

    /// The metadata as a value; `anchor` is any type of the module's context.
    fn wrapped(self, anchor: LType) -> LLVMValueRef {
        unsafe { c::LLVMMetadataAsValue(c::LLVMGetTypeContext(anchor.0), self.0) }
    }
}

impl Layout {
    /// How many bytes a store of the type writes.
    pub fn store_bytes(self, ty: LType) -> u64 {
        unsafe { LLVMStoreSizeOfType(self.0, ty.0) }
    }

    /// The distance of consecutive elements of the type in an array.
    pub fn allocation_bytes(self, ty: LType) -> u64 {
        unsafe { LLVMABISizeOfType(self.0, ty.0) }
    }

    /// The offset of a field of a struct type.
    pub fn field_offset(self, ty: LType, field: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(self.0, ty.0, field) }
    }
}
