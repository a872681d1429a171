//! Checks the rules of the kernel IR.
//!
//! # Rules
//!
//! *Tables.* `pointer_bits` is 32 or 64. Every entity that is mentioned exists. Inlining chains
//! end. Launch bounds are at least 1. An array's space is not generic; stack variables and
//! aggregates are private; an image has 1 to 3 dimensions; known contents are as long as the known
//! size; elements have at least one byte. A pointer or aggregate parameter has an array of its own,
//! of fitting origin. Widths are at least 1.
//!
//! *Structure.* The entry has no parameters and no predecessors. Each instruction stands in exactly
//! one block. Each value is defined once, at the place that its definition names. A jump passes one
//! argument per parameter, of its type.
//!
//! *SSA.* In reachable blocks, a use comes after the definition in the same block, or is in a block
//! that the definition's block dominates.
//!
//! *Types.* Operands and results have the types that [`Operation`]'s variants require; branch
//! conditions are Booleans; switch values are bit-vectors with distinct cases of their width.
//! Alignments are powers of two. Dimensions are 0, 1 or 2. Constant memory is not written. No-wrap
//! flags occur on additions, subtractions, multiplications and left shifts only; the `partial` flag
//! on divisions, remainders and shifts only. Fields lie in struct parameters. Parameters that
//! the source's kernel does not have are scalars, and have names of their own.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::Deref;

use cranelift_entity::{EntityRef, SecondaryMap};

use super::{
    Access, Array, ArrayOrigin, AsyncWait, AtomicOp, BarrierKind, BinaryOp, Block, CompareOp, ContentsFact,
    ContentsKind, ConvertOp, Definition, FloatOp, GroupOp, Instruction, InstructionData, Kernel, NotPassed, Operation,
    ParameterKind, PhaseOp, SizedBy, Space, Terminator, ThreadQuery, Type, UnaryOp, Value, WarpOp,
};
use crate::cfg::{self, Dominators};
use crate::source::Location;

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{entity}: {message}")]
pub struct Problem {
    /// The entity that breaks the rule, as printed: `v7`, `block3`.
    pub entity: String,
    /// The broken rule.
    pub message: String,
}

/// A kernel that satisfies the rules.
#[derive(Clone, Debug)]
pub struct VerifiedKernel(Kernel);

impl Deref for VerifiedKernel {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        &self.0
    }
}

impl VerifiedKernel {
    /// The kernel, to be changed and verified again.
    pub fn into_inner(self) -> Kernel {
        self.0
    }
}

/// Checks every rule and returns all problems, not only the first. References to entities that do
/// not exist are reported alone, because nothing else can be checked then.
pub fn verify(kernel: Kernel) -> Result<VerifiedKernel, Vec<Problem>> {
    let mut checker = Checker { kernel: &kernel, problems: Vec::new() };
    checker.references();
    if checker.problems.is_empty() {
        checker.tables();
        checker.structure();
        if checker.problems.is_empty() {
            checker.dominance();
        }
        checker.types();
    }
    if checker.problems.is_empty() { Ok(VerifiedKernel(kernel)) } else { Err(checker.problems) }
}

struct Checker<'a> {
    kernel: &'a Kernel,
    problems: Vec<Problem>,
}

/// The expected result of an operation.
enum Expected {
    Nothing,
    Exactly(Type),
    Maybe(Type),
    /// Any result has already been checked.
    Checked,
}

