//! The register form of a kernel, which the machine executes.
//!
//! Registers are 64-bit words, numbered per thread. A Boolean, a bit-vector or a float of up to 64
//! bits has one register, with zeros above its width. A wider value has several registers, the
//! lowest first. A pointer has two: the array (its number plus one; 0 is the null pointer) and the
//! byte offset. Constants have registers of their own, which are set before each thread starts.

use std::collections::{BTreeMap, BTreeSet};

use super::contents::ContentsStep;
use lockstep_ir::kernel::{
    Array, AsyncGroup, AtomicOp, BarrierKind, BinaryOp, Block, FloatOp, FloatType, GroupOp, Instruction, Needs, NoWrap,
    Operation, Ordering, PhaseOp, Scope, Space, SpaceSet, StridedSide, ThreadQuery, Type, WarpOp,
};
use lockstep_ir::source::Location;

/// A register's number.
pub type Register = u32;

/// The position of a step in [`Code::steps`].
pub type Position = u32;

/// A part of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// An instruction.
    Instruction(Instruction),
    /// The end of a block.
    End(Block),
}

/// A kernel in register form.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The steps; execution starts with the first one.
    pub(super) steps: Vec<Step>,
    /// The source location of each step.
    pub(super) places: Vec<Option<Location>>,
    /// The part of the kernel to which each step belongs.
    pub(super) parts: Vec<Part>,
    /// The volatile accesses that race as plain ones do, although threads synchronise through them.
    pub(super) volatile_data: BTreeSet<Instruction>,
    /// The number of registers per thread.
    pub(super) registers: u32,
    /// The initial values of registers.
    pub(super) constants: Vec<(Register, u64)>,
    /// The registers of parameters passed by value: parameter, first register, number of registers.
    pub(super) parameters: Vec<(u32, Register, u32)>,
    /// The arrays, in the kernel's order.
    pub(super) arrays: Vec<ArrayPlace>,
    /// The size in bytes of one thread's private arrays.
    pub(super) private_bytes: u64,
    /// Operations on numbers that are wider than a register.
    pub(super) wide: Vec<Wide>,
    /// Operations that the language leaves undefined for some operands.
    pub(super) marked: Vec<Marked>,
    /// Calls of functions by name.
    pub(super) calls: Vec<Call>,
    /// Atomic operations.
    pub(super) atomics: Vec<AtomicStep>,
    /// Exchanges in a warp.
    pub(super) exchanges: Vec<Exchange>,
    /// Copies of memory.
    pub(super) copies: Vec<Copy>,
    /// Asynchronous copies.
    pub(super) asynchronous: Vec<AsyncCopy>,
    /// Waits for asynchronous copies: the registers of the events.
    pub(super) waits: Vec<Vec<Register>>,
    /// Waits of a thread for copies of its own: the register of the number of closed batches, and
    /// the number of batches that may remain.
    pub(super) own_waits: Vec<(Register, u32)>,
    /// Facts about contents.
    pub(super) contents: Vec<ContentsStep>,
    /// Operations on phase objects.
    pub(super) phases: Vec<PhaseStep>,
    /// Named barriers.
    pub(super) named: Vec<NamedBarrier>,
    /// Accesses of images.
    pub(super) images: Vec<ImageStep>,
    /// Switches: the value's register, the cases, the default.
    pub(super) switches: Vec<Switch>,
    /// Unsupported operations, in words.
    pub(super) refused: Vec<String>,
    /// The width of an address in memory, in bytes.
    pub(super) pointer_bytes: u8,
    /// Whether an atomic operation orders only accesses to its own memory, and another thread's
    /// store ends a release sequence (OpenCL).
    ///
    /// The memory is local or global.
    pub(super) orders_by_space: bool,
    /// Whether sequentially consistent fences synchronise with each other (PTX).
    pub(super) fences_synchronise: bool,
    /// For each array, whether a strong write there precedes what follows a strong read of its
    /// value (PTX, HIP).
    pub(super) observed_precede: Vec<bool>,
    /// The orderings of volatile accesses that are not relaxed ([`Code::stronger`]).
    pub(super) volatile_orders: BTreeMap<Position, Ordering>,
    /// Whether an impossible quotient is an unspecified value, not undefined behaviour (OpenCL).
    pub(super) quotients_are_open: bool,
}

