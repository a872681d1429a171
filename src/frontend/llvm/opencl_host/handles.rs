//! Handles of kernels, from the calls that create them to their uses.
//!
//! The result of `clCreateKernel` is followed through choices between values. A handle from
//! elsewhere (a variable that stayed in memory, a parameter, an unknown function) may be any
//! kernel's. A handle **escapes** if it goes anywhere else than to the functions of the API that
//! are known here. Who has it may set arguments and launch.

use std::collections::{BTreeSet, HashMap};

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::super::launches::{chooses, chosen_from, place};
use super::super::passes::functions;
use super::super::raw::{LBlock, LValue, Opcode, ValueKind};
use super::Place;
use super::markers::{Launch, Set, called_api};

/// The API's functions that take a handle and neither keep it nor launch, besides those that begin
/// with `clGetKernel`.
const HARMLESS: [&str; 3] = ["clReleaseKernel", "clRetainKernel", "clSetKernelExecInfo"];

/// The kernels that a value may be the handle of.
#[derive(Clone, Debug, Default)]
pub struct Handle {
    /// The calls that create it.
    pub created: BTreeSet<usize>,
    /// The kernels' names.
    pub names: BTreeSet<String>,
    /// Whether it may also be another handle.
    pub is_unknown: bool,
    /// Whether one of the handles goes where it is not followed.
    pub escapes: bool,
}

impl Handle {
    /// Whether a call with one of two handles may be about the kernel object of the other.
    pub fn may_be(&self, other: &Self) -> bool {
        let may_hide = |one: &Self, other: &Self| one.is_unknown && (other.escapes || other.is_unknown);
        !self.created.is_disjoint(&other.created) || may_hide(self, other) || may_hide(other, self)
    }
}

/// The calls that create kernels, and the uses of their handles.
pub struct Handles {
    created: Vec<Created>,
    by_call: HashMap<LValue, usize>,
    /// The places of calls that create kernels which are not followed at all.
    elsewhere: Vec<Place>,
}

struct Created {
    /// The kernel's name, if it is constant.
    name: Option<String>,
    escapes: BTreeSet<Place>,
}

impl Handles {
    /// The handles of a module with markers.
    pub fn of(module: LLVMModuleRef) -> Self {
        let mut handles = Self { created: Vec::new(), by_call: HashMap::new(), elsewhere: Vec::new() };
        for call in functions(module).into_iter().flat_map(LValue::blocks).flat_map(LBlock::instructions) {
            match called_api(call).as_deref() {
                Some("clCreateKernel") => {
                    let name = call.call_arguments().get(1).and_then(|&name| text(name));
                    handles.by_call.insert(call, handles.created.len());
                    handles.created.push(Created { name, escapes: escapes(call) });
                }
                Some("clCreateKernelsInProgram") => handles.elsewhere.push(place(call).unwrap_or_default()),
                _ => {}
            }
        }
        handles
    }

    /// The places at which handles escape, each with the kernel's name.
    pub fn escapes(&self) -> Vec<(Option<String>, Place)> {
        let of =
            |created: &Created| created.escapes.iter().map(|place| (created.name.clone(), place.clone())).collect();
        let mut found: Vec<_> = self.created.iter().flat_map(|created| -> Vec<_> { of(created) }).collect();
        found.extend(self.elsewhere.iter().map(|place| (None, place.clone())));
        found
    }

    /// The kernels that a value may be the handle of.
    pub fn of_value(&self, value: LValue) -> Handle {
        let mut handle = Handle::default();
        for value in chosen_from(value) {
            if let Some(&index) = self.by_call.get(&value) {
                let created = &self.created[index];
                handle.created.insert(index);
                handle.escapes |= !created.escapes.is_empty();
                handle.is_unknown |= created.name.is_none();
                handle.names.extend(created.name.clone());
            } else {
                // No kernel has the handle null.
                handle.is_unknown |= !matches!(value.kind(), ValueKind::LLVMConstantPointerNullValueKind);
            }
        }
        handle
    }
}

/// The places at which a handle goes where it is not followed.
fn escapes(created: LValue) -> BTreeSet<Place> {
    let mut found = BTreeSet::new();
    let (mut pending, mut seen) = (vec![created], BTreeSet::new());
    while let Some(value) = pending.pop() {
        if !seen.insert(value.0.addr()) {
            continue;
        }
        for user in value.users() {
            let is_instruction = matches!(user.kind(), ValueKind::LLVMInstructionValueKind);
            if is_instruction && chooses(user) {
                pending.push(user);
            } else if !is_instruction || !is_accounted_for(user, value) {
                found.insert(place(user).or_else(|| place(created)).unwrap_or_default());
            }
        }
    }
    found
}

/// Whether an instruction uses a handle in a known way.
fn is_accounted_for(user: LValue, handle: LValue) -> bool {
    if matches!(user.opcode(), Opcode::LLVMICmp) {
        return true;
    }
    let name = called_api(user).unwrap_or_default();
    let arguments = if name.is_empty() { return false } else { user.call_arguments() };
    let only = |index: usize| arguments.iter().enumerate().all(|(at, &argument)| at == index || argument != handle);
    let is_marked = |is_marker: &dyn Fn(LValue) -> bool| {
        // SAFETY: it is an instruction of a block.
        let before = LValue::new(unsafe { c::LLVMGetPreviousInstruction(user.0) });
        before.is_some_and(is_marker)
    };
    match name.as_str() {
        _ if Set::of(user).is_some() || Launch::of(user).is_some() => true,
        // A marker stands before each call of these.
        "clSetKernelArg" | "clSetKernelArgSVMPointer" => {
            only(0) && is_marked(&|before| Set::of(before).is_some_and(|set| set.handle == handle))
        }
        "clEnqueueNDRangeKernel" | "clEnqueueTask" => {
            only(1) && is_marked(&|before| Launch::of(before).is_some_and(|launch| launch.handle == handle))
        }
        name => name.starts_with("llvm.") || name.starts_with("clGetKernel") || HARMLESS.contains(&name),
    }
}

/// The text of a constant string.
pub fn text(pointer: LValue) -> Option<String> {
    if !matches!(pointer.kind(), ValueKind::LLVMGlobalVariableValueKind) {
        return None;
    }
    // SAFETY: it is a variable; the string has the length that LLVM says.
    unsafe {
        let initial =
            LValue::new(c::LLVMGetInitializer(pointer.0)).filter(|_| c::LLVMIsGlobalConstant(pointer.0) != 0)?;
        if c::LLVMIsConstantString(initial.0) == 0 {
            return None;
        }
        let mut length = 0;
        let bytes = c::LLVMGetAsString(initial.0, &raw mut length);
        let bytes = std::slice::from_raw_parts(bytes.cast::<u8>(), length);
        let end = bytes.iter().position(|&byte| byte == 0)?;
        String::from_utf8(bytes[..end].to_vec()).ok()
    }
}