impl Checker<'_> {
    fn report(&mut self, entity: impl Display, message: impl Into<String>) {
        self.problems.push(Problem { entity: entity.to_string(), message: message.into() });
    }

    fn require(&mut self, holds: bool, entity: impl Display, message: &str) {
        if !holds {
            self.report(entity, message);
        }
    }

    // --- References ------------------------------------------------------------------------------

    fn references(&mut self) {
        let kernel = self.kernel;
        self.location("kernel", kernel.location);
        self.exists("kernel", kernel.entry, kernel.blocks.len());
        for parameter in &kernel.parameters {
            if let ParameterKind::Pointer(array) | ParameterKind::Aggregate(array) = parameter.kind {
                self.exists(&parameter.name, array, kernel.arrays.len());
            }
        }
        for (location, data) in &kernel.locations {
            self.exists(location, data.file, kernel.files.len());
            self.location(location, data.inlined_at);
        }
        for (array, data) in &kernel.arrays {
            self.location(array, data.location);
        }
        for (block, data) in &kernel.blocks {
            self.location(block, data.location);
            for &parameter in &data.parameters {
                self.exists(block, parameter, kernel.values.len());
            }
            for &instruction in &data.instructions {
                self.exists(block, instruction, kernel.instructions.len());
            }
            data.terminator.for_each_operand(|value| self.exists(block, value, kernel.values.len()));
            for target in data.terminator.targets() {
                self.exists(block, target.block, kernel.blocks.len());
            }
        }
        for (instruction, data) in &kernel.instructions {
            self.location(instruction, data.location);
            data.operation.for_each_operand(|value| self.exists(instruction, value, kernel.values.len()));
            if let Some(result) = data.result {
                self.exists(instruction, result, kernel.values.len());
            }
            if let Operation::ArrayBase(array) | Operation::Contents(ContentsFact { array, .. }) = data.operation {
                self.exists(instruction, array, kernel.arrays.len());
            }
        }
        for (value, data) in &kernel.values {
            match data.definition {
                Definition::Result(instruction) => self.exists(value, instruction, kernel.instructions.len()),
                Definition::Parameter(block, _) => self.exists(value, block, kernel.blocks.len()),
            }
        }
    }

    fn exists<E: EntityRef + Display>(&mut self, user: impl Display, entity: E, count: usize) {
        if entity.index() >= count {
            self.report(user, format!("mentions {entity}, which does not exist"));
        }
    }

    fn location(&mut self, user: impl Display, location: Option<Location>) {
        if let Some(location) = location {
            self.exists(user, location, self.kernel.locations.len());
        }
    }

    // --- Tables ----------------------------------------------------------------------------------

    fn tables(&mut self) {
        let kernel = self.kernel;
        self.require(matches!(kernel.pointer_bits, 32 | 64), "kernel", "pointers have 32 or 64 bits");
        let sizes = kernel.launch.required_group_size.into_iter().flatten();
        let bounds_hold = sizes.chain(kernel.launch.max_group_threads).all(|bound| bound >= 1);
        self.require(bounds_hold, "kernel", "launch bounds are at least 1");
        for (location, data) in &kernel.locations {
            // This prevents a place from being inlined into itself.
            let follows = data.inlined_at.is_none_or(|call| call < location);
            self.require(follows, location, "is inlined at a place that does not come before it");
        }
        for array in kernel.arrays.keys() {
            self.array(array);
        }
        let mut taken = BTreeSet::new();
        for parameter in &kernel.parameters {
            match parameter.kind {
                ParameterKind::Scalar(ty) => {
                    self.ty(&parameter.name, ty);
                    self.require(ty.width().is_some(), &parameter.name, "a scalar parameter is no pointer");
                }
                ParameterKind::Pointer(array) => {
                    self.require(taken.insert(array), &parameter.name, "shares its array with another parameter");
                    let origin = kernel.arrays[array].origin;
                    let fits = matches!(origin, ArrayOrigin::Parameter | ArrayOrigin::Image { .. });
                    self.require(fits, &parameter.name, "points to an array that is no parameter's");
                }
                ParameterKind::Aggregate(array) => {
                    self.require(taken.insert(array), &parameter.name, "shares its array with another parameter");
                    let fits = kernel.arrays[array].origin == ArrayOrigin::Aggregate;
                    self.require(fits, &parameter.name, "is passed by value in an array that is no aggregate");
                }
                ParameterKind::Opaque => {}
            }
        }
        self.not_passed();
    }

    fn not_passed(&mut self) {
        let kernel = self.kernel;
        self.require(kernel.not_passed.len() <= kernel.parameters.len(), "kernel", "fields are parameters");
        let mut names: BTreeSet<&str> = kernel.passed().iter().map(|parameter| parameter.name.as_str()).collect();
        for (parameter, origin) in kernel.parameters.iter().skip(kernel.passed().len()).zip(&kernel.not_passed) {
            self.require(names.insert(&parameter.name), &parameter.name, "has the name of another parameter");
            let ParameterKind::Scalar(ty) = parameter.kind else {
                self.report(&parameter.name, "a parameter that is not passed is a scalar");
                continue;
            };
            let NotPassed::Field(field) = origin else { continue };
            let of = kernel.passed().get(field.parameter as usize).map(|parameter| &parameter.kind);
            let size = match of {
                Some(ParameterKind::Aggregate(array)) => kernel.arrays[*array].size,
                _ => None,
            };
            let end = field.at.checked_add(u64::from(ty.width().unwrap_or(0).div_ceil(8)));
            let fits = end.zip(size).is_some_and(|(end, size)| end <= size);
            self.require(fits, &parameter.name, "a field lies in a struct");
        }
    }

    fn array(&mut self, array: Array) {
        let data = &self.kernel.arrays[array];
        self.require(data.space != Space::Generic, array, "an array lies in a known address space");
        match data.origin {
            ArrayOrigin::Stack | ArrayOrigin::Aggregate => {
                self.require(data.space == Space::Private, array, "a thread's own variable is private");
            }
            ArrayOrigin::Image { dimensions } => {
                self.require((1..=3).contains(&dimensions), array, "an image has 1 to 3 dimensions");
            }
            ArrayOrigin::Library => {
                self.require(data.space == Space::Local, array, "a library model computes in local memory");
            }
            ArrayOrigin::Parameter | ArrayOrigin::Variable => {}
        }
        if let (Some(size), Some(contents)) = (data.size, &data.contents) {
            let same = u64::try_from(contents.len()).is_ok_and(|length| length == size);
            self.require(same, array, "its contents are not as long as its size");
        }
        if let Some(SizedBy { parameter, unit }) = data.sized_by {
            let parameter = usize::try_from(parameter).ok().and_then(|index| self.kernel.parameters.get(index));
            let ty = ParameterKind::Scalar(Type::Bits(self.kernel.pointer_bits));
            self.require(parameter.is_some_and(|parameter| parameter.kind == ty), array, "its size is no such number");
            self.require((1..=1 << 32).contains(&unit), array, "its size has units of 1 to 2^32 bytes");
            self.require(data.size.is_none(), array, "it has two sizes");
        }
        if let Some(element) = &data.element {
            self.require(element.bytes >= 1, array, "an element has at least one byte");
        }
    }

    // --- Structure -------------------------------------------------------------------------------

    fn structure(&mut self) {
        let kernel = self.kernel;
        self.require(kernel.blocks[kernel.entry].parameters.is_empty(), kernel.entry, "the entry has parameters");
        let mut uses = SecondaryMap::<Instruction, u32>::new();
        for (block, data) in &kernel.blocks {
            for (index, &parameter) in data.parameters.iter().enumerate() {
                let defined = matches!(kernel.values[parameter].definition,
                    Definition::Parameter(other, place) if other == block && usize::try_from(place) == Ok(index));
                self.require(defined, parameter, "is a block's parameter, but its definition says otherwise");
            }
            for &instruction in &data.instructions {
                uses[instruction] += 1;
            }
            for target in data.terminator.targets() {
                self.require(target.block != kernel.entry, block, "jumps to the entry");
                let parameters = &kernel.blocks[target.block].parameters;
                if parameters.len() == target.arguments.len() {
                    for (&argument, &parameter) in target.arguments.iter().zip(parameters) {
                        let same = kernel.ty(argument) == kernel.ty(parameter);
                        if !same {
                            self.report(block, format!("passes {argument} for {parameter} of another type"));
                        }
                    }
                } else {
                    let (given, wanted) = (target.arguments.len(), parameters.len());
                    self.report(block, format!("passes {given} arguments to {}, which has {wanted}", target.block));
                }
            }
        }
        for (instruction, data) in &kernel.instructions {
            self.require(uses[instruction] == 1, instruction, "does not stand in exactly one block");
            if let Some(result) = data.result {
                let defined = kernel.values[result].definition == Definition::Result(instruction);
                self.require(defined, result, "is an instruction's result, but its definition says otherwise");
            }
        }
        for (value, data) in &kernel.values {
            let known = match data.definition {
                Definition::Result(instruction) => kernel.instructions[instruction].result == Some(value),
                Definition::Parameter(block, index) => {
                    usize::try_from(index).is_ok_and(|index| kernel.blocks[block].parameters.get(index) == Some(&value))
                }
            };
            self.require(known, value, "is not defined where its definition says");
            self.ty(value, data.ty);
        }
    }

    fn dominance(&mut self) {
        let kernel = self.kernel;
        let graph = cfg::graph(kernel);
        let dominators = Dominators::new(&graph);
        let blocks = kernel.instruction_blocks();
        let mut defined = SecondaryMap::<Value, bool>::new();
        for &block in graph.reverse_postorder() {
            let data = &kernel.blocks[block];
            for &parameter in &data.parameters {
                defined[parameter] = true;
            }
            // Dominators come earlier in this order, and each block's own definitions in
            // instruction order.
            let reaches = |value: Value, defined: &SecondaryMap<Value, bool>| {
                let home = match kernel.values[value].definition {
                    Definition::Result(instruction) => blocks[instruction],
                    Definition::Parameter(block, _) => Some(block),
                };
                defined[value] && home.is_some_and(|home| dominators.dominates(home, block))
            };
            for &instruction in &data.instructions {
                let data = &kernel.instructions[instruction];
                data.operation.for_each_operand(|value| {
                    if !reaches(value, &defined) {
                        self.report(block, format!("{instruction} uses {value} where it need not be defined"));
                    }
                });
                if let Some(result) = data.result {
                    defined[result] = true;
                }
            }
            data.terminator.for_each_operand(|value| {
                if !reaches(value, &defined) {
                    self.report(block, format!("the terminator uses {value} where it need not be defined"));
                }
            });
        }
    }

    // --- Types -----------------------------------------------------------------------------------

    fn types(&mut self) {
        let kernel = self.kernel;
        for (instruction, data) in &kernel.instructions {
            let entity = data.result.map_or_else(|| instruction.to_string(), |result| result.to_string());
            match self.operation(data) {
                Ok(expected) => self.result(&entity, data, &expected),
                Err(message) => self.report(entity, message),
            }
        }
        for (block, data) in &kernel.blocks {
            self.terminator(block, &data.terminator);
        }
    }

    fn ty(&mut self, entity: impl Display, ty: Type) {
        self.require(ty != Type::Bits(0), entity, "a bit-vector has at least one bit");
    }

    fn result(&mut self, entity: &str, data: &InstructionData, expected: &Expected) {
        let result = data.result.map(|result| self.kernel.ty(result));
        let holds = match *expected {
            Expected::Nothing => result.is_none(),
            Expected::Exactly(ty) => result == Some(ty),
            Expected::Maybe(ty) => result.is_none_or(|result| result == ty),
            Expected::Checked => true,
        };
        self.require(holds, entity, "has a result of the wrong type, or none where there must be one, or one too many");
    }

    fn terminator(&mut self, block: Block, terminator: &Terminator) {
        match terminator {
            Terminator::Jump(_) | Terminator::Return | Terminator::Trap | Terminator::Unreachable => {}
            Terminator::Branch { condition, .. } => {
                let boolean = self.kernel.ty(*condition) == Type::Bool;
                self.require(boolean, block, "branches on something other than a Boolean");
            }
            Terminator::Switch { value, cases, .. } => {
                let Type::Bits(width) = self.kernel.ty(*value) else {
                    self.report(block, "switches on something other than a bit-vector");
                    return;
                };
                let same = cases.iter().all(|(case, _)| case.width() == width);
                self.require(same, block, "has a case of another width than the value");
                let distinct: BTreeSet<_> = cases.iter().map(|(case, _)| case).collect();
                self.require(distinct.len() == cases.len(), block, "has a case twice");
            }
        }
    }

    fn is_bits(&self, value: Value) -> bool {
        matches!(self.kernel.ty(value), Type::Bits(_))
    }

    fn is_pointer(&self, value: Value) -> bool {
        matches!(self.kernel.ty(value), Type::Pointer(_))
    }

    fn is_offset(&self, value: Value) -> bool {
        self.kernel.ty(value) == self.kernel.offset_type()
    }

    fn access(&self, access: &Access, written: bool) -> Result<(), &'static str> {
        let Type::Pointer(space) = self.kernel.ty(access.pointer) else { return Err("the address is no pointer") };
        ensure(access.alignment.is_power_of_two(), "the alignment is no power of two")?;
        ensure(!(written && space == Space::Constant), "constant memory is written")
    }

    /// Checks the operands. Returns the expected result.
    fn operation(&self, data: &InstructionData) -> Result<Expected, &'static str> {
        use Expected::{Checked, Exactly, Nothing};
        let kernel = self.kernel;
        let ty = |value: &Value| kernel.ty(*value);
        let offset = kernel.offset_type();
        let result = data.result.map(|result| kernel.ty(result));
        match &data.operation {
            Operation::Constant(bits) => {
                ensure(
                    result.and_then(Type::width) == Some(bits.width()),
                    "the constant is not of the result's width",
                )?;
                Ok(Checked)
            }
            Operation::Undefined | Operation::Anything => ensure(result.is_some(), "has no result").map(|()| Checked),
            Operation::Choice(None) => {
                ensure(result == Some(Type::Bits(32)), "the number of choices has 32 bits").map(|()| Checked)
            }
            Operation::Choice(Some(taken)) => {
                ensure(result == Some(self.kernel.ty(*taken)), "what a run takes has another type").map(|()| Checked)
            }
            Operation::Cached { pointer, value } => {
                ensure(matches!(self.kernel.ty(*pointer), Type::Pointer(_)), "takes no pointer")?;
                ensure(result == Some(self.kernel.ty(*value)), "what memory has is of another type").map(|()| Checked)
            }
            Operation::Parameter(index) => {
                let parameter = usize::try_from(*index).ok().and_then(|index| kernel.parameters.get(index));
                match parameter.map(|parameter| &parameter.kind) {
                    Some(ParameterKind::Scalar(ty)) => Ok(Exactly(*ty)),
                    _ => Err("reads a parameter that is no scalar"),
                }
            }
            Operation::ThreadQuery(query) => {
                ensure(query.dimension().is_none_or(|dimension| dimension < 3), "a dimension is 0, 1 or 2")?;
                Ok(Exactly(offset))
            }
            Operation::Contents(fact) => {
                ensure(kernel.arrays.is_valid(fact.array), "is about an array that does not exist")?;
                ensure([8, 16, 32, 64].contains(&fact.element), "the elements are no integers")?;
                let is_within = fact.kind == ContentsKind::Within;
                ensure(fact.bounds.is_some() == is_within, "only elements within bounds have some")?;
                let are_wide = fact.bounds.iter().flatten().all(|bound| ty(bound) == Type::Bits(64));
                ensure(are_wide, "the bounds have 64 bits")?;
                Ok(Exactly(Type::Bool))
            }
            Operation::Unary(op, a) => {
                let fits = self.is_bits(*a) || (*op == UnaryOp::Not && ty(a) == Type::Bool);
                ensure(fits, "the operand is no bit-vector")?;
                Ok(Exactly(ty(a)))
            }
            Operation::Binary(op, no_wrap, a, b) => {
                let logical = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
                let wraps = matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::ShiftLeft);
                ensure(self.is_bits(*a) || (logical && ty(a) == Type::Bool), "the operands are no bit-vectors")?;
                ensure(ty(a) == ty(b), "the operands have different types")?;
                ensure(wraps || !(no_wrap.signed || no_wrap.unsigned), "a no-wrap flag on what cannot wrap")?;
                ensure(no_wrap.signed || no_wrap.unsigned || !no_wrap.meant, "nothing is meant not to wrap")?;
                ensure(op.is_partial() || !no_wrap.partial, "an operation that always has a result is called partial")?;
                Ok(Exactly(ty(a)))
            }
            Operation::Compare(op, a, b) => {
                let equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
                ensure(self.is_bits(*a) || (equality && ty(a) == Type::Bool), "the operands are no bit-vectors")?;
                ensure(ty(a) == ty(b), "the operands have different types")?;
                Ok(Exactly(Type::Bool))
            }
            Operation::Select(a, b, c) => {
                ensure(ty(a) == Type::Bool, "selects by something other than a Boolean")?;
                ensure(ty(b) == ty(c), "the operands have different types")?;
                Ok(Exactly(ty(b)))
            }
            Operation::Convert(op, a) => convert(*op, ty(a), result.ok_or("has no result")?).map(|()| Checked),
            Operation::Extract { high, low, value } => {
                let Type::Bits(width) = ty(value) else { return Err("the operand is no bit-vector") };
                ensure(low <= high && *high < width, "the bits are out of range")?;
                Ok(Exactly(Type::Bits(high - low + 1)))
            }
            Operation::Concat(a, b) => match (ty(a), ty(b)) {
                (Type::Bits(a), Type::Bits(b)) => Ok(Exactly(Type::Bits(a.checked_add(b).ok_or("too many bits")?))),
                _ => Err("the operands are no bit-vectors"),
            },
            Operation::Float(op, operands) => {
                let operands: Vec<Type> = operands.iter().map(ty).collect();
                float(*op, &operands, result.ok_or("has no result")?).map(|()| Checked)
            }
            Operation::Uninterpreted(name, operands) => {
                ensure(!name.is_empty(), "the function has no name")?;
                let plain = operands.iter().all(|&operand| !self.is_pointer(operand));
                ensure(
                    plain && result.is_some_and(|ty| ty.width().is_some()),
                    "an operand or the result is a pointer",
                )?;
                Ok(Checked)
            }
            Operation::ArrayBase(array) => Ok(Exactly(Type::Pointer(kernel.arrays[*array].space))),
            Operation::Null => ensure(matches!(result, Some(Type::Pointer(_))), "is no pointer").map(|()| Checked),
            Operation::PointerAdd { pointer, offset, .. } => {
                ensure(self.is_pointer(*pointer) && self.is_offset(*offset), "adds other than an offset to a pointer")?;
                Ok(Exactly(ty(pointer)))
            }
            Operation::SpaceCast(a) => match (ty(a), result) {
                (Type::Pointer(Space::Generic), Some(Type::Pointer(_)))
                | (Type::Pointer(_), Some(Type::Pointer(Space::Generic))) => Ok(Checked),
                _ => Err("casts other than to or from a generic pointer"),
            },
            Operation::PointerToInteger(a) => {
                ensure(self.is_pointer(*a), "the operand is no pointer")?;
                ensure(matches!(result, Some(Type::Bits(_))), "the result is no bit-vector").map(|()| Checked)
            }
            Operation::IntegerToPointer(a) => {
                ensure(self.is_bits(*a), "the operand is no bit-vector")?;
                ensure(matches!(result, Some(Type::Pointer(_))), "the result is no pointer").map(|()| Checked)
            }
            Operation::PointerEqual(a, b) | Operation::PointerDifference(a, b) => {
                ensure(self.is_pointer(*a) && ty(a) == ty(b), "the operands are no pointers of one type")?;
                let equal = matches!(data.operation, Operation::PointerEqual(..));
                Ok(Exactly(if equal { Type::Bool } else { offset }))
            }
            Operation::Load(access) => {
                self.access(access, false)?;
                ensure(result.is_some(), "has no result").map(|()| Checked)
            }
            Operation::Store(access, _) => self.access(access, true).map(|()| Nothing),
            Operation::Atomic { access, op, operands, .. } => {
                self.access(access, *op != AtomicOp::Load)?;
                let operands: Vec<Type> = operands.iter().map(ty).collect();
                atomic(*op, &operands, result)
            }
            Operation::MemoryCopy { to, from, bytes } => {
                self.access(to, true)?;
                self.access(from, false)?;
                ensure(self.is_offset(*bytes), "the number of bytes is of another type than offsets").map(|()| Nothing)
            }
            Operation::MemorySet { to, value, bytes } => {
                self.access(to, true)?;
                ensure(ty(value) == Type::Bits(8), "the value is no byte")?;
                ensure(self.is_offset(*bytes), "the number of bytes is of another type than offsets").map(|()| Nothing)
            }
            Operation::ImageRead { image, coordinates } => {
                self.image(*image, coordinates, true)?;
                ensure(result.is_some(), "has no result").map(|()| Checked)
            }
            Operation::ImageWrite { image, coordinates, .. } => {
                self.image(*image, coordinates, false).map(|()| Nothing)
            }
            Operation::Fence { .. } => Ok(Nothing),
            Operation::Barrier { kind, flags, .. } => {
                self.barrier(kind)?;
                let fit = flags.is_none_or(|flags| ty(&flags) == Type::Bits(32));
                ensure(fit, "a barrier's flags have other than 32 bits").map(|()| Nothing)
            }
            Operation::WarpExchange { op, mask, operands } => {
                let fits = mask.is_none_or(|mask| matches!(ty(&mask), Type::Bits(32 | 64)));
                ensure(fits, "the mask has other than 32 or 64 bits")?;
                let operands: Vec<Type> = operands.iter().map(ty).collect();
                warp_exchange(*op, &operands, result).map(|()| Checked)
            }
            Operation::GroupExchange { op, predicate } => {
                ensure(ty(predicate) == Type::Bool, "the predicate is no Boolean")?;
                let fits = match op {
                    GroupOp::Count => matches!(result, Some(Type::Bits(_))),
                    GroupOp::All | GroupOp::Any => result == Some(Type::Bool),
                };
                ensure(fits, "the group exchange has a result of the wrong type").map(|()| Checked)
            }
            Operation::AsyncCopy { group, to, from, count, element_bytes, stride, event } => {
                ensure(
                    !group.is_of_threads() || stride.is_none() && result.is_none(),
                    "a thread's copy has a stride or a result",
                )?;
                self.access(to, true)?;
                self.access(from, false)?;
                ensure(*element_bytes >= 1, "an element has at least one byte")?;
                let numbers = [Some(*count), stride.map(|(_, distance)| distance), *event];
                let fit = numbers.into_iter().flatten().all(|value| self.is_offset(value));
                ensure(fit, "count, stride and event are of the type of offsets")?;
                Ok(Expected::Maybe(offset))
            }
            Operation::AsyncWait(AsyncWait::Events(events)) => {
                let fit = events.iter().all(|&event| self.is_offset(event));
                ensure(fit, "events are of the type of offsets").map(|()| Nothing)
            }
            Operation::AsyncWait(AsyncWait::Batches { closed, .. }) => {
                let fits = closed.is_none_or(|closed| self.is_offset(closed));
                ensure(fits, "the number of batches is of the type of offsets").map(|()| Nothing)
            }
            Operation::AsyncWait(AsyncWait::AllBut(later)) => {
                ensure(self.is_offset(*later), "the number of batches is of the type of offsets").map(|()| Nothing)
            }
            Operation::AsyncWait(AsyncWait::Commit) => Ok(Nothing),
            Operation::Phase { op, object, operands } => {
                ensure(self.is_pointer(*object), "the phase object is no pointer")?;
                ensure(operands.iter().all(|&operand| self.is_bits(operand)), "counts and tokens are bit-vectors")?;
                phase(*op, operands.len(), result)
            }
            Operation::Counted(numbers) => {
                ensure(numbers.iter().all(|&number| self.is_bits(number)), "numbers are bit-vectors").map(|()| Nothing)
            }
            Operation::Assume(condition, _) | Operation::Assert(condition, _) => {
                ensure(ty(condition) == Type::Bool, "the condition is no Boolean").map(|()| Nothing)
            }
            Operation::Annotation { name, .. } => ensure(!name.is_empty(), "has no name").map(|()| Checked),
        }
    }

    fn image(&self, image: Value, coordinates: &[Value], sampled: bool) -> Result<(), &'static str> {
        ensure(self.is_pointer(image), "the image is no pointer")?;
        let fit = coordinates.iter().all(|&coordinate| self.kernel.ty(coordinate) == Type::Bits(32));
        ensure(fit, "a coordinate has other than 32 bits")?;
        let Some(Operation::ArrayBase(array)) = self.kernel.operation(image) else { return Ok(()) };
        let ArrayOrigin::Image { dimensions } = self.kernel.arrays[*array].origin else { return Ok(()) };
        let whole = sampled && coordinates.is_empty();
        ensure(whole || coordinates.len() == usize::from(dimensions), "there is not one coordinate per dimension")
    }

    fn barrier(&self, kind: &BarrierKind) -> Result<(), &'static str> {
        match *kind {
            BarrierKind::Group | BarrierKind::Grid | BarrierKind::Cluster => Ok(()),
            BarrierKind::Named { id, count } => {
                let fit = self.is_bits(id) && count.is_none_or(|count| self.is_bits(count));
                ensure(fit, "a barrier's number and count are bit-vectors")
            }
            BarrierKind::Arrive { id, count } => {
                ensure(self.is_bits(id) && self.is_bits(count), "a barrier's number and count are bit-vectors")
            }
            BarrierKind::Warp { mask } => {
                let fits = mask.is_none_or(|mask| matches!(self.kernel.ty(mask), Type::Bits(32 | 64)));
                ensure(fits, "the mask has other than 32 or 64 bits")
            }
        }
    }
}

