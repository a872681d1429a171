//! The kernel IR: what one thread of a launch executes.
//!
//! # Meaning
//!
//! A [`Kernel`] is a control-flow graph in SSA form. Blocks have **parameters** instead of φ-nodes; a
//! jump passes one argument per parameter. Execution starts at [`Kernel::entry`], whose block has no
//! parameters. Every thread of the launch executes the same kernel; threads differ only in what
//! [`Operation::ThreadQuery`] returns, and in what they read from memory.
//!
//! **Values** have a [`Type`]. Bit-vectors have no sign; operations do. Division by zero and shifts by
//! the width or more are undefined in the languages we read; here they have SMT-LIB's meaning
//! (see [`crate::bits`]), which is one of the allowed outcomes. Floats are bit patterns: loading, storing,
//! selecting and bit-casting them is exact, arithmetic on them is an uninterpreted but deterministic
//! function (same inputs, same result). [`Operation::Undefined`], [`Operation::Anything`] and [`Operation::Choice`] are any value,
//! chosen anew for each thread each time they are executed.
//!
//! **Memory** is a set of [`Array`]s. A pointer is a pair of an array and a byte offset of
//! [`Kernel::pointer_bits`] bits; pointer arithmetic stays within the array (it never turns a pointer
//! into one to another array). Arrays in the address space [`Space::Local`] exist once per group,
//! those in [`Space::Private`] once per thread, all others once per launch. Distinct arrays do not
//! overlap. Data is little-endian. What the models of library functions compute with lies in arrays of their own
//! ([`ArrayOrigin::Library`]): a barrier may order these alone ([`SpaceSet::LIBRARY`]), so that it makes threads wait without ordering
//! anything that a program can see. A model may wait inside of a function whose documentation promises no order.
//!
//! **Undefined behaviour** that a front end knows of is written down rather than used: the flags of
//! [`NoWrap`] (what it appends of its own has SMT-LIB's meaning, and none), `in_bounds` of [`Operation::PointerAdd`], the terminator [`Terminator::Unreachable`].
//!
//! **Races.** Two accesses of different threads race if they touch a common byte, one of them writes, no
//! barrier or other synchronisation orders them, and they are not both atomic with scopes that include both
//! threads and equal width.
//!
//! A kernel is handed on only as a [`VerifiedKernel`].

mod class;
mod fold;
mod keyword;
mod operation;
mod parse;
mod print;
#[cfg(test)]
mod random;
pub mod transform;
mod verify;

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};

pub use operation::{
    AssertKind, AssumeKind, AsyncGroup, AsyncWait, AtomicOp, BarrierKind, BinaryOp, CompareOp, ConvertOp, FloatOp,
    GroupOp, Ordering, PhaseOp, Scope, SpaceSet, StridedSide, UnaryOp, WarpOp,
};
pub use parse::{ParseError, parse};
pub use print::{SourceLine, print, print_with_source};
pub use verify::{Problem, VerifiedKernel, verify};

use crate::bits::Bits;
use crate::source::{File, Location, LocationData, Place};

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block(u32);
entity_impl!(Block, "block");

/// An SSA value: a block parameter or the result of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(u32);
entity_impl!(Value, "v");

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Instruction(u32);
entity_impl!(Instruction, "inst");

/// An array: a piece of memory that pointers point into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Array(u32);
entity_impl!(Array, "arr");

/// One kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The name in the source.
    pub name: String,
    /// The language it was written in.
    pub language: Language,
    /// The width of a pointer offset and of `size_t`: 32 or 64.
    pub pointer_bits: u32,
    /// Where the kernel is declared.
    pub location: Option<Location>,
    /// What the source says about launches of this kernel.
    pub launch: LaunchBounds,
    /// The parameters in source order.
    pub parameters: Vec<Parameter>,
    /// The source files that locations refer to, by path as the compiler was given it.
    pub files: PrimaryMap<File, String>,
    /// The places in the source that instructions refer to.
    pub locations: PrimaryMap<Location, LocationData>,
    /// The arrays.
    pub arrays: PrimaryMap<Array, ArrayData>,
    /// The blocks.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// Where execution starts.
    pub entry: Block,
    /// The instructions; each stands in exactly one block.
    pub instructions: PrimaryMap<Instruction, InstructionData>,
    /// The values.
    pub values: PrimaryMap<Value, ValueData>,
}

