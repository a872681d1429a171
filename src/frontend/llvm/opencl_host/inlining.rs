//! Inlines the functions of a host that call OpenCL's API.
//!
//! A helper sets one argument, or creates a kernel and checks the status. Its callers decide which.

use std::collections::HashMap;

use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::super::launches::{add_attribute, has_attribute, name_of_called};
use super::super::passes::functions;
use super::super::raw::{LBlock, LValue};

/// The most instructions of a function whose callees are inlined.
const MOST_INSTRUCTIONS: usize = 50_000;

/// Has LLVM inline every function that calls the API, itself or through others.
pub fn inline_callers(module: LLVMModuleRef) {
    let mut sizes = Sizes { known: HashMap::new() };
    for function in functions(module).into_iter().filter(|function| !function.is_declaration()) {
        let own = sizes.of(function);
        let is_wanted = own.is_some_and(|own| own.calls_api && own.inlined <= MOST_INSTRUCTIONS);
        if is_wanted && !has_attribute(function, "noinline") {
            add_attribute(module, function, "alwaysinline", 0);
        }
    }
}

/// The size of a function with all that it calls.
#[derive(Clone, Copy)]
struct Size {
    inlined: usize,
    calls_api: bool,
}

/// The progress on a function.
#[derive(Clone, Copy)]
enum Progress {
    /// It is being looked at: who calls it now is recursive.
    Begun,
    /// Its size, if it is not recursive.
    Done(Option<Size>),
}

struct Sizes {
    known: HashMap<LValue, Progress>,
}

impl Sizes {
    fn of(&mut self, function: LValue) -> Option<Size> {
        if let Some(Progress::Done(known)) = self.known.get(&function) {
            return *known;
        }
        self.known.insert(function, Progress::Begun);
        let size = self.added_up(function);
        self.known.insert(function, Progress::Done(size));
        size
    }

    fn added_up(&mut self, function: LValue) -> Option<Size> {
        let mut size = Size { inlined: 0, calls_api: false };
        for instruction in function.blocks().into_iter().flat_map(LBlock::instructions) {
            size.inlined = size.inlined.saturating_add(1);
            let Some((name, called)) = name_of_called(instruction).zip(instruction.called()) else { continue };
            if called.is_declaration() {
                let behind = name.strip_prefix("cl").unwrap_or_default();
                size.calls_api |= behind.starts_with(|first: char| first.is_ascii_uppercase());
                continue;
            }
            if matches!(self.known.get(&called), Some(Progress::Begun)) {
                return None;
            }
            let Some(callee) = self.of(called).filter(|callee| callee.calls_api) else { continue };
            size.inlined = size.inlined.saturating_add(callee.inlined);
            size.calls_api = true;
        }
        Some(size)
    }
}