impl ThreadQuery {
    /// The queried dimension, if the query has one.
    pub fn dimension(self) -> Option<u8> {
        match self {
            Self::LocalId(dimension)
            | Self::GroupId(dimension)
            | Self::GlobalId(dimension)
            | Self::LocalSize(dimension)
            | Self::NumGroups(dimension)
            | Self::GlobalSize(dimension)
            | Self::GlobalOffset(dimension) => Some(dimension),
            Self::Dimensions | Self::LaneId | Self::WarpSize => None,
        }
    }
}

fn ensure(holds: bool, message: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(message) }
}

fn convert(op: ConvertOp, from: Type, to: Type) -> Result<(), &'static str> {
    let fits = match (op, from, to) {
        (ConvertOp::ZeroExtend | ConvertOp::SignExtend, Type::Bool, Type::Bits(_))
        | (ConvertOp::Truncate, Type::Bits(_), Type::Bool) => true,
        (ConvertOp::ZeroExtend | ConvertOp::SignExtend, Type::Bits(from), Type::Bits(to)) => from < to,
        (ConvertOp::Truncate, Type::Bits(from), Type::Bits(to)) => from > to,
        (ConvertOp::Bitcast, from, to) => from.width().is_some() && from.width() == to.width(),
        (ConvertOp::ZeroExtend | ConvertOp::SignExtend | ConvertOp::Truncate, _, _) => false,
    };
    ensure(fits, "no such conversion between these types")
}

