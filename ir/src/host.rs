//! The host's side of a program, as steps of a register machine.
//!
//! It is what `main` and the code before it may reach. A frontend makes it, and runs of whole
//! programs execute it. Nothing is proved about it, so it knows no types: a **slot** of a frame has
//! 64 bits. Integers are kept with zeros above their width, a 32-bit float as its pattern, and a
//! `long double` as one of 64 bits, so its last digits are not those of the machine. A struct or
//! vector takes a slot for each of its numbers. A construct that has no step becomes
//! [`Step::Stop`], which ends a run that comes there.
//!
//! Each variable, each function and each allocation is an **object**. An address has the number of
//! an object in its upper bits and the byte in the lower ones, so a run detects an access outside
//! of every object, and null is no object. Variables come first, then functions, then all others.

/// The number of bits of an address that are the byte in an object.
pub const OFFSET_BITS: u32 = 40;

/// The address of a byte of an object.
pub const fn address(object: u64, offset: u64) -> u64 {
    (object << OFFSET_BITS).wrapping_add(offset)
}

/// The index of a slot in a frame.
pub type Slot = u32;

/// The host's side of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostProgram {
    /// The variables. The first one is object 1.
    pub variables: Vec<Variable>,
    /// The functions, which follow the variables as objects.
    pub functions: Vec<Function>,
    /// The functions that run before `main`, in their order.
    pub before_main: Vec<u32>,
    /// `main`.
    pub main: u32,
    /// The files and lines that calls refer to.
    pub places: Vec<(String, u32)>,
    /// The sources of kernels that it builds when it runs, as programs with OpenCL do.
    pub sources: KernelSources,
}

/// The sources of kernels that a program builds when it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelSources {
    /// The files by their paths, with their contents. The kernels are those of the first one.
    pub files: Vec<(String, Vec<u8>)>,
    /// The macros with which the kernels were compiled: `NAME`, or `NAME=VALUE`.
    pub defines: Vec<String>,
}

impl HostProgram {
    /// The object of a variable.
    pub fn variable_object(index: usize) -> u64 {
        u64::try_from(index).expect("counted") + 1
    }

    /// The object of a function.
    pub fn function_object(&self, index: usize) -> u64 {
        Self::variable_object(self.variables.len() + index)
    }
}

/// A variable at file scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    /// Its name in the module.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The first bytes of its initial contents; the others are zeros.
    pub contents: Vec<u8>,
    /// Whether it stands for a variable of the device, or for one of another file: its contents
    /// here mean nothing.
    pub is_elsewhere: bool,
}

/// A function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Its name in the module.
    pub name: String,
    /// The number of slots for its parameters, which are the first ones.
    pub parameters: u32,
    /// The contents of the slots that follow these.
    pub constants: Vec<u64>,
    /// The number of all slots.
    pub slots: u32,
    /// The steps. A function of another file has none.
    pub steps: Vec<Step>,
    /// The symbol of the kernel that it launches, if it is the stub of one.
    pub stub_of: Option<String>,
}