/// A source language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// OpenCL C.
    OpenCl,
    /// CUDA C++.
    Cuda,
    /// HIP C++.
    Hip,
    /// PTX assembly.
    Ptx,
    /// LLVM IR of unknown origin.
    Llvm,
}

impl Language {
    /// Whether volatile accesses are relaxed ones with system scope, as in the PTX ISA ("Memory consistency model"). In OpenCL C
    /// they are plain.
    pub fn has_relaxed_volatiles(self) -> bool {
        self != Self::OpenCl
    }
}

/// What the source says about the sizes a kernel is launched with, in threads per dimension.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchBounds {
    /// The group size that every launch has (`reqd_work_group_size`).
    pub required_group_size: Option<[u32; 3]>,
    /// The largest number of threads in a group (`__launch_bounds__`).
    pub max_group_threads: Option<u32>,
}

/// A kernel parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name in the source; `p0`, `p1`… where it has none.
    pub name: String,
    /// What it is.
    pub kind: ParameterKind,
}

/// What a kernel parameter is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A scalar (or a vector or struct as raw bits), read by [`Operation::Parameter`].
    Scalar(Type),
    /// A pointer to this array. Different pointer parameters point to different arrays: an assumption of the report.
    Pointer(Array),
    /// A struct passed by value: a private array of this many bytes which every thread starts with a copy
    /// of, of unknown but equal contents.
    Aggregate(Array),
    /// A sampler or another opaque handle whose value cannot influence an access.
    Opaque,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// True or false.
    Bool,
    /// A bit-vector of this width, at least 1.
    Bits(u32),
    /// A float, as its bit pattern.
    Float(FloatType),
    /// A pointer into an array of this address space.
    Pointer(Space),
}

/// A float format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatType {
    /// IEEE binary16.
    F16,
    /// bfloat16.
    Bf16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
}

impl FloatType {
    /// The number of bits.
    pub fn width(self) -> u32 {
        match self {
            Self::F16 | Self::Bf16 => 16,
            Self::F32 => 32,
            Self::F64 => 64,
        }
    }
}

impl Type {
    /// The number of bits of a Boolean, bit-vector or float; `None` for a pointer, whose bits are not known.
    pub fn width(self) -> Option<u32> {
        match self {
            Self::Bool => Some(1),
            Self::Bits(width) => Some(width),
            Self::Float(float) => Some(float.width()),
            Self::Pointer(_) => None,
        }
    }
}

/// An address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// Private memory: one copy per thread.
    Private,
    /// Global memory: one copy per launch.
    Global,
    /// Constant memory: one copy per launch, never written.
    Constant,
    /// Local memory (OpenCL) or shared memory (CUDA): one copy per group.
    Local,
    /// Not known statically: any of the others.
    Generic,
}

/// What is known of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayData {
    /// The name in the source.
    pub name: String,
    /// The memory it lies in; never [`Space::Generic`].
    pub space: Space,
    /// Where it comes from.
    pub origin: ArrayOrigin,
    /// What it is declared to hold, for display; accesses need not agree with it.
    pub element: Option<ElementLayout>,
    /// Its size in bytes, if known.
    pub size: Option<u64>,
    /// The bytes it starts with, if known (a program-scope constant).
    pub contents: Option<Vec<u8>>,
    /// Whether it is declared `volatile`.
    pub volatile: bool,
    /// Whether the source promises that nothing else points to it (`restrict`).
    pub restrict: bool,
    /// Where it is declared.
    pub location: Option<Location>,
}

/// Where an array comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayOrigin {
    /// What a kernel parameter points to.
    Parameter,
    /// A `__local`/`__shared__` variable, or a variable at program scope.
    Variable,
    /// Local memory in which the model of a library function computes what the function returns. A program does not see it: only models
    /// access it, and a barrier may order nothing else ([`SpaceSet::library`]).
    Library,
    /// A thread's own variable, uninitialised at first.
    Stack,
    /// A parameter passed by value.
    Aggregate,
    /// An image. Its offsets are not bytes but packed coordinates, 32 bits per dimension, the first
    /// dimension in the low bits.
    Image {
        /// 1, 2 or 3; an array of images counts its index as one more.
        dimensions: u8,
    },
}

