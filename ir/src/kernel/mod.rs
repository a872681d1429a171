//! The kernel IR: the code that one thread of a launch executes.
//!
//! # Meaning
//!
//! A [`Kernel`] is a control-flow graph in SSA form. Blocks have **parameters** instead of φ-nodes;
//! a jump passes one argument per parameter. Execution starts at [`Kernel::entry`], whose block has
//! no parameters. Every thread of the launch executes the same kernel; threads differ only in the
//! results of [`Operation::ThreadQuery`] and in the values that they read from memory.
//!
//! **Values** have a [`Type`]. Bit-vectors have no sign; operations do. Division by zero and shifts
//! by the width or more are undefined in the source languages. Here they have SMT-LIB's meaning
//! (see [`crate::bits`]), which is one of the allowed outcomes. Floats are bit patterns: loading,
//! storing, selecting and bit-casting them is exact. Arithmetic on them is an uninterpreted but
//! deterministic function (same inputs, same result). [`Operation::Undefined`],
//! [`Operation::Anything`] and [`Operation::Choice`] may be any value, chosen independently for
//! each thread each time they are executed.
//!
//! **Memory** is a set of [`Array`]s. A pointer is a pair of an array and a byte offset of
//! [`Kernel::pointer_bits`] bits. Pointer arithmetic stays within the array: it never yields a
//! pointer to another array. Arrays in the address space [`Space::Local`] exist once per group,
//! those in [`Space::Private`] once per thread, all others once per launch. Distinct arrays do not
//! overlap. Data is little-endian. The models of library functions compute in arrays of their own
//! ([`ArrayOrigin::Library`]). A barrier may order these alone ([`SpaceSet::LIBRARY`]): it then
//! makes threads wait without ordering any memory that a program can see. So a model may wait
//! inside a function whose documentation promises no order.
//!
//! **Undefined behaviour** that a front end knows about is recorded, not exploited. It is recorded
//! in the flags of [`NoWrap`], `in_bounds` of [`Operation::PointerAdd`], and the terminator
//! [`Terminator::Unreachable`]. Operations that the front end itself appends have SMT-LIB's
//! meaning, and no flags.
//!
//! **Races.** Two accesses of different threads race if they touch a common byte, one of them
//! writes, and no barrier or other synchronisation orders them. They do not race if both are
//! atomic, of equal width, with scopes that include both threads.
//!
//! A kernel is passed on only as a [`VerifiedKernel`].

mod builder;
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

pub use builder::Builder;
pub use operation::{
    AssertKind, AssumeKind, AsyncGroup, AsyncWait, AtomicOp, BarrierKind, BinaryOp, CompareOp, ContentsFact,
    ContentsKind, ConvertOp, FloatOp, GroupOp, MOST_ARRIVALS, Ordering, PHASE_OBJECT_BYTES, PhaseOp, Scope, SpaceSet,
    StridedSide, UnaryOp, WarpOp,
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
    /// The place of the kernel's declaration.
    pub location: Option<Location>,
    /// The source's restrictions on launches of this kernel.
    pub launch: LaunchBounds,
    /// The parameters in source order. The last ones are those of [`Kernel::not_passed`].
    pub parameters: Vec<Parameter>,
    /// The origins of the last parameters, which the source's kernel does not have.
    pub not_passed: Vec<NotPassed>,
    /// The source files that locations refer to, by path as the compiler was given it.
    pub files: PrimaryMap<File, String>,
    /// The places in the source that instructions refer to.
    pub locations: PrimaryMap<Location, LocationData>,
    /// The arrays.
    pub arrays: PrimaryMap<Array, ArrayData>,
    /// The blocks.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// The block where execution starts.
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
    /// Whether volatile accesses are relaxed ones with system scope, as in the PTX ISA ("Memory
    /// consistency model"). In OpenCL C they are plain.
    pub fn has_relaxed_volatiles(self) -> bool {
        self != Self::OpenCl
    }

    /// Whether fences that are sequentially consistent synchronise with each other, as in PTX.
    pub fn has_fence_order(self) -> bool {
        matches!(self, Self::Cuda | Self::Ptx)
    }
}

/// The source's restrictions on the sizes of a launch, in threads per dimension.
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
    /// The name in the source; `p0`, `p1`… if it has none.
    pub name: String,
    /// The kind of the parameter.
    pub kind: ParameterKind,
}

