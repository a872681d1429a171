//! The functions `min` and `max` for integers, which the toolkit adds to the host.
//!
//! Its headers define them, and Lockstep's declare them. With bodies, LLVM sees what is compared,
//! and the sizes of a launch that they bound are known. The program may not define them itself:
//! the toolkit has them already.

use inkwell::llvm_sys::LLVMIntPredicate::{LLVMIntSLT, LLVMIntULT};
use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage};

use super::passes::functions;
use super::raw::LValue;

/// Gives the functions that a module only declares their bodies.
pub fn define_extremes(module: LLVMModuleRef) {
    for function in functions(module).into_iter().filter(|function| function.is_declaration()) {
        let name = function.name();
        if let Some((is_max, less)) = extreme(&name)
            && let [a, b] = function.parameters()[..]
            && a.ty() == b.ty()
        {
            define(module, function, (is_max, less), [a, b]);
        }
    }
}

/// Whether a function of this name is `max`, and the comparison of its operands, if it is `min` or
/// `max`. An operand without a sign makes the comparison one without.
fn extreme(name: &str) -> Option<(bool, LLVMIntPredicate)> {
    let (name, types) = name.split_at_checked(6)?;
    let is_max = match name {
        "_Z3max" => true,
        "_Z3min" => false,
        _ => return None,
    };
    match types {
        "ii" | "ll" | "xx" => Some((is_max, LLVMIntSLT)),
        "jj" | "ij" | "ji" | "mm" | "lm" | "ml" | "yy" | "xy" | "yx" => Some((is_max, LLVMIntULT)),
        _ => None,
    }
}

fn define(module: LLVMModuleRef, function: LValue, (is_max, less): (bool, LLVMIntPredicate), [a, b]: [LValue; 2]) {
    // SAFETY: the function belongs to the module, which is alive, and has no body yet. Both
    // operands have one type, and the name says that the result has it, too.
    unsafe {
        let context = c::LLVMGetModuleContext(module);
        let builder = c::LLVMCreateBuilderInContext(context);
        c::LLVMPositionBuilderAtEnd(builder, c::LLVMAppendBasicBlockInContext(context, function.0, c"".as_ptr()));
        let is_less = c::LLVMBuildICmp(builder, less, a.0, b.0, c"".as_ptr());
        let (then, otherwise) = if is_max { (b, a) } else { (a, b) };
        let chosen = c::LLVMBuildSelect(builder, is_less, then.0, otherwise.0, c"".as_ptr());
        c::LLVMBuildRet(builder, chosen);
        c::LLVMSetLinkage(function.0, LLVMLinkage::LLVMInternalLinkage);
        c::LLVMDisposeBuilder(builder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_follow_the_operands() {
        assert_eq!(extreme("_Z3minii"), Some((false, LLVMIntSLT)));
        assert_eq!(extreme("_Z3maxij"), Some((true, LLVMIntULT)));
        for other in ["_Z3minff", "_Z3minil", "_Z3minijk", "_Z4umin", "min", "_Z3sumii", "_Z3min"] {
            assert_eq!(extreme(other), None, "{other}");
        }
    }
}