/// How an array's elements are declared, outermost dimension first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ElementLayout {
    /// The element's type as the source writes it: `float`, `struct particle`.
    pub name: String,
    /// Its size in bytes, at least 1.
    pub bytes: u64,
    /// The sizes of the dimensions of a multi-dimensional array in elements, outermost first; empty or one
    /// entry for a plain one. `0` where the outermost is unknown.
    pub dimensions: Vec<u64>,
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockData {
    /// What jumps pass.
    pub parameters: Vec<Value>,
    /// What is executed, in order.
    pub instructions: Vec<Instruction>,
    /// Where execution goes on.
    pub terminator: Terminator,
    /// Where the terminator stands in the source.
    pub location: Option<Location>,
}

/// A jump to a block with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Where to.
    pub block: Block,
    /// One argument per parameter of the block.
    pub arguments: Vec<Value>,
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// Go on there.
    Jump(Target),
    /// Go on at `then` if the condition holds, else at `otherwise`.
    Branch {
        /// Of type [`Type::Bool`].
        condition: Value,
        /// Where to if true.
        then: Target,
        /// Where to if false.
        otherwise: Target,
    },
    /// Go on at the case whose constant equals the value, else at `default`.
    Switch {
        /// A bit-vector.
        value: Value,
        /// Distinct constants of the value's width.
        cases: Vec<(Bits, Target)>,
        /// Where to if no case matches.
        default: Target,
    },
    /// The thread has finished the kernel.
    Return,
    /// The thread ends the launch with an error, at once or soon: others may make steps still, but nobody passes a barrier that it
    /// has not come to. A proof may take it for a [`Self::Return`], which allows more.
    Trap,
    /// The source promises that execution never comes here: undefined behaviour if it does.
    Unreachable,
}

impl Terminator {
    /// The targets in order: `then` before `otherwise`, cases before the default.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        let (first, cases, last): (Option<&Target>, &[(Bits, Target)], Option<&Target>) = match self {
            Self::Jump(target) => (Some(target), &[], None),
            Self::Branch { then, otherwise, .. } => (Some(then), &[], Some(otherwise)),
            Self::Switch { cases, default, .. } => (None, cases, Some(default)),
            Self::Return | Self::Trap | Self::Unreachable => (None, &[], None),
        };
        first.into_iter().chain(cases.iter().map(|(_, target)| target)).chain(last)
    }

    /// The targets in the order of [`Self::targets`], to be changed.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut Target> {
        let (first, cases, last): (Option<&mut Target>, &mut [(Bits, Target)], Option<&mut Target>) = match self {
            Self::Jump(target) => (Some(target), &mut [], None),
            Self::Branch { then, otherwise, .. } => (Some(then), &mut [], Some(otherwise)),
            Self::Switch { cases, default, .. } => (None, cases, Some(default)),
            Self::Return | Self::Trap | Self::Unreachable => (None, &mut [], None),
        };
        first.into_iter().chain(cases.iter_mut().map(|(_, target)| target)).chain(last)
    }
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstructionData {
    /// What it does.
    pub operation: Operation,
    /// What it produces: none or one value.
    pub result: Option<Value>,
    /// Where it stands in the source.
    pub location: Option<Location>,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueData {
    /// Its type.
    pub ty: Type,
    /// The source variable it holds, where debug information says so.
    pub name: Option<String>,
    /// What defines it.
    pub definition: Definition,
}

/// What defines a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Definition {
    /// The result of an instruction.
    Result(Instruction),
    /// The parameter of a block with this index.
    Parameter(Block, u32),
}

/// What the source language makes undefined of an operation: wrapping, and operands for which it has no result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "marks that stand beside each other")]
pub struct NoWrap {
    /// Undefined if the result wraps as a signed number.
    pub signed: bool,
    /// Undefined if the result wraps as an unsigned number.
    pub unsigned: bool,
    /// The language does not say so, but whoever writes the operation means no more by it (`mul24`): what is taken for granted of
    /// it is the same, and a run in which it wraps breaks no rule.
    pub meant: bool,
    /// Of a quotient, a remainder or a shift that the source writes: it has no result, or any, where the divisor is zero, the
    /// quotient does not fit, or the distance is the width or more.
    pub partial: bool,
}

