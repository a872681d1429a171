//! Markers before the calls of OpenCL's API that set arguments and launch.
//!
//! The API takes the *addresses* of sizes and of an argument's value, and reads what is there. A
//! marker has these values as operands, loaded right before the call, and the call gets another
//! address. So variables whose address goes nowhere else become values, and those in a marker are
//! the values at the call, whatever is stored afterwards.
//!
//! A value is loaded only if its address is that of a variable: an address that may be null must
//! not be read. All other values are undefined operands, which no later stage takes for a number.

use std::ffi::{CStr, CString};

use inkwell::llvm_sys::LLVMIntPredicate as Predicate;
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::debuginfo as d;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use lockstep_options::launch::Extent;

use super::super::launches::{add_attribute, attribute_kind, name_of_called};
use super::super::passes::functions;
use super::super::raw::{LBlock, LValue, Opcode, TypeKind, ValueKind};
use super::Extents;

/// The function called before an argument is set: handle, index, kind of the value, size, and the
/// value.
const SET: &CStr = c"lockstep.opencl.set";

/// The function called before a launch: handle, dimensions, groups, threads per group, threads in
/// the launch, and first ids.
const LAUNCH: &CStr = c"lockstep.opencl.launch";

/// A variable of another file, whose address replaces those of variables.
///
/// LLVM may have noted that the address is not null, and how much is behind it.
const ELSEWHERE: &CStr = c"lockstep.opencl.elsewhere";

/// More bytes than the API reads.
const ELSEWHERE_BYTES: u64 = 1 << 20;

/// The kinds of values in markers.
const UNKNOWN: u64 = 0;
const VALUE: u64 = 1;
const NULL: u64 = 2;

/// LLVM's number for a function that accesses only its arguments' targets and memory that the
/// program does not see.
const ARGUMENT_MEMORY: u64 = 0b11_11;

/// The number for memory that the program does not see.
const INACCESSIBLE_MEMORY: u64 = 0b11_00;

/// Functions of the API that keep no address which they are given, and call nothing back; besides
/// those that begin with `clGet`.
const PLAIN: [&str; 6] = [
    "clCreateKernel",
    "clEnqueueNDRangeKernel",
    "clEnqueueTask",
    "clReleaseKernel",
    "clRetainKernel",
    "clSetKernelArg",
];

/// Functions of the API whose last argument takes a status.
const WITH_STATUS: [&str; 12] = [
    "clCreateBuffer",
    "clCreateBufferWithProperties",
    "clCreateCommandQueue",
    "clCreateCommandQueueWithProperties",
    "clCreateContext",
    "clCreateContextFromType",
    "clCreateImage",
    "clCreateProgramWithBinary",
    "clCreateProgramWithIL",
    "clCreateProgramWithSource",
    "clCreateSampler",
    "clCreateSubBuffer",
];

/// Tells LLVM which of the API's functions leave the program's variables alone.
pub fn describe_api(module: LLVMModuleRef) {
    for function in functions(module).into_iter().filter(|function| function.is_declaration()) {
        let name = function.name();
        let parameters = function.parameters().len();
        if PLAIN.contains(&name.as_str()) || name.starts_with("clGet") && !name.contains("ExtensionFunction") {
            add_attribute(module, function, "nounwind", 0);
            add_attribute(module, function, "memory", ARGUMENT_MEMORY);
            (0..parameters).for_each(|index| keeps_no_address(module, function, index));
        } else if WITH_STATUS.contains(&name.as_str()) {
            parameters.checked_sub(1).into_iter().for_each(|last| keeps_no_address(module, function, last));
        }
    }
}

fn keeps_no_address(module: LLVMModuleRef, function: LValue, index: usize) {
    let parameter = function.parameters()[index];
    let Ok(place) = u32::try_from(index + 1) else { return };
    if matches!(parameter.ty().kind(), TypeKind::LLVMPointerTypeKind) {
        // SAFETY: the attribute belongs to the function's context, and is one of pointers.
        unsafe {
            let kind = attribute_kind("nocapture");
            let attribute = c::LLVMCreateEnumAttribute(c::LLVMGetModuleContext(module), kind, 0);
            c::LLVMAddAttributeAtIndex(function.0, place, attribute);
        }
    }
}

