//! The launches in a file's host code.
//!
//! Clang compiles `k<<<grid, block, shared>>>(…)` on the host to two calls. The first passes the
//! sizes to a function of the runtime. The second calls a **stub** of the kernel, directly or
//! through a pointer. Before anything is inlined, a marker goes in front of the second call. Its
//! operands are the sizes and the called value ([`mark`]). Then constants are propagated and
//! functions inlined. A number in a marker that is constant by then is constant in every run that
//! reaches it, and a stub in it is that of the launched kernel. Other sizes are left open. Kernels
//! that may be launched where no marker names them are those whose stubs' addresses escape
//! ([`escapes`]). The result tells *where* launches stand, not whether they are reached.

use std::collections::HashSet;
use std::ffi::CString;

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::debuginfo as d;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage};
use lockstep_ir::bits::Bits;
use lockstep_ir::host::HostProgram;
use lockstep_options::launch::allocations::{Allocated, Allocation};
use lockstep_options::launch::places::ArgumentPlace;
use lockstep_options::launch::{Extent, SourceLaunch};

use super::aliases::Aliases;
use super::allocations::names_allocation;
use super::driver;
use super::escapes::{escapes, function_of};
use super::extremes::define_extremes;
use super::freedom::READING;
use super::graphs;
use super::host_program;
use super::host_ranges::HostRanges;
use super::linking::is_shadow;
use super::passed::{self, Stubs};
use super::passes::{functions, run_pipeline, variables};
use super::raw::{LBlock, LMetadata, LValue, Opcode, TypeKind, ValueKind};
use super::relations::NumberFacts;
use super::vectors;

/// The function called in front of each launch.
const MARKER: &str = "lockstep.launch";

/// The functions that take the sizes of a launch.
const CONFIGURING: [&str; 3] = ["cudaConfigureCall", "__cudaPushCallConfiguration", "__hipPushCallConfiguration"];

/// The part of a stub's name that is added to its kernel's.
pub const STUB: &str = "__device_stub__";

/// The first passes, which bring calls and the addresses of variables together.
const BEFORE: &std::ffi::CStr = c"always-inline,function(sroa)";

/// The passes: inlining and constants, nothing that joins two calls into one.
pub const PIPELINE: &std::ffi::CStr = c"ipsccp,function(sroa,early-cse,instcombine<no-verify-fixpoint>),cgscc(inline),\
    function(sroa,early-cse,gvn,instcombine<no-verify-fixpoint>),ipsccp,function(instcombine<no-verify-fixpoint>),globaldce";

/// The file and line of a call.
pub type Place = (String, u32);

/// The host code's uses of kernels, which are named by their symbols.
#[derive(Debug, Default)]
pub struct HostCode {
    /// The readable launches, in the order of the source.
    pub launches: Vec<(String, SourceLaunch)>,
    /// The places at which a kernel's address escapes, in the order of the source.
    pub escapes: Vec<(String, Place)>,
    /// The places at which a handle of the driver is not followed, with the kernel's name. Without
    /// a name it may be any kernel's.
    pub handles_escape: Vec<(Option<String>, Place)>,
    /// The variables of devices that it may write, by their symbols.
    pub set_variables: Vec<String>,
    /// The whole of it, if it has a `main`.
    pub program: Option<HostProgram>,
}

