//! Allocations of the memory that a launch passes to a kernel.
//!
//! A pointer is followed back to the calls of `cudaMalloc` and its like that may have returned it:
//! through choices, copies and the variables that hold it. Programs exchange the pointers of two
//! buffers, so a pointer may have several such calls. It counts as the beginning of an allocation
//! of a size if all of them allocate that size. A pointer into the middle of an allocation is not
//! followed: places before it are part of the allocation, too.
//!
//! The size is a value of the host's code. It is the one with which the memory was allocated, if
//! one of these holds:
//!
//! * It is computed from numbers that are computed before the launch on every way, and not anew
//!   after a call, and every variable that holds the pointer belongs to the function. Then all
//!   memory that the calls allocate in this execution of the function has this size.
//! * The pointer is loaded, after the call on every way, from a variable that the call alone
//!   writes. Then neither the call nor the size is executed again between the load and the launch:
//!   the launch could be reached in the same way without the load, which comes first. A variable at
//!   file scope is followed in `main` alone, which is executed once.
//!
//! The numbers from which the size is computed come before it on every way, so they have not been
//! computed anew either. A variable of the function that no call has written has no value.

use std::collections::BTreeSet;

use super::aliases::{Aliases, Writer, is_variable, toolkit_function};
use super::host_ranges::{HostRanges, is_in_main, is_instruction, may_jump_back};
use super::launches::name_of_called;
use super::raw::{LValue, Opcode, TypeKind, ValueKind};
use super::relations::binary_op;

/// The toolkit's functions that allocate as many bytes as their second argument says.
const ALLOCATING: [&str; 6] = ["Malloc", "MallocManaged", "MallocAsync", "MallocHost", "HostAlloc", "HostMalloc"];

/// The most numbers that are followed from a size.
const MOST_STEPS: usize = 64;

/// The most values that one pointer is followed through.
const MOST_FOLLOWED: usize = 64;

/// Whether a call is of a function with the name of one that allocates memory, perhaps a template.
pub fn names_allocation(call: LValue) -> bool {
    toolkit_function(call).is_some_and(|name| ALLOCATING.contains(&name.as_str()))
}

/// Whether a call allocates memory: it is of the toolkit's function in C, or of its template for
/// any type. A program may have functions of its own with that name in C++.
fn is_allocation(call: LValue) -> bool {
    let is_toolkits = name_of_called(call).is_some_and(|name| {
        let is_template = ALLOCATING.iter().any(|known| name.contains(&format!("{known}I")));
        !name.starts_with('_') || is_template
    });
    is_toolkits && names_allocation(call) && call.called().is_some_and(LValue::is_declaration)
}

/// The bytes of a pointer.
const POINTER: i64 = 8;

/// Whether a write may change a pointer at a place.
fn overlaps(writer: &Writer, place: i64) -> bool {
    let any = i64::MAX / 4;
    let (at, bytes) = match writer {
        Writer::Store { at, value, .. } => {
            let ty = value.ty();
            let bytes = match ty.kind() {
                TypeKind::LLVMIntegerTypeKind => i64::from(ty.integer_width().div_ceil(8)),
                TypeKind::LLVMFloatTypeKind => 4,
                TypeKind::LLVMDoubleTypeKind | TypeKind::LLVMPointerTypeKind => POINTER,
                _ => any,
            };
            (*at, bytes)
        }
        Writer::Copy { at, .. } => (*at, any),
        // Other functions of the toolkit write as many bytes as their arguments say.
        Writer::Call { at: Some(at), call } => (*at, if is_allocation(*call) { POINTER } else { any }),
        Writer::Call { at: None, .. } | Writer::Somewhere => return true,
    };
    at < place.saturating_add(POINTER) && place < at.saturating_add(bytes)
}

/// The calls that may have allocated what a pointer points to.
#[derive(Default)]
struct Allocations {
    calls: Vec<LValue>,
    /// Whether a variable keeps the pointer when the function returns.
    holds_longer: bool,
}

/// The writers of a variable.
struct Written {
    writers: Vec<Writer>,
    /// Whether the places are known at which they write.
    are_places_known: bool,
}