fn float(op: FloatOp, operands: &[Type], result: Type) -> Result<(), &'static str> {
    let is_float = |ty: Type| matches!(ty, Type::Float(_));
    let same = |count: usize, result: Type| {
        operands.len() == count && operands.iter().all(|&ty| is_float(ty) && ty == operands[0]) && {
            result == Type::Bool || result == operands[0]
        }
    };
    let is_bits = |ty: Type| matches!(ty, Type::Bits(_));
    let fits = match op {
        FloatOp::Add | FloatOp::Subtract | FloatOp::Multiply | FloatOp::Divide | FloatOp::Remainder => {
            same(2, result) && is_float(result)
        }
        FloatOp::FusedMultiplyAdd | FloatOp::MultiplyAdd => same(3, result) && is_float(result),
        FloatOp::SquareRoot => same(1, result) && is_float(result),
        FloatOp::OrderedEqual
        | FloatOp::OrderedNotEqual
        | FloatOp::OrderedLess
        | FloatOp::OrderedLessEqual
        | FloatOp::Ordered
        | FloatOp::UnorderedEqual
        | FloatOp::UnorderedNotEqual
        | FloatOp::UnorderedLess
        | FloatOp::UnorderedLessEqual
        | FloatOp::Unordered => same(2, result) && result == Type::Bool,
        FloatOp::FromFloat => matches!(operands, [from] if is_float(*from)) && is_float(result),
        FloatOp::FromSigned | FloatOp::FromUnsigned => matches!(operands, [from] if is_bits(*from)) && is_float(result),
        FloatOp::ToSigned | FloatOp::ToUnsigned => matches!(operands, [from] if is_float(*from)) && is_bits(result),
    };
    ensure(fits, "the float operation has operands or a result of the wrong types")
}