/// The origin of a scalar parameter that the source's kernel does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotPassed {
    /// A number in a struct.
    Field(StructField),
    /// A number of the host that relations of the launch mention.
    Host,
}

/// A number in a struct that is passed by value.
///
/// The import reads it as a scalar parameter of its own. The bytes of the struct's array where it
/// stands are never accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StructField {
    /// The index of the struct parameter, an [`ParameterKind::Aggregate`].
    pub parameter: u32,
    /// The offset in bytes.
    pub at: u64,
}

/// The kind of a kernel parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A scalar (or a vector or struct as raw bits), read by [`Operation::Parameter`].
    Scalar(Type),
    /// A pointer to this array. Different pointer parameters point to different arrays: an
    /// assumption of the report.
    Pointer(Array),
    /// A struct passed by value: a private array of this size, which starts as a copy of the
    /// argument in every thread. The contents are unknown but equal for all threads.
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
    /// The number of bits of a Boolean, bit-vector or float; `None` for a pointer, whose bits are
    /// not known.
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

/// Data about an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayData {
    /// The name in the source.
    pub name: String,
    /// The memory that contains it; never [`Space::Generic`].
    pub space: Space,
    /// The origin.
    pub origin: ArrayOrigin,
    /// The declared element layout, for display; accesses need not agree with it.
    pub element: Option<ElementLayout>,
    /// Its size in bytes, if known.
    pub size: Option<u64>,
    /// Its size as a number that is not known; never beside a known size.
    pub sized_by: Option<SizedBy>,
    /// The bytes it starts with, if known (a program-scope constant).
    pub contents: Option<Vec<u8>>,
    /// Whether it is declared `volatile`.
    pub volatile: bool,
    /// Whether the source promises that nothing else points to it (`restrict`).
    pub restrict: bool,
    /// Whether its initialiser in the source has bytes other than zero.
    pub nonzero: bool,
    /// The place of its declaration.
    pub location: Option<Location>,
}

/// The size of an array as a multiple of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SizedBy {
    /// The parameter that counts units, by its index: an unsigned number as wide as a pointer.
    pub parameter: u32,
    /// The number of bytes in a unit, from 1 to 2^32. The product does not wrap.
    pub unit: u64,
}

/// The origin of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayOrigin {
    /// The memory that a kernel parameter points to.
    Parameter,
    /// A `__local`/`__shared__` variable, or a variable at program scope.
    Variable,
    /// Local memory of the model of a library function, in which it computes the function's result.
    /// It is invisible to a program: only models access it, and a barrier may order it alone
    /// ([`SpaceSet::library`]).
    Library,
    /// A thread's own variable, uninitialised at first.
    Stack,
    /// A parameter passed by value.
    Aggregate,
    /// An image. Its offsets are packed coordinates instead of bytes: 32 bits per dimension, the
    /// first dimension in the low bits.
    Image {
        /// 1, 2 or 3; an array of images has one more, for its index.
        dimensions: u8,
    },
}

/// The declared layout of an array's elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ElementLayout {
    /// The element's type as the source writes it: `float`, `struct particle`.
    pub name: String,
    /// Its size in bytes, at least 1.
    pub bytes: u64,
    /// The sizes of the dimensions of a multi-dimensional array in elements, outermost first.
    /// Empty, or one entry, for a plain array. `0` if the outermost is unknown.
    pub dimensions: Vec<u64>,
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockData {
    /// The values that jumps pass.
    pub parameters: Vec<Value>,
    /// The instructions, in the order of execution.
    pub instructions: Vec<Instruction>,
    /// The end of the block.
    pub terminator: Terminator,
    /// The place of the terminator in the source.
    pub location: Option<Location>,
}