impl Aliases {
    /// The size in bytes of the allocation at whose beginning a pointer points at a marker.
    pub fn allocated(&self, pointer: LValue, marker: LValue, host: &HostRanges) -> Option<LValue> {
        let Allocations { calls, holds_longer } = self.allocations(pointer)?;
        if may_jump_back(marker) {
            return None;
        }
        let sizes: Option<Vec<LValue>> = calls.iter().map(|call| call.call_arguments().get(1).copied()).collect();
        let mut sizes = sizes?;
        sizes.dedup();
        let &[size] = sizes.as_slice() else { return None };
        let mut left = MOST_STEPS;
        // A variable that outlives the function has a value from the start, and a function that is
        // executed again may have written it.
        let is_known = if holds_longer {
            calls.iter().all(|call| is_in_main(*call)) && self.is_latest(pointer, &calls, host)
        } else {
            is_fixed(size, &calls, (marker, host), &mut left) || self.is_latest(pointer, &calls, host)
        };
        is_known.then_some(size)
    }

    /// Whether a pointer is loaded behind a call from a variable that the call alone writes.
    fn is_latest(&self, pointer: LValue, calls: &[LValue], host: &HostRanges) -> bool {
        let (&[call], Some(load)) = (calls, self.loaded(pointer)) else { return false };
        let (base, Some(at)) = self.exact_place(load.operands()[0]) else { return false };
        let Some(written) = self.written(base).filter(|written| written.are_places_known) else { return false };
        written.writers.iter().filter(|writer| overlaps(writer, at)).count() == 1 && host.comes_first(call, load)
    }

    /// The load that a pointer is.
    fn loaded(&self, pointer: LValue) -> Option<LValue> {
        let before = |value: &LValue| self.step(*value).filter(|_| is_unmoved(*value)).map(|(base, _)| base);
        let value = std::iter::successors(Some(pointer), before).take(MOST_FOLLOWED).last()?;
        matches!(opcode_of(value), Some(Opcode::LLVMLoad)).then_some(value)
    }