/// Finds the launches in the bitcode of a file's host side.
pub fn launches(bitcode: &[u8]) -> Result<HostCode, String> {
    let owner = super::parse(bitcode)?;
    let module = owner.module;
    let stubs = passed::stubs(module);
    passed::restrict_toolkit(module);
    define_extremes(module);
    driver::define_lookups(module);
    mark(module, &stubs);
    keep_apart(module);
    let set = variables(module).into_iter().filter(|variable| is_shadow(*variable) && may_be_set(*variable));
    let set_variables = set.map(LValue::name).collect();
    forget_variables_of_devices(module);
    let has_main = functions(module).first().is_some_and(|function| function.is_in_program());
    let mut reached = HashSet::new();
    if has_main {
        // A function that may be replaced is not hidden.
        reached.extend(reached_by_main(module).into_iter().map(LValue::name));
        hide_what_main_reaches(module);
    }
    let allocating: Vec<LValue> = functions(module).into_iter().filter(|one| only_allocates(*one)).collect();
    inline_if(module, |function| allocating.contains(&function) && !calls_one_of(function, &allocating));
    run_pipeline(module, BEFORE)?;
    vectors::replace_lengths(module);
    inline_if(module, is_called_once);
    run_pipeline(module, PIPELINE)?;
    let aliases = Aliases::of(module);
    let host = HostRanges::default();
    let calls = functions(module).into_iter().flat_map(LValue::blocks).flat_map(LBlock::instructions);
    let mut launches: Vec<(String, SourceLaunch)> = Vec::new();
    for call in calls {
        let function = function_of(call);
        let is_reached = !has_main || function.is_internal() || reached.contains(&function.name());
        launches.extend(launches_at(call, (&stubs, &aliases), (&host, is_reached)));
    }
    launches.sort_by_key(|(_, launch)| (launch.file.clone(), launch.line));
    let stubs = functions(module).into_iter().filter(|function| function.name().contains(STUB));
    let of_stub = |stub: LValue| kernel_symbol(&stub.name()).map(|symbol| (symbol, escapes(stub)));
    let escaping = stubs.filter_map(of_stub);
    let escapes = escaping.flat_map(|(symbol, places)| places.into_iter().map(move |place| (symbol.clone(), place)));
    let escapes = escapes.collect();
    // Without the program its launches are known all the same.
    let program = host_program::program(bitcode).ok().flatten();
    Ok(HostCode { launches, escapes, handles_escape: driver::escapes(module), set_variables, program })
}

/// Whether the host's code may write a variable of the device: it uses the variable for something
/// else than to read it, or to tell the runtime of it.
fn may_be_set(variable: LValue) -> bool {
    const READING: [&str; 3] = ["FromSymbol", "GetSymbolSize", "__cudaRegister"];
    variable.users().into_iter().any(|user| {
        let name = name_of_called(user).unwrap_or_default();
        !READING.iter().any(|part| name.contains(part)) && !name.starts_with("__hipRegister")
    })
}

/// Has the functions inlined that a test names.
fn inline_if(module: LLVMModuleRef, test: impl Fn(LValue) -> bool) {
    for function in functions(module) {
        let may_go =
            !function.is_declaration() && !function.name().contains(STUB) && !has_attribute(function, "noinline");
        let may_go = may_go && !function.may_be_replaced();
        if may_go && test(function) {
            add_attribute(module, function, "alwaysinline", 0);
        }
    }
}

/// Whether a function is called in one place. It is inlined, however large: the values of a launch
/// are seldom computed in the function that launches, and LLVM skips the inlining where `exit`
/// comes next.
fn is_called_once(function: LValue) -> bool {
    let is_call =
        |user: &LValue| matches!(user.kind(), ValueKind::LLVMInstructionValueKind) && user.called() == Some(function);
    function.is_internal() && matches!(function.users().as_slice(), [user] if is_call(user))
}

/// The most instructions of a function that is inlined because it allocates memory.
const MOST_TO_ALLOCATE: usize = 400;

/// Whether a small function calls a function of the toolkit that allocates, and launches nothing.
/// It is inlined, as it returns memory of a different size in each place.
fn only_allocates(function: LValue) -> bool {
    let instructions: Vec<LValue> = function.blocks().into_iter().flat_map(LBlock::instructions).collect();
    let named = |test: &dyn Fn(&str) -> bool| {
        instructions.iter().filter_map(|instruction| name_of_called(*instruction)).any(|name| test(&name))
    };
    let is_small = instructions.len() <= MOST_TO_ALLOCATE;
    is_small
        && instructions.iter().any(|instruction| names_allocation(*instruction))
        && !named(&|name| name == MARKER || name == function.name())
}

/// Whether a function calls one of some others, except for templates of the toolkit.
fn calls_one_of(function: LValue, others: &[LValue]) -> bool {
    let instructions = function.blocks().into_iter().flat_map(LBlock::instructions);
    let calls = instructions.filter(|instruction| name_of_called(*instruction).is_some());
    calls.into_iter().any(|call| !names_allocation(call) && call.called().is_some_and(|one| others.contains(&one)))
}