/// A jump to a block with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The target block.
    pub block: Block,
    /// One argument per parameter of the block.
    pub arguments: Vec<Value>,
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// Continue at the target.
    Jump(Target),
    /// Continue at `then` if the condition holds, else at `otherwise`.
    Branch {
        /// The condition, of type [`Type::Bool`].
        condition: Value,
        /// The target if true.
        then: Target,
        /// The target if false.
        otherwise: Target,
    },
    /// Continue at the case whose constant equals the value, else at `default`.
    Switch {
        /// A bit-vector.
        value: Value,
        /// Distinct constants of the value's width.
        cases: Vec<(Bits, Target)>,
        /// The target if no case matches.
        default: Target,
    },
    /// The thread has finished the kernel.
    Return,
    /// The thread ends the launch with an error, at once or soon. Other threads may still take
    /// steps, but none passes a barrier that this thread has not reached. A proof may treat it as a
    /// [`Self::Return`], which allows more executions.
    Trap,
    /// The source promises that execution never reaches this point; it is undefined behaviour if it
    /// does.
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

    /// The targets in the order of [`Self::targets`], mutable.
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
    /// The operation.
    pub operation: Operation,
    /// The value that it produces, if any.
    pub result: Option<Value>,
    /// The place of the instruction in the source.
    pub location: Option<Location>,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueData {
    /// Its type.
    pub ty: Type,
    /// The source variable that it holds, if debug information names one.
    pub name: Option<String>,
    /// The definition.
    pub definition: Definition,
}

/// The definition of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Definition {
    /// The result of an instruction.
    Result(Instruction),
    /// The parameter of a block with this index.
    Parameter(Block, u32),
}

/// Cases of an operation that the source language makes undefined: wrapping, and operands without a
/// result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "marks that stand beside each other")]
pub struct NoWrap {
    /// Undefined if the result wraps as a signed number.
    pub signed: bool,
    /// Undefined if the result wraps as an unsigned number.
    pub unsigned: bool,
    /// The language defines wrapping, but a programmer who uses the operation does not intend it
    /// (`mul24`). A proof assumes the same as for undefined wrapping, and a run that wraps breaks
    /// no rule.
    pub meant: bool,
    /// For a quotient, a remainder or a shift in the source: some operands give no result, or any
    /// result. These are a divisor of zero, a quotient that does not fit, and a distance of the
    /// width or more.
    pub partial: bool,
}

