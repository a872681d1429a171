//! The register form of a kernel: what the machine executes.
//!
//! Registers are 64-bit words, numbered per thread. A Boolean, a bit-vector or a float of up to 64 bits has one register, in
//! which the bits above its width are zeros; a wider one has as many as it takes, the lowest first. A pointer has two: the
//! array it points into (its number plus one; 0 is the null pointer) and the byte offset. Constants have registers of their own,
//! which every thread starts with.

use lockstep_ir::kernel::{
    Array, AtomicOp, BarrierKind, BinaryOp, Block, FloatOp, FloatType, GroupOp, Instruction, Needs, NoWrap, Operation,
    Ordering, Scope, Space, SpaceSet, StridedSide, ThreadQuery, Type, WarpOp,
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
    /// What ends a block.
    End(Block),
}

/// A kernel in register form.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The steps; execution starts with the first one.
    pub(super) steps: Vec<Step>,
    /// Where each step stands in the source.
    pub(super) places: Vec<Option<Location>>,
    /// The part of the kernel that each step belongs to.
    pub(super) parts: Vec<Part>,
    /// How many registers a thread has.
    pub(super) registers: u32,
    /// What registers start with.
    pub(super) constants: Vec<(Register, u64)>,
    /// The registers of parameters that are passed by value: the parameter, its register, how many.
    pub(super) parameters: Vec<(u32, Register, u32)>,
    /// The arrays, in the kernel's order.
    pub(super) arrays: Vec<ArrayPlace>,
    /// The bytes of private arrays of one thread.
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
    /// Copies beside the threads of a group.
    pub(super) asynchronous: Vec<AsyncCopy>,
    /// Waits for such copies: the registers of the events.
    pub(super) waits: Vec<Vec<Register>>,
    /// Barriers with numbers.
    pub(super) named: Vec<NamedBarrier>,
    /// Accesses of images.
    pub(super) images: Vec<ImageStep>,
    /// Switches: the value's register, the cases, the default.
    pub(super) switches: Vec<Switch>,
    /// What cannot be executed, in words.
    pub(super) refused: Vec<String>,
    /// The width of an address in memory, in bytes.
    pub(super) pointer_bytes: u8,
    /// Whether an atomic operation orders accesses to its own memory only, local or global (OpenCL).
    pub(super) orders_by_space: bool,
    /// Whether sequentially consistent fences synchronise with each other (PTX).
    pub(super) fences_synchronise: bool,
    /// Whether a quotient that there is none of is any value, and not undefined behaviour (OpenCL).
    pub(super) quotients_are_open: bool,
}

/// Where an array lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayPlace {
    /// In which memory.
    pub space: Space,
    /// The first byte in the thread's private memory.
    pub private: u64,
    /// Its size in bytes, of private arrays.
    pub bytes: u64,
    /// Whether it is an image.
    pub is_image: bool,
    /// Whether a library's model computes in it, which the program does not see.
    pub of_library: bool,
}

/// One step. Registers: `to` is written, `a`, `b`, `c` are read; `width` is that of the operands, in bits.
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
    /// As [`Step::Add`], where the language leaves it undefined that the sum does not fit as a signed number.
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
    /// The same of 32 bits, which most of them have.
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
    /// What else the language leaves undefined for some operands, by its number in [`Code::marked`].
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
    /// To `to_width` bits.
    SignExtend {
        width: u8,
        to_width: u8,
        to: Register,
        a: Register,
    },
    /// The low `width` bits.
    Truncate {
        width: u8,
        to: Register,
        a: Register,
    },
    /// The bits from `low` on, `width` of them.
    Extract {
        width: u8,
        low: u8,
        to: Register,
        a: Register,
    },
    /// `a` above the `low` bits of `b`.
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
    /// The addend is in the register behind `to`'s operands.
    FusedMultiplyAdd {
        ty: FloatType,
        to: Register,
        a: Register,
        b: Register,
        c: Register,
    },
    /// From one format to another.
    FloatToFloat {
        from: FloatType,
        ty: FloatType,
        to: Register,
        a: Register,
    },
    /// From an integer of `width` bits.
    IntegerToFloat {
        signed: bool,
        width: u8,
        ty: FloatType,
        to: Register,
        a: Register,
    },
    /// To an integer of `width` bits, towards zero; what does not fit becomes the nearest that does, no number becomes 0.
    FloatToInteger {
        signed: bool,
        width: u8,
        ty: FloatType,
        to: Register,
        a: Register,
    },
    Wide(u32),
    Call(u32),
    Query {
        query: ThreadQuery,
        width: u8,
        to: Register,
    },
    /// Any value: `words` registers.
    Undefined {
        to: Register,
        words: u32,
    },
    /// What nobody knows who runs the kernel here: zero. Of so many bits; 0 of a pointer's.
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
    /// `bits` bits in one or more registers; `strong` as an atomic operation does it; `needs` says how many of them somebody
    /// must have written.
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
    /// A copy starts that goes on beside the group's threads.
    AsyncCopy(u32),
    /// The group's threads wait for copies.
    AsyncWait(u32),
    /// Lets other threads know of accesses, or learns of theirs.
    Fence {
        ordering: Ordering,
        scope: Scope,
        spaces: SpaceSet,
    },
    /// `mask` is the register of a warp barrier's mask, where it has one; `flags` that of what it orders of `spaces`.
    Barrier {
        kind: BarrierKind,
        mask: Register,
        spaces: SpaceSet,
        flags: Option<Register>,
    },
    /// A pixel is read or written.
    Image(u32),
    /// A barrier with a number, by its own in [`Code::named`].
    Named(u32),
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
    /// What is not executed here, by its number in [`Code::refused`].
    Refuse(u32),
}

