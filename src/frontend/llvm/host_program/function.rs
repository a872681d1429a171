//! The slots and the blocks of a function.

use std::collections::HashMap;

use lockstep_ir::host::{Function, Slot, Step};

use super::{Objects, Places};
use crate::llvm::launches::STUB;
use crate::llvm::raw::{LBlock, LType, LValue, Opcode, TypeKind, ValueKind};

/// The reason why something is not translated.
pub(super) type Unknown = Box<str>;

/// The most slots of one value.
const MOST_NUMBERS: usize = 64;

/// The most slots of a function.
const MOST_SLOTS: u32 = 1 << 20;

/// One number in a value: its place in memory and its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// The offset in bytes.
    pub(super) offset: u64,
    /// The size in bytes, from 1 to 8.
    pub(super) bytes: u8,
    /// The width in bits.
    pub(super) width: u8,
    /// Whether it is a float with 64 bits in its slot.
    pub(super) is_double: bool,
}

impl Number {
    /// The number of a scalar type.
    pub(super) fn of(ty: LType) -> Option<Self> {
        let integer = |width: u32| {
            let width = u8::try_from(width).ok().filter(|width| (1..=64).contains(width))?;
            Some(Self { offset: 0, bytes: width.div_ceil(8), width, is_double: false })
        };
        match ty.kind() {
            TypeKind::LLVMIntegerTypeKind => integer(ty.integer_width()),
            TypeKind::LLVMPointerTypeKind => integer(64),
            TypeKind::LLVMHalfTypeKind | TypeKind::LLVMBFloatTypeKind => integer(16),
            TypeKind::LLVMFloatTypeKind => integer(32),
            TypeKind::LLVMDoubleTypeKind | TypeKind::LLVMX86_FP80TypeKind => {
                integer(64).map(|number| Self { is_double: true, ..number })
            }
            _ => None,
        }
    }
}

impl Objects {
    /// The numbers of a value of this type; none for `void`.
    pub(super) fn numbers(&self, ty: LType) -> Result<Vec<Number>, Unknown> {
        let mut numbers = Vec::new();
        self.add_numbers(ty, 0, &mut numbers)?;
        Ok(numbers)
    }

    fn add_numbers(&self, ty: LType, offset: u64, numbers: &mut Vec<Number>) -> Result<(), Unknown> {
        let elements: Vec<(LType, u64)> = match ty.kind() {
            TypeKind::LLVMVoidTypeKind => Vec::new(),
            TypeKind::LLVMStructTypeKind => {
                let fields = (0..).zip(ty.fields());
                fields.map(|(index, field)| (field, self.layout.field_offset(ty, index))).collect()
            }
            TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => {
                let is_array = matches!(ty.kind(), TypeKind::LLVMArrayTypeKind);
                let count = if is_array { ty.array_length() } else { ty.vector_length().into() };
                if count > MOST_NUMBERS as u64 {
                    return Err(format!("a value of type {}", ty.print()).into());
                }
                let element = ty.element();
                let is_integer = matches!(element.kind(), TypeKind::LLVMIntegerTypeKind);
                if !is_array && is_integer && !element.integer_width().is_multiple_of(8) {
                    // In memory, such elements share bytes.
                    (0..count).map(|_| (ty.element(), 0)).collect()
                } else {
                    let bytes = self.layout.allocation_bytes(ty.element());
                    (0..count).map(|index| (ty.element(), index * bytes)).collect()
                }
            }
            _ => {
                let number = Number::of(ty).ok_or_else(|| format!("a value of type {}", ty.print()))?;
                numbers.push(Number { offset, ..number });
                return Ok(());
            }
        };
        for (element, at) in elements {
            self.add_numbers(element, offset + at, numbers)?;
            if numbers.len() > MOST_NUMBERS {
                return Err(format!("a value of type {}", ty.print()).into());
            }
        }
        Ok(())
    }