/// The operation of an instruction.
///
/// Operands of arithmetic have the result's type unless a variant says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    // --- Values ----------------------------------------------------------------------------------
    /// A constant: of type `Bits`, `Float` (its pattern) or `Bool` (one bit).
    Constant(Bits),
    /// An undefined value: any value of the result's type, chosen anew at each execution.
    Undefined,
    /// A value that is not modelled: a clock, or the result of a function without a body. It may be
    /// any value of the result's type at each execution. An execution of the kernel elsewhere
    /// cannot tell which value that is.
    Anything,
    /// A choice that a library's documentation leaves open: any value of the result's type at each
    /// execution. A run takes the operand. Without an operand, for a bit-vector, it takes the
    /// number of choices that the thread has made so far. Either is a valid run of the program,
    /// since a library may choose this way.
    Choice(Option<Value>),
    /// A value from an incoherent cache. If the kernel does not write to the arrays that the
    /// pointer may point into, it is the value in memory. Otherwise it is an [`Operation::Choice`]
    /// with that value as its operand.
    Cached {
        /// The address of the value.
        pointer: Value,
        /// The value in memory at that address.
        value: Value,
    },
    /// The scalar kernel parameter with this index.
    Parameter(u32),
    /// A query of the thread about itself and the launch. A dimension is 0, 1 or 2. The result has
    /// type `Bits(pointer_bits)`.
    ThreadQuery(ThreadQuery),
    /// Whether the elements that an array has at the beginning of the launch satisfy a fact, of
    /// type `Bool`.
    Contents(ContentsFact),
    /// `op a`.
    Unary(UnaryOp, Value),
    /// `a op b`.
    Binary(BinaryOp, NoWrap, Value, Value),
    /// `a op b`, of type `Bool`; the operands are bit-vectors, or Booleans under `Equal` and
    /// `NotEqual`.
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
    /// A deterministic function of its operands that is known by name only: `sin`,
    /// `convert_half_rte`. Operands and result are Booleans, bit-vectors and floats. The same name
    /// with the same types is the same function.
    Uninterpreted(String, Vec<Value>),

    // --- Pointers --------------------------------------------------------------------------------
    /// A pointer to the start of an array.
    ArrayBase(Array),
    /// The null pointer.
    Null,
    /// `pointer + offset` in bytes; the offset has `pointer_bits` bits. With `in_bounds` it is
    /// undefined behaviour if the result leaves the array or the addition wraps. The result may
    /// point to the array's end.
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

    // --- Memory ----------------------------------------------------------------------------------
    /// Reads a value of the result's type. A loaded pointer may point to any array of its address
    /// space.
    Load(Access),
    /// Writes the value.
    Store(Access, Value),
    /// An indivisible read and write.
    Atomic {
        /// The accessed location.
        access: Access,
        /// The operation.
        op: AtomicOp,
        /// The operands: one, two (expected, desired) for compare-exchange, none for loads,
        /// increments without a bound and flags.
        operands: Vec<Value>,
        /// The memory ordering.
        ordering: Ordering,
        /// The ordering of a compare-exchange that fails; the same as `ordering` if `None`.
        failing: Option<Ordering>,
        /// The scope.
        scope: Scope,
    },
    /// Copies `bytes` bytes (of type `Bits(pointer_bits)`) from one place to another.
    MemoryCopy {
        /// The destination, which is written.
        to: Access,
        /// The source, which is read.
        from: Access,
        /// The number of bytes.
        bytes: Value,
    },
    /// Sets `bytes` bytes (of type `Bits(pointer_bits)`) to the value, of type `Bits(8)`.
    MemorySet {
        /// The destination, which is written.
        to: Access,
        /// The value of each byte.
        value: Value,
        /// The number of bytes.
        bytes: Value,
    },
    /// Reads a pixel: an unknown value. The coordinates are `Bits(32)`, one per dimension. They are
    /// absent if a sampler computes the texels: then any part of the image may be read.
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

    // --- Synchronisation -------------------------------------------------------------------------
    /// Orders this thread's accesses.
    Fence {
        /// The memory ordering.
        ordering: Ordering,
        /// The scope.
        scope: Scope,
        /// The memory that it orders.
        spaces: SpaceSet,
    },
    /// Waits for other threads.
    Barrier {
        /// The threads that it waits for.
        kind: BarrierKind,
        /// The memory whose accesses it orders; with `flags`, the memory that it may order.
        spaces: SpaceSet,
        /// The memory that it orders, if the running kernel decides this. It is of type `Bits(32)`:
        /// bit 0 stands for local memory, bit 1 for global memory, bit 2 for images.
        flags: Option<Value>,
    },
    /// Exchanges values among the threads of a warp. Orders no memory.
    WarpExchange {
        /// The kind of exchange.
        op: WarpOp,
        /// The participating lanes, `Bits(32)` or `Bits(64)`; `None` for the active lanes.
        mask: Option<Value>,
        /// The operands: value, then lane or distance, then width if given.
        operands: Vec<Value>,
    },
    /// The combined value of the group's threads, to which each contributes its operand. It orders
    /// no memory and waits for no thread: the barrier of the same call is an operation of its own,
    /// placed before it.
    GroupExchange {
        /// The operation.
        op: GroupOp,
        /// This thread's operand, of type `Bool`.
        predicate: Value,
    },
    /// Starts a copy that proceeds asynchronously to the thread. The result, if any, is the event
    /// to wait for.
    AsyncCopy {
        /// The threads that start it together.
        group: AsyncGroup,
        /// The destination, which is written.
        to: Access,
        /// The source, which is read.
        from: Access,
        /// The number of elements, of type `Bits(pointer_bits)`; of bytes if
        /// [`AsyncGroup::is_of_threads`].
        count: Value,
        /// The size of one element in bytes.
        element_bytes: u32,
        /// The distance between consecutive elements on the strided side, in elements; `None` for
        /// 1.
        stride: Option<(StridedSide, Value)>,
        /// An event that the copy joins if it is not null, of type `Bits(pointer_bits)`.
        event: Option<Value>,
    },
    /// Waits for copies.
    AsyncWait(AsyncWait),
    /// Operations on a phase object (`mbarrier`) at this pointer.
    Phase {
        /// The kind of operation.
        op: PhaseOp,
        /// The phase object.
        object: Value,
        /// The count or token, if the operation takes one.
        operands: Vec<Value>,
    },

    // --- Specification ---------------------------------------------------------------------------
    /// The numbers that a thread has counted up to here, for a proof. They have no effect.
    Counted(Vec<Value>),
    /// Restricts executions to those in which this holds.
    Assume(Value, AssumeKind),
    /// Reports a defect if this does not hold.
    Assert(Value, AssertKind),
    /// Another annotation of the catalogue; the annotation stage gives it its meaning.
    Annotation {
        /// The name in the catalogue, `__invariant`.
        name: String,
        /// Its operands.
        operands: Vec<Value>,
    },
}

