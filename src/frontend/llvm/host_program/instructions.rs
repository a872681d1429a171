//! Arithmetic, memory and branches.

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::{LLVMAtomicRMWBinOp as Atomic, LLVMIntPredicate, LLVMRealPredicate};
use lockstep_ir::host::{
    Comparison, Conversion, FloatOperation, IntegerOperation, MathFunction, Relations, Slot, Step,
};

use super::function::{Body, Number, Unknown};
use crate::llvm::host_ranges::block_of;
use crate::llvm::raw::{LType, LValue, Opcode, TypeKind};

impl Body<'_> {
    /// Translates an instruction that is no φ-node.
    pub(super) fn instruction(&mut self, instruction: LValue) -> Result<(), Unknown> {
        let operands = instruction.operands();
        match instruction.opcode() {
            Opcode::LLVMBr => self.branch(instruction)?,
            Opcode::LLVMSwitch => self.switch(instruction)?,
            Opcode::LLVMRet => {
                let slots = operands.first().map(|value| self.slots_of(*value)).transpose()?.unwrap_or_default();
                self.steps.push(Step::Return(slots.into()));
            }
            Opcode::LLVMUnreachable => return Err("a place that is never reached".into()),
            Opcode::LLVMCall => self.call(instruction)?,
            Opcode::LLVMInvoke => {
                self.call(instruction)?;
                let next = *instruction.successors().first().ok_or("a call that returns nowhere")?;
                self.jump(block_of(instruction), next)?;
            }
            Opcode::LLVMLandingPad | Opcode::LLVMResume => return Err("an exception that is caught".into()),
            Opcode::LLVMAlloca => self.reserve(instruction)?,
            Opcode::LLVMLoad => self.load(instruction.ty(), self.slot(operands[0])?, self.slot(instruction)?)?,
            Opcode::LLVMStore => self.store(operands[0], self.slot(operands[1])?)?,
            Opcode::LLVMFence => {}
            Opcode::LLVMAtomicRMW => self.atomic(instruction)?,
            Opcode::LLVMAtomicCmpXchg => self.compare_exchange(instruction)?,
            Opcode::LLVMGetElementPtr => self.element(instruction)?,
            Opcode::LLVMICmp => self.compare(instruction)?,
            Opcode::LLVMFCmp => self.compare_floats(instruction)?,
            Opcode::LLVMSelect => self.select(instruction)?,
            Opcode::LLVMExtractValue => {
                let first = self.field(operands[0].ty(), &instruction.indices())?;
                let from = self.slot(operands[0])? + first;
                self.copy(instruction, from)?;
            }
            Opcode::LLVMInsertValue => {
                let first = self.field(operands[0].ty(), &instruction.indices())?;
                self.copy(instruction, self.slot(operands[0])?)?;
                let to = self.slot(instruction)? + first;
                let moves: Vec<_> = (to..).zip(self.slots_of(operands[1])?).collect();
                self.moves(&moves);
            }
            Opcode::LLVMExtractElement if operands[1].small_constant().is_none() => {
                let (to, index) = (self.slot(instruction)?, operands[1]);
                for (lane, from) in self.slots_of(operands[0])?.into_iter().enumerate() {
                    self.choose(to, (index, lane), from, to)?;
                }
            }
            Opcode::LLVMInsertElement if operands[2].small_constant().is_none() => {
                let (vector, inserted) = (self.slots_of(operands[0])?, self.slot(operands[1])?);
                for (lane, (to, from)) in self.slots_of(instruction)?.into_iter().zip(vector).enumerate() {
                    self.choose(to, (operands[2], lane), inserted, from)?;
                }
            }
            Opcode::LLVMExtractElement => {
                let lane = lane(operands[1])?;
                let from = *self.slots_of(operands[0])?.get(lane).ok_or("a lane that does not exist")?;
                self.copy(instruction, from)?;
            }
            Opcode::LLVMInsertElement => {
                let lane = lane(operands[2])?;
                self.copy(instruction, self.slot(operands[0])?)?;
                let to = *self.slots_of(instruction)?.get(lane).ok_or("a lane that does not exist")?;
                let from = self.slot(operands[1])?;
                self.steps.push(Step::Move { to, from });
            }
            Opcode::LLVMShuffleVector => {
                let lanes = [self.slots_of(operands[0])?, self.slots_of(operands[1])?].concat();
                let from = instruction.mask().into_iter().map(|lane| lane.and_then(|lane| lanes.get(lane).copied()));
                let from: Vec<Slot> = from.map(|slot| slot.unwrap_or(self.zero)).collect();
                let moves: Vec<_> = self.slots_of(instruction)?.into_iter().zip(from).collect();
                self.moves(&moves);
            }
            Opcode::LLVMFreeze
            | Opcode::LLVMBitCast
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMAddrSpaceCast => self.cast_bits(instruction)?,
            _ => self.lanes(instruction)?,
        }
        Ok(())
    }

    /// `to = index == lane ? a : b`.
    fn choose(&mut self, to: Slot, (index, lane): (LValue, usize), a: Slot, b: Slot) -> Result<(), Unknown> {
        let number = *self.lanes.get(lane).ok_or("a lane that does not exist")?;
        let width = Number::of(index.ty()).ok_or("a lane of more than 64 bits")?.width;
        let (is_it, index) = (self.new_slots(1), self.slot(index)?);
        self.steps.extend([
            Step::Compare { comparison: Comparison::Equal, width, to: is_it, a: index, b: number },
            Step::Select { to, condition: is_it, a, b },
        ]);
        Ok(())
    }

    /// Copies consecutive slots to the result.
    fn copy(&mut self, instruction: LValue, from: Slot) -> Result<(), Unknown> {
        let moves: Vec<_> = self.slots_of(instruction)?.into_iter().zip(from..).collect();
        self.moves(&moves);
        Ok(())
    }

    /// The index of the first number of a field.
    fn field(&self, mut ty: LType, indices: &[u32]) -> Result<u32, Unknown> {
        let mut first = 0;
        for &index in indices {
            let at = usize::try_from(index).unwrap_or(usize::MAX);
            let (before, inner) = match ty.kind() {
                TypeKind::LLVMStructTypeKind => {
                    let fields = ty.fields();
                    let inner = *fields.get(at).ok_or("a field that does not exist")?;
                    (fields[..at].to_vec(), inner)
                }
                _ => (vec![ty.element(); at], ty.element()),
            };
            for skipped in before {
                first += self.objects.numbers(skipped)?.len();
            }
            ty = inner;
        }
        u32::try_from(first).map_err(|_| "a field that is far away".into())
    }

    fn branch(&mut self, instruction: LValue) -> Result<(), Unknown> {
        let from = block_of(instruction);
        match *instruction.successors() {
            [to] => self.jump(from, to),
            [then, otherwise] => {
                let condition = self.slot(instruction.operands()[0])?;
                let (then, otherwise) = (self.way(from, then)?, self.way(from, otherwise)?);
                self.steps.push(Step::Branch { condition, then, otherwise });
                Ok(())
            }
            _ => Err("a branch to nowhere".into()),
        }
    }

    fn switch(&mut self, instruction: LValue) -> Result<(), Unknown> {
        let (from, operands, successors) = (block_of(instruction), instruction.operands(), instruction.successors());
        let value = self.slot(operands[0])?;
        let otherwise = self.way(from, *successors.first().ok_or("a switch to nowhere")?)?;
        // The operands are the value, the default block, and a number and a block for each case.
        let numbers = operands.iter().skip(2).step_by(2);
        let mut cases = Vec::new();
        for (number, block) in numbers.zip(&successors[1..]) {
            let number = number.small_constant().ok_or("a case of more than 64 bits")?;
            cases.push((number, self.way(from, *block)?));
        }
        self.steps.push(Step::Switch { value, cases: cases.into(), otherwise });
        Ok(())
    }

    // --- Memory
    // ------------------------------------------------------------------------------------

    fn reserve(&mut self, instruction: LValue) -> Result<(), Unknown> {
        // SAFETY: it is an `alloca`.
        let ty = LType(unsafe { c::LLVMGetAllocatedType(instruction.0) });
        let bytes = self.objects.layout.allocation_bytes(ty);
        let (to, count) = (self.slot(instruction)?, self.slot(instruction.operands()[0])?);
        self.steps.push(Step::Reserve { to, bytes, count });
        Ok(())
    }

    /// Loads a value of a type.
    fn load(&mut self, ty: LType, address: Slot, to: Slot) -> Result<(), Unknown> {
        for (to, number) in (to..).zip(self.in_memory(ty)?) {
            let Number { offset, bytes, width, .. } = number;
            self.steps.push(Step::Load { to, address, offset, bytes });
            if u32::from(width) < 8 * u32::from(bytes) {
                self.steps.push(Step::Convert { conversion: Conversion::Truncate(width), to, a: to });
            }
        }
        Ok(())
    }

    fn store(&mut self, value: LValue, address: Slot) -> Result<(), Unknown> {
        for (value, number) in self.slots_of(value)?.into_iter().zip(self.in_memory(value.ty())?) {
            self.steps.push(Step::Store { value, address, offset: number.offset, bytes: number.bytes });
        }
        Ok(())
    }

    /// The numbers of a type, each of which has whole bytes of memory.
    fn in_memory(&self, ty: LType) -> Result<Vec<Number>, Unknown> {
        let numbers = self.objects.numbers(ty)?;
        let share_bytes = numbers.iter().zip(numbers.iter().skip(1)).any(|(a, b)| a.offset == b.offset);
        if share_bytes { Err("a vector of bits in memory".into()) } else { Ok(numbers) }
    }

    fn atomic(&mut self, instruction: LValue) -> Result<(), Unknown> {
        let operands = instruction.operands();
        let (address, value, to) = (self.slot(operands[0])?, self.slot(operands[1])?, self.slot(instruction)?);
        let number = Number::of(operands[1].ty()).ok_or("an atomic operation on several numbers")?;
        let (width, bytes) = (number.width, number.bytes);
        self.steps.push(Step::Load { to, address, offset: 0, bytes });
        let result = self.new_slots(1);
        let integer = |operation| Step::Integer { operation, width, to: result, a: to, b: value };
        // SAFETY: it is an atomic operation.
        let step = match unsafe { c::LLVMGetAtomicRMWBinOp(instruction.0) } {
            Atomic::LLVMAtomicRMWBinOpXchg => Step::Move { to: result, from: value },
            Atomic::LLVMAtomicRMWBinOpAdd => integer(IntegerOperation::Add),
            Atomic::LLVMAtomicRMWBinOpSub => integer(IntegerOperation::Sub),
            Atomic::LLVMAtomicRMWBinOpAnd => integer(IntegerOperation::And),
            Atomic::LLVMAtomicRMWBinOpOr => integer(IntegerOperation::Or),
            Atomic::LLVMAtomicRMWBinOpXor => integer(IntegerOperation::Xor),
            Atomic::LLVMAtomicRMWBinOpMax => integer(IntegerOperation::SMax),
            Atomic::LLVMAtomicRMWBinOpMin => integer(IntegerOperation::SMin),
            Atomic::LLVMAtomicRMWBinOpUMax => integer(IntegerOperation::UMax),
            Atomic::LLVMAtomicRMWBinOpUMin => integer(IntegerOperation::UMin),
            _ => return Err("an atomic operation that is not known".into()),
        };
        self.steps.push(step);
        self.steps.push(Step::Store { value: result, address, offset: 0, bytes });
        Ok(())
    }

    fn compare_exchange(&mut self, instruction: LValue) -> Result<(), Unknown> {
        let operands = instruction.operands();
        let number = Number::of(operands[1].ty()).ok_or("an atomic operation on several numbers")?;
        let (address, expected, new) = (self.slot(operands[0])?, self.slot(operands[1])?, self.slot(operands[2])?);
        let (to, is_equal, stored) = (self.slot(instruction)?, self.slot(instruction)? + 1, self.new_slots(1));
        let (bytes, width) = (number.bytes, number.width);
        self.steps.extend([
            Step::Load { to, address, offset: 0, bytes },
            Step::Compare { comparison: Comparison::Equal, width, to: is_equal, a: to, b: expected },
            Step::Select { to: stored, condition: is_equal, a: new, b: to },
            Step::Store { value: stored, address, offset: 0, bytes },
        ]);
        Ok(())
    }

    fn element(&mut self, instruction: LValue) -> Result<(), Unknown> {
        let to = self.slot(instruction)?;
        let mut base = self.slot(instruction.operands()[0])?;
        let mut offset: u64 = 0;
        for (index, scale) in self.objects.element_steps(instruction)? {
            let constant = index.map_or(Some(1), |index| {
                let number = index.small_constant()?;
                (index.ty().integer_width() == 64 || number >> (index.ty().integer_width() - 1) == 0).then_some(number)
            });
            if let Some(number) = constant {
                offset = offset.wrapping_add(number.wrapping_mul(scale));
                continue;
            }
            let index = index.ok_or("an index that is missing")?;
            let width = Number::of(index.ty()).ok_or("an index of more than 64 bits")?.width;
            let mut counted = self.slot(index)?;
            if width < 64 {
                let wide = self.new_slots(1);
                self.steps.push(Step::Convert { conversion: Conversion::SignExtend(width, 64), to: wide, a: counted });
                counted = wide;
            }
            self.steps.push(Step::Address { to, base, index: counted, scale });
            base = to;
        }
        if offset != 0 {
            self.steps.push(Step::Address { to, base, index: self.one, scale: offset });
        } else if base != to {
            self.steps.push(Step::Move { to, from: base });
        }
        Ok(())
    }

    // --- Arithmetic
    // --------------------------------------------------------------------------------

    fn compare(&mut self, instruction: LValue) -> Result<(), Unknown> {
        let operands = instruction.operands();
        let numbers = self.objects.numbers(operands[0].ty())?;
        let (a, b) = (self.slots_of(operands[0])?, self.slots_of(operands[1])?);
        let less = |or_equal, is_signed| Comparison::Less { or_equal, is_signed };
        // SAFETY: it is a comparison of integers.
        let (comparison, is_exchanged) = match unsafe { c::LLVMGetICmpPredicate(instruction.0) } {
            LLVMIntPredicate::LLVMIntEQ => (Comparison::Equal, false),
            LLVMIntPredicate::LLVMIntNE => (Comparison::NotEqual, false),
            LLVMIntPredicate::LLVMIntULT => (less(false, false), false),
            LLVMIntPredicate::LLVMIntULE => (less(true, false), false),
            LLVMIntPredicate::LLVMIntUGT => (less(false, false), true),
            LLVMIntPredicate::LLVMIntUGE => (less(true, false), true),
            LLVMIntPredicate::LLVMIntSLT => (less(false, true), false),
            LLVMIntPredicate::LLVMIntSLE => (less(true, true), false),
            LLVMIntPredicate::LLVMIntSGT => (less(false, true), true),
            LLVMIntPredicate::LLVMIntSGE => (less(true, true), true),
        };
        for (lane, to) in self.slots_of(instruction)?.into_iter().enumerate() {
            let (a, b) = if is_exchanged { (b[lane], a[lane]) } else { (a[lane], b[lane]) };
            self.steps.push(Step::Compare { comparison, width: numbers[lane].width, to, a, b });
        }
        Ok(())
    }

    fn compare_floats(&mut self, instruction: LValue) -> Result<(), Unknown> {
        let operands = instruction.operands();
        let is_double = Self::is_double(operands[0].ty())?;
        let (a, b) = (self.slots_of(operands[0])?, self.slots_of(operands[1])?);
        // SAFETY: it is a comparison of floats.
        let relations = relations(unsafe { c::LLVMGetFCmpPredicate(instruction.0) });
        for (lane, to) in self.slots_of(instruction)?.into_iter().enumerate() {
            self.steps.push(Step::CompareFloats { relations, is_double, to, a: a[lane], b: b[lane] });
        }
        Ok(())
    }

    fn select(&mut self, instruction: LValue) -> Result<(), Unknown> {
        let operands = instruction.operands();
        let conditions = self.slots_of(operands[0])?;
        let (a, b) = (self.slots_of(operands[1])?, self.slots_of(operands[2])?);
        for (lane, to) in self.slots_of(instruction)?.into_iter().enumerate() {
            // One condition chooses all numbers, or each lane has its own.
            let condition = if conditions.len() == 1 { conditions[0] } else { conditions[lane] };
            self.steps.push(Step::Select { to, condition, a: a[lane], b: b[lane] });
        }
        Ok(())
    }

    /// A conversion that keeps the bits: the numbers of both types have the same places.
    fn cast_bits(&mut self, instruction: LValue) -> Result<(), Unknown> {
        let operand = instruction.operands()[0];
        let [from, to] = [operand.ty(), instruction.ty()].map(|ty| self.objects.numbers(ty));
        let (from, to) = (from?, to?);
        let is_alike = |(a, b): (&Number, &Number)| a.offset == b.offset && a.bytes == b.bytes;
        if from.len() == to.len() && from.iter().zip(&to).all(is_alike) {
            let moves: Vec<_> = self.slots_of(instruction)?.into_iter().zip(self.slots_of(operand)?).collect();
            self.moves(&moves);
            for (to, number) in self.slots_of(instruction)?.into_iter().zip(to) {
                if number.width < 64 {
                    let conversion = Conversion::Truncate(number.width);
                    self.steps.push(Step::Convert { conversion, to, a: to });
                }
            }
            return Ok(());
        }
        // Through memory, as the meaning of the cast says.
        let address = self.new_slots(1);
        let bytes = self.objects.layout.allocation_bytes(operand.ty());
        self.steps.push(Step::Reserve { to: address, bytes, count: self.one });
        self.store(operand, address)?;
        self.load(instruction.ty(), address, self.slot(instruction)?)
    }

    /// An operation on each lane.
    fn lanes(&mut self, instruction: LValue) -> Result<(), Unknown> {
        let operands = instruction.operands();
        let first = *operands.first().ok_or("an instruction that is not known")?;
        let (numbers, results) = (self.objects.numbers(first.ty())?, self.objects.numbers(instruction.ty())?);
        let a = self.slots_of(first)?;
        let b = operands.get(1).map(|value| self.slots_of(*value)).transpose()?;
        let opcode = instruction.opcode();
        let is_float = |ty: LType| {
            let ty = if matches!(ty.kind(), TypeKind::LLVMVectorTypeKind) { ty.element() } else { ty };
            matches!(
                ty.kind(),
                TypeKind::LLVMFloatTypeKind | TypeKind::LLVMDoubleTypeKind | TypeKind::LLVMX86_FP80TypeKind
            )
        };
        let unknown = || Unknown::from(format!("the instruction {}", crate::llvm::instructions::opcode_name(opcode)));
        // An instruction without a result, such as a branch, is none of these.
        if results.is_empty() || results.len() != numbers.len() {
            return Err(unknown());
        }
        for (lane, to) in self.slots_of(instruction)?.into_iter().enumerate() {
            let (of, result, a) = (numbers[lane], results[lane], a[lane]);
            if let Some(operation) = integer_operation(opcode) {
                let b = b.as_ref().ok_or_else(unknown)?[lane];
                self.steps.push(Step::Integer { operation, width: of.width, to, a, b });
            } else if let Some(operation) = float_operation(opcode) {
                let b = b.as_ref().ok_or_else(unknown)?[lane];
                if !is_float(instruction.ty()) {
                    return Err("arithmetic on floats of 16 bits".into());
                }
                self.steps.push(Step::Float { operation, is_double: of.is_double, to, a, b });
            } else if matches!(opcode, Opcode::LLVMFNeg) && is_float(instruction.ty()) {
                self.steps.push(Step::Math { function: MathFunction::Negate, is_double: of.is_double, to, a });
            } else {
                let is_known = |ty: LType| is_float(ty) || Self::is_integer(ty) || is_half(ty);
                if !is_known(first.ty()) || !is_known(instruction.ty()) {
                    return Err(unknown());
                }
                self.conversion(opcode, (of, result), (to, a)).ok_or_else(unknown)?;
            }
        }
        Ok(())
    }

    fn is_integer(ty: LType) -> bool {
        let ty = if matches!(ty.kind(), TypeKind::LLVMVectorTypeKind) { ty.element() } else { ty };
        matches!(ty.kind(), TypeKind::LLVMIntegerTypeKind | TypeKind::LLVMPointerTypeKind)
    }

    fn conversion(&mut self, opcode: Opcode, (of, result): (Number, Number), (to, a): (Slot, Slot)) -> Option<()> {
        let half = self.new_slots(1);
        let mut push = |conversion| self.steps.push(Step::Convert { conversion, to, a });
        let from_integer = match opcode {
            Opcode::LLVMSIToFP => Some(Conversion::SignedToFloat(of.width, true)),
            Opcode::LLVMUIToFP => Some(Conversion::UnsignedToFloat(true)),
            _ => None,
        };
        let to_integer = match opcode {
            Opcode::LLVMFPToSI => Some(Conversion::FloatToSigned(true, result.width)),
            Opcode::LLVMFPToUI => Some(Conversion::FloatToUnsigned(true, result.width)),
            _ => None,
        };
        match opcode {
            // A float of 16 bits is one of 64 on the way.
            _ if from_integer.is_some() && result.width == 16 => self.steps.extend([
                Step::Convert { conversion: from_integer?, to: half, a },
                Step::Convert { conversion: Conversion::ToHalf(true), to, a: half },
            ]),
            _ if to_integer.is_some() && of.width == 16 => self.steps.extend([
                Step::Convert { conversion: Conversion::FromHalf(true), to: half, a },
                Step::Convert { conversion: to_integer?, to, a: half },
            ]),
            Opcode::LLVMTrunc => push(Conversion::Truncate(result.width)),
            Opcode::LLVMZExt => self.steps.push(Step::Move { to, from: a }),
            Opcode::LLVMSExt => push(Conversion::SignExtend(of.width, result.width)),
            Opcode::LLVMSIToFP => push(Conversion::SignedToFloat(of.width, result.is_double)),
            Opcode::LLVMUIToFP => push(Conversion::UnsignedToFloat(result.is_double)),
            Opcode::LLVMFPToSI => push(Conversion::FloatToSigned(of.is_double, result.width)),
            Opcode::LLVMFPToUI => push(Conversion::FloatToUnsigned(of.is_double, result.width)),
            Opcode::LLVMFPExt if of.width == 16 => push(Conversion::FromHalf(result.is_double)),
            Opcode::LLVMFPTrunc if result.width == 16 => push(Conversion::ToHalf(of.is_double)),
            Opcode::LLVMFPExt if !of.is_double => push(Conversion::Widen),
            Opcode::LLVMFPTrunc if !result.is_double => push(Conversion::Narrow),
            // A `long double` is kept in 64 bits.
            Opcode::LLVMFPExt | Opcode::LLVMFPTrunc => self.steps.push(Step::Move { to, from: a }),
            _ => return None,
        }
        Some(())
    }

    /// Whether floats of this type have 64 bits in their slots.
    pub(super) fn is_double(ty: LType) -> Result<bool, Unknown> {
        let ty = if matches!(ty.kind(), TypeKind::LLVMVectorTypeKind) { ty.element() } else { ty };
        match ty.kind() {
            TypeKind::LLVMFloatTypeKind => Ok(false),
            TypeKind::LLVMDoubleTypeKind | TypeKind::LLVMX86_FP80TypeKind => Ok(true),
            _ => Err("a float of an unknown format".into()),
        }
    }
}