/// What an instruction does.
///
/// Operands of arithmetic have the result's type unless a variant says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    // --- Values -------------------------------------------------------------------------------------
    /// A constant: of type `Bits`, `Float` (its pattern) or `Bool` (one bit).
    Constant(Bits),
    /// The absence of a value: any of the result's type, chosen anew at each execution.
    Undefined,
    /// What is not modelled: a clock, or what a function without a body returns. It may be any value of the result's type at each execution, and which
    /// one nobody knows who executes the kernel elsewhere.
    Anything,
    /// A choice that the documentation of a library leaves to it: any value of the result's type at each execution. A run takes the
    /// operand, or without one, for a bit-vector, the number of choices that the thread has made so far. Either is a run of the program,
    /// as a library may choose like that.
    Choice(Option<Value>),
    /// A value out of a cache that nobody keeps up to date: the one that memory has, where the kernel does not write to the
    /// arrays that the pointer may point into, and [`Operation::Choice`] of it where it does.
    Cached {
        /// Where the value comes from.
        pointer: Value,
        /// The value that memory has there.
        value: Value,
    },
    /// The scalar kernel parameter with this index.
    Parameter(u32),
    /// What the launch tells a thread about itself. A dimension is 0, 1 or 2. The result has type
    /// `Bits(pointer_bits)`.
    ThreadQuery(ThreadQuery),
    /// `op a`.
    Unary(UnaryOp, Value),
    /// `a op b`.
    Binary(BinaryOp, NoWrap, Value, Value),
    /// `a op b`, of type `Bool`; the operands are bit-vectors, or Booleans under `Equal` and `NotEqual`.
    Compare(CompareOp, Value, Value),
    /// `if a { b } else { c }` with `a` of type `Bool`; `b` and `c` of any type, pointers too.
    Select(Value, Value, Value),
    /// The operand in another type.
    Convert(ConvertOp, Value),
    /// The bits `low..=high` of a bit-vector.
    Extract {
        /// The highest bit taken.
        high: u32,
        /// The lowest bit taken.
        low: u32,
        /// The bit-vector.
        value: Value,
    },
    /// A bit-vector: the first operand as the high bits, the second as the low bits.
    Concat(Value, Value),
    /// Float arithmetic: an uninterpreted, deterministic function to the prover.
    Float(FloatOp, Vec<Value>),
    /// A deterministic function of its operands of which only the name is known: `sin`, `convert_half_rte`.
    /// Operands and result are Booleans, bit-vectors and floats; the same name with the same types is the
    /// same function.
    Uninterpreted(String, Vec<Value>),

    // --- Pointers -----------------------------------------------------------------------------------
    /// A pointer to the start of an array.
    ArrayBase(Array),
    /// The null pointer.
    Null,
    /// `pointer + offset` in bytes; the offset has `pointer_bits` bits. With `in_bounds` it is undefined
    /// behaviour if the result leaves the array (its end may be pointed to) or the addition wraps.
    PointerAdd {
        /// The pointer.
        pointer: Value,
        /// The signed distance in bytes.
        offset: Value,
        /// Whether leaving the array is undefined.
        in_bounds: bool,
    },
    /// The same pointer in another address space: to or from [`Space::Generic`].
    SpaceCast(Value),
    /// The pointer's address as a number. Deterministic, otherwise unknown.
    PointerToInteger(Value),
    /// A pointer from an address: to any array of its address space, at any offset.
    IntegerToPointer(Value),
    /// Whether two pointers are equal.
    PointerEqual(Value, Value),
    /// The distance `a - b` in bytes of two pointers into the same array; unknown otherwise.
    PointerDifference(Value, Value),

    // --- Memory -------------------------------------------------------------------------------------
    /// Reads the result's type. A pointer that is loaded may point to any array of its address space.
    Load(Access),
    /// Writes the value.
    Store(Access, Value),
    /// An indivisible read and write.
    Atomic {
        /// Where.
        access: Access,
        /// What.
        op: AtomicOp,
        /// The operands: one, two (expected, desired) for compare-exchange, none for loads, increments
        /// without a bound and flags.
        operands: Vec<Value>,
        /// What it orders.
        ordering: Ordering,
        /// The ordering of a compare-exchange that finds another value than the one expected; the same if `None`.
        failing: Option<Ordering>,
        /// Between whom.
        scope: Scope,
    },
    /// Copies `bytes` bytes (of type `Bits(pointer_bits)`) from one place to another.
    MemoryCopy {
        /// Written.
        to: Access,
        /// Read.
        from: Access,
        /// How many bytes.
        bytes: Value,
    },
    /// Sets `bytes` bytes (of type `Bits(pointer_bits)`) to the value, of type `Bits(8)`.
    MemorySet {
        /// Written.
        to: Access,
        /// Each byte's value.
        value: Value,
        /// How many bytes.
        bytes: Value,
    },
    /// Reads a pixel: an unknown value. The coordinates are `Bits(32)`, one per dimension, or absent where a
    /// sampler computes the texels: any of the image may be read.
    ImageRead {
        /// A pointer to the image.
        image: Value,
        /// Integer coordinates without a sampler; empty with one.
        coordinates: Vec<Value>,
    },
    /// Writes a pixel.
    ImageWrite {
        /// A pointer to the image.
        image: Value,
        /// The coordinates, `Bits(32)` each, one per dimension.
        coordinates: Vec<Value>,
        /// The pixel's bits.
        value: Value,
    },

    // --- Synchronisation ----------------------------------------------------------------------------
    /// Orders this thread's accesses.
    Fence {
        /// What it orders.
        ordering: Ordering,
        /// Between whom.
        scope: Scope,
        /// Of which memory.
        spaces: SpaceSet,
    },
    /// Waits for other threads.
    Barrier {
        /// For whom.
        kind: BarrierKind,
        /// The memory whose accesses it orders; with `flags` that which it may order.
        spaces: SpaceSet,
        /// Which of these it orders, where that is decided by the running kernel: `Bits(32)`, in which bit 0 stands for
        /// local memory, bit 1 for global memory, bit 2 for images.
        flags: Option<Value>,
    },
    /// Exchanges values among the threads of a warp. Orders no memory.
    WarpExchange {
        /// How.
        op: WarpOp,
        /// The participating lanes, `Bits(32)` or `Bits(64)`; `None`: those that are active.
        mask: Option<Value>,
        /// The operands: value, then lane or distance, then width where given.
        operands: Vec<Value>,
    },
    /// What the threads of the group together say, each with its operand. It orders no memory and waits for nobody: the
    /// barrier that it comes with is an operation of its own, which stands before it.
    GroupExchange {
        /// What.
        op: GroupOp,
        /// This thread's part, of type `Bool`.
        predicate: Value,
    },
    /// Starts a copy that goes on beside the thread. The result, if any, is the event to wait for.
    AsyncCopy {
        /// Who starts it.
        group: AsyncGroup,
        /// Written.
        to: Access,
        /// Read.
        from: Access,
        /// The number of elements, of type `Bits(pointer_bits)`.
        count: Value,
        /// The size of one element in bytes.
        element_bytes: u32,
        /// The distance between consecutive elements on the side that is strided, in elements; `None`: 1.
        stride: Option<(StridedSide, Value)>,
        /// An event that the copy joins if it is not null, of type `Bits(pointer_bits)`.
        event: Option<Value>,
    },
    /// Waits for copies.
    AsyncWait(AsyncWait),
    /// Operations on a phase object (`mbarrier`) at this pointer.
    Phase {
        /// What is done.
        op: PhaseOp,
        /// The phase object.
        object: Value,
        /// Count or token, where the operation takes one.
        operands: Vec<Value>,
    },

    // --- Specification ------------------------------------------------------------------------------
    /// Only executions in which this holds are considered.
    Assume(Value, AssumeKind),
    /// It is a defect if this does not hold.
    Assert(Value, AssertKind),
    /// A further annotation of the catalogue; what it means is the annotation stage's business.
    Annotation {
        /// The name in the catalogue, `__invariant`.
        name: String,
        /// Its operands.
        operands: Vec<Value>,
    },
}