/// The location of an access, and its properties.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The address.
    pub pointer: Value,
    /// The alignment in bytes that the source promises: a power of two.
    pub alignment: u32,
    /// Whether it is volatile.
    pub volatile: bool,
    /// For a load, the part of the memory read that must have been written before.
    pub needs: Needs,
}

/// The part of the memory read by a load that some thread must have written for the read to be
/// valid. The load accesses all of that memory anyway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Needs {
    /// All of it: the load uses it as one value.
    #[default]
    Everything,
    /// Some of it: the load copies it unchanged, including padding. Printed as `copies`.
    Something,
    /// None of it: the load is part of a read-modify-write, as a compiler emits to change some bits
    /// of a word. Printed as `keeps`.
    Nothing,
}

/// A query of a thread about the launch.
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

/// Prefix of the names of functions about which nothing is known except that they depend on their
/// operands alone.
pub const UNINTERPRETED: &str = "__uninterpreted_function_";

/// Prefix of the names of function-wide invariants that do not stand at the end of their function.
pub const MISPLACED_FUNCTION_WIDE: &str = "__misplaced_function_wide_";

impl Kernel {
    /// Whether a thread may execute a fence.
    pub fn has_fences(&self) -> bool {
        self.instructions.values().any(|data| matches!(data.operation, Operation::Fence { .. }))
    }

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
            not_passed: Vec::new(),
            files: PrimaryMap::new(),
            locations: PrimaryMap::new(),
            arrays: PrimaryMap::new(),
            blocks,
            entry,
            instructions: PrimaryMap::new(),
            values: PrimaryMap::new(),
        }
    }

    /// The parameters that the host passes, in source order.
    pub fn passed(&self) -> &[Parameter] {
        &self.parameters[..self.parameters.len().saturating_sub(self.not_passed.len())]
    }

    /// The parameters that are fields of others, with their indices.
    pub fn field_parameters(&self) -> impl Iterator<Item = (usize, &Parameter, StructField)> {
        let last = self.parameters.iter().enumerate().skip(self.passed().len());
        last.zip(&self.not_passed).filter_map(|((index, parameter), origin)| match origin {
            NotPassed::Field(field) => Some((index, parameter, *field)),
            NotPassed::Host => None,
        })
    }

    /// Adds a scalar parameter that the source's kernel does not have.
    pub fn add_not_passed(&mut self, name: &str, ty: Type, origin: NotPassed) {
        self.parameters.push(Parameter { name: name.to_owned(), kind: ParameterKind::Scalar(ty) });
        self.not_passed.push(origin);
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

    /// The constant that a value is, if it is one.
    pub fn constant(&self, value: Value) -> Option<&Bits> {
        match self.operation(value) {
            Some(Operation::Constant(bits)) => Some(bits),
            _ => None,
        }
    }

    /// The block that contains each instruction; `None` if there is none.
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

    /// Calls `visit` on a mutable reference to each operand, in order.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Value)) {
        match self {
            Self::Constant(_) | Self::Undefined | Self::Anything | Self::Parameter(_) | Self::ThreadQuery(_) => {}
            Self::Choice(taken) => taken.iter_mut().for_each(visit),
            Self::Cached { pointer, value } => [pointer, value].into_iter().for_each(visit),
            Self::ArrayBase(_) | Self::Null | Self::Fence { .. } => {}
            Self::Contents(fact) => fact.bounds.iter_mut().flatten().for_each(visit),
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
            Self::AsyncWait(AsyncWait::Batches { closed, .. }) => closed.iter_mut().for_each(visit),
            Self::AsyncWait(AsyncWait::AllBut(later)) => visit(later),
            Self::AsyncWait(AsyncWait::Commit) => {}
            Self::Counted(numbers) => numbers.iter_mut().for_each(visit),
            Self::Phase { object, operands, .. } => {
                visit(object);
                operands.iter_mut().for_each(visit);
            }
        }
    }
}

impl Terminator {
    /// Calls `visit` on each value that the terminator uses: first the condition, then the
    /// arguments in the order of [`Self::targets`].
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Value)) {
        match self {
            Self::Branch { condition: value, .. } | Self::Switch { value, .. } => visit(value),
            Self::Jump(_) | Self::Return | Self::Trap | Self::Unreachable => {}
        }
        for target in self.targets_mut() {
            target.arguments.iter_mut().for_each(&mut visit);
        }
    }

    /// The same as [`Self::for_each_operand_mut`], without mutation.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Value)) {
        self.clone().for_each_operand_mut(|value| visit(*value));
    }
}