/// Puts a marker before each call that sets an argument or launches.
pub fn insert(module: LLVMModuleRef) {
    for function in functions(module) {
        for call in function.blocks().into_iter().flat_map(LBlock::instructions) {
            if !matches!(call.opcode(), Opcode::LLVMCall) {
                continue;
            }
            let arguments = call.call_arguments();
            match (called_api(call).as_deref(), arguments.as_slice()) {
                (Some("clSetKernelArg"), &[handle, index, size, value]) => {
                    Marking::at(module, call).set(handle, index, size, value);
                }
                (Some("clSetKernelArgSVMPointer"), &[handle, index, _]) => {
                    Marking::at(module, call).set_unknown(handle, index);
                }
                (Some("clEnqueueNDRangeKernel"), &[_, handle, dimensions, offset, global, local, ..]) => {
                    Marking::at(module, call).launch(handle, dimensions, [offset, global, local]);
                }
                (Some("clEnqueueTask"), &[_, handle, ..]) => Marking::at(module, call).task(handle),
                _ => {}
            }
        }
    }
}

/// The insertion of a marker before a call.
struct Marking {
    module: LLVMModuleRef,
    call: LValue,
    builder: LLVMBuilderRef,
    word: LLVMTypeRef,
    long: LLVMTypeRef,
}

impl Drop for Marking {
    fn drop(&mut self) {
        // SAFETY: the builder is disposed of once.
        unsafe { c::LLVMDisposeBuilder(self.builder) }
    }
}

// SAFETY of all that follows: types and values belong to the module's context, the builder stands
// before the call, and operands dominate the call, which has them or what leads to them.
impl Marking {
    fn at(module: LLVMModuleRef, call: LValue) -> Self {
        unsafe {
            let context = c::LLVMGetModuleContext(module);
            let builder = c::LLVMCreateBuilderInContext(context);
            c::LLVMPositionBuilderBefore(builder, call.0);
            let (word, long) = (c::LLVMInt32TypeInContext(context), c::LLVMInt64TypeInContext(context));
            Self { module, call, builder, word, long }
        }
    }

    fn number(&self, value: u64) -> LLVMValueRef {
        unsafe { c::LLVMConstInt(self.word, value, 0) }
    }

    /// The address that the call gets instead of a variable's.
    fn elsewhere(&self) -> LLVMValueRef {
        unsafe {
            let known = LValue::new(c::LLVMGetNamedGlobal(self.module, ELSEWHERE.as_ptr()));
            known.map_or_else(
                || {
                    let byte = c::LLVMInt8TypeInContext(c::LLVMGetModuleContext(self.module));
                    let bytes = c::LLVMArrayType2(byte, ELSEWHERE_BYTES);
                    let variable = c::LLVMAddGlobal(self.module, bytes, ELSEWHERE.as_ptr());
                    c::LLVMSetAlignment(variable, 128);
                    variable
                },
                |known| known.0,
            )
        }
    }

    fn undefined(ty: LLVMTypeRef) -> LLVMValueRef {
        unsafe { c::LLVMGetUndef(ty) }
    }

    /// The value of this width in bytes, this many bytes behind the beginning of a variable.
    fn load(&self, variable: LValue, at: u64, bytes: u32) -> LLVMValueRef {
        unsafe {
            let context = c::LLVMGetModuleContext(self.module);
            let (byte, ty) = (c::LLVMInt8TypeInContext(context), c::LLVMIntTypeInContext(context, 8 * bytes));
            let mut offset = c::LLVMConstInt(self.long, at, 0);
            let address = c::LLVMBuildGEP2(self.builder, byte, variable.0, &raw mut offset, 1, c"".as_ptr());
            let value = c::LLVMBuildLoad2(self.builder, ty, address, c"".as_ptr());
            c::LLVMSetAlignment(value, 1);
            value
        }
    }

    /// Calls the function of a marker, which has this many parameters besides more of any type.
    fn call(&self, name: &CStr, mut operands: Vec<LLVMValueRef>, fixed: usize) {
        unsafe {
            let mut types: Vec<LLVMTypeRef> = operands[..fixed].iter().map(|&operand| c::LLVMTypeOf(operand)).collect();
            let count = u32::try_from(fixed).unwrap_or(0);
            let void = c::LLVMVoidTypeInContext(c::LLVMGetModuleContext(self.module));
            let ty = c::LLVMFunctionType(void, types.as_mut_ptr(), count, 1);
            let known = LValue::new(c::LLVMGetNamedFunction(self.module, name.as_ptr()));
            let marker = known.unwrap_or_else(|| {
                let marker = LValue(c::LLVMAddFunction(self.module, name.as_ptr(), ty));
                add_attribute(self.module, marker, "nounwind", 0);
                add_attribute(self.module, marker, "memory", INACCESSIBLE_MEMORY);
                marker
            });
            let count = u32::try_from(operands.len()).unwrap_or(0);
            let call = c::LLVMBuildCall2(self.builder, ty, marker.0, operands.as_mut_ptr(), count, c"".as_ptr());
            d::LLVMInstructionSetDebugLoc(call, d::LLVMInstructionGetDebugLoc(self.call.0));
        }
    }

