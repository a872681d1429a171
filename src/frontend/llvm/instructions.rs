//! Arithmetic, conversions, vectors and structs.

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::{LLVMIntPredicate as IntPredicate, LLVMRealPredicate as RealPredicate};
use lockstep_ir::assumption::Assumed;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp, FloatOp, Kernel, NoWrap, Operation, Type, UnaryOp, Value};

use super::components;
use super::kernels::Importer;
use super::raw::{LType, LValue, Opcode, TypeKind, ValueKind};
use super::types::{self, Unreadable};
use crate::builder::Lanes;

/// The name of an opcode as LLVM IR spells it.
pub fn opcode_name(opcode: Opcode) -> String {
    format!("{opcode:?}").trim_start_matches("LLVM").to_lowercase()
}

impl Importer<'_> {
    /// Imports an instruction that is neither a φ-node nor a terminator.
    pub fn instruction(&mut self, instruction: LValue) -> Result<(), Unreadable> {
        if self.mark_undefined(instruction) {
            return Ok(());
        }
        let lanes = match instruction.opcode() {
            Opcode::LLVMAlloca => self.alloca(instruction)?,
            Opcode::LLVMLoad => self.load(instruction)?,
            Opcode::LLVMStore => self.store(instruction)?,
            Opcode::LLVMFence => self.fence(instruction)?,
            Opcode::LLVMAtomicCmpXchg => self.compare_exchange(instruction)?,
            Opcode::LLVMAtomicRMW => self.read_modify_write(instruction)?,
            Opcode::LLVMCall => self.call(instruction)?,
            Opcode::LLVMExtractElement if components::is_computed_component(instruction) => {
                self.load_computed_component(instruction)?
            }
            opcode => self.computation(instruction, opcode)?,
        };
        self.values.insert(instruction, lanes);
        Ok(())
    }

    /// An instruction or constant expression that depends on its operands only.
    pub fn computation(&mut self, value: LValue, opcode: Opcode) -> Result<Lanes, Unreadable> {
        let operands = value.operands();
        let flags = if self.trusts_flags { no_wrap_flags(value, opcode) } else { NoWrap::default() };
        match opcode {
            Opcode::LLVMFNeg => self.each(operands[0], Self::negate_float),
            Opcode::LLVMAdd => self.binary(BinaryOp::Add, flags, &operands),
            Opcode::LLVMSub => self.binary(BinaryOp::Subtract, flags, &operands),
            Opcode::LLVMMul => self.binary(BinaryOp::Multiply, flags, &operands),
            Opcode::LLVMUDiv => self.binary(BinaryOp::UnsignedDivide, flags, &operands),
            Opcode::LLVMSDiv => self.binary(BinaryOp::SignedDivide, flags, &operands),
            Opcode::LLVMURem => self.binary(BinaryOp::UnsignedRemainder, flags, &operands),
            Opcode::LLVMSRem => self.binary(BinaryOp::SignedRemainder, flags, &operands),
            Opcode::LLVMShl => self.binary(BinaryOp::ShiftLeft, flags, &operands),
            Opcode::LLVMLShr => self.binary(BinaryOp::LogicalShiftRight, flags, &operands),
            Opcode::LLVMAShr => self.binary(BinaryOp::ArithmeticShiftRight, flags, &operands),
            Opcode::LLVMAnd => self.binary(BinaryOp::And, flags, &operands),
            Opcode::LLVMOr => self.binary(BinaryOp::Or, flags, &operands),
            Opcode::LLVMXor => self.binary(BinaryOp::Xor, flags, &operands),
            Opcode::LLVMFAdd => self.float(FloatOp::Add, &operands, value.ty()),
            Opcode::LLVMFSub => self.float(FloatOp::Subtract, &operands, value.ty()),
            Opcode::LLVMFMul => self.float(FloatOp::Multiply, &operands, value.ty()),
            Opcode::LLVMFDiv => self.float(FloatOp::Divide, &operands, value.ty()),
            Opcode::LLVMFRem => self.float(FloatOp::Remainder, &operands, value.ty()),
            Opcode::LLVMFPToUI => self.float(FloatOp::ToUnsigned, &operands, value.ty()),
            Opcode::LLVMFPToSI => self.float(FloatOp::ToSigned, &operands, value.ty()),
            Opcode::LLVMUIToFP => self.float(FloatOp::FromUnsigned, &operands, value.ty()),
            Opcode::LLVMSIToFP => self.float(FloatOp::FromSigned, &operands, value.ty()),
            Opcode::LLVMFPTrunc | Opcode::LLVMFPExt => self.float(FloatOp::FromFloat, &operands, value.ty()),
            Opcode::LLVMTrunc => self.convert(ConvertOp::Truncate, operands[0], value.ty()),
            Opcode::LLVMZExt => self.convert(ConvertOp::ZeroExtend, operands[0], value.ty()),
            Opcode::LLVMSExt => self.convert(ConvertOp::SignExtend, operands[0], value.ty()),
            Opcode::LLVMBitCast => self.bitcast(operands[0], value.ty()),
            Opcode::LLVMPtrToInt => self.pointer_to_integer(operands[0], value.ty()),
            Opcode::LLVMIntToPtr => self.integer_to_pointer(operands[0], value.ty()),
            Opcode::LLVMAddrSpaceCast => self.space_cast(operands[0], value.ty()),
            Opcode::LLVMGetElementPtr => self.element_pointer(value),
            Opcode::LLVMICmp => self.compare(value, &operands),
            Opcode::LLVMFCmp => self.compare_floats(value, &operands),
            Opcode::LLVMSelect => self.select(&operands),
            // A frozen undefined value is one value: the operand's lanes, taken once.
            Opcode::LLVMFreeze => self.operand(operands[0]),
            Opcode::LLVMExtractElement => self.extract_element(&operands),
            Opcode::LLVMInsertElement => self.insert_element(&operands),
            Opcode::LLVMShuffleVector => self.shuffle(value, &operands),
            Opcode::LLVMExtractValue => {
                let (start, length) = self.field(operands[0].ty(), &value.indices())?;
                Ok(self.operand(operands[0])?[start..start + length].to_vec())
            }
            Opcode::LLVMInsertValue => {
                let (start, length) = self.field(operands[0].ty(), &value.indices())?;
                let mut lanes = self.operand(operands[0])?;
                let inserted = self.operand(operands[1])?;
                lanes.splice(start..start + length, inserted);
                Ok(lanes)
            }
            Opcode::LLVMRet
            | Opcode::LLVMBr
            | Opcode::LLVMSwitch
            | Opcode::LLVMIndirectBr
            | Opcode::LLVMInvoke
            | Opcode::LLVMUnreachable
            | Opcode::LLVMCallBr
            | Opcode::LLVMAlloca
            | Opcode::LLVMLoad
            | Opcode::LLVMStore
            | Opcode::LLVMPHI
            | Opcode::LLVMCall
            | Opcode::LLVMUserOp1
            | Opcode::LLVMUserOp2
            | Opcode::LLVMVAArg
            | Opcode::LLVMFence
            | Opcode::LLVMAtomicCmpXchg
            | Opcode::LLVMAtomicRMW
            | Opcode::LLVMResume
            | Opcode::LLVMLandingPad
            | Opcode::LLVMCleanupRet
            | Opcode::LLVMCatchRet
            | Opcode::LLVMCatchPad
            | Opcode::LLVMCleanupPad
            | Opcode::LLVMCatchSwitch => Err(format!("instruction {}", opcode_name(opcode))),
        }
    }

    /// Applies a function to each lane.
    pub fn each(&mut self, operand: LValue, apply: impl Fn(&mut Self, Value) -> Value) -> Result<Lanes, Unreadable> {
        Ok(self.operand(operand)?.into_iter().map(|lane| apply(self, lane)).collect())
    }

    fn negate_float(&mut self, value: Value) -> Value {
        let ty = self.kernel.ty(value);
        let width = ty.width().unwrap_or(32);
        let mut builder = self.builder();
        let bits = builder.convert(ConvertOp::Bitcast, value, Type::Bits(width));
        let sign = builder.bits(Bits::one(width).shl(&Bits::new(width, width - 1)));
        let flipped = builder.binary(BinaryOp::Xor, bits, sign);
        builder.convert(ConvertOp::Bitcast, flipped, ty)
    }

    fn binary(&mut self, op: BinaryOp, flags: NoWrap, operands: &[LValue]) -> Result<Lanes, Unreadable> {
        let left = self.operand(operands[0])?;
        let right = self.operand(operands[1])?;
        let assumption = right.iter().find_map(|&lane| undefined_otherwise(&self.kernel, op, lane));
        // Optimised code may compute values that nobody uses.
        let flags = NoWrap { partial: assumption.is_some() && self.trusts_flags, ..flags };
        if let Some(assumption) = assumption {
            self.assume_here(assumption);
        }
        left.into_iter().zip(right).map(|(a, b)| self.binary_lane(op, flags, a, b)).collect()
    }

    fn binary_lane(&mut self, op: BinaryOp, flags: NoWrap, a: Value, b: Value) -> Result<Value, Unreadable> {
        if let (BinaryOp::Subtract, Some(Operation::PointerToInteger(p)), Some(Operation::PointerToInteger(q))) =
            (op, self.kernel.operation(a), self.kernel.operation(b))
        {
            let [p, q] = self.alike([*p, *q]);
            if self.kernel.ty(p) == self.kernel.ty(q) {
                let ty = self.kernel.offset_type();
                return Ok(self.builder().append(Operation::PointerDifference(p, q), ty));
            }
        }
        let ty = self.kernel.ty(a);
        if ty == Type::Bool {
            return self.boolean_binary(op, a, b);
        }
        // `(x < w) & (y < h)` is a number in C but means a truth value. As a truth value it gives
        // ranges.
        if let (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, Some(p), Some(q)) =
            (op, self.truth_behind(a), self.truth_behind(b))
        {
            let truth = self.boolean_binary(op, p, q)?;
            return Ok(self.builder().convert(ConvertOp::ZeroExtend, truth, ty));
        }
        Ok(self.builder().append(Operation::Binary(op, flags, a, b), ty))
    }

    /// The truth value behind a number that is zero or one.
    fn truth_behind(&self, number: Value) -> Option<Value> {
        match self.kernel.operation(number) {
            Some(&Operation::Convert(ConvertOp::ZeroExtend, truth)) if self.kernel.ty(truth) == Type::Bool => {
                Some(truth)
            }
            _ => None,
        }
    }

    /// Arithmetic on one bit, for which the IR has the logical operations.
    fn boolean_binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Result<Value, Unreadable> {
        let op = match op {
            BinaryOp::And | BinaryOp::Multiply => BinaryOp::And,
            BinaryOp::Or => BinaryOp::Or,
            BinaryOp::Xor | BinaryOp::Add | BinaryOp::Subtract => BinaryOp::Xor,
            other => return Err(format!("{other:?} of single bits")),
        };
        Ok(self.builder().binary(op, a, b))
    }

    fn float(&mut self, op: FloatOp, operands: &[LValue], ty: LType) -> Result<Lanes, Unreadable> {
        let lanes = operands.iter().map(|operand| self.operand(*operand)).collect::<Result<Vec<_>, _>>()?;
        let results = self.lanes(ty)?;
        let each = |(index, ty): (usize, Type)| {
            let arguments = lanes.iter().map(|operand| operand[index]).collect();
            self.float_lane(op, arguments, ty)
        };
        Ok(results.into_iter().enumerate().map(each).collect())
    }

    /// A conversion from or to a Boolean goes through a bit-vector.
    fn float_lane(&mut self, op: FloatOp, arguments: Vec<Value>, ty: Type) -> Value {
        let mut builder = self.builder();
        let arguments = arguments
            .into_iter()
            .map(|argument| match builder.ty(argument) {
                Type::Bool => builder.convert(ConvertOp::Bitcast, argument, Type::Bits(1)),
                _ => argument,
            })
            .collect();
        match ty {
            Type::Bool if matches!(op, FloatOp::ToSigned | FloatOp::ToUnsigned) => {
                let bit = builder.float(op, arguments, Type::Bits(1));
                builder.convert(ConvertOp::Bitcast, bit, Type::Bool)
            }
            _ => builder.float(op, arguments, ty),
        }
    }

    fn convert(&mut self, op: ConvertOp, operand: LValue, ty: LType) -> Result<Lanes, Unreadable> {
        let types = self.lanes(ty)?;
        let lanes = self.operand(operand)?;
        Ok(lanes.into_iter().zip(types).map(|(lane, ty)| self.builder().convert(op, lane, ty)).collect())
    }

    fn bitcast(&mut self, operand: LValue, ty: LType) -> Result<Lanes, Unreadable> {
        let lanes = self.operand(operand)?;
        let types = self.lanes(ty)?;
        let from: Vec<Type> = lanes.iter().map(|lane| self.kernel.ty(*lane)).collect();
        if from == types {
            return Ok(lanes);
        }
        if lanes.len() == types.len() {
            return Ok(lanes
                .into_iter()
                .zip(types)
                .map(|(lane, ty)| self.builder().convert(ConvertOp::Bitcast, lane, ty))
                .collect());
        }
        let whole = self.join_bits(&lanes)?;
        let mut low = 0;
        types
            .into_iter()
            .map(|ty| {
                let width = ty.width().ok_or("bit-cast to a pointer")?;
                let mut builder = self.builder();
                let bits = builder.extract(low + width - 1, low, whole);
                low += width;
                Ok(builder.convert(ConvertOp::Bitcast, bits, ty))
            })
            .collect()
    }

    /// The lanes as one bit-vector, the first in the low bits.
    fn join_bits(&mut self, lanes: &[Value]) -> Result<Value, Unreadable> {
        let mut whole: Option<Value> = None;
        for lane in lanes {
            let width = self.kernel.ty(*lane).width().ok_or("bit-cast of a pointer")?;
            let mut builder = self.builder();
            let bits = builder.convert(ConvertOp::Bitcast, *lane, Type::Bits(width));
            whole = Some(match whole {
                None => bits,
                Some(low) => {
                    let total = width + builder.ty(low).width().unwrap_or(0);
                    builder.append(Operation::Concat(bits, low), Type::Bits(total))
                }
            });
        }
        whole.ok_or_else(|| "bit-cast of nothing".into())
    }

    fn compare(&mut self, value: LValue, operands: &[LValue]) -> Result<Lanes, Unreadable> {
        // SAFETY: the caller has checked that `value` is an icmp.
        let predicate = unsafe { c::LLVMGetICmpPredicate(value.0) };
        let left = self.operand(operands[0])?;
        let right = self.operand(operands[1])?;
        Ok(left.into_iter().zip(right).map(|(a, b)| self.compare_lane(predicate, a, b)).collect())
    }

    fn compare_lane(&mut self, predicate: IntPredicate, a: Value, b: Value) -> Value {
        let is_zero = |operation: &Operation| matches!(operation, Operation::Constant(bits) if bits.is_zero());
        if let (IntPredicate::LLVMIntEQ | IntPredicate::LLVMIntNE, Some(truth)) = (predicate, self.truth_behind(a))
            && self.kernel.operation(b).is_some_and(is_zero)
        {
            let negated = predicate == IntPredicate::LLVMIntEQ;
            return if negated { self.builder().unary(UnaryOp::Not, truth) } else { truth };
        }
        let (a, b) = match self.kernel.ty(a) {
            Type::Pointer(_) => return self.compare_pointers(predicate, a, b),
            Type::Bool if !matches!(predicate, IntPredicate::LLVMIntEQ | IntPredicate::LLVMIntNE) => {
                let a = self.builder().convert(ConvertOp::Bitcast, a, Type::Bits(1));
                (a, self.builder().convert(ConvertOp::Bitcast, b, Type::Bits(1)))
            }
            _ => (a, b),
        };
        let (op, a, b) = match predicate {
            IntPredicate::LLVMIntEQ => (CompareOp::Equal, a, b),
            IntPredicate::LLVMIntNE => (CompareOp::NotEqual, a, b),
            IntPredicate::LLVMIntUGT => (CompareOp::UnsignedLess, b, a),
            IntPredicate::LLVMIntUGE => (CompareOp::UnsignedLessEqual, b, a),
            IntPredicate::LLVMIntULT => (CompareOp::UnsignedLess, a, b),
            IntPredicate::LLVMIntULE => (CompareOp::UnsignedLessEqual, a, b),
            IntPredicate::LLVMIntSGT => (CompareOp::SignedLess, b, a),
            IntPredicate::LLVMIntSGE => (CompareOp::SignedLessEqual, b, a),
            IntPredicate::LLVMIntSLT => (CompareOp::SignedLess, a, b),
            IntPredicate::LLVMIntSLE => (CompareOp::SignedLessEqual, a, b),
        };
        self.builder().compare(op, a, b)
    }

    /// Compares two pointers by the sign of their distance, provided that both point into one
    /// array.
    fn compare_pointers(&mut self, predicate: IntPredicate, a: Value, b: Value) -> Value {
        let ty = self.kernel.offset_type();
        let [a, b] = self.alike([a, b]);
        let mut builder = self.builder();
        let distance = builder.append(Operation::PointerDifference(a, b), ty);
        let zero = builder.number(ty.width().unwrap_or(64), 0);
        match predicate {
            IntPredicate::LLVMIntUGT | IntPredicate::LLVMIntSGT => {
                builder.compare(CompareOp::SignedLess, zero, distance)
            }
            IntPredicate::LLVMIntUGE | IntPredicate::LLVMIntSGE => {
                builder.compare(CompareOp::SignedLessEqual, zero, distance)
            }
            IntPredicate::LLVMIntULT | IntPredicate::LLVMIntSLT => {
                builder.compare(CompareOp::SignedLess, distance, zero)
            }
            IntPredicate::LLVMIntULE | IntPredicate::LLVMIntSLE => {
                builder.compare(CompareOp::SignedLessEqual, distance, zero)
            }
            IntPredicate::LLVMIntEQ => builder.append(Operation::PointerEqual(a, b), Type::Bool),
            IntPredicate::LLVMIntNE => {
                let equal = builder.append(Operation::PointerEqual(a, b), Type::Bool);
                builder.unary(UnaryOp::Not, equal)
            }
        }
    }

    fn compare_floats(&mut self, value: LValue, operands: &[LValue]) -> Result<Lanes, Unreadable> {
        // SAFETY: the caller has seen that `value` is an fcmp.
        let predicate = unsafe { c::LLVMGetFCmpPredicate(value.0) };
        let left = self.operand(operands[0])?;
        let right = self.operand(operands[1])?;
        let lane = |(a, b)| {
            let (op, a, b) = match predicate {
                RealPredicate::LLVMRealPredicateFalse => return self.builder().boolean(false),
                RealPredicate::LLVMRealPredicateTrue => return self.builder().boolean(true),
                RealPredicate::LLVMRealOEQ => (FloatOp::OrderedEqual, a, b),
                RealPredicate::LLVMRealONE => (FloatOp::OrderedNotEqual, a, b),
                RealPredicate::LLVMRealOLT => (FloatOp::OrderedLess, a, b),
                RealPredicate::LLVMRealOLE => (FloatOp::OrderedLessEqual, a, b),
                RealPredicate::LLVMRealOGT => (FloatOp::OrderedLess, b, a),
                RealPredicate::LLVMRealOGE => (FloatOp::OrderedLessEqual, b, a),
                RealPredicate::LLVMRealORD => (FloatOp::Ordered, a, b),
                RealPredicate::LLVMRealUEQ => (FloatOp::UnorderedEqual, a, b),
                RealPredicate::LLVMRealUNE => (FloatOp::UnorderedNotEqual, a, b),
                RealPredicate::LLVMRealULT => (FloatOp::UnorderedLess, a, b),
                RealPredicate::LLVMRealULE => (FloatOp::UnorderedLessEqual, a, b),
                RealPredicate::LLVMRealUGT => (FloatOp::UnorderedLess, b, a),
                RealPredicate::LLVMRealUGE => (FloatOp::UnorderedLessEqual, b, a),
                RealPredicate::LLVMRealUNO => (FloatOp::Unordered, a, b),
            };
            self.builder().float(op, vec![a, b], Type::Bool)
        };
        Ok(left.into_iter().zip(right).map(lane).collect())
    }

    fn select(&mut self, operands: &[LValue]) -> Result<Lanes, Unreadable> {
        let conditions = self.operand(operands[0])?;
        let first = self.operand(operands[1])?;
        let second = self.operand(operands[2])?;
        let choose = |(index, (a, b))| {
            // One condition for all lanes, or one for each.
            let condition = if conditions.len() == 1 { conditions[0] } else { conditions[index] };
            let [a, b] = self.alike([a, b]);
            self.builder().select(condition, a, b)
        };
        Ok(first.into_iter().zip(second).enumerate().map(choose).collect())
    }

    fn extract_element(&mut self, operands: &[LValue]) -> Result<Lanes, Unreadable> {
        let lanes = self.operand(operands[0])?;
        if let Some(index) = operands[1].small_constant() {
            return match usize::try_from(index).ok().and_then(|index| lanes.get(index)) {
                Some(lane) => Ok(vec![*lane]),
                None => self.undefined_lanes(operands[0].ty().element()),
            };
        }
        // Outside the vector the result is undefined.
        let index = self.scalar(operands[1])?;
        let mut chosen = self.undefined_lanes(operands[0].ty().element())?;
        for (position, lane) in (0_u64..).zip(lanes) {
            let here = self.index_is(index, position);
            chosen = vec![self.builder().select(here, lane, chosen[0])];
        }
        Ok(chosen)
    }

    fn insert_element(&mut self, operands: &[LValue]) -> Result<Lanes, Unreadable> {
        let mut lanes = self.operand(operands[0])?;
        let inserted = self.scalar(operands[1])?;
        if let Some(index) = operands[2].small_constant() {
            return match usize::try_from(index).ok().and_then(|index| lanes.get_mut(index)) {
                Some(lane) => {
                    *lane = inserted;
                    Ok(lanes)
                }
                None => self.undefined_lanes(operands[0].ty()),
            };
        }
        // Outside the vector the result is undefined.
        let index = self.scalar(operands[2])?;
        let mut builder = self.builder();
        let width = builder.ty(index).width().unwrap_or(32);
        let length = builder.number(width, u64::try_from(lanes.len()).unwrap_or(u64::MAX));
        let inside = builder.compare(CompareOp::UnsignedLess, index, length);
        let each = |(position, lane)| {
            let here = self.index_is(index, position);
            let mut builder = self.builder();
            let ty = builder.ty(lane);
            let anything = builder.append(Operation::Undefined, ty);
            let kept = builder.select(inside, lane, anything);
            builder.select(here, inserted, kept)
        };
        Ok((0_u64..).zip(lanes).map(each).collect())
    }

    fn index_is(&mut self, index: Value, position: u64) -> Value {
        let mut builder = self.builder();
        let width = builder.ty(index).width().unwrap_or(32);
        let position = builder.number(width, position);
        builder.compare(CompareOp::Equal, index, position)
    }

    fn shuffle(&mut self, value: LValue, operands: &[LValue]) -> Result<Lanes, Unreadable> {
        let mut lanes = self.operand(operands[0])?;
        lanes.extend(self.operand(operands[1])?);
        let element = types::scalar(value.ty().element(), self.target)?;
        let pick = |index: Option<usize>| match index.and_then(|index| lanes.get(index)) {
            Some(lane) => *lane,
            None => self.builder().append(Operation::Undefined, element),
        };
        Ok(value.mask().into_iter().map(pick).collect())
    }

    /// The first lane and the number of lanes of a field.
    fn field(&self, ty: LType, indices: &[u32]) -> Result<(usize, usize), Unreadable> {
        let mut start = 0;
        let mut current = ty;
        for index in indices {
            let position = *index as usize;
            if let TypeKind::LLVMStructTypeKind = current.kind() {
                let fields = current.fields();
                for field in &fields[..position] {
                    start += self.lanes(*field)?.len();
                }
                current = fields[position];
            } else {
                start += self.lanes(current.element())?.len() * position;
                current = current.element();
            }
        }
        Ok((start, self.lanes(current)?.len()))
    }
}