/// Where an access goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The address.
    pub pointer: Value,
    /// The alignment in bytes that the source promises: a power of two.
    pub alignment: u32,
    /// Whether it is volatile.
    pub volatile: bool,
    /// For a load, how much of the memory that it reads must have been written before.
    pub needs: Needs,
}

/// How much of what a load reads somebody must have written for the read not to be a mistake. It is an access to all of it anyway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Needs {
    /// All of it: it is used as one value.
    #[default]
    Everything,
    /// Some of it: it is copied as it lies there, with its padding. Printed as `copies`.
    Something,
    /// None of it: it is written back beside what changes, as a compiler does that changes some bits of what lies there. Printed as
    /// `keeps`.
    Nothing,
}

/// What a thread can ask about the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ThreadQuery {
    /// The thread's index in its group: `get_local_id`, `threadIdx`.
    LocalId(u8),
    /// The group's index: `get_group_id`, `blockIdx`.
    GroupId(u8),
    /// The thread's index in the launch, the offset included: `get_global_id`.
    GlobalId(u8),
    /// Threads per group: `get_local_size`, `blockDim`.
    LocalSize(u8),
    /// Groups: `get_num_groups`, `gridDim`.
    NumGroups(u8),
    /// Threads in the launch: `get_global_size`.
    GlobalSize(u8),
    /// `get_global_offset`.
    GlobalOffset(u8),
    /// The number of dimensions: `get_work_dim`.
    Dimensions,
    /// The thread's index in its warp.
    LaneId,
    /// Threads per warp.
    WarpSize,
}