pub fn attribute_kind(name: &str) -> u32 {
    // SAFETY: the name has the given length.
    unsafe { c::LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

pub fn has_attribute(function: LValue, name: &str) -> bool {
    // SAFETY: it is a function.
    let found = unsafe { c::LLVMGetEnumAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, attribute_kind(name)) };
    !found.is_null()
}

/// LLVM's number for a function that accesses only memory that the program does not see.
const INACCESSIBLE_MEMORY: u64 = 0b11_00;

/// Keeps stubs and markers apart from the code around them.
///
/// An inlined stub would no longer be recognised, and a marker that may throw would end its block
/// where exceptions are caught. The function that takes the sizes of a launch keeps them for the
/// runtime: the arguments, which are computed after it, are not changed.
fn keep_apart(module: LLVMModuleRef) {
    for function in functions(module) {
        match function.name() {
            name if name.contains(STUB) => add_attribute(module, function, "noinline", 0),
            // An `int` is easier to follow than the low bits of what `strtol` returns.
            name if READING.contains(&name.as_str()) => add_attribute(module, function, "noinline", 0),
            name if name == MARKER => {
                add_attribute(module, function, "nounwind", 0);
                add_attribute(module, function, "memory", INACCESSIBLE_MEMORY);
            }
            name if CONFIGURING.contains(&name.as_str()) && function.is_declaration() => {
                add_attribute(module, function, "memory", INACCESSIBLE_MEMORY);
            }
            _ => {}
        }
    }
}

pub fn add_attribute(module: LLVMModuleRef, function: LValue, name: &str, value: u64) {
    // SAFETY: the attribute belongs to the function's context.
    unsafe {
        let attribute = c::LLVMCreateEnumAttribute(c::LLVMGetModuleContext(module), attribute_kind(name), value);
        c::LLVMAddAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, attribute);
    }
}

/// Hides the functions that `main` reaches from other callers, if the file has a `main`.
///
/// Nobody else calls these functions. Functions that it does not reach are there for others, who
/// may pass any arguments.
pub fn hide_what_main_reaches(module: LLVMModuleRef) {
    for function in reached_by_main(module) {
        // SAFETY: it is a function.
        let linkage = unsafe { c::LLVMGetLinkage(function.0) };
        // The replacement of a weak function elsewhere is not known.
        let is_weak = matches!(linkage, LLVMLinkage::LLVMWeakAnyLinkage | LLVMLinkage::LLVMLinkOnceAnyLinkage);
        if !function.is_declaration() && !is_weak && function.name() != "main" {
            // SAFETY: a function with a body; a function of a comdat stays in it.
            unsafe {
                c::LLVMSetLinkage(function.0, LLVMLinkage::LLVMInternalLinkage);
            }
        }
    }
}

/// Removes the values of the host's shadows of device variables.
///
/// The host's shadow of a device variable has no value. The value of a managed variable comes from
/// kernels, and is unknown here.
fn forget_variables_of_devices(module: LLVMModuleRef) {
    for variable in variables(module) {
        if is_shadow(variable) {
            // SAFETY: it is a variable of the module; a declaration has no initialiser.
            unsafe {
                c::LLVMSetInitializer(variable.0, std::ptr::null_mut());
                c::LLVMSetLinkage(variable.0, LLVMLinkage::LLVMExternalLinkage);
                c::LLVMSetGlobalConstant(variable.0, 0);
            }
        }
    }
}

/// The functions whose addresses `main`, or code that runs before or behind it, may obtain without
/// leaving the file.
fn reached_by_main(module: LLVMModuleRef) -> Vec<LValue> {
    let listed = [c"llvm.global_ctors", c"llvm.global_dtors"].into_iter();
    // SAFETY: the module is alive.
    let listed = listed.filter_map(|name| LValue::new(unsafe { c::LLVMGetNamedGlobal(module, name.as_ptr()) }));
    let main = functions(module).into_iter().filter(|function| function.name() == "main");
    let mut reached = reached_from(main.chain(listed).collect());
    reached.retain(|value| matches!(value.kind(), ValueKind::LLVMFunctionValueKind));
    reached
}