fn atomic(op: AtomicOp, operands: &[Type], result: Option<Type>) -> Result<Expected, &'static str> {
    let (counts, with_float) = match op {
        AtomicOp::Load => (0..=0, None),
        AtomicOp::Store | AtomicOp::Exchange => (0..=1, None),
        AtomicOp::CompareExchange => (2..=2, None),
        AtomicOp::Increment | AtomicOp::Decrement => (0..=1, Some(false)),
        AtomicOp::Add
        | AtomicOp::Subtract
        | AtomicOp::SignedMin
        | AtomicOp::SignedMax
        | AtomicOp::UnsignedMin
        | AtomicOp::UnsignedMax
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor => (1..=1, Some(false)),
        AtomicOp::FloatAdd | AtomicOp::FloatSubtract | AtomicOp::FloatMin | AtomicOp::FloatMax => (1..=1, Some(true)),
    };
    ensure(counts.contains(&operands.len()), "the atomic has the wrong number of operands")?;
    let Some(ty) = operands.first().copied().or(result) else {
        return ensure(op == AtomicOp::Store, "the atomic has neither operands nor a result")
            .map(|()| Expected::Nothing);
    };
    ensure(operands.iter().all(|&operand| operand == ty), "the atomic's operands have different types")?;
    let fits = match with_float {
        None => true,
        Some(true) => matches!(ty, Type::Float(_)),
        Some(false) => matches!(ty, Type::Bits(_)),
    };
    ensure(fits, "the atomic's operands are of the wrong type")?;
    Ok(match op {
        AtomicOp::Store => Expected::Nothing,
        AtomicOp::Load => Expected::Exactly(ty),
        _ => Expected::Maybe(ty),
    })
}