    fn set(&self, handle: LValue, index: LValue, size: LValue, value: LValue) {
        let bytes = size.small_constant().and_then(|bytes| u32::try_from(bytes).ok());
        let (kind, loaded) = match bytes {
            _ if is_null(value) => (NULL, None),
            Some(bytes @ (1 | 2 | 4 | 8)) if is_in_variable(value) => (VALUE, Some(self.load(value, 0, bytes))),
            _ => (UNKNOWN, None),
        };
        let mut operands = vec![handle.0, index.0, self.number(kind), size.0];
        operands.extend(loaded);
        self.call(SET, operands, 4);
        if loaded.is_some() {
            unsafe { c::LLVMSetOperand(self.call.0, 3, self.elsewhere()) };
        }
    }

    fn set_unknown(&self, handle: LValue, index: LValue) {
        let operands = vec![handle.0, index.0, self.number(UNKNOWN), Self::undefined(self.long)];
        self.call(SET, operands, 4);
    }

    fn task(&self, handle: LValue) {
        let one = unsafe { c::LLVMConstInt(self.long, 1, 0) };
        self.call_launch(handle, 1, [[unsafe { c::LLVMConstNull(self.long) }; 3], [one; 3], [one; 3]]);
    }

    /// Marks a launch with the addresses of its first ids, threads in the launch and in a group.
    fn launch(&self, handle: LValue, dimensions: LValue, addresses: [LValue; 3]) {
        let known = dimensions.small_constant().filter(|dimensions| (1..=3).contains(dimensions)).unwrap_or(0);
        let (zero, one) = unsafe { (c::LLVMConstNull(self.long), c::LLVMConstInt(self.long, 1, 0)) };
        let mut values = [[Self::undefined(self.long); 3]; 3];
        for ((values, address), missing) in values.iter_mut().zip(addresses).zip([zero, one, one]) {
            let is_offset = missing == zero;
            for (value, d) in values.iter_mut().zip(0..) {
                if is_null(address) && is_offset || known > 0 && d >= known {
                    *value = missing;
                } else if known > 0 && is_in_variable(address) {
                    *value = self.load(address, 8 * d, 8);
                }
            }
        }
        self.call_launch(handle, known, values);
        for (place, address) in (3..).zip(addresses) {
            if known > 0 && is_in_variable(address) {
                unsafe { c::LLVMSetOperand(self.call.0, place, self.elsewhere()) };
            }
        }
    }

    fn call_launch(&self, handle: LValue, dimensions: u64, [offset, global, local]: [[LLVMValueRef; 3]; 3]) {
        let mut groups = [Self::undefined(self.word); 3];
        let mut threads = groups;
        for d in 0..3 {
            threads[d] = unsafe { c::LLVMBuildTrunc(self.builder, local[d], self.word, c"".as_ptr()) };
            groups[d] = self.quotient(global[d], local[d]);
        }
        let mut operands = vec![handle.0, self.number(dimensions)];
        operands.extend([groups, threads, global, offset].concat());
        let fixed = operands.len();
        self.call(LAUNCH, operands, fixed);
    }

    /// The number of groups. A group size of 0, which the API rejects, is no division by 0.
    fn quotient(&self, global: LLVMValueRef, local: LLVMValueRef) -> LLVMValueRef {
        unsafe {
            if c::LLVMIsUndef(global) != 0 || c::LLVMIsUndef(local) != 0 {
                return Self::undefined(self.word);
            }
            let (zero, one) = (c::LLVMConstNull(self.long), c::LLVMConstInt(self.long, 1, 0));
            let name = c"".as_ptr();
            let is_zero = c::LLVMBuildICmp(self.builder, Predicate::LLVMIntEQ, local, zero, name);
            let divisor = c::LLVMBuildSelect(self.builder, is_zero, one, local, name);
            let quotient = c::LLVMBuildUDiv(self.builder, global, divisor, name);
            c::LLVMBuildTrunc(self.builder, quotient, self.word, name)
        }
    }
}

/// Whether an address is null.
fn is_null(address: LValue) -> bool {
    matches!(address.kind(), ValueKind::LLVMConstantPointerNullValueKind)
}