/// A construct of a kernel that a stage does not support.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unsupported: {construct}")]
pub struct Unsupported {
    /// Its name.
    pub construct: String,
    /// Its place.
    pub location: Option<Location>,
}

/// Names of functions of which nothing is known but that they depend on their operands alone begin so.
pub const UNINTERPRETED: &str = "__uninterpreted_function_";

/// Names of function-wide invariants that do not stand at the end of their function begin so.
pub const MISPLACED_FUNCTION_WIDE: &str = "__misplaced_function_wide_";

impl Kernel {
    /// An empty kernel: one entry block that returns.
    pub fn new(name: impl Into<String>, language: Language, pointer_bits: u32) -> Self {
        let mut blocks = PrimaryMap::new();
        let entry = blocks.push(BlockData {
            parameters: Vec::new(),
            instructions: Vec::new(),
            terminator: Terminator::Return,
            location: None,
        });
        Self {
            name: name.into(),
            language,
            pointer_bits,
            location: None,
            launch: LaunchBounds::default(),
            parameters: Vec::new(),
            files: PrimaryMap::new(),
            locations: PrimaryMap::new(),
            arrays: PrimaryMap::new(),
            blocks,
            entry,
            instructions: PrimaryMap::new(),
            values: PrimaryMap::new(),
        }
    }

    /// Adds an empty block that returns.
    pub fn add_block(&mut self) -> Block {
        self.blocks.push(BlockData {
            parameters: Vec::new(),
            instructions: Vec::new(),
            terminator: Terminator::Return,
            location: None,
        })
    }

    /// Adds a parameter to a block.
    pub fn add_parameter(&mut self, block: Block, ty: Type, name: Option<String>) -> Value {
        let index = u32::try_from(self.blocks[block].parameters.len()).expect("fewer than 2^32 parameters");
        let value = self.values.push(ValueData { ty, name, definition: Definition::Parameter(block, index) });
        self.blocks[block].parameters.push(value);
        value
    }

    /// Appends an instruction with a result of this type to a block.
    pub fn append(&mut self, block: Block, operation: Operation, ty: Type, location: Option<Location>) -> Value {
        let instruction = self.append_effect(block, operation, location);
        let value = self.values.push(ValueData { ty, name: None, definition: Definition::Result(instruction) });
        self.instructions[instruction].result = Some(value);
        value
    }

    /// Appends an instruction without a result to a block.
    pub fn append_effect(&mut self, block: Block, operation: Operation, location: Option<Location>) -> Instruction {
        let instruction = self.instructions.push(InstructionData { operation, result: None, location });
        self.blocks[block].instructions.push(instruction);
        instruction
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self.values[value].ty
    }

    /// The operation that defines a value; `None` for a block parameter.
    pub fn operation(&self, value: Value) -> Option<&Operation> {
        match self.values[value].definition {
            Definition::Result(instruction) => Some(&self.instructions[instruction].operation),
            Definition::Parameter(..) => None,
        }
    }

    /// The constant a value is, if it is one.
    pub fn constant(&self, value: Value) -> Option<&Bits> {
        match self.operation(value) {
            Some(Operation::Constant(bits)) => Some(bits),
            _ => None,
        }
    }

    /// The block each instruction stands in; `None` for one that stands in none.
    pub fn instruction_blocks(&self) -> SecondaryMap<Instruction, Option<Block>> {
        let mut blocks = SecondaryMap::new();
        for (block, data) in &self.blocks {
            for &instruction in &data.instructions {
                blocks[instruction] = Some(block);
            }
        }
        blocks
    }