fn is_half(ty: LType) -> bool {
    let ty = if matches!(ty.kind(), TypeKind::LLVMVectorTypeKind) { ty.element() } else { ty };
    matches!(ty.kind(), TypeKind::LLVMHalfTypeKind)
}

fn lane(index: LValue) -> Result<usize, Unknown> {
    let index = index.small_constant().and_then(|index| usize::try_from(index).ok());
    index.ok_or_else(|| "a lane that is not constant".into())
}

fn integer_operation(opcode: Opcode) -> Option<IntegerOperation> {
    Some(match opcode {
        Opcode::LLVMAdd => IntegerOperation::Add,
        Opcode::LLVMSub => IntegerOperation::Sub,
        Opcode::LLVMMul => IntegerOperation::Mul,
        Opcode::LLVMUDiv => IntegerOperation::UDiv,
        Opcode::LLVMSDiv => IntegerOperation::SDiv,
        Opcode::LLVMURem => IntegerOperation::URem,
        Opcode::LLVMSRem => IntegerOperation::SRem,
        Opcode::LLVMAnd => IntegerOperation::And,
        Opcode::LLVMOr => IntegerOperation::Or,
        Opcode::LLVMXor => IntegerOperation::Xor,
        Opcode::LLVMShl => IntegerOperation::Shl,
        Opcode::LLVMLShr => IntegerOperation::LShr,
        Opcode::LLVMAShr => IntegerOperation::AShr,
        _ => return None,
    })
}