fn warp_exchange(op: WarpOp, operands: &[Type], result: Option<Type>) -> Result<(), &'static str> {
    let is_bits = |ty: Type| matches!(ty, Type::Bits(_));
    let plain = |ty: Type| ty.width().is_some();
    let result = result.ok_or("has no result")?;
    let fits = match op {
        WarpOp::Shuffle | WarpOp::ShuffleUp | WarpOp::ShuffleDown | WarpOp::ShuffleXor => match operands {
            [value, lane] => *value == result && plain(*value) && is_bits(*lane),
            [value, lane, width] => *value == result && plain(*value) && is_bits(*lane) && is_bits(*width),
            _ => false,
        },
        WarpOp::VoteAll | WarpOp::VoteAny | WarpOp::VoteEqual => operands == [Type::Bool] && result == Type::Bool,
        WarpOp::Ballot => operands == [Type::Bool] && is_bits(result),
        WarpOp::MatchAny | WarpOp::MatchAll => matches!(operands, [value] if plain(*value)) && is_bits(result),
        WarpOp::ActiveMask => operands.is_empty() && is_bits(result),
        WarpOp::ReduceAdd
        | WarpOp::ReduceSignedMin
        | WarpOp::ReduceSignedMax
        | WarpOp::ReduceUnsignedMin
        | WarpOp::ReduceUnsignedMax
        | WarpOp::ReduceAnd
        | WarpOp::ReduceOr
        | WarpOp::ReduceXor => operands == [result] && plain(result),
    };
    ensure(fits, "the warp exchange has operands or a result of the wrong types")
}