/// The global values, and the constants made of them, that others may lead to within their file.
pub fn reached_from(mut reached: Vec<LValue>) -> Vec<LValue> {
    let mut seen: HashSet<LValue> = reached.iter().copied().collect();
    let mut next = 0;
    while let Some(&value) = reached.get(next) {
        next += 1;
        let mut operands = value.operands();
        if matches!(value.kind(), ValueKind::LLVMFunctionValueKind) {
            let instructions = value.blocks().into_iter().flat_map(LBlock::instructions);
            operands.extend(instructions.flat_map(LValue::operands));
        }
        reached.extend(operands.into_iter().filter(|&operand| has_constant_operands(operand) && seen.insert(operand)));
    }
    reached
}

/// Whether a value is a global one, or a constant made of others.
fn has_constant_operands(value: LValue) -> bool {
    matches!(
        value.kind(),
        ValueKind::LLVMFunctionValueKind
            | ValueKind::LLVMGlobalVariableValueKind
            | ValueKind::LLVMGlobalAliasValueKind
            | ValueKind::LLVMGlobalIFuncValueKind
            | ValueKind::LLVMConstantExprValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantVectorValueKind
    )
}

/// The name of the function that an instruction calls.
pub fn name_of_called(instruction: LValue) -> Option<String> {
    let called =
        matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke).then(|| instruction.called())??;
    matches!(called.kind(), ValueKind::LLVMFunctionValueKind).then(|| called.name())
}

/// Puts a marker before each launch.
fn mark(module: LLVMModuleRef, stubs: &Stubs) {
    let callers = functions(module).into_iter().filter(|function| !passes_launches_on(&function.name()));
    for function in callers {
        let instructions: Vec<LValue> = function.blocks().into_iter().flat_map(LBlock::instructions).collect();
        for instruction in instructions {
            let Some(name) = name_of_called(instruction) else { continue };
            let arguments = instruction.call_arguments();
            if let Some(described) = graphs::described_by(instruction) {
                graphs::only_reads(module, instruction);
                insert_node_marker(module, instruction, described);
            }
            match name.as_str() {
                name if CONFIGURING.contains(&name) => {
                    let launching = configured_call(function, instruction);
                    let kernel = launching.and_then(LValue::called);
                    if let (Some(launching), Some(kernel), Some(sizes)) = (launching, kernel, arguments.get(..5)) {
                        insert_marker(module, [launching, instruction], (sizes, kernel), stubs);
                    }
                }
                _ if is_launch_function(&name) => {
                    if let (Some(&kernel), Some(sizes)) = (arguments.first(), arguments.get(1..5)) {
                        let shared = arguments.get(6).copied();
                        let sizes: Vec<LValue> = sizes.iter().copied().chain(shared).collect();
                        insert_marker(module, [instruction; 2], (&sizes, kernel), stubs);
                    }
                }
                name if driver::is_launch_function(name) => {
                    if let [kernel, sizes @ ..] = arguments.as_slice()
                        && matches!(kernel.ty().kind(), TypeKind::LLVMPointerTypeKind)
                        && let Some((sizes, &[shared, ..])) = sizes.split_at_checked(6)
                    {
                        insert_driver_marker(module, instruction, sizes, (shared, *kernel));
                    }
                }
                _ => {}
            }
        }
    }
}

/// The call that launches the kernel if the call that takes the sizes returns 0.
///
/// It calls the kernel's stub, directly or through a pointer. Between the two calls only the
/// arguments are computed, in blocks that Clang places in succession.
fn configured_call(function: LValue, configuring: LValue) -> Option<LValue> {
    // SAFETY: it is an instruction.
    let block = LBlock(unsafe { c::LLVMGetInstructionParent(configuring.0) });
    let terminator = match block.terminator()? {
        // If exceptions are caught the call ends its block.
        invoke if invoke == configuring => invoke.successors().first()?.terminator()?,
        terminator => terminator,
    };
    let &[behind, configured] = terminator.successors().as_slice() else { return None };
    let blocks = function.blocks().into_iter().skip_while(|&block| block != configured);
    let between = blocks.take_while(|&block| block != behind).flat_map(LBlock::instructions);
    between.filter(|&instruction| may_launch(instruction)).last()
}

