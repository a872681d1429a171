//! Makes the host's side of a program ([`HostProgram`]) from its LLVM IR.
//!
//! The functions that `main` may reach are inlined and simplified, but never vectorised: a step is
//! one operation on one number. [`constants`] evaluates constants and initialisers, for which the
//! objects of all variables and functions are numbered first. [`function`] lays out the values of
//! a function in slots and translates its blocks, [`instructions`] the instructions, and [`calls`]
//! the calls. An instruction that cannot be translated becomes a step that ends the run, so it
//! matters only where a run comes to it.

mod calls;
mod constants;
mod function;
mod instructions;

use std::collections::HashMap;
use std::ffi::CStr;

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::target::LLVMGetModuleDataLayout;
use lockstep_ir::host::{Function, HostProgram, KernelSources, Variable, address};

use super::launches::{STUB, add_attribute, hide_what_main_reaches, kernel_symbol};
use super::passes::{functions, run_pipeline};
use super::raw::{LValue, Layout, ValueKind};

/// The passes: nothing that makes vectors, or unrolls a loop.
const PIPELINE: &CStr =
    c"globaldce,always-inline,function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>),\
    cgscc(inline),function(sroa,early-cse,gvn,instcombine<no-verify-fixpoint>,simplifycfg),globaldce";

/// The largest initial contents of a variable, in bytes.
const MOST_BYTES: u64 = 1 << 28;

/// The host's side of a program; `None` if the module has no `main`.
pub fn program(bitcode: &[u8]) -> Result<Option<HostProgram>, String> {
    let owner = super::parse(bitcode)?;
    let module = owner.module;
    if !functions(module).into_iter().any(is_main) {
        return Ok(None);
    }
    hide_what_main_reaches(module);
    for function in functions(module).into_iter().filter(|function| function.name().contains(STUB)) {
        add_attribute(module, function, "noinline", 0);
    }
    run_pipeline(module, PIPELINE)?;
    Ok(Some(Objects::of(module).program()))
}

fn is_main(function: LValue) -> bool {
    function.name() == "main" && !function.is_declaration()
}

/// The variables and functions of a module, with their addresses.
struct Objects {
    module: LLVMModuleRef,
    layout: Layout,
    variables: Vec<LValue>,
    functions: Vec<LValue>,
    addresses: HashMap<LValue, u64>,
    indices: HashMap<LValue, u32>,
}

impl Objects {
    fn of(module: LLVMModuleRef) -> Self {
        // SAFETY: the module is alive, and so are its variables, which form a list.
        let (layout, first) =
            unsafe { (Layout(LLVMGetModuleDataLayout(module)), LValue::new(c::LLVMGetFirstGlobal(module))) };
        // SAFETY: as above.
        let next = |variable: &LValue| LValue::new(unsafe { c::LLVMGetNextGlobal(variable.0) });
        let is_object = |variable: &LValue| !variable.name().starts_with("llvm.");
        let variables: Vec<LValue> = std::iter::successors(first, next).filter(is_object).collect();
        let functions: Vec<LValue> =
            functions(module).into_iter().filter(|function| !function.name().starts_with("llvm.")).collect();
        let objects = (1..).zip(variables.iter().chain(&functions));
        let addresses = objects.map(|(object, value)| (*value, address(object, 0))).collect();
        let indices = (0..).zip(&functions).map(|(index, function)| (*function, index)).collect();
        Self { module, layout, variables, functions, addresses, indices }
    }

    fn program(&self) -> HostProgram {
        let mut places = Places::default();
        let functions = self.functions.iter().map(|function| self.function(*function, &mut places)).collect();
        let main = self.functions.iter().copied().position(is_main).and_then(|main| u32::try_from(main).ok());
        HostProgram {
            variables: self.variables.iter().map(|variable| self.variable(*variable)).collect(),
            functions,
            before_main: self.before_main(),
            main: main.expect("there is one"),
            places: places.all,
            sources: KernelSources::default(),
        }
    }

    fn variable(&self, variable: LValue) -> Variable {
        let (name, ty) = (variable.name(), variable.global_type());
        let bytes = if ty.is_sized() { self.layout.allocation_bytes(ty) } else { 0 };
        // SAFETY: it is a global variable.
        let initial = LValue::new(unsafe { c::LLVMGetInitializer(variable.0) });
        // The host's shadow of a variable of the device has no value.
        let initial = initial.filter(|initial| !matches!(initial.kind(), ValueKind::LLVMUndefValueValueKind));
        match initial.and_then(|initial| self.contents(initial, bytes)) {
            Some(contents) => Variable { name, bytes, contents, is_elsewhere: false },
            None => Variable { name, bytes, is_elsewhere: true, ..Variable::default() },
        }
    }

    /// The contents that a variable of this size begins with; none for zeros. `None` if they cannot
    /// be told, or are too many.
    fn contents(&self, initial: LValue, bytes: u64) -> Option<Vec<u8>> {
        if matches!(initial.kind(), ValueKind::LLVMConstantAggregateZeroValueKind) {
            return Some(Vec::new());
        }
        let mut contents = vec![0; usize::try_from(bytes).ok().filter(|_| bytes <= MOST_BYTES)?];
        self.write(initial, &mut contents)?;
        Some(contents)
    }

    fn function(&self, function: LValue, places: &mut Places) -> Function {
        let name = function.name();
        let stub_of = if name.contains(STUB) { kernel_symbol(&name) } else { None };
        if function.is_declaration() {
            return Function { name, stub_of, ..Function::default() };
        }
        Function { name, stub_of, ..self.translated(function, places) }
    }

    /// The functions that run before `main`, those with the smallest priority first.
    fn before_main(&self) -> Vec<u32> {
        // SAFETY: the module is alive, and an existing variable may have an initialiser.
        let list = unsafe {
            let variable = LValue::new(c::LLVMGetNamedGlobal(self.module, c"llvm.global_ctors".as_ptr()));
            variable.and_then(|variable| LValue::new(c::LLVMGetInitializer(variable.0)))
        };
        let entries = list.map(LValue::operands).unwrap_or_default();
        let of_entry = |entry: &LValue| {
            let parts = entry.operands();
            let priority = parts.first()?.small_constant()?;
            Some((priority, *self.indices.get(parts.get(1)?)?))
        };
        let mut before: Vec<(u64, u32)> = entries.iter().filter_map(of_entry).collect();
        before.sort_by_key(|(priority, _)| *priority);
        before.into_iter().map(|(_, function)| function).collect()
    }
}

/// The files and lines that calls refer to.
#[derive(Default)]
struct Places {
    all: Vec<(String, u32)>,
    indices: HashMap<(String, u32), u32>,
}

impl Places {
    fn index(&mut self, place: (String, u32)) -> u32 {
        let next = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        *self.indices.entry(place.clone()).or_insert_with(|| {
            self.all.push(place);
            next
        })
    }
}