    /// The calls that may have allocated what a pointer points to the beginning of; `None` if there
    /// may be others.
    fn allocations(&self, pointer: LValue) -> Option<Allocations> {
        let mut found = Allocations::default();
        let mut seen = BTreeSet::new();
        let mut pending = vec![pointer];
        while let Some(value) = pending.pop() {
            if !seen.insert(value.0.addr()) {
                continue;
            }
            if seen.len() > MOST_FOLLOWED {
                return None;
            }
            if let Some((base, _)) = self.step(value) {
                is_unmoved(value).then(|| pending.push(base))?;
                continue;
            }
            match value.kind() {
                ValueKind::LLVMInstructionValueKind => match value.opcode() {
                    Opcode::LLVMPHI => pending.extend(value.operands()),
                    Opcode::LLVMSelect => pending.extend(value.operands().into_iter().skip(1)),
                    Opcode::LLVMLoad => {
                        let place = self.exact_place(value.operands()[0]);
                        self.add_written(place, &mut found, &mut pending)?;
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some(found)
    }

    /// Adds the pointers that may be written in a place, or anywhere in a variable, and the
    /// allocations that write there.
    fn add_written(
        &self,
        (base, at): (LValue, Option<i64>),
        found: &mut Allocations,
        pending: &mut Vec<LValue>,
    ) -> Option<()> {
        let mut places = vec![(base, at)];
        let mut next = 0;
        while let Some(&(base, at)) = places.get(next) {
            next += 1;
            if places.len() > MOST_FOLLOWED {
                return None;
            }
            let Written { writers, are_places_known } = self.written(base)?;
            // The elements of an array are not told apart if some index is computed.
            let at = at.filter(|_| are_places_known);
            found.holds_longer |= matches!(base.kind(), ValueKind::LLVMGlobalVariableValueKind);
            let may_write = |writer: &&Writer| at.is_none_or(|at| overlaps(writer, at));
            for writer in writers.iter().filter(may_write) {
                match writer {
                    // A number may be an address, or a part of one.
                    Writer::Store { value, .. } => {
                        matches!(value.ty().kind(), TypeKind::LLVMPointerTypeKind).then(|| pending.push(*value))?;
                    }
                    Writer::Copy { at: to, from } => {
                        let place = (from.0, at.map(|at| from.1 + at - to));
                        if !places.contains(&place) {
                            places.push(place);
                        }
                    }
                    // The call writes one pointer, perhaps another element.
                    Writer::Call { call, .. } => is_allocation(*call).then(|| found.calls.push(*call))?,
                    Writer::Somewhere => return None,
                }
            }
        }
        Some(())
    }

    /// The writers of a variable; `None` if there may be others. All are known if the variable's
    /// address goes to loads, stores to it and calls, and no other file knows its name.
    fn written(&self, base: LValue) -> Option<Written> {
        let is_global = matches!(base.kind(), ValueKind::LLVMGlobalVariableValueKind);
        if !is_variable(base) || is_global && !base.is_internal() {
            return None;
        }
        let mut written = Written { writers: Vec::new(), are_places_known: true };
        let mut pending = vec![(base, 0_i64)];
        let mut seen = BTreeSet::new();
        while let Some((pointer, at)) = pending.pop() {
            if !seen.insert(pointer.0.addr()) {
                continue;
            }
            if seen.len() > MOST_FOLLOWED {
                return None;
            }
            for user in pointer.users() {
                if let Some((_, by)) = self.step(user).filter(|(of, _)| *of == pointer) {
                    let by = by.filter(|_| is_moved_by_constants(user));
                    written.are_places_known &= by.is_some();
                    pending.push((user, at.wrapping_add(by.unwrap_or(0))));
                    continue;
                }
                match opcode_of(user)? {
                    Opcode::LLVMLoad | Opcode::LLVMICmp => {}
                    Opcode::LLVMPHI | Opcode::LLVMSelect => {
                        written.are_places_known = false;
                        pending.push((user, at));
                    }
                    Opcode::LLVMCall | Opcode::LLVMInvoke => {
                        // A method that is said to be constant may write members that are not.
                        let is_method = name_of_called(user).is_some_and(|name| name.starts_with("_ZNK"));
                        (!is_method).then_some(())?;
                        written.writers.extend(self.written_by(user, pointer, Some(at)));
                    }
                    Opcode::LLVMStore if user.operands().first() != Some(&pointer) => {
                        let value = *user.operands().first()?;
                        written.writers.push(Writer::Store { at, value, instruction: user });
                    }
                    _ => return None,
                }
            }
        }
        Some(written)
    }

    /// The variable that a pointer points into, and the byte if every index is a constant.
    fn exact_place(&self, pointer: LValue) -> (LValue, Option<i64>) {
        let (mut base, mut at) = (pointer, Some(0_i64));
        for _ in 0..MOST_FOLLOWED {
            let Some((next, by)) = self.step(base) else { break };
            at = at.zip(by.filter(|_| is_moved_by_constants(base))).map(|(at, by)| at.wrapping_add(by));
            base = next;
        }
        (base, at)
    }
}

/// Whether a number is computed, before a marker on every way, from numbers that do not change once
/// one of the calls has been executed.
fn is_fixed(number: LValue, calls: &[LValue], (marker, host): (LValue, &HostRanges), left: &mut usize) -> bool {
    if !is_instruction(number) {
        return true;
    }
    if *left == 0 {
        return false;
    }
    *left -= 1;
    let changes = calls.iter().any(|call| host.may_follow(*call, number));
    if !changes && host.comes_first(number, marker) {
        return true;
    }
    let is_pure = binary_op(number.opcode()).is_some()
        || matches!(number.opcode(), Opcode::LLVMZExt | Opcode::LLVMSExt | Opcode::LLVMTrunc);
    is_pure && number.operands().into_iter().all(|operand| is_fixed(operand, calls, (marker, host), left))
}

/// Whether a pointer that is computed from another one is the same.
fn is_unmoved(pointer: LValue) -> bool {
    let is_zero = |index: &LValue| index.small_constant() == Some(0);
    !is_arithmetic(pointer) || is_element(pointer) && pointer.operands().iter().skip(1).all(is_zero)
}

/// Whether a pointer that is computed from another one has a constant distance from it.
fn is_moved_by_constants(pointer: LValue) -> bool {
    let is_constant = |index: &LValue| index.small_constant().is_some();
    !is_arithmetic(pointer) || is_element(pointer) && pointer.operands().iter().skip(1).all(is_constant)
}

fn is_element(pointer: LValue) -> bool {
    opcode_of(pointer).is_some_and(|opcode| matches!(opcode, Opcode::LLVMGetElementPtr))
}

fn is_arithmetic(pointer: LValue) -> bool {
    let moves = [Opcode::LLVMGetElementPtr, Opcode::LLVMAdd, Opcode::LLVMSub];
    opcode_of(pointer).is_none_or(|opcode| moves.contains(&opcode))
}

fn opcode_of(value: LValue) -> Option<Opcode> {
    match value.kind() {
        ValueKind::LLVMInstructionValueKind => Some(value.opcode()),
        ValueKind::LLVMConstantExprValueKind => Some(value.constant_opcode()),
        _ => None,
    }
}