/// Whether an instruction calls a stub or an unknown function that returns nothing.
fn may_launch(instruction: LValue) -> bool {
    if !matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke) {
        return false;
    }
    match (name_of_called(instruction), instruction.called()) {
        (Some(name), _) => name.contains(STUB),
        (None, Some(called)) => {
            !matches!(called.kind(), ValueKind::LLVMInlineAsmValueKind)
                && matches!(instruction.ty().kind(), TypeKind::LLVMVoidTypeKind)
        }
        (None, None) => false,
    }
}

/// Whether the launches in a function are those of its callers.
///
/// A stub launches with the sizes of `<<<…>>>`, and a toolkit's template with its own arguments.
pub fn passes_launches_on(name: &str) -> bool {
    kernel_symbol(name).is_some() || is_launch_function(name)
}

/// The name of a function outside of namespaces: `_Z1kPf` is `k`.
pub fn unmangled(symbol: &str) -> Option<&str> {
    let encoding = symbol.strip_prefix("_Z")?;
    let encoding = encoding.strip_prefix('L').unwrap_or(encoding);
    let name = encoding.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let length: usize = encoding[..encoding.len() - name.len()].parse().ok()?;
    name.get(..length)
}

/// `cudaLaunchKernel` and its like, which may be templates: kernel, grid, block, arguments, shared
/// memory, stream.
pub fn is_launch_function(name: &str) -> bool {
    ["cudaLaunchKernel", "cudaLaunchCooperativeKernel", "hipLaunchKernel", "hipLaunchCooperativeKernel"]
        .into_iter()
        .any(|known| name == known || unmangled(name) == Some(known))
}

/// Whether an instruction launches a kernel: calls its stub, or a function that takes it.
pub fn launches_itself(instruction: LValue, kernel: LValue) -> bool {
    matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
        && (instruction.called() == Some(kernel)
            || name_of_called(instruction).is_some_and(|name| is_launch_function(&name))
                && instruction.call_arguments().contains(&kernel))
}

/// A marker with grid, block, bytes of shared memory, the kernel's stub, and the integers that the
/// call of the stub passes.
///
/// It goes in front of one instruction and has the source location of another.
fn insert_marker(
    module: LLVMModuleRef,
    [before, at]: [LValue; 2],
    (sizes, kernel): (&[LValue], LValue),
    stubs: &Stubs,
) {
    // SAFETY: everything belongs to the module; the builder is disposed of.
    unsafe {
        let context = c::LLVMGetModuleContext(module);
        let builder = c::LLVMCreateBuilderInContext(context);
        c::LLVMPositionBuilderBefore(builder, before.0);
        let long = c::LLVMInt64TypeInContext(context);
        let mut operands: Vec<LLVMValueRef> = Vec::new();
        for pair in sizes[..4].chunks_exact(2) {
            operands.extend(coordinates(builder, pair[0], pair[1]));
        }
        let shared = sizes.get(4).filter(|value| c::LLVMTypeOf(value.0) == long);
        operands.push(shared.map_or_else(|| c::LLVMGetUndef(long), |value| value.0));
        operands.push(kernel.0);
        let is_stub = matches!(kernel.kind(), ValueKind::LLVMFunctionValueKind) && before.called() == Some(kernel);
        let pieces = stubs.get(&kernel.name()).filter(|_| is_stub);
        let pieces = pieces.filter(|pieces| passed::append_operands(builder, pieces, before, &mut operands));
        let count = u32::try_from(operands.len()).unwrap_or(u32::MAX);
        let (ty, marker) = marker(module);
        let call = c::LLVMBuildCall2(builder, ty, marker.0, operands.as_mut_ptr(), count, c"".as_ptr());
        if let Some(pieces) = pieces {
            passed::make_free(LValue(call), pieces.len());
        }
        d::LLVMInstructionSetDebugLoc(call, d::LLVMInstructionGetDebugLoc(at.0));
        c::LLVMDisposeBuilder(builder);
    }
}

