//! The lengths of `std::vector`s that the host creates with a length.
//!
//! `std::vector<float> a(n)` has `a.size()` elements, which are `n` for as long as nothing adds or
//! removes one. LLVM does not see that, as the vector's address goes to many functions. Here, the
//! result of `size()` is replaced by the length, if the vector is a variable of the function whose
//! address goes only to members that keep the length, and to functions of this file that do nothing
//! else with it.
//!
//! The names of the members are those of the Itanium C++ ABI. A program cannot add members to the
//! class of the standard library.

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::launches::name_of_called;
use super::passes::functions;
use super::raw::{LBlock, LValue, Opcode, ValueKind};

/// The ends of the names of members that keep the length.
const KEEPING: [&str; 14] = [
    "EixEm",
    "2atEm",
    "4dataEv",
    "4sizeEv",
    "5emptyEv",
    "8capacityEv",
    "5beginEv",
    "3endEv",
    "6cbeginEv",
    "4cendEv",
    "5frontEv",
    "4backEv",
    "D1Ev",
    "D2Ev",
];

/// The most functions that pass a vector on to one another.
const DEEPEST: usize = 3;

/// Replaces the lengths of vectors by the numbers that they are created with.
pub fn replace_lengths(module: LLVMModuleRef) {
    let instructions = functions(module).into_iter().flat_map(LValue::blocks).flat_map(LBlock::instructions);
    for call in instructions.collect::<Vec<_>>() {
        if name_of_called(call).is_some_and(|name| is_member(&name) && name.ends_with("4sizeEv"))
            && let Some(length) = call.call_arguments().first().and_then(|vector| length(*vector))
            && length.ty() == call.ty()
        {
            // SAFETY: the length is computed before the vector is created, and has the same type.
            unsafe { c::LLVMReplaceAllUsesWith(call.0, length.0) }
        }
    }
}

/// The length of a vector, if all that happens to it is known.
fn length(vector: LValue) -> Option<LValue> {
    let is_variable =
        matches!(vector.kind(), ValueKind::LLVMInstructionValueKind) && matches!(vector.opcode(), Opcode::LLVMAlloca);
    is_variable.then_some(())?;
    let mut length = None;
    for user in vector.users() {
        let name = name_of_called(user)?;
        let arguments = user.call_arguments();
        if arguments.first() == Some(&vector) && is_creation(&name) {
            // A vector that is created in two places has two lengths.
            if length.replace(*arguments.get(1)?).is_some() {
                return None;
            }
        } else if !keeps(user, vector, 0) {
            return None;
        }
    }
    length
}

/// Whether a user of a vector's address leaves the length as it is.
fn keeps(user: LValue, vector: LValue, depth: usize) -> bool {
    let Some(name) = name_of_called(user) else { return false };
    let arguments = user.call_arguments();
    if name.starts_with("llvm.lifetime.") {
        return true;
    }
    let mut places = (0..).zip(&arguments).filter(|(_, argument)| **argument == vector);
    let (Some((place, _)), None) = (places.next(), places.next()) else { return false };
    if place == 0 && is_member(&name) && KEEPING.iter().any(|end| name.ends_with(end)) {
        return true;
    }
    // A function of the program is known by its body, unless another file may replace it.
    let Some(function) = user.called().filter(|_| depth < DEEPEST) else { return false };
    let has_body = matches!(function.kind(), ValueKind::LLVMFunctionValueKind)
        && !function.is_declaration()
        && !function.may_be_replaced();
    let parameter = function.parameters().get(place).copied().filter(|_| has_body);
    parameter.is_some_and(|parameter| parameter.users().into_iter().all(|user| keeps(user, parameter, depth + 1)))
}

fn is_member(name: &str) -> bool {
    name.starts_with("_ZNSt6vectorI") || name.starts_with("_ZNKSt6vectorI")
}

/// Whether a function creates a vector of so many elements: `vector(size_type, …)`.
fn is_creation(name: &str) -> bool {
    name.starts_with("_ZNSt6vectorI") && ["EC1Em", "EC2Em"].iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_happens_to_a_vector() {
        assert!(is_creation("_ZNSt6vectorIfSaIfEEC2EmRKS0_") && is_creation("_ZNSt6vectorIfSaIfEEC1EmRKfRKS0_"));
        assert!(!is_creation("_ZNSt6vectorIfSaIfEEC2ERKS1_") && !is_creation("_ZNSt6vectorIfSaIfEEC2Ev"));
        assert!(is_member("_ZNKSt6vectorIfSaIfEE4sizeEv") && !is_member("_ZNSt5dequeIfSaIfEE4sizeEv"));
    }
}