/// The no-wrap flags of an instruction; constant expressions are assumed to wrap.
fn no_wrap_flags(value: LValue, opcode: Opcode) -> NoWrap {
    let is_instruction = matches!(value.kind(), ValueKind::LLVMInstructionValueKind);
    match opcode {
        // SAFETY: instructions of these opcodes have the flags.
        Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMShl if is_instruction => unsafe {
            NoWrap { signed: c::LLVMGetNSW(value.0) != 0, unsigned: c::LLVMGetNUW(value.0) != 0, ..NoWrap::default() }
        },
        _ => NoWrap::default(),
    }
}

/// The condition on arithmetic's second operand that makes the result defined.
///
/// `None` if the operand is seen to meet it. The kernel IR gives the other operands SMT-LIB's
/// results; hardware may give others.
fn undefined_otherwise(kernel: &Kernel, op: BinaryOp, operand: Value) -> Option<Assumed> {
    let constant = kernel.constant(operand);
    match op {
        BinaryOp::UnsignedDivide | BinaryOp::UnsignedRemainder => {
            let harmless = constant.is_some_and(|divisor| !divisor.is_zero());
            (!harmless).then_some(Assumed::NoDivisionByZero { signed: false })
        }
        BinaryOp::SignedDivide | BinaryOp::SignedRemainder => {
            let harmless = constant.is_some_and(|divisor| !divisor.is_zero() && !divisor.is_ones());
            (!harmless).then_some(Assumed::NoDivisionByZero { signed: true })
        }
        BinaryOp::ShiftLeft | BinaryOp::LogicalShiftRight | BinaryOp::ArithmeticShiftRight => {
            // Clang masks the distance as OpenCL C specifies.
            let mask = match kernel.operation(operand) {
                Some(&Operation::Binary(BinaryOp::And, _, a, b)) => kernel.constant(b).or(kernel.constant(a)),
                _ => None,
            };
            let most = constant.or(mask);
            let harmless = most.is_some_and(|most| most.to_u64().is_some_and(|n| n < u64::from(most.width())));
            (!harmless).then_some(Assumed::ShiftsBelowWidth)
        }
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => None,
    }
}