/// The function that marks launches, and its type.
///
/// # Safety
///
/// The module is alive.
unsafe fn marker(module: LLVMModuleRef) -> (LLVMTypeRef, LValue) {
    unsafe {
        let context = c::LLVMGetModuleContext(module);
        let (word, long) = (c::LLVMInt32TypeInContext(context), c::LLVMInt64TypeInContext(context));
        let pointer = c::LLVMPointerTypeInContext(context, 0);
        let mut parameters = [word, word, word, word, word, word, long, pointer];
        let ty = c::LLVMFunctionType(c::LLVMVoidTypeInContext(context), parameters.as_mut_ptr(), 8, 1);
        let name = CString::new(MARKER).unwrap_or_default();
        let known = LValue::new(c::LLVMGetNamedFunction(module, name.as_ptr()));
        (ty, known.unwrap_or_else(|| LValue(c::LLVMAddFunction(module, name.as_ptr(), ty))))
    }
}

/// A marker in front of a launch through the driver, whose sizes and bytes of shared memory are
/// words. A size of another type is open.
fn insert_driver_marker(module: LLVMModuleRef, launch: LValue, sizes: &[LValue], (shared, handle): (LValue, LValue)) {
    // SAFETY: everything belongs to the module; the builder is disposed of.
    unsafe {
        let context = c::LLVMGetModuleContext(module);
        let builder = c::LLVMCreateBuilderInContext(context);
        c::LLVMPositionBuilderBefore(builder, launch.0);
        let (word, long) = (c::LLVMInt32TypeInContext(context), c::LLVMInt64TypeInContext(context));
        let is_word = |value: LValue| c::LLVMTypeOf(value.0) == word;
        let of_size = |size: &LValue| if is_word(*size) { size.0 } else { c::LLVMGetUndef(word) };
        let mut operands: Vec<LLVMValueRef> = sizes.iter().map(of_size).collect();
        operands.push(if is_word(shared) {
            c::LLVMBuildZExt(builder, shared.0, long, c"".as_ptr())
        } else {
            c::LLVMGetUndef(long)
        });
        operands.push(handle.0);
        let (ty, marker) = marker(module);
        let call = c::LLVMBuildCall2(builder, ty, marker.0, operands.as_mut_ptr(), 8, c"".as_ptr());
        d::LLVMInstructionSetDebugLoc(call, d::LLVMInstructionGetDebugLoc(launch.0));
        c::LLVMDisposeBuilder(builder);
    }
}

/// A marker in front of a call that describes a launch in a struct at an address.
fn insert_node_marker(module: LLVMModuleRef, call: LValue, described: LValue) {
    // SAFETY: everything belongs to the module; the builder is disposed of.
    unsafe {
        let builder = c::LLVMCreateBuilderInContext(c::LLVMGetModuleContext(module));
        c::LLVMPositionBuilderBefore(builder, call.0);
        let mut operands = graphs::fields(builder, module, described);
        let (ty, marker) = marker(module);
        let marked = c::LLVMBuildCall2(builder, ty, marker.0, operands.as_mut_ptr(), 8, c"".as_ptr());
        d::LLVMInstructionSetDebugLoc(marked, d::LLVMInstructionGetDebugLoc(call.0));
        c::LLVMDisposeBuilder(builder);
    }
}

/// The sizes of a `dim3` passed in two registers: the first two in one of 64 bits, the third in
/// another.
///
/// # Safety
///
/// The builder stands in the block of both values.
unsafe fn coordinates(builder: LLVMBuilderRef, low: LValue, high: LValue) -> [LLVMValueRef; 3] {
    unsafe {
        let context = c::LLVMGetTypeContext(c::LLVMTypeOf(low.0));
        let (word, long) = (c::LLVMInt32TypeInContext(context), c::LLVMInt64TypeInContext(context));
        if c::LLVMTypeOf(low.0) != long || c::LLVMTypeOf(high.0) != word {
            return [c::LLVMGetUndef(word); 3];
        }
        let x = c::LLVMBuildTrunc(builder, low.0, word, c"".as_ptr());
        let shifted = c::LLVMBuildLShr(builder, low.0, c::LLVMConstInt(long, 32, 0), c"".as_ptr());
        let y = c::LLVMBuildTrunc(builder, shifted, word, c"".as_ptr());
        [x, y, high.0]
    }
}