fn float_operation(opcode: Opcode) -> Option<FloatOperation> {
    Some(match opcode {
        Opcode::LLVMFAdd => FloatOperation::Add,
        Opcode::LLVMFSub => FloatOperation::Sub,
        Opcode::LLVMFMul => FloatOperation::Mul,
        Opcode::LLVMFDiv => FloatOperation::Div,
        Opcode::LLVMFRem => FloatOperation::Rem,
        _ => return None,
    })
}

fn relations(predicate: LLVMRealPredicate) -> Relations {
    let [less, equal, greater, unordered] = match predicate {
        LLVMRealPredicate::LLVMRealPredicateFalse => [false; 4],
        LLVMRealPredicate::LLVMRealOEQ => [false, true, false, false],
        LLVMRealPredicate::LLVMRealOGT => [false, false, true, false],
        LLVMRealPredicate::LLVMRealOGE => [false, true, true, false],
        LLVMRealPredicate::LLVMRealOLT => [true, false, false, false],
        LLVMRealPredicate::LLVMRealOLE => [true, true, false, false],
        LLVMRealPredicate::LLVMRealONE => [true, false, true, false],
        LLVMRealPredicate::LLVMRealORD => [true, true, true, false],
        LLVMRealPredicate::LLVMRealUNO => [false, false, false, true],
        LLVMRealPredicate::LLVMRealUEQ => [false, true, false, true],
        LLVMRealPredicate::LLVMRealUGT => [false, false, true, true],
        LLVMRealPredicate::LLVMRealUGE => [false, true, true, true],
        LLVMRealPredicate::LLVMRealULT => [true, false, false, true],
        LLVMRealPredicate::LLVMRealULE => [true, true, false, true],
        LLVMRealPredicate::LLVMRealUNE => [true, false, true, true],
        LLVMRealPredicate::LLVMRealPredicateTrue => [true; 4],
    };
    Relations { less, equal, greater, unordered }
}