    /// A function with a body; without a name.
    pub(super) fn translated(&self, function: LValue, places: &mut Places) -> Function {
        let stopped = |reason: Unknown| Function { steps: vec![Step::Stop(reason)], ..Function::default() };
        let mut body = match Body::new(self, function, places) {
            Ok(body) => body,
            Err(reason) => return stopped(reason),
        };
        body.translate(function);
        if body.next > MOST_SLOTS {
            return stopped("a function with very many values".into());
        }
        body.finished()
    }
}

/// Whether an instruction accesses a lane of a vector that is not constant.
fn has_open_lane(instruction: LValue) -> bool {
    let index = match instruction.opcode() {
        Opcode::LLVMExtractElement => 1,
        Opcode::LLVMInsertElement => 2,
        _ => return false,
    };
    instruction.operands().get(index).is_some_and(|lane| lane.small_constant().is_none())
}

/// A function that is being translated.
pub(super) struct Body<'a> {
    pub(super) objects: &'a Objects,
    pub(super) places: &'a mut Places,
    /// Whether the function launches a kernel.
    pub(super) is_stub: bool,
    parameters: u32,
    /// The first slot of each value, or the reason why it has none.
    slots: HashMap<LValue, Result<Slot, Unknown>>,
    constants: Vec<u64>,
    next: Slot,
    pub(super) steps: Vec<Step>,
    /// The slots of the numbers of lanes, if a lane is not constant.
    pub(super) lanes: Vec<Slot>,
    /// The slots of the numbers 0 and 1.
    pub(super) zero: Slot,
    pub(super) one: Slot,
    labels: HashMap<LBlock, u32>,
    /// The first step behind each label.
    starts: Vec<u32>,
    /// Moves on the way to a block, by their labels.
    ways: Vec<(u32, Moves, u32)>,
}

/// Moves from slots to slots: the target, and the source.
type Moves = Vec<(Slot, Slot)>;

impl<'a> Body<'a> {
    fn new(objects: &'a Objects, function: LValue, places: &'a mut Places) -> Result<Self, Unknown> {
        let mut body = Self {
            objects,
            places,
            is_stub: function.name().contains(STUB),
            parameters: 0,
            slots: HashMap::new(),
            constants: Vec::new(),
            next: 0,
            steps: Vec::new(),
            lanes: Vec::new(),
            zero: 0,
            one: 0,
            labels: HashMap::new(),
            starts: Vec::new(),
            ways: Vec::new(),
        };
        for parameter in function.parameters() {
            let slot = body.new_slots(objects.numbers(parameter.ty())?.len());
            body.slots.insert(parameter, Ok(slot));
        }
        body.parameters = body.next;
        body.zero = body.new_constants(&[0]);
        body.one = body.new_constants(&[1]);
        for (label, block) in (0..).zip(function.blocks()) {
            body.labels.insert(block, label);
            body.starts.push(0);
            for instruction in block.iter() {
                instruction.operands().into_iter().for_each(|operand| body.add_constant(operand));
                if body.lanes.is_empty() && has_open_lane(instruction) {
                    body.lanes = (0..MOST_NUMBERS as u64).map(|lane| body.new_constants(&[lane])).collect();
                }
            }
        }
        Ok(body)
    }

    fn add_constant(&mut self, operand: LValue) {
        let is_other = matches!(
            operand.kind(),
            ValueKind::LLVMInstructionValueKind
                | ValueKind::LLVMArgumentValueKind
                | ValueKind::LLVMBasicBlockValueKind
                | ValueKind::LLVMMetadataAsValueValueKind
                | ValueKind::LLVMInlineAsmValueKind
        );
        if is_other || self.slots.contains_key(&operand) {
            return;
        }
        let mut numbers = Vec::new();
        let slot = self.objects.constant(operand, &mut numbers).map(|()| self.new_constants(&numbers));
        self.slots.insert(operand, slot);
    }

    fn new_constants(&mut self, numbers: &[u64]) -> Slot {
        self.constants.extend(numbers);
        self.new_slots(numbers.len())
    }

    /// New slots.
    pub(super) fn new_slots(&mut self, count: usize) -> Slot {
        let first = self.next;
        self.next = self.next.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        first
    }