/// The value that a marker says is launched; `None` if the instruction is not one.
pub fn launched_by(instruction: LValue) -> Option<LValue> {
    let is_marker = name_of_called(instruction)? == MARKER;
    instruction.call_arguments().get(7).copied().filter(|_| is_marker)
}

/// The launches of a marker: one for each kernel that may be meant.
fn launches_at(
    instruction: LValue,
    (stubs, aliases): (&Stubs, &Aliases),
    (host, is_reached): (&HostRanges, bool),
) -> Vec<(String, SourceLaunch)> {
    let Some((kernel, (file, line))) = launched_by(instruction).zip(place(instruction)) else { return Vec::new() };
    let operands = instruction.call_arguments();
    let size = |index: usize| match operands[index].small_constant().and_then(|size| u32::try_from(size).ok()) {
        Some(size) if size > 0 => Extent::Known(size),
        _ => Extent::Open,
    };
    let launching = launching_behind(instruction, kernel);
    let stub = choices(kernel).first().map(|stub| stub.name());
    let pieces = stub.and_then(|stub| stubs.get(&stub)).map(Vec::as_slice).unwrap_or_default();
    // A launch that takes the kernel itself passes the arguments in memory.
    let calling = launching.filter(|launching| launching.called() == Some(kernel));
    let passed = match (&operands[8..], calling) {
        ([], Some(calling)) => passed::whole(pieces, &calling.call_arguments()),
        (operands, _) => passed::in_marker(pieces, operands),
    };
    let (places, arguments): (Vec<_>, Vec<LValue>) = passed.into_iter().unzip();
    let facts = host.facts(instruction, &operands[..6], &arguments, &[]);
    let allocated_for = |argument: &LValue| aliases.allocated(*argument, instruction, host);
    let sizes: Vec<Option<LValue>> = arguments.iter().map(allocated_for).collect();
    let allocated = allocated(host, (instruction, &operands[..6], &arguments), &sizes, &places);
    let (aliases, apart) = launching.map(|launching| aliases.at(launching)).unwrap_or_default();
    let launch = SourceLaunch {
        num_groups: [size(0), size(1), size(2)],
        local_size: [size(3), size(4), size(5)],
        shared_bytes: operands[6].small_constant(),
        arguments: arguments.iter().map(|argument| integer(*argument)).collect(),
        places,
        relations: facts.relations,
        ranges: facts.ranges,
        host: facts.host,
        by_default: host.by_default(instruction, &operands[..6], &arguments, &sizes),
        allocated,
        groups_elsewhere: operands[3..6].iter().any(|size| !host.is_free(*size, instruction)),
        computed_elsewhere: arguments.iter().map(|argument| !host.is_free(*argument, instruction)).collect(),
        is_reached,
        aliases,
        apart,
        nd_range: None,
        file,
        line,
    };
    let mut symbols: Vec<String> = choices(kernel).into_iter().filter_map(|stub| kernel_symbol(&stub.name())).collect();
    symbols.extend(driver::handles_of(kernel).names);
    symbols.sort();
    symbols.dedup();
    symbols.into_iter().map(|symbol| (symbol, launch.clone())).collect()
}

/// The memory behind the pointers of a launch, of these sizes in bytes; `None` if none is known.
pub fn allocated(
    host: &HostRanges,
    (marker, numbers, arguments): (LValue, &[LValue], &[LValue]),
    sizes: &[Option<LValue>],
    places: &[ArgumentPlace],
) -> Option<Box<Allocated>> {
    sizes.iter().any(Option::is_some).then_some(())?;
    let facts = host.facts(marker, numbers, arguments, sizes);
    let NumberFacts { relations, ranges, host, sizes, are_all } = facts;
    let allocations = places.iter().zip(sizes).filter_map(|(&place, size)| {
        let (unit, count) = size?;
        Some(Allocation { place, unit, count })
    });
    let allocations: Vec<Allocation> = allocations.collect();
    (!allocations.is_empty()).then(|| Box::new(Allocated { allocations, relations, ranges, host, are_all }))
}

