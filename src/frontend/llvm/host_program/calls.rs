//! Calls, and the functions that LLVM itself has.

use inkwell::llvm_sys::core as c;
use lockstep_ir::host::{Call, Callee, Conversion, FloatOperation, IntegerOperation, MathFunction, Slot, Step};

use super::function::{Body, Number, Unknown};
use crate::llvm::launches::{attribute_kind, place_in_program};
use crate::llvm::raw::{LType, LValue, ValueKind};

impl Body<'_> {
    pub(super) fn call(&mut self, instruction: LValue) -> Result<(), Unknown> {
        let called = instruction.called().ok_or("a call of nothing")?;
        if matches!(called.kind(), ValueKind::LLVMInlineAsmValueKind) {
            return Err("inline assembly".into());
        }
        let name = called.name();
        if matches!(called.kind(), ValueKind::LLVMFunctionValueKind)
            && let Some(name) = name.strip_prefix("llvm.")
        {
            return self.intrinsic(name, instruction);
        }
        let known = self.objects.indices.get(&called);
        let callee = match known {
            Some(&index) => Callee::Known(index),
            None => Callee::Pointer(self.slot(called)?),
        };
        let mut arguments = Vec::new();
        for (number, argument) in (1..).zip(instruction.call_arguments()) {
            match copied_type(instruction, number) {
                Some(ty) => arguments.push(self.passed_copy(ty, self.slot(argument)?)),
                None => arguments.extend(self.slots_of(argument)?),
            }
        }
        let results = u32::try_from(self.objects.numbers(instruction.ty())?.len()).unwrap_or(u32::MAX);
        let result = self.slot(instruction)?;
        // A launch is where the stub is called.
        let place =
            if self.is_stub { None } else { place_in_program(instruction).map(|place| self.places.index(place)) };
        self.steps.push(Step::Call(Box::new(Call { callee, arguments: arguments.into(), result, results, place })));
        Ok(())
    }

    /// The address of a copy that the called function may change.
    fn passed_copy(&mut self, ty: LType, from: Slot) -> Slot {
        let to = self.new_slots(2);
        let (bytes, size) = (self.objects.layout.allocation_bytes(ty), to + 1);
        self.steps.extend([
            Step::Reserve { to, bytes, count: self.one },
            // The address of null and as many bytes is the number of bytes.
            Step::Address { to: size, base: self.zero, index: self.one, scale: bytes },
            Step::Copy { to, from, bytes: size },
        ]);
        to
    }

    /// A function of LLVM, by its name without `llvm.`.
    fn intrinsic(&mut self, name: &str, instruction: LValue) -> Result<(), Unknown> {
        let base = name.split('.').next().unwrap_or_default();
        let arguments = instruction.call_arguments();
        let slot = |index: usize| self.slot(*arguments.get(index).ok_or("an argument that is missing")?);
        match base {
            "dbg" | "lifetime" | "assume" | "invariant" | "prefetch" | "stackrestore" | "donothing" | "var" => {}
            _ if name.starts_with("experimental.noalias") => {}
            "stacksave" => self.steps.push(Step::Move { to: self.slot(instruction)?, from: self.zero }),
            "memcpy" | "memmove" => {
                let (to, from, bytes) = (slot(0)?, slot(1)?, slot(2)?);
                self.steps.push(Step::Copy { to, from, bytes });
            }
            "memset" => {
                let (to, value, bytes) = (slot(0)?, slot(1)?, slot(2)?);
                self.steps.push(Step::Fill { to, value, bytes });
            }
            "expect" | "launder" | "strip" | "threadlocal" | "ssa" | "ptr" => {
                let moves: Vec<_> = self.slots_of(instruction)?.into_iter().zip(self.slots_of(arguments[0])?).collect();
                self.moves(&moves);
            }
            _ if name.starts_with("is.constant") => {
                self.steps.push(Step::Move { to: self.slot(instruction)?, from: self.zero });
            }
            "trap" | "ubsantrap" => return Err("the program traps".into()),
            "fma" | "fmuladd" => self.fused(instruction, base == "fma")?,
            "fshl" | "fshr" => self.funnel(instruction, base == "fshl")?,
            _ => self.arithmetic(name, base, instruction)?,
        }
        Ok(())
    }

    /// `a × b + c`. Without `fma`, machines round twice.
    fn fused(&mut self, instruction: LValue, is_fused: bool) -> Result<(), Unknown> {
        let is_double = Self::is_double(instruction.ty())?;
        let arguments = instruction.call_arguments();
        let lanes = [0, 1, 2].map(|index| self.slots_of(arguments[index]));
        let [a, b, c] = lanes;
        let (a, b, c) = (a?, b?, c?);
        for (lane, to) in self.slots_of(instruction)?.into_iter().enumerate() {
            let operands = [a[lane], b[lane], c[lane]];
            if is_fused {
                self.steps.push(Step::FusedMultiplyAdd { is_double, to, operands });
                continue;
            }
            let product = self.new_slots(1);
            let (multiply, add) = (FloatOperation::Mul, FloatOperation::Add);
            self.steps.extend([
                Step::Float { operation: multiply, is_double, to: product, a: operands[0], b: operands[1] },
                Step::Float { operation: add, is_double, to, a: product, b: operands[2] },
            ]);
        }
        Ok(())
    }

    /// The upper or lower half of two numbers side by side, shifted by a number of bits below the
    /// width.
    fn funnel(&mut self, instruction: LValue, is_left: bool) -> Result<(), Unknown> {
        let arguments = instruction.call_arguments();
        let Number { width, .. } = Number::of(instruction.ty()).ok_or("a vector of shifts")?;
        let [high, low, count] = [0, 1, 2].map(|index| self.slot(arguments[index]));
        let (high, low, count) = (high?, low?, count?);
        let all = self.new_slots(5);
        let (size, by, back, a, b) = (all, all + 1, all + 2, all + 3, all + 4);
        let integer = |operation, to, a, b| Step::Integer { operation, width, to, a, b };
        // A shift by the whole width gives zero, as it does in these steps.
        let (left, right) = if is_left { (by, back) } else { (back, by) };
        self.steps.extend([
            Step::Address { to: size, base: self.zero, index: self.one, scale: width.into() },
            Step::Integer { operation: IntegerOperation::URem, width: 64, to: by, a: count, b: size },
            Step::Integer { operation: IntegerOperation::Sub, width: 64, to: back, a: size, b: by },
            integer(IntegerOperation::Shl, a, high, left),
            integer(IntegerOperation::LShr, b, low, right),
            integer(IntegerOperation::Or, self.slot(instruction)?, a, b),
        ]);
        Ok(())
    }

    fn arithmetic(&mut self, name: &str, base: &str, instruction: LValue) -> Result<(), Unknown> {
        let arguments = instruction.call_arguments();
        let unknown = || Unknown::from(format!("calls `llvm.{name}`, which is not known"));
        let first = *arguments.first().ok_or_else(unknown)?;
        let numbers = self.objects.numbers(first.ty())?;
        if let Some((operation, is_signed)) = overflowing(name) {
            let Number { width, .. } = *numbers.first().filter(|_| numbers.len() == 1).ok_or_else(unknown)?;
            let (to, a, b) = (self.slot(instruction)?, self.slot(first)?, self.slot(arguments[1])?);
            self.steps.push(Step::Overflow { operation, is_signed, width, to, a, b });
            return Ok(());
        }
        if name.starts_with("usub.sat") || name.starts_with("uadd.sat") {
            return self.saturating(instruction, name.starts_with("uadd"));
        }
        let a = self.slots_of(first)?;
        let results = self.slots_of(instruction)?;
        if results.len() != a.len() {
            return Err(unknown());
        }
        let b = arguments.get(1).map(|second| self.slots_of(*second)).transpose();
        for (lane, to) in results.into_iter().enumerate() {
            let (width, a) = (numbers[lane].width, a[lane]);
            let second = || b.as_ref().ok().and_then(|b| b.as_ref()?.get(lane).copied()).ok_or_else(unknown);
            let step = if let Some(function) = math_function(base) {
                Step::Math { function, is_double: Self::is_double(first.ty())?, to, a }
            } else if let Some(operation) = float_operation(base) {
                Step::Float { operation, is_double: Self::is_double(first.ty())?, to, a, b: second()? }
            } else if let Some(operation) = integer_operation(base) {
                Step::Integer { operation, width, to, a, b: second()? }
            } else {
                let conversion = match base {
                    "ctpop" => Conversion::CountOnes,
                    "ctlz" => Conversion::LeadingZeros(width),
                    "cttz" => Conversion::TrailingZeros(width),
                    "bswap" => Conversion::SwapBytes(width),
                    "abs" => Conversion::Absolute(width),
                    _ => return Err(unknown()),
                };
                Step::Convert { conversion, to, a }
            };
            self.steps.push(step);
        }
        Ok(())
    }

    /// A sum or difference of unsigned numbers that stops at the largest or smallest one.
    fn saturating(&mut self, instruction: LValue, is_sum: bool) -> Result<(), Unknown> {
        let arguments = instruction.call_arguments();
        let Number { width, .. } = Number::of(instruction.ty()).ok_or("a vector of sums")?;
        let (a, b, to) = (self.slot(arguments[0])?, self.slot(arguments[1])?, self.slot(instruction)?);
        let exact = self.new_slots(2);
        let operation = if is_sum { IntegerOperation::Add } else { IntegerOperation::Sub };
        self.steps.push(Step::Overflow { operation, is_signed: false, width, to: exact, a, b });
        let bound = self.new_slots(1);
        if is_sum {
            self.steps.push(Step::Integer {
                operation: IntegerOperation::Sub,
                width,
                to: bound,
                a: self.zero,
                b: self.one,
            });
        } else {
            self.steps.push(Step::Move { to: bound, from: self.zero });
        }
        self.steps.push(Step::Select { to, condition: exact + 1, a: bound, b: exact });
        Ok(())
    }
}