/// An operation on numbers wider than a register: the operation with its operands' places.
#[derive(Clone, Debug)]
pub struct Wide {
    /// What is computed.
    pub operation: Operation,
    /// Of what: register and width of each operand, in the operation's order.
    pub operands: Vec<(Register, u32)>,
    /// Into which register.
    pub to: Register,
    /// How wide the result is.
    pub width: u32,
}

/// An operation that the language leaves undefined for some operands.
#[derive(Clone, Copy, Debug)]
pub struct Marked {
    /// What is computed.
    pub op: BinaryOp,
    /// Where it is undefined.
    pub marks: NoWrap,
    /// With how many bits.
    pub width: u8,
    /// Into which register.
    pub to: Register,
    /// Of what.
    pub a: Register,
    /// And of what.
    pub b: Register,
}

/// A call of a function of which the name is known.
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
    /// What is done.
    pub op: AtomicOp,
    /// To how many bits.
    pub bits: u8,
    /// The type, which floats are computed in.
    pub ty: Type,
    /// Where.
    pub pointer: Register,
    /// The operands.
    pub operands: Vec<Register>,
    /// Where the old value goes.
    pub to: Option<Register>,
    /// What it orders.
    pub ordering: Ordering,
    /// Its ordering where it is a compare-exchange that finds another value than the one expected.
    pub failing: Ordering,
    /// Between whom.
    pub scope: Scope,
}

/// An exchange in a warp.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// How.
    pub op: WarpOp,
    /// The lanes that take part; `None`: those that come.
    pub mask: Option<Register>,
    /// The operands.
    pub operands: Vec<Register>,
    /// How wide the value is, in bits.
    pub width: u8,
    /// The result's register.
    pub to: Option<Register>,
    /// How wide the result is, in bits.
    pub result_width: u8,
}

/// A copy of memory.
#[derive(Clone, Copy, Debug)]
pub struct Copy {
    /// Written.
    pub to: Register,
    /// Read.
    pub from: Register,
    /// How many bytes.
    pub bytes: Register,
}

/// A copy that goes on beside the threads of the group that starts it.
#[derive(Clone, Copy, Debug)]
pub struct AsyncCopy {
    /// Written.
    pub to: Register,
    /// Read.
    pub from: Register,
    /// How many elements.
    pub count: Register,
    /// The bytes of one.
    pub element_bytes: u32,
    /// The distance of two elements on one side, in elements.
    pub stride: Option<(StridedSide, Register)>,
    /// The event that it joins, unless that is null.
    pub event: Option<Register>,
    /// Where its event goes.
    pub result: Option<Register>,
    /// What addresses must be multiples of: of what is read, of what is written.
    pub alignments: (u8, u8),
}

impl AsyncCopy {
    /// The registers in which all threads have the same.
    pub fn operands(&self) -> Vec<Register> {
        let pointers = [self.to, self.to + 1, self.from, self.from + 1, self.count];
        pointers.into_iter().chain(self.stride.map(|(_, stride)| stride)).chain(self.event).collect()
    }
}

/// A barrier with a number, for some threads of the group.
#[derive(Clone, Copy, Debug)]
pub struct NamedBarrier {
    /// Its number.
    pub id: Register,
    /// For how many threads it is; `None`: all.
    pub count: Option<Register>,
    /// Whether who comes waits.
    pub waits: bool,
}

/// A read or a write of a pixel.
#[derive(Clone, Debug)]
pub struct ImageStep {
    /// The image.
    pub pointer: Register,
    /// Where in it: 32 bits each.
    pub coordinates: Vec<Register>,
    /// Where the pixel's bits come from, or go.
    pub value: Register,
    /// How many bits.
    pub bits: u16,
    /// Whether it is written.
    pub writes: bool,
}

/// Several ways on.
#[derive(Clone, Debug)]
pub struct Switch {
    /// What decides.
    pub value: Register,
    /// The cases.
    pub cases: Vec<(u64, Position)>,
    /// Otherwise.
    pub default: Position,
}

impl Step {
    /// Whether it reads or writes memory.
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
    /// The steps that evaluate an assertion.
    pub fn assertions(&self) -> impl Iterator<Item = Position> {
        (0..).zip(&self.steps).filter(|(_, step)| matches!(step, Step::Assert { .. })).map(|(at, _)| at)
    }

    /// Where a step stands in the source.
    pub fn place(&self, at: Position) -> Option<Location> {
        self.places[usize::try_from(at).expect("positions are 32 bits")]
    }

    /// The part of the kernel that a step belongs to.
    pub fn part(&self, at: Position) -> Part {
        self.parts[usize::try_from(at).expect("positions are 32 bits")]
    }

    /// What cannot be executed, in words.
    pub fn refusal(&self, number: u32) -> &str {
        &self.refused[usize::try_from(number).expect("numbers are 32 bits")]
    }

    /// The name of a function that is called.
    pub fn function(&self, number: u32) -> &str {
        &self.calls[usize::try_from(number).expect("numbers are 32 bits")].name
    }

    /// The step there.
    pub fn step(&self, at: Position) -> Step {
        self.steps[usize::try_from(at).expect("positions are 32 bits")]
    }

    /// The exchange of this number.
    pub fn exchange(&self, number: u32) -> &Exchange {
        &self.exchanges[usize::try_from(number).expect("numbers are 32 bits")]
    }

    /// The barrier of this number.
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