/// The call that launches the kernel after a marker.
fn launching_behind(marker: LValue, kernel: LValue) -> Option<LValue> {
    let behind = std::iter::successors(marker.next_instruction(), |instruction| instruction.next_instruction());
    let mut before_next = behind.take_while(|&instruction| launched_by(instruction).is_none());
    before_next.find(|&instruction| launches_itself(instruction, kernel))
}

/// A constant integer of at most 64 bits.
pub fn integer(value: LValue) -> Option<Bits> {
    value.small_constant().map(|number| Bits::new(value.ty().integer_width(), number))
}

/// The functions that a pointer may be, if it is chosen among some.
pub fn choices(pointer: LValue) -> Vec<LValue> {
    let mut found = chosen_from(pointer);
    found.retain(|value| matches!(value.kind(), ValueKind::LLVMFunctionValueKind));
    found
}

/// The values that a value is chosen among: itself, if it is no choice.
pub fn chosen_from(value: LValue) -> Vec<LValue> {
    let mut seen = vec![value];
    let mut next = 0;
    while let Some(&value) = seen.get(next) {
        next += 1;
        if chooses(value) {
            let is_select = matches!(value.opcode(), Opcode::LLVMSelect);
            let operands = value.operands().into_iter().skip(usize::from(is_select));
            seen.extend(operands.filter(|operand| !seen.contains(operand)).collect::<Vec<_>>());
        }
    }
    seen.retain(|value| !chooses(*value));
    seen
}

/// Whether a value is one of several others.
pub fn chooses(value: LValue) -> bool {
    matches!(value.kind(), ValueKind::LLVMInstructionValueKind)
        && matches!(value.opcode(), Opcode::LLVMPHI | Opcode::LLVMSelect | Opcode::LLVMFreeze)
}

/// The source location of an instruction itself, whatever it was inlined into.
pub fn place(instruction: LValue) -> Option<(String, u32)> {
    place_of(instruction.debug_location()?)
}

/// The source location of an instruction in the program: for one of a header that implements the
/// language, the place that it is inlined into, if there is one.
pub fn place_in_program(instruction: LValue) -> Option<(String, u32)> {
    let mut location = instruction.debug_location()?;
    while super::debug::is_located_in_own_header(location) {
        // SAFETY: it is a DILocation; null is answered where nothing was inlined.
        location = LMetadata::new(unsafe { d::LLVMDILocationGetInlinedAt(location.0) })?;
    }
    place_of(location)
}

fn place_of(location: LMetadata) -> Option<(String, u32)> {
    // SAFETY: it is a DILocation, whose scope has a file.
    unsafe {
        let scope = LMetadata::new(d::LLVMDILocationGetScope(location.0))?;
        let file = LMetadata::new(d::LLVMDIScopeGetFile(scope.0))?;
        let [_, name] = super::debug::file_path(file);
        Some((name, d::LLVMDILocationGetLine(location.0)))
    }
}

/// The symbol of the kernel whose stub has this name: `_Z16__device_stub__kPf` is `_Z1kPf`.
pub fn kernel_symbol(stub: &str) -> Option<String> {
    let at = stub.find(STUB)?;
    let name = &stub[at + STUB.len()..];
    let digits = stub[..at].len() - stub[..at].trim_end_matches(|digit: char| digit.is_ascii_digit()).len();
    let length = stub[at - digits..at].parse::<usize>().ok();
    match length.and_then(|length| length.checked_sub(STUB.len())) {
        Some(length) => Some(format!("{}{length}{name}", &stub[..at - digits])),
        // `extern "C"`
        None => (at == 0).then(|| name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::kernel_symbol;

    #[test]
    fn stubs_are_named_after_kernels() {
        for (stub, kernel) in [
            ("_Z16__device_stub__kPf", Some("_Z1kPf")),
            ("_ZN2ns16__device_stub__kIfEEvPT_1Pi", Some("_ZN2ns1kIfEEvPT_1Pi")),
            ("_Z25__device_stub__vector_addPf", Some("_Z10vector_addPf")),
            ("__device_stub__plain", Some("plain")),
            ("_Z4mainv", None),
            ("_Z3__device_stub__k", None),
        ] {
            assert_eq!(kernel_symbol(stub).as_deref(), kernel, "{stub}");
        }
    }
}