    /// The file and line of a location; an empty name and line 0 if it is not known.
    pub fn place(&self, location: Option<Location>) -> Place {
        let place = |location| {
            let data = &self.locations[location];
            Place { file: self.files[data.file].clone(), line: data.line }
        };
        location.map_or_else(|| Place { file: String::new(), line: 0 }, place)
    }

    /// The type of offsets and sizes: `Bits(pointer_bits)`.
    pub fn offset_type(&self) -> Type {
        Type::Bits(self.pointer_bits)
    }
}

impl Operation {
    /// Calls `visit` on each operand, in order.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Value)) {
        self.clone().for_each_operand_mut(|value| visit(*value));
    }

    /// Calls `visit` on each operand, in order, to be changed.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Value)) {
        match self {
            Self::Constant(_) | Self::Undefined | Self::Anything | Self::Parameter(_) | Self::ThreadQuery(_) => {}
            Self::Choice(taken) => taken.iter_mut().for_each(visit),
            Self::Cached { pointer, value } => [pointer, value].into_iter().for_each(visit),
            Self::ArrayBase(_) | Self::Null | Self::Fence { .. } => {}
            Self::Unary(_, a)
            | Self::Convert(_, a)
            | Self::Extract { value: a, .. }
            | Self::SpaceCast(a)
            | Self::PointerToInteger(a)
            | Self::IntegerToPointer(a)
            | Self::Assume(a, _)
            | Self::Assert(a, _)
            | Self::GroupExchange { predicate: a, .. } => visit(a),
            Self::Binary(_, _, a, b)
            | Self::Compare(_, a, b)
            | Self::Concat(a, b)
            | Self::PointerEqual(a, b)
            | Self::PointerDifference(a, b)
            | Self::PointerAdd { pointer: a, offset: b, .. } => {
                visit(a);
                visit(b);
            }
            Self::Select(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            Self::Float(_, operands) | Self::Uninterpreted(_, operands) | Self::Annotation { operands, .. } => {
                operands.iter_mut().for_each(visit);
            }
            Self::Load(access) => visit(&mut access.pointer),
            Self::Store(access, value) => {
                visit(&mut access.pointer);
                visit(value);
            }
            Self::Atomic { access, operands, .. } => {
                visit(&mut access.pointer);
                operands.iter_mut().for_each(visit);
            }
            Self::MemoryCopy { to, from, bytes } => {
                visit(&mut to.pointer);
                visit(&mut from.pointer);
                visit(bytes);
            }
            Self::MemorySet { to, value, bytes } => {
                visit(&mut to.pointer);
                visit(value);
                visit(bytes);
            }
            Self::ImageRead { image, coordinates } => {
                visit(image);
                coordinates.iter_mut().for_each(visit);
            }
            Self::ImageWrite { image, coordinates, value } => {
                visit(image);
                coordinates.iter_mut().for_each(&mut visit);
                visit(value);
            }
            Self::Barrier { kind, flags, .. } => {
                kind.for_each_operand_mut(&mut visit);
                flags.iter_mut().for_each(visit);
            }
            Self::WarpExchange { mask, operands, .. } => {
                mask.iter_mut().for_each(&mut visit);
                operands.iter_mut().for_each(visit);
            }
            Self::AsyncCopy { to, from, count, stride, event, .. } => {
                visit(&mut to.pointer);
                visit(&mut from.pointer);
                visit(count);
                if let Some((_, distance)) = stride {
                    visit(distance);
                }
                event.iter_mut().for_each(visit);
            }
            Self::AsyncWait(AsyncWait::Events(events)) => events.iter_mut().for_each(visit),
            Self::AsyncWait(AsyncWait::Commit | AsyncWait::Batches(_)) => {}
            Self::Phase { object, operands, .. } => {
                visit(object);
                operands.iter_mut().for_each(visit);
            }
        }
    }
}

impl Terminator {
    /// Calls `visit` on each value the terminator uses: condition first, then arguments in the order of
    /// [`Self::targets`].
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Value)) {
        match self {
            Self::Branch { condition: value, .. } | Self::Switch { value, .. } => visit(value),
            Self::Jump(_) | Self::Return | Self::Trap | Self::Unreachable => {}
        }
        for target in self.targets_mut() {
            target.arguments.iter_mut().for_each(&mut visit);
        }
    }

    /// As [`Self::for_each_operand_mut`], without changing anything.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Value)) {
        self.clone().for_each_operand_mut(|value| visit(*value));
    }
}
