//! Calls: LLVM's intrinsics, OpenCL's built-in functions, functions without a body.

use std::collections::{BTreeSet, HashSet};

use lockstep_ir::assumption::Assumed;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::UNINTERPRETED;
use lockstep_ir::kernel::{Access, Array, AssertKind, AssumeKind, Language, Needs, Operation, Space, Type, Value};

use super::inlining;
use super::kernels::Importer;
use super::passes;
use super::raw::{LBlock, LValue, Opcode, ValueKind};
use super::toolkit;
use super::types::Unreadable;
use crate::builder::{Builder, Lanes};
use crate::builtins::Unsupported;
use crate::builtins::arithmetic::{float_lane, integer_lane, overflow};
use crate::{cuda, opencl};

/// A copy of at most this many bytes is one wide load and store.
const MOST_WIDE_BYTES: u64 = 1024;

/// Appends the meaning of a call of a language's built-in function.
type Expand = fn(&mut Builder<'_>, &str, &[Lanes], &[Type]) -> Result<Option<Lanes>, Unsupported>;

impl Importer<'_> {
    /// A call.
    pub fn call(&mut self, call: LValue) -> Result<Lanes, Unreadable> {
        let called = call.called().ok_or("call")?;
        match called.kind() {
            ValueKind::LLVMFunctionValueKind => {}
            ValueKind::LLVMInlineAsmValueKind => return self.assembly(call, called),
            _ => return Err("call through a pointer".into()),
        }
        let name = called.name();
        if let Some(intrinsic) = name.strip_prefix("llvm.") {
            return self.intrinsic(call, intrinsic);
        }
        if !called.is_declaration() {
            let recursive = calls(called).contains(&called);
            let most = inlining::MOST_INSTRUCTIONS;
            return Err(if recursive {
                format!("recursive function {}", self.source_name(called))
            } else if inlining::is_kept(call) {
                let name = self.source_name(called);
                format!("call of {name} in code that has more than {most} instructions with all calls inlined")
            } else {
                format!("function {}, which cannot be inlined", self.source_name(called))
            });
        }
        if let Some(lanes) = self.own_function(&name, call)? {
            return Ok(lanes);
        }
        let arguments = self.arguments(call)?;
        let results = self.lanes(call.ty())?;
        let (call_built_in, assumption): (Expand, _) = match self.kernel.language {
            Language::Cuda | Language::Hip => (cuda::call, cuda::assumption(&name)),
            Language::OpenCl | Language::Ptx | Language::Llvm => (opencl::call, opencl::assumption(&name)),
        };
        if let Some(assumption) = assumption {
            self.assume_here(assumption);
        }
        let mut builder = self.builder();
        let lanes = call_built_in(&mut builder, &name, &arguments, &results);
        self.block = builder.block;
        match lanes.map_err(|unsupported| unsupported.to_string())? {
            Some(lanes) if lanes.len() == results.len() => Ok(lanes),
            Some(_) => Err(format!("function {name} with this result")),
            None => self.unknown_function(&name, &arguments, &results),
        }
    }

    /// The lanes of the arguments of a call.
    pub fn arguments(&mut self, call: LValue) -> Result<Vec<Lanes>, Unreadable> {
        call.call_arguments().into_iter().map(|argument| self.operand(argument)).collect()
    }

    /// A function that the source declares and does not define.
    ///
    /// If it receives no pointers except to the thread's own variables, it is assumed to only
    /// compute, which the report lists. Otherwise it may access memory that other threads access,
    /// too.
    fn unknown_function(&mut self, name: &str, arguments: &[Lanes], results: &[Type]) -> Result<Lanes, Unreadable> {
        if let Some(declared) = name.strip_prefix(UNINTERPRETED) {
            return self.uninterpreted_function(name, declared, arguments, results);
        }
        let shown = opencl::source_name(name);
        // Except in C++, a mangled name is that of a built-in function.
        let cpp = matches!(self.kernel.language, Language::Cuda | Language::Hip);
        if name.starts_with("_Z") && !cpp || shown.starts_with("__") {
            return Err(format!("call of unknown function {shown}"));
        }
        let name = shown.as_str();
        let mut given = BTreeSet::new();
        for &argument in arguments.iter().flatten() {
            if matches!(self.kernel.ty(argument), Type::Pointer(_)) {
                let own = self.own_variable(argument);
                given.insert(own.ok_or_else(|| format!("call of unknown function {name} that is given a pointer"))?);
            }
        }
        let assumed = Assumed::NoBody { function: name.to_owned(), given_variables: !given.is_empty() };
        self.assumptions.add(assumed.everywhere());
        for array in given {
            self.write_anything(array)?;
        }
        Ok(results.iter().map(|ty| self.builder().append(Operation::Anything, *ty)).collect())
    }

    /// A function of which only the name is known.
    ///
    /// A `const` attribute does not make it one: the result may depend on the thread that calls it.
    fn uninterpreted_function(
        &mut self,
        name: &str,
        declared: &str,
        arguments: &[Lanes],
        results: &[Type],
    ) -> Result<Lanes, Unreadable> {
        let operands: Vec<Value> = arguments.iter().flatten().copied().collect();
        if operands.iter().any(|&operand| matches!(self.kernel.ty(operand), Type::Pointer(_))) {
            return Err(format!("uninterpreted function {declared} of a pointer"));
        }
        self.assumptions.add(Assumed::FunctionOfArguments { function: declared.to_owned() }.everywhere());
        let lane = |(index, ty): (usize, &Type)| {
            let name = if index == 0 { name.to_owned() } else { format!("{name}.{index}") };
            self.builder().uninterpreted(name, operands.clone(), *ty)
        };
        Ok(results.iter().enumerate().map(lane).collect())
    }

    /// The thread's own variable that a pointer points into, if the code shows it.
    pub fn own_variable(&self, pointer: Value) -> Option<Array> {
        match self.kernel.operation(pointer)? {
            Operation::SpaceCast(from) | Operation::PointerAdd { pointer: from, .. } => self.own_variable(*from),
            Operation::ArrayBase(array) if self.kernel.arrays[*array].space == Space::Private => Some(*array),
            _ => None,
        }
    }

    /// From here on a thread's own variable holds an unknown value, the same each time it is read.
    fn write_anything(&mut self, array: Array) -> Result<(), Unreadable> {
        let bytes = self.kernel.arrays[array].size.unwrap_or(0);
        let pointer = self.builder().append(Operation::ArrayBase(array), Type::Pointer(Space::Private));
        let access = Access { pointer, alignment: 1, volatile: false, needs: Needs::Everything };
        self.overwrite(access, bytes, Operation::Anything)
    }

    /// A function's name in the source.
    fn source_name(&self, function: LValue) -> String {
        self.debug.function_name(function).unwrap_or_else(|| opencl::source_name(&function.name()))
    }

    /// From here on this many bytes of a thread's own variable are uninitialised again.
    fn forget(&mut self, access: Access, bytes: u64) -> Result<(), Unreadable> {
        if self.is_untouched(access.pointer) {
            return Ok(());
        }
        self.overwrite(access, bytes, Operation::Undefined)
    }

    /// Stores the result of such an operation into bytes of a variable.
    fn overwrite(&mut self, access: Access, bytes: u64, by: Operation) -> Result<(), Unreadable> {
        if bytes == 0 {
            return Ok(());
        }
        let bits = bytes.checked_mul(8).and_then(|bits| u32::try_from(bits).ok());
        let bits = bits.ok_or_else(|| format!("variable of {bytes} bytes"))?;
        let mut builder = self.builder();
        let value = builder.append(by, Type::Bits(bits));
        builder.append_effect(Operation::Store(access, value));
        Ok(())
    }

    /// Functions that Clang inserts, and those that Lockstep's header declares.
    fn own_function(&mut self, name: &str, call: LValue) -> Result<Option<Lanes>, Unreadable> {
        match name {
            "__translate_sampler_initializer" => {
                let bits = self.scalar(call.call_arguments()[0])?;
                Ok(Some(vec![self.unsigned_offset(bits)]))
            }
            // Its output is no access, and its result is unknown.
            "printf" | "vprintf" => self.undefined_lanes(call.ty()).map(Some),
            // The function that `assert` calls if its condition does not hold.
            "__assertfail" | "__assert_fail" => {
                let never = self.builder().boolean(false);
                self.builder().append_effect(Operation::Assert(never, AssertKind::User));
                Ok(Some(Lanes::new()))
            }
            super::dispatch::UNKNOWN_TARGET => {
                let never = self.builder().boolean(false);
                self.builder().append_effect(Operation::Assert(never, AssertKind::KnownTarget));
                Ok(Some(Lanes::new()))
            }
            // Placement `new`, which has a body with `<new>` only.
            "_ZnwmPv" | "_ZnamPv" => self.operand(call.call_arguments()[1]).map(Some),
            "malloc" | "calloc" | "realloc" | "aligned_alloc" | "memalign" | "free" => {
                Err(format!("memory that a kernel allocates ({name})"))
            }
            "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" | "longjmp" | "_longjmp" | "siglongjmp"
            | "getcontext" | "savectx" | "vfork" => {
                Err(format!("function {name}, which may return twice or elsewhere"))
            }
            _ if toolkit::is_allocation(name) => {
                let operator = if name.starts_with("_Zn") { "new" } else { "delete" };
                Err(format!("memory that a kernel allocates ({operator})"))
            }
            _ => self.annotation(name, call),
        }
    }

    /// A call of `llvm.<name>`.
    fn intrinsic(&mut self, call: LValue, name: &str) -> Result<Lanes, Unreadable> {
        const WITHOUT_MEANING: [&str; 9] = [
            "dbg.",
            "lifetime.",
            "invariant.",
            "experimental.noalias.scope.decl",
            "donothing",
            "prefetch",
            "debugtrap",
            "var.annotation",
            "sideeffect",
        ];
        if let Some(name) = name.strip_prefix("nvvm.") {
            return self.nvvm_intrinsic(call, name);
        }
        if WITHOUT_MEANING.iter().any(|prefix| name.starts_with(prefix)) {
            return Ok(Lanes::new());
        }
        let base = base_name(name);
        match base.as_str() {
            "assume" => {
                let condition = self.scalar(call.call_arguments()[0])?;
                self.builder().append_effect(Operation::Assume(condition, AssumeKind::User));
                Ok(Lanes::new())
            }
            "expect" | "expect.with.probability" | "ssa.copy" | "arithmetic.fence" => {
                self.operand(call.call_arguments()[0])
            }
            // The result depends on the optimiser's knowledge: either answer is one of some
            // compiler's.
            "is.constant" => Ok(vec![self.builder().append(Operation::Anything, Type::Bool)]),
            "memcpy" | "memcpy.inline" | "memmove" => self.memory_copy(call),
            "memset" | "memset.inline" => self.memory_set(call),
            _ => self.arithmetic_intrinsic(call, &base),
        }
    }

    /// A call of `llvm.nvvm.<name>`.
    fn nvvm_intrinsic(&mut self, call: LValue, name: &str) -> Result<Lanes, Unreadable> {
        let arguments = self.arguments(call)?;
        let results = self.lanes(call.ty())?;
        let lanes = cuda::intrinsic(&mut self.builder(), name, &arguments, &results);
        match lanes.map_err(|unsupported| unsupported.to_string())? {
            Some(lanes) if lanes.len() == results.len() => Ok(lanes),
            Some(_) | None => Err(format!("intrinsic llvm.nvvm.{name}")),
        }
    }

    /// An intrinsic that computes lane by lane.
    fn arithmetic_intrinsic(&mut self, call: LValue, base: &str) -> Result<Lanes, Unreadable> {
        let arguments = self.arguments(call)?;
        let results = self.lanes(call.ty())?;
        if let Some(op) = base.strip_suffix(".with.overflow") {
            return overflow(&mut self.builder(), op, &arguments).ok_or_else(|| format!("intrinsic llvm.{base}"));
        }
        if matches!(base, "ctlz" | "cttz") && call.call_arguments()[1].small_constant() != Some(0) {
            let harmless = |&lane: &Value| self.kernel.constant(lane).is_some_and(|bits| !bits.is_zero());
            if !arguments[0].iter().all(harmless) {
                self.assume_here(Assumed::NoZerosOfZero);
            }
        }
        let mut lanes = Lanes::new();
        for (index, ty) in results.into_iter().enumerate() {
            // A scalar argument (the flag of `ctlz`, the exponent of `powi`) belongs to every lane.
            let operands: Vec<Value> =
                arguments.iter().filter_map(|argument| argument.get(index).or(argument.first()).copied()).collect();
            let mut builder = self.builder();
            let lane = float_lane(&mut builder, base, &operands, ty)
                .or_else(|| integer_lane(&mut builder, base, &operands, ty));
            lanes.push(lane.ok_or_else(|| format!("intrinsic llvm.{base}"))?);
        }
        if lanes.is_empty() { Err(format!("intrinsic llvm.{base}")) } else { Ok(lanes) }
    }

    /// `memcpy`, `memmove`: operands to, from, bytes, volatile.
    fn memory_copy(&mut self, call: LValue) -> Result<Lanes, Unreadable> {
        let arguments = call.call_arguments();
        let volatile = arguments[3].small_constant() == Some(1);
        let to = self.argument_access(call, 0, volatile)?;
        let to = self.written(to);
        if passes::is_uninitialised_memory(arguments[1]) {
            self.forget(to, arguments[2].small_constant().unwrap_or(0))?;
            return Ok(Lanes::new());
        }
        let from = self.argument_access(call, 1, volatile)?;
        let bytes = self.scalar(arguments[2])?;
        let bytes = self.unsigned_offset(bytes);
        match self.kernel.constant(bytes).and_then(Bits::to_u64) {
            Some(0) => {}
            Some(count) if count <= MOST_WIDE_BYTES => {
                let ty = Type::Bits(u32::try_from(8 * count).unwrap_or(8));
                // The remaining bytes of a struct's copy into a thread's own variable are padding,
                // and members that the thread does not use.
                let own = self.kernel.ty(to.pointer) == Type::Pointer(Space::Private);
                let from = Access { needs: if own { Needs::Nothing } else { Needs::Something }, ..from };
                let value = self.builder().append(Operation::Load(from), ty);
                self.builder().append_effect(Operation::Store(to, value));
            }
            _ => self.builder().append_effect(Operation::MemoryCopy { to, from, bytes }),
        }
        Ok(Lanes::new())
    }

    /// `memset`: operands to, value, bytes, volatile.
    fn memory_set(&mut self, call: LValue) -> Result<Lanes, Unreadable> {
        let arguments = call.call_arguments();
        let to = self.argument_access(call, 0, arguments[3].small_constant() == Some(1))?;
        let to = self.written(to);
        let value = self.scalar(arguments[1])?;
        let bytes = self.scalar(arguments[2])?;
        let bytes = self.unsigned_offset(bytes);
        match (self.kernel.constant(bytes).and_then(Bits::to_u64), self.kernel.constant(value).cloned()) {
            (Some(0), _) => {}
            (Some(count), Some(byte)) if count <= MOST_WIDE_BYTES => {
                let wide = (1..count).fold(byte.clone(), |wide, _| wide.concat(&byte));
                let wide = self.builder().bits(wide);
                self.builder().append_effect(Operation::Store(to, wide));
            }
            _ => self.builder().append_effect(Operation::MemorySet { to, value, bytes }),
        }
        Ok(Lanes::new())
    }

    fn argument_access(&mut self, call: LValue, index: u32, volatile: bool) -> Result<Access, Unreadable> {
        use inkwell::llvm_sys::core as c;
        let pointer = self.scalar(call.call_arguments()[index as usize])?;
        // SAFETY: a call with more than `index` arguments; the attribute is null where there is
        // none.
        let alignment = unsafe {
            let kind = c::LLVMGetEnumAttributeKindForName(c"align".as_ptr(), 5);
            let attribute = c::LLVMGetCallSiteEnumAttribute(call.0, index + 1, kind);
            if attribute.is_null() { 1 } else { c::LLVMGetEnumAttributeValue(attribute) }
        };
        Ok(Access {
            pointer,
            alignment: u32::try_from(alignment).unwrap_or(1).max(1),
            volatile,
            needs: Needs::Everything,
        })
    }
}

/// The defined functions that a function calls, directly or through others.
fn calls(function: LValue) -> HashSet<LValue> {
    let mut reached = HashSet::new();
    let mut pending = vec![function];
    while let Some(current) = pending.pop() {
        for instruction in current.blocks().into_iter().flat_map(LBlock::instructions) {
            let called = matches!(instruction.opcode(), Opcode::LLVMCall).then(|| instruction.called()).flatten();
            let Some(called) = called.filter(|called| matches!(called.kind(), ValueKind::LLVMFunctionValueKind)) else {
                continue;
            };
            if !called.is_declaration() && reached.insert(called) {
                pending.push(called);
            }
        }
    }
    reached
}

/// The name without the types at its end: `fmuladd` of `fmuladd.v4f32`.
fn base_name(name: &str) -> String {
    let is_type = |part: &str| {
        let part = part.trim_start_matches("nx");
        part == "bf16"
            || part.starts_with(['v', 'i', 'f', 'p'])
                && part.len() > 1
                && part[1..].starts_with(|c: char| c.is_ascii_digit())
    };
    name.split('.').take_while(|part| !is_type(part)).collect::<Vec<_>>().join(".")
}