/// Whether an address is that of a variable, or of a part of one.
fn is_in_variable(address: LValue) -> bool {
    let ty = address.ty();
    if !matches!(ty.kind(), TypeKind::LLVMPointerTypeKind) || ty.address_space() != 0 {
        return false;
    }
    let mut base = address;
    loop {
        let opcode = match base.kind() {
            ValueKind::LLVMGlobalVariableValueKind => return true,
            ValueKind::LLVMInstructionValueKind => base.opcode(),
            ValueKind::LLVMConstantExprValueKind => base.constant_opcode(),
            _ => return false,
        };
        match opcode {
            Opcode::LLVMAlloca => return true,
            Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast => base = base.operands()[0],
            _ => return false,
        }
    }
}

/// The name of the function of the API that an instruction calls.
///
/// A function of this name with a body is the file's own.
pub fn called_api(instruction: LValue) -> Option<String> {
    let name = name_of_called(instruction)?;
    instruction.called()?.is_declaration().then_some(name)
}

fn is_call_of(instruction: LValue, marker: &CStr) -> bool {
    name_of_called(instruction).is_some_and(|name| CString::new(name).is_ok_and(|name| name.as_c_str() == marker))
}

/// A call that sets an argument.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    /// The marker.
    pub marker: LValue,
    /// The kernel's handle.
    pub handle: LValue,
    /// The index of the argument, if it is known.
    pub index: Option<usize>,
}

impl Set {
    /// The call that an instruction marks, if it is such a marker.
    pub fn of(instruction: LValue) -> Option<Self> {
        let is_marker = is_call_of(instruction, SET);
        let operands = if is_marker { instruction.call_arguments() } else { return None };
        let index = operands[1].small_constant().and_then(|index| usize::try_from(index).ok());
        Some(Self { marker: instruction, handle: operands[0], index })
    }

    /// The value that is set.
    pub fn value(&self) -> Option<LValue> {
        self.marker.call_arguments().get(4).copied()
    }

    /// The size of the local memory that is set; of a null pointer for another argument it is that
    /// of the pointer.
    pub fn local_bytes(&self) -> Option<LValue> {
        let operands = self.marker.call_arguments();
        (operands[2].small_constant() == Some(NULL)).then(|| operands[3])
    }
}

/// A launch.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The marker.
    pub marker: LValue,
    /// The kernel's handle.
    pub handle: LValue,
    /// The number of dimensions, if it is known.
    pub dimensions: Option<usize>,
    /// The number of groups in each dimension, and then their threads.
    pub groups_and_threads: Vec<LValue>,
    global: Vec<LValue>,
    offset: Vec<LValue>,
}

impl Launch {
    /// The launch that an instruction marks, if it is such a marker.
    pub fn of(instruction: LValue) -> Option<Self> {
        let is_marker = is_call_of(instruction, LAUNCH);
        let operands = if is_marker { instruction.call_arguments() } else { return None };
        let dimensions = operands[1].small_constant().and_then(|number| usize::try_from(number).ok());
        Some(Self {
            marker: instruction,
            handle: operands[0],
            dimensions: dimensions.filter(|&dimensions| dimensions > 0),
            groups_and_threads: operands[2..8].to_vec(),
            global: operands[8..11].to_vec(),
            offset: operands[11..14].to_vec(),
        })
    }

    /// The first global id; none if it is not constant.
    pub fn offset(&self) -> Option<[u32; 3]> {
        let first = |d: usize| u32::try_from(self.offset[d].small_constant()?).ok();
        Some([first(0)?, first(1)?, first(2)?])
    }

    /// The numbers of groups, threads in each, and threads in the launch.
    ///
    /// There are none if the last group would be smaller than the others.
    pub fn sizes(&self) -> Option<(Extents, Extents, Extents)> {
        let extent = |value: LValue| match value.small_constant().and_then(|size| u32::try_from(size).ok()) {
            Some(size) if size > 0 => Extent::Known(size),
            _ => Extent::Open,
        };
        let three = |values: &[LValue]| [0, 1, 2].map(|d| extent(values[d]));
        let (groups, threads) = (three(&self.groups_and_threads[..3]), three(&self.groups_and_threads[3..]));
        let global = three(&self.global);
        let divides = |d: usize| match (global[d], threads[d]) {
            (Extent::Known(global), Extent::Known(threads)) => global % threads == 0,
            _ => true,
        };
        (0..3).all(divides).then_some((groups, threads, global))
    }
}

/// The size of a buffer in bytes, if a value is the call that creates it.
pub fn buffer_bytes(buffer: LValue) -> Option<LValue> {
    if !matches!(buffer.kind(), ValueKind::LLVMInstructionValueKind) {
        return None;
    }
    let index = match called_api(buffer)?.as_str() {
        "clCreateBuffer" => 2,
        "clCreateBufferWithProperties" => 3,
        _ => return None,
    };
    buffer.call_arguments().get(index).copied()
}