/// The placement of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayPlace {
    /// The address space.
    pub space: Space,
    /// The first byte in the thread's private memory.
    pub private: u64,
    /// Its size in bytes, for private arrays.
    pub bytes: u64,
    /// Whether it is an image.
    pub is_image: bool,
    /// Whether it belongs to a library's model, which is not visible to the program.
    pub of_library: bool,
}

/// One step.
///
/// It writes `to` and reads `a`, `b` and `c`; `width` is that of the operands, in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Copy {
        to: Register,
        a: Register,
    },
    Add {
        width: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    Subtract {
        width: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    Multiply {
        width: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    /// [`Step::Add`] where the language leaves signed overflow undefined.
    AddSigned {
        width: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    SubtractSigned {
        width: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    MultiplySigned {
        width: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    /// [`Step::AddSigned`] for 32 bits, the most common width.
    AddInt {
        to: Register,
        a: Register,
        b: Register,
    },
    SubtractInt {
        to: Register,
        a: Register,
        b: Register,
    },
    MultiplyInt {
        to: Register,
        a: Register,
        b: Register,
    },
    /// An operation with undefined cases, by its number in [`Code::marked`].
    Marked(u32),
    UnsignedDivide {
        width: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    SignedDivide {
        width: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    UnsignedRemainder {
        width: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    SignedRemainder {
        width: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    ShiftLeft {
        width: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    LogicalShiftRight {
        width: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    ArithmeticShiftRight {
        width: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    And {
        to: Register,
        a: Register,
        b: Register,
    },
    Or {
        to: Register,
        a: Register,
        b: Register,
    },
    Xor {
        to: Register,
        a: Register,
        b: Register,
    },
    Not {
        width: u8,
        to: Register,
        a: Register,
    },
    Negate {
        width: u8,
        to: Register,
        a: Register,
    },
    Equal {
        to: Register,
        a: Register,
        b: Register,
    },
    NotEqual {
        to: Register,
        a: Register,
        b: Register,
    },
    UnsignedLess {
        to: Register,
        a: Register,
        b: Register,
    },
    UnsignedLessEqual {
        to: Register,
        a: Register,
        b: Register,
    },
    SignedLess {
        width: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    SignedLessEqual {
        width: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    Select {
        to: Register,
        condition: Register,
        a: Register,
        b: Register,
    },
    /// Extends to `to_width` bits.
    SignExtend {
        width: u8,
        to_width: u8,
        to: Register,
        a: Register,
    },
    /// Keeps the low `width` bits.
    Truncate {
        width: u8,
        to: Register,
        a: Register,
    },
    /// Extracts `width` bits, starting at `low`.
    Extract {
        width: u8,
        low: u8,
        to: Register,
        a: Register,
    },
    /// Places `a` above the `low` bits of `b`.
    Concat {
        low: u8,
        to: Register,
        a: Register,
        b: Register,
    },
    Float {
        op: FloatOp,
        ty: FloatType,
        to: Register,
        a: Register,
        b: Register,
    },
    /// Computes `a * b + c`, where `c` is the register of the addend.
    FusedMultiplyAdd {
        ty: FloatType,
        to: Register,
        a: Register,
        b: Register,
        c: Register,
    },
    /// Converts to another format.
    FloatToFloat {
        from: FloatType,
        ty: FloatType,
        to: Register,
        a: Register,
    },
    /// Converts from an integer of `width` bits.
    IntegerToFloat {
        signed: bool,
        width: u8,
        ty: FloatType,
        to: Register,
        a: Register,
    },
    /// Converts to an integer of `width` bits, towards zero.
    ///
    /// A value out of range becomes the nearest representable one, and NaN becomes 0.
    FloatToInteger {
        signed: bool,
        width: u8,
        ty: FloatType,
        to: Register,
        a: Register,
    },
    Wide(u32),
    Call(u32),
    /// States a fact about contents, by its number.
    Contents {
        number: u32,
        to: Register,
    },
    Query {
        query: ThreadQuery,
        width: u8,
        to: Register,
    },
    /// An arbitrary value in `words` registers.
    Undefined {
        to: Register,
        words: u32,
    },
    /// A value unknown to the interpreter, taken as zero; `bits` is its width, or 0 for a pointer.
    Anything {
        to: Register,
        words: u32,
        bits: u32,
    },
    /// The number of choices that the thread has made so far.
    Choice {
        to: Register,
    },
    PointerAdd {
        to: Register,
        a: Register,
        b: Register,
    },
    PointerEqual {
        to: Register,
        a: Register,
        b: Register,
    },
    PointerDifference {
        to: Register,
        a: Register,
        b: Register,
    },
    PointerToInteger {
        to: Register,
        a: Register,
    },
    IntegerToPointer {
        to: Register,
        a: Register,
    },
    /// Loads `bits` bits into one or more registers.
    ///
    /// `strong` makes it behave as an atomic operation. `needs` is the number of bits that must
    /// have been written.
    Load {
        bits: u16,
        to: Register,
        pointer: Register,
        alignment: u8,
        strong: bool,
        needs: Needs,
    },
    LoadPointer {
        to: Register,
        pointer: Register,
        alignment: u8,
        strong: bool,
    },
    Store {
        bits: u16,
        value: Register,
        pointer: Register,
        alignment: u8,
        strong: bool,
    },
    StorePointer {
        value: Register,
        pointer: Register,
        alignment: u8,
        strong: bool,
    },
    Atomic(u32),
    MemoryCopy(u32),
    MemorySet {
        pointer: Register,
        value: Register,
        bytes: Register,
    },
    /// Starts an asynchronous copy.
    AsyncCopy(u32),
    /// Waits for asynchronous copies, with the group's threads.
    AsyncWait(u32),
    /// Starts an asynchronous copy of the thread alone.
    OwnCopy(u32),
    /// Waits for copies of the thread alone.
    OwnWait(u32),
    /// Releases or acquires accesses.
    Fence {
        ordering: Ordering,
        scope: Scope,
        spaces: SpaceSet,
    },
    /// A barrier.
    ///
    /// `mask` is the register of a warp barrier's mask, if it has one. `flags` is the register that
    /// selects the memories that it orders among `spaces`.
    Barrier {
        kind: BarrierKind,
        mask: Register,
        spaces: SpaceSet,
        flags: Option<Register>,
    },
    /// Reads or writes a pixel.
    Image(u32),
    /// A named barrier, by its number in [`Code::named`].
    Named(u32),
    /// An operation on a phase object, by its number in [`Code::phases`].
    Phase(u32),
    Exchange(u32),
    GroupExchange {
        op: GroupOp,
        width: u8,
        to: Register,
        predicate: Register,
    },
    Assume {
        condition: Register,
    },
    Assert {
        condition: Register,
    },
    Jump {
        to: Position,
    },
    Branch {
        condition: Register,
        then: Position,
        otherwise: Position,
    },
    Switch(u32),
    Return,
    Trap,
    Unreachable,
    /// An unsupported operation, by its number in [`Code::refused`].
    Refuse(u32),
}

/// An operation on numbers wider than a register, with the places of its operands.
#[derive(Clone, Debug)]
pub struct Wide {
    /// The operation.
    pub operation: Operation,
    /// The register and width of each operand, in the operation's order.
    pub operands: Vec<(Register, u32)>,
    /// The result's register.
    pub to: Register,
    /// The result's width.
    pub width: u32,
}

/// An operation that the language leaves undefined for some operands.
#[derive(Clone, Copy, Debug)]
pub struct Marked {
    /// The operation.
    pub op: BinaryOp,
    /// The marks of undefined cases.
    pub marks: NoWrap,
    /// The width in bits.
    pub width: u8,
    /// The result's register.
    pub to: Register,
    /// The first operand.
    pub a: Register,
    /// The second operand.
    pub b: Register,
}

/// A call of a function by name.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name.
    pub name: String,
    /// The operands: register and type.
    pub operands: Vec<(Register, Type)>,
    /// The result's register.
    pub to: Register,
    /// The result's type.
    pub ty: Type,
}

/// An atomic operation.
#[derive(Clone, Debug)]
pub struct AtomicStep {
    /// The operation.
    pub op: AtomicOp,
    /// The width in bits.
    pub bits: u8,
    /// The type in which floats are computed.
    pub ty: Type,
    /// The pointer.
    pub pointer: Register,
    /// The operands.
    pub operands: Vec<Register>,
    /// The register for the old value.
    pub to: Option<Register>,
    /// The memory ordering.
    pub ordering: Ordering,
    /// The memory ordering of a compare-exchange that fails.
    pub failing: Ordering,
    /// The scope.
    pub scope: Scope,
}

/// An exchange between the lanes of a warp.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The operation.
    pub op: WarpOp,
    /// The participating lanes; `None` for the lanes that arrive.
    pub mask: Option<Register>,
    /// The operands.
    pub operands: Vec<Register>,
    /// The value's width in bits.
    pub width: u8,
    /// The result's register.
    pub to: Option<Register>,
    /// The result's width in bits.
    pub result_width: u8,
}

/// A copy of memory.
#[derive(Clone, Copy, Debug)]
pub struct Copy {
    /// The target.
    pub to: Register,
    /// The source.
    pub from: Register,
    /// The number of bytes.
    pub bytes: Register,
}

/// An asynchronous copy, which proceeds beside the thread or the threads of the group that start
/// it.
#[derive(Clone, Copy, Debug)]
pub struct AsyncCopy {
    /// The threads that start it.
    pub group: AsyncGroup,
    /// The target.
    pub to: Register,
    /// The source.
    pub from: Register,
    /// The number of elements; of bytes if threads wait for their own parts.
    pub count: Register,
    /// The size of an element in bytes.
    pub element_bytes: u32,
    /// The stride on one side, in elements.
    pub stride: Option<(StridedSide, Register)>,
    /// The event that it joins, unless that is null; of a thread's own copy, its batch.
    pub event: Option<Register>,
    /// The register for its event.
    pub result: Option<Register>,
    /// The required alignments of the source and of the target.
    pub alignments: (u8, u8),
}

impl AsyncCopy {
    /// The registers that must be uniform over the threads.
    pub fn operands(&self) -> Vec<Register> {
        let pointers = [self.to, self.to + 1, self.from, self.from + 1, self.count];
        let event = self.event.filter(|_| !self.group.is_of_threads());
        pointers.into_iter().chain(self.stride.map(|(_, stride)| stride)).chain(event).collect()
    }
}

/// An operation on a phase object.
#[derive(Clone, Copy, Debug)]
pub struct PhaseStep {
    /// The kind of operation.
    pub op: PhaseOp,
    /// The object.
    pub object: Register,
    /// The count, token or parity.
    pub operand: Option<Register>,
    /// The result.
    pub to: Option<Register>,
}

/// A named barrier, for some threads of the group.
#[derive(Clone, Copy, Debug)]
pub struct NamedBarrier {
    /// Its number.
    pub id: Register,
    /// The number of participating threads; `None` for all.
    pub count: Option<Register>,
    /// Whether an arriving thread waits.
    pub waits: bool,
}

/// A read or a write of a pixel.
#[derive(Clone, Debug)]
pub struct ImageStep {
    /// The pointer to the image.
    pub pointer: Register,
    /// The coordinates, of 32 bits each.
    pub coordinates: Vec<Register>,
    /// The register that holds or receives the pixel's bits.
    pub value: Register,
    /// The number of bits.
    pub bits: u16,
    /// Whether it is a write.
    pub writes: bool,
}

/// A branch with several targets.
#[derive(Clone, Debug)]
pub struct Switch {
    /// The register of the value that selects the target.
    pub value: Register,
    /// The cases.
    pub cases: Vec<(u64, Position)>,
    /// The target for all other values.
    pub default: Position,
}

impl Step {
    /// Whether the step reads or writes memory.
    pub fn accesses_memory(self) -> bool {
        matches!(
            self,
            Self::Load { .. }
                | Self::LoadPointer { .. }
                | Self::Store { .. }
                | Self::StorePointer { .. }
                | Self::Atomic(_)
                | Self::Image(_)
                | Self::MemoryCopy(_)
                | Self::MemorySet { .. }
        )
    }
}

impl Code {
    /// Whether a step is a barrier of the group.
    pub fn is_barrier(&self, at: Position) -> bool {
        let step = usize::try_from(at).ok().and_then(|at| self.steps.get(at));
        matches!(step, Some(Step::Barrier { .. }))
    }

    /// The steps that evaluate an assertion.
    pub fn assertions(&self) -> impl Iterator<Item = Position> {
        (0..).zip(&self.steps).filter(|(_, step)| matches!(step, Step::Assert { .. })).map(|(at, _)| at)
    }

    /// The source location of a step.
    pub fn place(&self, at: Position) -> Option<Location> {
        self.places[usize::try_from(at).expect("positions are 32 bits")]
    }

    /// The part of the kernel to which a step belongs.
    pub fn part(&self, at: Position) -> Part {
        self.parts[usize::try_from(at).expect("positions are 32 bits")]
    }

    /// Lets these volatile accesses race as plain ones do: what they read is data, and no signal.
    pub fn with_volatile_data(mut self, volatile_data: BTreeSet<Instruction>) -> Self {
        self.volatile_data = volatile_data;
        self
    }

    /// The code in which it is recorded for these arrays only who has observed which writes.
    ///
    /// In the other ones, it must not matter to races.
    #[must_use]
    pub fn with_observed_only(mut self, arrays: &BTreeSet<Array>) -> Self {
        for (number, precede) in (0..).zip(&mut self.observed_precede) {
            *precede &= arrays.contains(&Array::from_u32(number));
        }
        self
    }

    /// Whether a step has the scope of a cluster, whose groups are not known.
    pub fn is_of_open_scope(&self, at: Position) -> bool {
        let scope = match self.step(at) {
            Step::Fence { scope, .. } => scope,
            Step::Atomic(number) => self.atomic(number).scope,
            _ => return false,
        };
        scope == Scope::Cluster
    }

    /// Whether a step is a volatile access, in a language in which those are relaxed atomic ones.
    pub fn is_volatile(&self, at: Position) -> bool {
        matches!(
            self.step(at),
            Step::Load { strong: true, .. }
                | Step::LoadPointer { strong: true, .. }
                | Step::Store { strong: true, .. }
                | Step::StorePointer { strong: true, .. }
        )
    }

    /// Whether a step is one of [`Code::with_volatile_data`].
    pub(super) fn is_volatile_data(&self, at: Position) -> bool {
        !self.volatile_data.is_empty()
            && self.is_volatile(at)
            && matches!(self.part(at), Part::Instruction(instruction) if self.volatile_data.contains(&instruction))
    }

    /// The description of an unsupported operation.
    pub fn refusal(&self, number: u32) -> &str {
        &self.refused[usize::try_from(number).expect("numbers are 32 bits")]
    }

    /// The name of a called function.
    pub fn function(&self, number: u32) -> &str {
        &self.calls[usize::try_from(number).expect("numbers are 32 bits")].name
    }

    /// The step at a position.
    pub fn step(&self, at: Position) -> Step {
        self.steps[usize::try_from(at).expect("positions are 32 bits")]
    }

    /// The exchange of this number.
    pub fn exchange(&self, number: u32) -> &Exchange {
        &self.exchanges[usize::try_from(number).expect("numbers are 32 bits")]
    }

    /// The operation of this number in [`Code::phases`].
    pub fn phase(&self, number: u32) -> PhaseStep {
        self.phases[usize::try_from(number).expect("numbers are 32 bits")]
    }

    /// The named barrier of this number in [`Code::named`].
    pub fn named_barrier(&self, number: u32) -> NamedBarrier {
        self.named[usize::try_from(number).expect("numbers are 32 bits")]
    }

    /// The atomic operation of this number.
    pub fn atomic(&self, number: u32) -> &AtomicStep {
        &self.atomics[usize::try_from(number).expect("numbers are 32 bits")]
    }

    /// The array of a pointer's first register, unless it is null.
    pub fn array(word: u64) -> Option<Array> {
        let index = u32::try_from(word).ok()?.checked_sub(1)?;
        Some(Array::from_u32(index))
    }
}