/// The type whose copy a call passes in place of an argument; arguments count from 1.
fn copied_type(call: LValue, argument: u32) -> Option<LType> {
    // SAFETY: it is a call, and the attribute has a type.
    unsafe {
        let attribute = c::LLVMGetCallSiteEnumAttribute(call.0, argument, attribute_kind("byval"));
        (!attribute.is_null()).then(|| LType(c::LLVMGetTypeAttributeValue(attribute)))
    }
}

fn overflowing(name: &str) -> Option<(IntegerOperation, bool)> {
    let (base, rest) = name.split_once('.')?;
    if !rest.starts_with("with.overflow") {
        return None;
    }
    Some(match base {
        "sadd" => (IntegerOperation::Add, true),
        "uadd" => (IntegerOperation::Add, false),
        "ssub" => (IntegerOperation::Sub, true),
        "usub" => (IntegerOperation::Sub, false),
        "smul" => (IntegerOperation::Mul, true),
        "umul" => (IntegerOperation::Mul, false),
        _ => return None,
    })
}

fn math_function(base: &str) -> Option<MathFunction> {
    Some(match base {
        "fabs" => MathFunction::Abs,
        "sqrt" => MathFunction::Sqrt,
        "floor" => MathFunction::Floor,
        "ceil" => MathFunction::Ceil,
        "trunc" => MathFunction::Trunc,
        "round" => MathFunction::Round,
        "rint" | "nearbyint" | "roundeven" => MathFunction::RoundEven,
        "sin" => MathFunction::Sin,
        "cos" => MathFunction::Cos,
        "exp" => MathFunction::Exp,
        "exp2" => MathFunction::Exp2,
        "log" => MathFunction::Log,
        "log2" => MathFunction::Log2,
        "log10" => MathFunction::Log10,
        _ => return None,
    })
}

fn float_operation(base: &str) -> Option<FloatOperation> {
    Some(match base {
        "minnum" => FloatOperation::Min,
        "maxnum" => FloatOperation::Max,
        "copysign" => FloatOperation::CopySign,
        "pow" => FloatOperation::Power,
        _ => return None,
    })
}

fn integer_operation(base: &str) -> Option<IntegerOperation> {
    Some(match base {
        "umin" => IntegerOperation::UMin,
        "umax" => IntegerOperation::UMax,
        "smin" => IntegerOperation::SMin,
        "smax" => IntegerOperation::SMax,
        _ => return None,
    })
}