/// A step of a function. Widths are from 1 to 64, in bits.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the comment of a step explains its operands")]
pub enum Step {
    /// `to = from`.
    Move { to: Slot, from: Slot },
    /// `to = operation(a, b)` on integers.
    Integer { operation: IntegerOperation, width: u8, to: Slot, a: Slot, b: Slot },
    /// `to = operation(a, b)`, and in the slot behind it whether the exact result is another one.
    Overflow { operation: IntegerOperation, is_signed: bool, width: u8, to: Slot, a: Slot, b: Slot },
    /// `to = operation(a, b)` on floats.
    Float { operation: FloatOperation, is_double: bool, to: Slot, a: Slot, b: Slot },
    /// `to = a × b + c` on floats, rounded once.
    FusedMultiplyAdd { is_double: bool, to: Slot, operands: [Slot; 3] },
    /// `to = function(a)` on floats.
    Math { function: MathFunction, is_double: bool, to: Slot, a: Slot },
    /// `to` is whether the comparison holds.
    Compare { comparison: Comparison, width: u8, to: Slot, a: Slot, b: Slot },
    /// `to` is whether the floats are in one of the relations.
    CompareFloats { relations: Relations, is_double: bool, to: Slot, a: Slot, b: Slot },
    /// `to = a`, converted.
    Convert { conversion: Conversion, to: Slot, a: Slot },
    /// `to = condition ? a : b`.
    Select { to: Slot, condition: Slot, a: Slot, b: Slot },
    /// `to = base + index × scale`.
    Address { to: Slot, base: Slot, index: Slot, scale: u64 },
    /// `to` is the number of 1 to 8 bytes at an address.
    Load { to: Slot, address: Slot, offset: u64, bytes: u8 },
    /// Writes 1 to 8 bytes.
    Store { value: Slot, address: Slot, offset: u64, bytes: u8 },
    /// `to` is the address of new memory that the end of the function frees.
    Reserve { to: Slot, bytes: u64, count: Slot },
    /// Copies bytes, which may overlap.
    Copy { to: Slot, from: Slot, bytes: Slot },
    /// Sets bytes.
    Fill { to: Slot, value: Slot, bytes: Slot },
    /// Continues at a step.
    Jump(u32),
    /// Continues at one of two steps.
    Branch { condition: Slot, then: u32, otherwise: u32 },
    /// Continues at the step of a value.
    Switch { value: Slot, cases: Box<[(u64, u32)]>, otherwise: u32 },
    /// Calls a function.
    Call(Box<Call>),
    /// Returns these slots.
    Return(Box<[Slot]>),
    /// Ends the run: this construct is not executed.
    Stop(Box<str>),
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The function.
    pub callee: Callee,
    /// The arguments.
    pub arguments: Box<[Slot]>,
    /// The first slot of the result.
    pub result: Slot,
    /// The number of slots of the result.
    pub results: u32,
    /// The index of its place in [`HostProgram::places`].
    pub place: Option<u32>,
}

/// The function that is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A function by its index.
    Known(u32),
    /// The function at an address.
    Pointer(Slot),
}

/// An operation on two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of LLVM's instructions")]
pub enum IntegerOperation {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
    UMin,
    UMax,
    SMin,
    SMax,
}

/// An operation on two floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the operations in C")]
pub enum FloatOperation {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    CopySign,
    Power,
    ArcTangent2,
    Hypotenuse,
}

/// A function of one float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the functions in C")]
pub enum MathFunction {
    Negate,
    Abs,
    Sqrt,
    Cbrt,
    Floor,
    Ceil,
    Trunc,
    Round,
    RoundEven,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
}

/// A comparison of two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Less, or less or equal, for signed or unsigned numbers.
    Less {
        /// Whether equal numbers count.
        or_equal: bool,
        /// Whether the numbers are signed.
        is_signed: bool,
    },
}

/// A set of relations between two floats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a set of four")]
pub struct Relations {
    /// The first is less.
    pub less: bool,
    /// They are equal.
    pub equal: bool,
    /// The first is greater.
    pub greater: bool,
    /// One is not a number.
    pub unordered: bool,
}

/// A conversion of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// An integer to fewer bits.
    Truncate(u8),
    /// A signed integer of this width to one of another.
    SignExtend(u8, u8),
    /// A signed integer of this width to a float.
    SignedToFloat(u8, bool),
    /// An unsigned integer to a float.
    UnsignedToFloat(bool),
    /// A float, with 64 bits or not, to an integer of this width.
    FloatToSigned(bool, u8),
    /// A float, with 64 bits or not, to an unsigned integer of this width.
    FloatToUnsigned(bool, u8),
    /// A float of 32 bits to one of 64.
    Widen,
    /// A float of 64 bits to one of 32.
    Narrow,
    /// A float of 16 bits to one of 64, or of 32.
    FromHalf(bool),
    /// A float of 64 bits, or of 32, to one of 16.
    ToHalf(bool),
    /// The number of bits that are set.
    CountOnes,
    /// The number of leading zeros of an integer of this width.
    LeadingZeros(u8),
    /// The number of trailing zeros of an integer of this width.
    TrailingZeros(u8),
    /// The bytes of an integer of this width in the opposite order.
    SwapBytes(u8),
    /// The absolute value of a signed integer of this width.
    Absolute(u8),
}
