//! Calls: LLVM's intrinsics, OpenCL's built-in functions, functions without a body.

use std::collections::{BTreeSet, HashSet};

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    Access, Array, AssumeKind, BinaryOp, CompareOp, ConvertOp, FloatOp, FloatType, Operation, Space, Type, UnaryOp,
    Value,
};

use super::inlining;
use super::kernels::Importer;
use super::passes;
use super::raw::{LBlock, LValue, Opcode, ValueKind};
use super::types::Unreadable;
use crate::frontend::builder::{Builder, Lanes};
use crate::frontend::opencl;

/// A copy of at most this many bytes is one wide load and store.
const MOST_WIDE_BYTES: u64 = 1024;

/// How the names of functions begin of which nothing is known.
const UNINTERPRETED: &str = "__uninterpreted_function_";

impl Importer<'_> {
    /// A call.
    pub fn call(&mut self, call: LValue) -> Result<Lanes, Unreadable> {
        let called = call.called().ok_or("call")?;
        match called.kind() {
            ValueKind::LLVMFunctionValueKind => {}
            ValueKind::LLVMInlineAsmValueKind => return Err("inline assembly".into()),
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
                format!("recursive function {name}")
            } else if inlining::is_kept(call) {
                format!("call of {name} in code that has more than {most} instructions with all calls inlined")
            } else {
                format!("function {name}, which cannot be inlined")
            });
        }
        if let Some(lanes) = self.own_function(&name, call)? {
            return Ok(lanes);
        }
        let arguments = self.arguments(call)?;
        let results = self.lanes(call.ty())?;
        if let Some(assumption) = opencl::assumption(&name) {
            self.assume_here(assumption);
        }
        let mut builder = self.builder();
        let lanes = opencl::call(&mut builder, &name, &arguments, &results);
        self.block = builder.block;
        match lanes.map_err(|unsupported| unsupported.to_string())? {
            Some(lanes) if lanes.len() == results.len() => Ok(lanes),
            Some(_) => Err(format!("function {name} with this result")),
            None => self.unknown_function(&name, &arguments, &results),
        }
    }

    fn arguments(&mut self, call: LValue) -> Result<Vec<Lanes>, Unreadable> {
        call.call_arguments().into_iter().map(|argument| self.operand(argument)).collect()
    }

    /// A function that the source declares and does not define. One that is given no pointers but to the thread's own
    /// variables is taken to compute something, which is an assumption of the report; another may access what
    /// other threads access, too.
    fn unknown_function(&mut self, name: &str, arguments: &[Lanes], results: &[Type]) -> Result<Lanes, Unreadable> {
        if let Some(declared) = name.strip_prefix(UNINTERPRETED) {
            return self.uninterpreted_function(name, declared, arguments, results);
        }
        // A mangled name is a built-in function's.
        if name.starts_with("_Z") {
            return Err(format!("call of unknown function {}", opencl::source_name(name)));
        }
        let mut given = BTreeSet::new();
        for &argument in arguments.iter().flatten() {
            if matches!(self.kernel.ty(argument), Type::Pointer(_)) {
                let own = self.own_variable(argument);
                given.insert(own.ok_or_else(|| format!("call of unknown function {name} that is given a pointer"))?);
            }
        }
        self.assumptions.insert(if given.is_empty() {
            format!("{name}, which has no body, neither accesses memory nor synchronises, and returns anything")
        } else {
            format!(
                "{name}, which has no body, accesses no memory but the private variables it is given, does not \
                 synchronise, and returns anything"
            )
        });
        for array in given {
            self.write_anything(array)?;
        }
        Ok(results.iter().map(|ty| self.builder().append(Operation::Undefined, *ty)).collect())
    }

    /// A function of which nothing is known but that it is one. (That a function is declared `const` does not say so: it may depend
    /// on the thread that calls it.)
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
        self.assumptions
            .insert(format!("{declared}, which has no body, is a function of its arguments and does nothing else"));
        let lane = |(index, ty): (usize, &Type)| {
            let name = if index == 0 { name.to_owned() } else { format!("{name}.{index}") };
            self.builder().uninterpreted(name, operands.clone(), *ty)
        };
        Ok(results.iter().enumerate().map(lane).collect())
    }

    /// The thread's own variable that a pointer points into, if that is in plain sight.
    pub fn own_variable(&self, pointer: Value) -> Option<Array> {
        match self.kernel.operation(pointer)? {
            Operation::SpaceCast(from) | Operation::PointerAdd { pointer: from, .. } => self.own_variable(*from),
            Operation::ArrayBase(array) if self.kernel.arrays[*array].space == Space::Private => Some(*array),
            _ => None,
        }
    }

    /// A thread's own variable holds anything from here on, though the same each time it is read.
    fn write_anything(&mut self, array: Array) -> Result<(), Unreadable> {
        let bytes = self.kernel.arrays[array].size.unwrap_or(0);
        let pointer = self.builder().append(Operation::ArrayBase(array), Type::Pointer(Space::Private));
        let access = Access { pointer, alignment: 1, volatile: false };
        self.overwrite(access, bytes, |builder, bits, undefined| {
            // What is stored is a number made of an undefined one, not the absence of one.
            let whole = Operation::Extract { high: bits - 1, low: 0, value: undefined };
            builder.append(whole, Type::Bits(bits))
        })
    }

    /// So many bytes of a thread's own variable hold nothing from here on: they are uninitialised again.
    fn forget(&mut self, access: Access, bytes: u64) -> Result<(), Unreadable> {
        if self.is_untouched(access.pointer) {
            return Ok(());
        }
        self.overwrite(access, bytes, |_, _, nothing| nothing)
    }

    /// Stores an undefined value, or what is made of one, into bytes of a variable.
    fn overwrite(
        &mut self,
        access: Access,
        bytes: u64,
        make: impl FnOnce(&mut Builder, u32, Value) -> Value,
    ) -> Result<(), Unreadable> {
        if bytes == 0 {
            return Ok(());
        }
        let bits = bytes.checked_mul(8).and_then(|bits| u32::try_from(bits).ok());
        let bits = bits.ok_or_else(|| format!("variable of {bytes} bytes"))?;
        let mut builder = self.builder();
        let undefined = builder.append(Operation::Undefined, Type::Bits(bits));
        let anything = make(&mut builder, bits, undefined);
        builder.append_effect(Operation::Store(access, anything));
        Ok(())
    }

    /// Functions that Clang inserts, and what Lockstep's header declares.
    fn own_function(&mut self, name: &str, call: LValue) -> Result<Option<Lanes>, Unreadable> {
        match name {
            "__translate_sampler_initializer" => {
                let bits = self.scalar(call.call_arguments()[0])?;
                Ok(Some(vec![self.unsigned_offset(bits)]))
            }
            // Its output is no access, its result unknown.
            "printf" => self.undefined_lanes(call.ty()).map(Some),
            _ => self.annotation(name, call),
        }
    }

    /// A call of `llvm.<name>`.
    fn intrinsic(&mut self, call: LValue, name: &str) -> Result<Lanes, Unreadable> {
        const WITHOUT_MEANING: [&str; 11] = [
            "dbg.",
            "lifetime.",
            "invariant.",
            "experimental.noalias.scope.decl",
            "donothing",
            "prefetch",
            "debugtrap",
            "var.annotation",
            "sideeffect",
            // The thread's run ends here, which the terminator after it says.
            "trap",
            "ubsantrap",
        ];
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
            "is.constant" => Ok(vec![self.builder().boolean(false)]),
            "memcpy" | "memcpy.inline" | "memmove" => self.memory_copy(call),
            "memset" | "memset.inline" => self.memory_set(call),
            _ => self.arithmetic_intrinsic(call, &base),
        }
    }

    /// An intrinsic that computes lane by lane.
    fn arithmetic_intrinsic(&mut self, call: LValue, base: &str) -> Result<Lanes, Unreadable> {
        let arguments = self.arguments(call)?;
        let results = self.lanes(call.ty())?;
        if let Some(op) = base.strip_suffix(".with.overflow") {
            return overflow(&mut self.builder(), op, &arguments).ok_or_else(|| format!("intrinsic llvm.{base}"));
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
        // SAFETY: a call with more than `index` arguments; the attribute is null where there is none.
        let alignment = unsafe {
            let kind = c::LLVMGetEnumAttributeKindForName(c"align".as_ptr(), 5);
            let attribute = c::LLVMGetCallSiteEnumAttribute(call.0, index + 1, kind);
            if attribute.is_null() { 1 } else { c::LLVMGetEnumAttributeValue(attribute) }
        };
        Ok(Access { pointer, alignment: u32::try_from(alignment).unwrap_or(1).max(1), volatile })
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

/// Intrinsics on floats: exact where that is simple, else functions of which only the name is known.
fn float_lane(builder: &mut Builder<'_>, base: &str, operands: &[Value], ty: Type) -> Option<Value> {
    const BY_NAME: [&str; 37] = [
        "acos",
        "asin",
        "atan",
        "canonicalize",
        "ceil",
        "cos",
        "cosh",
        "exp",
        "exp10",
        "exp2",
        "floor",
        "fptosi.sat",
        "fptoui.sat",
        "ldexp",
        "llrint",
        "llround",
        "log",
        "log10",
        "log2",
        "lrint",
        "lround",
        "maximum",
        "maxnum",
        "minimum",
        "minnum",
        "nearbyint",
        "pow",
        "powi",
        "rint",
        "round",
        "roundeven",
        "sin",
        "sinh",
        "tan",
        "tanh",
        "trunc",
        "is.fpclass",
    ];
    let width = ty.width()?;
    match base {
        "fmuladd" => Some(builder.float(FloatOp::MultiplyAdd, operands.to_vec(), ty)),
        "fma" => Some(builder.float(FloatOp::FusedMultiplyAdd, operands.to_vec(), ty)),
        "sqrt" => Some(builder.float(FloatOp::SquareRoot, operands.to_vec(), ty)),
        "fabs" => {
            let bits = builder.convert(ConvertOp::Bitcast, operands[0], Type::Bits(width));
            let mask = builder.bits(Bits::ones(width - 1).zero_extend(width));
            let cleared = builder.binary(BinaryOp::And, bits, mask);
            Some(builder.convert(ConvertOp::Bitcast, cleared, ty))
        }
        "copysign" => {
            let magnitude = builder.convert(ConvertOp::Bitcast, operands[0], Type::Bits(width));
            let sign = builder.convert(ConvertOp::Bitcast, operands[1], Type::Bits(width));
            let magnitude = builder.extract(width - 2, 0, magnitude);
            let sign = builder.extract(width - 1, width - 1, sign);
            let joined = builder.append(Operation::Concat(sign, magnitude), Type::Bits(width));
            Some(builder.convert(ConvertOp::Bitcast, joined, ty))
        }
        "convert.from.fp16" => {
            let half = builder.convert(ConvertOp::Bitcast, operands[0], Type::Float(FloatType::F16));
            Some(builder.float(FloatOp::FromFloat, vec![half], ty))
        }
        "convert.to.fp16" => {
            let half = builder.float(FloatOp::FromFloat, operands.to_vec(), Type::Float(FloatType::F16));
            Some(builder.convert(ConvertOp::Bitcast, half, ty))
        }
        _ if BY_NAME.contains(&base) => Some(builder.uninterpreted(base, operands.to_vec(), ty)),
        _ => None,
    }
}

/// Intrinsics on bit-vectors, exactly.
fn integer_lane(builder: &mut Builder<'_>, base: &str, operands: &[Value], ty: Type) -> Option<Value> {
    let Type::Bits(width) = ty else { return None };
    let (a, b) = (*operands.first()?, operands.get(1).copied());
    match base {
        "smin" | "smax" | "umin" | "umax" => {
            let b = b?;
            let op = if base.starts_with('s') { CompareOp::SignedLess } else { CompareOp::UnsignedLess };
            let less = builder.compare(op, a, b);
            Some(if base.ends_with("min") { builder.select(less, a, b) } else { builder.select(less, b, a) })
        }
        "abs" => {
            let zero = builder.number(width, 0);
            let negative = builder.compare(CompareOp::SignedLess, a, zero);
            let negated = builder.unary(UnaryOp::Negate, a);
            Some(builder.select(negative, negated, a))
        }
        "ctlz" => Some(first_set(builder, a, width, (0..width).map(|bit| (bit, width - 1 - bit)))),
        "cttz" => Some(first_set(builder, a, width, (0..width).rev().map(|bit| (bit, bit)))),
        "ctpop" => {
            let bits = (0..width).map(|bit| (bit, bit));
            let mut sum = builder.number(width, 0);
            for (high, low) in bits {
                let bit = builder.extract(high, low, a);
                let bit = builder.convert(ConvertOp::ZeroExtend, bit, ty);
                sum = builder.binary(BinaryOp::Add, sum, bit);
            }
            Some(sum)
        }
        "bswap" => Some(reversed(builder, a, width, 8)),
        "bitreverse" => Some(reversed(builder, a, width, 1)),
        "fshl" | "fshr" => Some(funnel_shift(builder, base == "fshl", a, b?, *operands.get(2)?, width)),
        "sadd.sat" => Some(saturated(builder, BinaryOp::Add, true, a, b?, width)),
        "uadd.sat" => Some(saturated(builder, BinaryOp::Add, false, a, b?, width)),
        "ssub.sat" => Some(saturated(builder, BinaryOp::Subtract, true, a, b?, width)),
        "usub.sat" => Some(saturated(builder, BinaryOp::Subtract, false, a, b?, width)),
        _ => None,
    }
}

/// The number that belongs to the last of these bits that is set; the width if none is.
fn first_set(builder: &mut Builder<'_>, a: Value, width: u32, bits: impl Iterator<Item = (u32, u32)>) -> Value {
    let one = builder.number(1, 1);
    let mut result = builder.number(width, u64::from(width));
    for (bit, number) in bits {
        let extracted = builder.extract(bit, bit, a);
        let set = builder.compare(CompareOp::Equal, extracted, one);
        let number = builder.number(width, u64::from(number));
        result = builder.select(set, number, result);
    }
    result
}

/// The pieces of this many bits in reverse order.
fn reversed(builder: &mut Builder<'_>, a: Value, width: u32, piece: u32) -> Value {
    let mut result = builder.extract(piece - 1, 0, a);
    for index in 1..width / piece {
        let next = builder.extract((index + 1) * piece - 1, index * piece, a);
        result = builder.append(Operation::Concat(result, next), Type::Bits((index + 1) * piece));
    }
    result
}

/// The high half of `a:b << c` or the low half of `a:b >> c`, `c` modulo the width.
fn funnel_shift(builder: &mut Builder<'_>, left: bool, a: Value, b: Value, c: Value, width: u32) -> Value {
    let wide = Type::Bits(2 * width);
    let joined = builder.append(Operation::Concat(a, b), wide);
    let modulus = builder.number(width, u64::from(width));
    let distance = builder.binary(BinaryOp::UnsignedRemainder, c, modulus);
    let distance = builder.convert(ConvertOp::ZeroExtend, distance, wide);
    if left {
        let shifted = builder.binary(BinaryOp::ShiftLeft, joined, distance);
        builder.extract(2 * width - 1, width, shifted)
    } else {
        let shifted = builder.binary(BinaryOp::LogicalShiftRight, joined, distance);
        builder.extract(width - 1, 0, shifted)
    }
}

/// `a op b` with a result outside the type's range replaced by the nearer end of it.
fn saturated(builder: &mut Builder<'_>, op: BinaryOp, signed: bool, a: Value, b: Value, width: u32) -> Value {
    // Two more bits hold every result, and its sign.
    let wide_width = width + 2;
    let wide = Type::Bits(wide_width);
    let extend = if signed { ConvertOp::SignExtend } else { ConvertOp::ZeroExtend };
    let a = builder.convert(extend, a, wide);
    let b = builder.convert(extend, b, wide);
    let exact = builder.binary(op, a, b);
    let (low, high) = if signed {
        let high = Bits::ones(width - 1).zero_extend(wide_width);
        (high.not(), high)
    } else {
        (Bits::zero(wide_width), Bits::ones(width).zero_extend(wide_width))
    };
    let low = builder.bits(low);
    let high = builder.bits(high);
    let below = builder.compare(CompareOp::SignedLess, exact, low);
    let above = builder.compare(CompareOp::SignedLess, high, exact);
    let clamped = builder.select(above, high, exact);
    let clamped = builder.select(below, low, clamped);
    builder.extract(width - 1, 0, clamped)
}

/// `sadd.with.overflow` and its like: the wrapped results, then whether they wrapped.
fn overflow(builder: &mut Builder<'_>, op: &str, arguments: &[Lanes]) -> Option<Lanes> {
    let (signed, op) = match op {
        "sadd" => (true, BinaryOp::Add),
        "uadd" => (false, BinaryOp::Add),
        "ssub" => (true, BinaryOp::Subtract),
        "usub" => (false, BinaryOp::Subtract),
        "smul" => (true, BinaryOp::Multiply),
        "umul" => (false, BinaryOp::Multiply),
        _ => return None,
    };
    let extend = if signed { ConvertOp::SignExtend } else { ConvertOp::ZeroExtend };
    let (mut results, mut wrapped) = (Lanes::new(), Lanes::new());
    for (a, b) in arguments.first()?.iter().zip(arguments.get(1)?) {
        let ty = builder.ty(*a);
        let wide = Type::Bits(2 * ty.width()? + 1);
        let wide_a = builder.convert(extend, *a, wide);
        let wide_b = builder.convert(extend, *b, wide);
        let exact = builder.binary(op, wide_a, wide_b);
        let result = builder.convert(ConvertOp::Truncate, exact, ty);
        let back = builder.convert(extend, result, wide);
        wrapped.push(builder.compare(CompareOp::NotEqual, back, exact));
        results.push(result);
    }
    results.append(&mut wrapped);
    Some(results)
}