fn phase(op: PhaseOp, operands: usize, result: Option<Type>) -> Result<Expected, &'static str> {
    let (counts, expected) = match op {
        PhaseOp::Initialise | PhaseOp::Wait | PhaseOp::WaitParity => (1..=1, Expected::Nothing),
        PhaseOp::Arrive => {
            ensure(result.is_none_or(|ty| matches!(ty, Type::Bits(_))), "a token is a bit-vector")?;
            (0..=1, Expected::Checked)
        }
        PhaseOp::ArriveOnCopy => (0..=0, Expected::Nothing),
        PhaseOp::Test | PhaseOp::TestParity => (1..=1, Expected::Exactly(Type::Bool)),
    };
    ensure(counts.contains(&operands), "the phase operation has the wrong number of operands")?;
    Ok(expected)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bits::Bits;
    use crate::kernel::random::{self, Vocabulary};
    use crate::kernel::{Language, Needs, NoWrap, StructField, Target};
    use crate::source::LocationData;

    fn problems(kernel: Kernel) -> String {
        let problems = verify(kernel).err().unwrap_or_default();
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }

    /// One reachable block after the entry, and a byte in the entry.
    fn small() -> (Kernel, Block, Value) {
        let mut kernel = Kernel::new("k", Language::OpenCl, 64);
        let byte = kernel.append(kernel.entry, Operation::Undefined, Type::Bits(8), None);
        let block = kernel.add_block();
        kernel.blocks[kernel.entry].terminator = Terminator::Jump(Target { block, arguments: vec![] });
        (kernel, block, byte)
    }

    proptest! {
        #[test]
        fn random_kernels_keep_the_rules(seed: u64, size in 1usize..12) {
            let kernel = random::kernel(seed, size, Vocabulary::Everything);
            prop_assert_eq!(problems(kernel), "");
        }
    }

    #[test]
    fn fields_lie_in_structs() {
        let kernel = random::kernel(1, 1, Vocabulary::Everything);
        assert_eq!(problems(kernel.clone()), "");
        let mut outside = kernel.clone();
        let field = |parameter, at| vec![NotPassed::Field(StructField { parameter, at })];
        outside.not_passed = field(3, 2);
        assert!(problems(outside).contains("a field lies in a struct"));
        let mut of_number = kernel.clone();
        of_number.not_passed = field(0, 0);
        assert!(problems(of_number).contains("a field lies in a struct"));
        let mut of_itself = kernel.clone();
        of_itself.not_passed = field(5, 0);
        assert!(problems(of_itself).contains("a field lies in a struct"));
        let mut same_name = kernel;
        same_name.parameters[5].name = "n".to_owned();
        assert!(problems(same_name).contains("the name of another parameter"));
    }

    #[test]
    fn places_are_inlined_at_places_before_them() {
        let (mut kernel, ..) = small();
        let file = kernel.files.push("a.cl".to_owned());
        let place = |inlined_at| LocationData { file, line: 1, column: 1, inlined_at, function: "f".to_owned() };
        let first = kernel.locations.push(place(None));
        let second = kernel.locations.push(place(Some(first)));
        assert_eq!(problems(kernel.clone()), "");
        kernel.locations[first].inlined_at = Some(second);
        assert!(problems(kernel).contains("does not come before"));
    }

    #[test]
    fn broken_types_are_found() {
        let byte = |op: fn(Value) -> Operation, ty: Type| {
            let (mut kernel, block, value) = small();
            kernel.append(block, op(value), ty, None);
            problems(kernel)
        };
        assert!(byte(|v| Operation::Unary(UnaryOp::Not, v), Type::Bits(16)).contains("wrong type"));
        assert!(byte(|v| Operation::Extract { high: 8, low: 0, value: v }, Type::Bits(9)).contains("out of range"));
        assert!(byte(|v| Operation::Convert(ConvertOp::Truncate, v), Type::Bits(8)).contains("no such conversion"));
        assert!(byte(|v| Operation::Select(v, v, v), Type::Bits(8)).contains("Boolean"));
        assert!(byte(|_| Operation::ThreadQuery(ThreadQuery::LocalId(3)), Type::Bits(64)).contains("0, 1 or 2"));
        assert!(byte(|_| Operation::Parameter(0), Type::Bits(8)).contains("no scalar"));
        assert!(byte(|_| Operation::Constant(Bits::zero(9)), Type::Bits(8)).contains("width"));
        assert!(
            byte(
                move |v| Operation::Binary(BinaryOp::Xor, NoWrap { signed: true, ..NoWrap::default() }, v, v),
                Type::Bits(8)
            )
            .contains("no-wrap")
        );
        let partial = |v| Operation::Binary(BinaryOp::Add, NoWrap { partial: true, ..NoWrap::default() }, v, v);
        let meant = |v| Operation::Binary(BinaryOp::Add, NoWrap { meant: true, ..NoWrap::default() }, v, v);
        assert!(byte(partial, Type::Bits(8)).contains("partial"));
        assert!(byte(meant, Type::Bits(8)).contains("meant"));
        assert!(
            byte(
                |v| Operation::Load(Access { pointer: v, alignment: 1, volatile: false, needs: Needs::Everything }),
                Type::Bits(8)
            )
            .contains("no pointer")
        );
        assert!(byte(|_| Operation::ArrayBase(Array::new(0)), Type::Bits(8)).contains("arr0, which does not exist"));
    }

    #[test]
    fn an_alignment_is_a_power_of_two_and_constant_memory_is_not_written() {
        for (space, alignment, message) in [(Space::Global, 3, "power of two"), (Space::Constant, 4, "constant memory")]
        {
            let (mut kernel, block, value) = small();
            let pointer = kernel.append(block, Operation::Null, Type::Pointer(space), None);
            kernel.append_effect(
                block,
                Operation::Store(Access { pointer, alignment, volatile: false, needs: Needs::Everything }, value),
                None,
            );
            assert!(problems(kernel).contains(message));
        }
    }

    #[test]
    fn a_use_that_its_definition_does_not_dominate_is_found() {
        let (mut kernel, block, _) = small();
        let late = kernel.append(block, Operation::Undefined, Type::Bits(8), None);
        kernel.append_effect(kernel.entry, Operation::Annotation { name: "a".into(), operands: vec![late] }, None);
        assert!(problems(kernel).contains("uses v1 where it need not be defined"));
        let (mut kernel, block, _) = small();
        let late = kernel.append(block, Operation::Undefined, Type::Bits(8), None);
        kernel.append_effect(block, Operation::Annotation { name: "a".into(), operands: vec![late] }, None);
        kernel.blocks[block].instructions.reverse();
        assert!(problems(kernel).contains("uses v1 where it need not be defined"));
    }

    #[test]
    fn broken_structure_is_found() {
        let (mut kernel, block, _) = small();
        kernel.blocks[block].terminator = Terminator::Jump(Target { block: kernel.entry, arguments: vec![] });
        assert!(problems(kernel).contains("jumps to the entry"));
        let (mut kernel, block, byte) = small();
        kernel.blocks[block].terminator = Terminator::Jump(Target { block, arguments: vec![byte] });
        assert!(problems(kernel).contains("passes 1 arguments"));
        let (mut kernel, block, _) = small();
        let twice = kernel.append_effect(block, Operation::AsyncWait(AsyncWait::Commit), None);
        kernel.blocks[block].instructions.push(twice);
        assert!(problems(kernel).contains("exactly one block"));
        let (mut kernel, block, byte) = small();
        let target = || Target { block, arguments: vec![] };
        let cases = vec![(Bits::zero(8), target()), (Bits::zero(8), target())];
        kernel.blocks[block].terminator = Terminator::Switch { value: byte, cases, default: target() };
        assert!(problems(kernel).contains("case twice"));
        let (mut kernel, ..) = small();
        kernel.pointer_bits = 16;
        assert!(problems(kernel).contains("32 or 64"));
    }
}