    /// The first slot of a value.
    pub(super) fn slot(&self, value: LValue) -> Result<Slot, Unknown> {
        self.slots.get(&value).cloned().unwrap_or_else(|| Err("a value that is not known".into()))
    }

    /// The slots of a value.
    pub(super) fn slots_of(&self, value: LValue) -> Result<Vec<Slot>, Unknown> {
        let (first, count) = (self.slot(value)?, self.objects.numbers(value.ty())?.len());
        Ok((first..).take(count).collect())
    }

    fn translate(&mut self, function: LValue) {
        for instruction in function.blocks().into_iter().flat_map(LBlock::iter) {
            let numbers = self.objects.numbers(instruction.ty());
            let slot = numbers.map(|numbers| self.new_slots(numbers.len()));
            self.slots.insert(instruction, slot);
        }
        for block in function.blocks() {
            self.start(self.labels[&block]);
            for instruction in block.iter().filter(|one| !matches!(one.opcode(), Opcode::LLVMPHI)) {
                if let Err(reason) = self.instruction(instruction) {
                    self.steps.push(Step::Stop(reason));
                    break;
                }
            }
        }
        let mut next = 0;
        while let Some((label, moves, to)) = self.ways.get(next).cloned() {
            next += 1;
            self.start(label);
            self.moves(&moves);
            self.steps.push(Step::Jump(to));
        }
    }

    fn start(&mut self, label: u32) {
        let at = usize::try_from(label).expect("labels are 32 bits");
        self.starts[at] = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
    }

    /// Jumps to a block.
    pub(super) fn jump(&mut self, from: LBlock, to: LBlock) -> Result<(), Unknown> {
        let moves = self.moves_to(from, to)?;
        self.moves(&moves);
        self.steps.push(Step::Jump(self.labels[&to]));
        Ok(())
    }

    /// The label to which a branch to a block goes.
    pub(super) fn way(&mut self, from: LBlock, to: LBlock) -> Result<u32, Unknown> {
        let moves = self.moves_to(from, to)?;
        let block = self.labels[&to];
        if moves.is_empty() {
            return Ok(block);
        }
        let label = u32::try_from(self.starts.len()).unwrap_or(u32::MAX);
        self.starts.push(0);
        self.ways.push((label, moves, block));
        Ok(label)
    }

    /// The values that φ-nodes of a block get from another block, as pairs of target and source.
    fn moves_to(&self, from: LBlock, to: LBlock) -> Result<Vec<(Slot, Slot)>, Unknown> {
        let mut moves = Vec::new();
        for phi in to.iter().take_while(|one| matches!(one.opcode(), Opcode::LLVMPHI)) {
            let value = phi.incoming(from).ok_or("a block that is entered from nowhere")?;
            moves.extend(self.slots_of(phi)?.into_iter().zip(self.slots_of(value)?));
        }
        Ok(moves)
    }

    /// Moves all at once.
    pub(super) fn moves(&mut self, moves: &[(Slot, Slot)]) {
        let is_overwritten = |from: Slot| moves.iter().any(|(to, _)| *to == from);
        let mut moves = moves.to_vec();
        if moves.len() > 1 && moves.iter().any(|(_, from)| is_overwritten(*from)) {
            for (_, from) in &mut moves {
                let kept = self.new_slots(1);
                self.steps.push(Step::Move { to: kept, from: *from });
                *from = kept;
            }
        }
        self.steps.extend(moves.into_iter().map(|(to, from)| Step::Move { to, from }));
    }

    fn finished(self) -> Function {
        let Self { parameters, constants, next, mut steps, starts, .. } = self;
        let target = |label: &mut u32| {
            let at = usize::try_from(*label).expect("labels are 32 bits");
            *label = starts[at];
        };
        for step in &mut steps {
            match step {
                Step::Jump(to) => target(to),
                Step::Branch { then, otherwise, .. } => {
                    target(then);
                    target(otherwise);
                }
                Step::Switch { cases, otherwise, .. } => {
                    cases.iter_mut().for_each(|(_, to)| target(to));
                    target(otherwise);
                }
                _ => {}
            }
        }
        Function { parameters, constants, slots: next, steps, ..Function::default() }
    }
}
