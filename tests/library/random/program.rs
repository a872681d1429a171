//! Small kernels as trees, which the generator makes, the printers print and the shrinker reduces.
//!
//! All numbers are 32 bits and unsigned. Values that a kernel reads are masked to a few bits, and
//! loops end by construction: so all inputs of a tiny launch can be tried, and all runs end.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{Ordering, Scope, WarpOp};

use super::vocabulary::Vocabulary;

/// A number that a thread computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A constant.
    Constant(u32),
    /// A variable of the thread, by its number.
    Variable(usize),
    /// The counter of an enclosing loop, by the loop's number.
    Counter(usize),
    /// The thread's index in its group, in this dimension.
    LocalId(u8),
    /// The group's index.
    GroupId(u8),
    /// The thread's index in the launch.
    GlobalId(u8),
    /// The number of threads in a group.
    LocalSize(u8),
    /// The number of groups.
    NumGroups(u8),
    /// The thread's index in its warp.
    Lane,
    /// The kernel's parameter, masked by [`PARAMETER_MASK`].
    Parameter,
    /// The kernel's second parameter, described by [`Program::width`].
    Width,
    /// `a op b`; divisors and shift distances are constants in range.
    Binary(Operator, Box<Value>, Box<Value>),
    /// `if condition { a } else { b }`.
    Select(Box<Condition>, Box<Value>, Box<Value>),
}

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Divide,
    Remainder,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `a relation b`.
    Compare(Relation, Value, Value),
    /// Both conditions.
    And(Box<Condition>, Box<Condition>),
    /// At least one of the conditions.
    Or(Box<Condition>, Box<Condition>),
}

/// A relation of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    SignedLess,
}

/// The place of an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The array, by its number.
    pub array: usize,
    /// The index of a cell of 4 bytes.
    pub index: Value,
    /// The arithmetic of sums, differences and products at the top of the index.
    pub arithmetic: Arithmetic,
    /// The number of accessed bytes: 1, 2 or 4.
    pub bytes: u8,
    /// The first accessed byte of the cell, a multiple of their number.
    pub byte: u8,
}

/// The arithmetic of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arithmetic {
    /// In 32 bits, wrapping around.
    #[default]
    Unsigned,
    /// In 64 bits.
    Wide,
    /// In 32 bits with a sign: overflow is undefined.
    Signed,
}

/// The effect of an atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOperation {
    Add,
    Or,
    Maximum,
    Exchange,
    /// The operand replaces 0.
    CompareExchange,
}

/// An operation on a cell by which threads signal each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Reads the cell.
    Load,
    /// Writes the operand.
    Store,
    /// Writes the operand, and gives the old value.
    Exchange,
    /// Writes the second operand if the first is the old value, and gives the old value.
    CompareExchange,
    /// Adds the operand, and gives the old value.
    Add,
    /// Adds 1, or writes 0 over the operand and more (CUDA's `atomicInc`), and gives the old value.
    Increment,
}

/// How a signal accesses its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// As any other load or store.
    Plain,
    /// As a volatile load or store.
    Volatile,
    /// With an atomic operation.
    Atomic(Ordering, Scope),
}

/// A statement of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A variable gets a value.
    Assign(usize, Value),
    /// A variable gets a cell's value under a mask.
    Load { to: usize, place: Place, mask: u32 },
    /// A cell gets a value.
    Store { place: Place, value: Value },
    /// An atomic operation; a variable may get the old value, under a mask.
    Atomic { operation: AtomicOperation, place: Place, operand: Value, to: Option<(usize, u32)> },
    /// A branch to one or the other.
    If { condition: Condition, then: Vec<Statement>, otherwise: Vec<Statement> },
    /// A loop.
    Loop { number: usize, form: Form, is_checked_last: bool, body: Vec<Statement> },
    /// The innermost loop ends.
    Break,
    /// Its next iteration begins.
    Continue,
    /// The thread ends.
    Return,
    /// A barrier of all threads of the group, which orders their accesses to these memories.
    Barrier { local: bool, global: bool },
    /// A warp comes to the barrier of this number, which is for so many threads (`None`: the
    /// group's), and may wait there for the others.
    NamedBarrier { number: Value, threads: Option<u32>, waits: bool },
    /// A barrier of the lanes of a mask, which orders their accesses.
    WarpBarrier { mask: Value },
    /// A variable gets the result of an exchange between the lanes of a mask (`None`: the active
    /// lanes).
    Exchange { to: usize, op: WarpOp, mask: Option<Value>, value: Value, by: Value, width: u32 },
    /// A variable gets the next number of a counter, in its width, and the counter advances by its
    /// step.
    Draw { to: usize, place: Place },
    /// A variable gets one of two unknown values.
    ///
    /// A function without a body returns it, or stores it through a pointer to the variable.
    Call { to: usize, through_pointer: bool },
    /// The group copies `count` cells asynchronously.
    ///
    /// An event variable gets the copy's event; if `joins`, the copy uses the variable's previous
    /// event.
    Copy { event: usize, joins: bool, from: Place, to: Place, count: Value, stride: Option<u32> },
    /// The group waits for the copies of these events.
    Wait { events: Vec<usize> },
    /// A thread starts a copy of one cell for itself.
    OwnCopy { from: Place, to: Place },
    /// The threads of a group share a copy of `count` cells, of which each makes a part.
    SharedCopy { from: Place, to: Place, count: Value },
    /// A thread closes the batch of its copies.
    Commit,
    /// A thread waits for its closed batches but so many of the latest.
    OwnWait { kept: u32 },
    /// Orders a thread's accesses to these memories.
    Fence { ordering: Ordering, scope: Scope, local: bool, global: bool },
    /// An operation on a cell by which threads signal each other; a variable may get the old value.
    Signal { operation: Signal, means: Means, place: Place, operands: Vec<Value>, to: Option<usize> },
    /// A loop without a counter, which may wait for other threads.
    While { condition: Condition, is_checked_last: bool, body: Vec<Statement> },
    /// The threads of a group call a function of a library.
    Library { to: usize, function: Library, value: Value },
}

/// A function of a library that all threads of a group call together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// `cub::BlockReduce::Sum`: the first thread gets the sum, others any value.
    BlockSum,
    /// `cub::BlockScan::ExclusiveSum`
    BlockScan,
    /// `cub::WarpReduce::Sum`: the first lane gets the sum, others any value.
    WarpSum,
    /// `cooperative_groups::reduce` over a tile of this many threads.
    TileSum(u32),
    /// `shfl` of such a tile, from its first thread.
    TileFirst(u32),
}

/// The counting of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// From a number, by a step of at least 1, while less than this value of two bits.
    Up { from: u32, step: u32, bound: Value },
    /// From a number, halved each time, while more than 0.
    Halving { from: u32 },
    /// From 1, doubled each time, while less than this number.
    Doubling { to: u32 },
}

/// An array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    /// Whether each group has its own.
    pub is_local: bool,
    /// The number of cells of a local array, or of a global array's cells whose initial value a
    /// thread may read.
    pub cells: u32,
    /// Its properties if it is a counter.
    pub counter: Option<Counter>,
    /// Whether threads signal each other by it; then it starts with zeros.
    pub signals: bool,
}

/// A counter: an array whose only atomic operation adds its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The number of its bits: 8, 16 or 32.
    pub bits: u32,
    /// The added number.
    pub step: u32,
    /// The start value, if the kernel sets it; otherwise the host sets it to any value.
    pub start: Option<u32>,
}

/// The kernel's second parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    /// The mask applied to it; `None` for no mask.
    pub mask: Option<u32>,
}

/// A kernel and its launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Threads per group, in two dimensions.
    pub local_size: [u32; 2],
    /// Groups.
    pub num_groups: [u32; 2],
    /// The vocabularies it is drawn from, besides the common one.
    pub vocabulary: BTreeSet<Vocabulary>,
    /// Whether it is written in CUDA C++ although OpenCL C has its vocabulary.
    pub prefers_cuda: bool,
    /// Threads per warp.
    pub warp_size: u32,
    /// The arrays.
    pub arrays: Vec<Array>,
    /// The number of a thread's variables; at first they are its local id, its global id, and the
    /// parameter.
    pub variables: usize,
    /// The number of a thread's events of copies; at first they are null.
    pub events: usize,
    /// The second parameter, if there is one.
    pub width: Option<Width>,
    /// The most calls of functions without a body in a thread.
    pub calls: u32,
    /// The number of loops.
    pub loops: usize,
    /// The statements of its threads.
    pub body: Vec<Statement>,
}

/// The mask applied to the kernel's parameter.
pub const PARAMETER_MASK: u32 = 3;

/// The mask applied to a loop's bound.
pub const BOUND_MASK: u32 = 3;

impl Value {
    /// `a op b`.
    pub fn binary(operator: Operator, a: Self, b: Self) -> Self {
        Self::Binary(operator, Box::new(a), Box::new(b))
    }

    /// `self op constant`.
    pub fn with(self, operator: Operator, constant: u32) -> Self {
        Self::binary(operator, self, Self::Constant(constant))
    }
}

impl Program {
    /// Whether it has this vocabulary.
    pub fn has(&self, vocabulary: Vocabulary) -> bool {
        self.vocabulary.contains(&vocabulary)
    }

    /// The number of threads in the launch.
    pub fn threads(&self) -> u32 {
        self.local_size.iter().chain(&self.num_groups).product()
    }

    /// The name of an array.
    pub fn name(&self, array: usize) -> char {
        let same = self.arrays[..array].iter().filter(|other| other.is_local == self.arrays[array].is_local).count();
        let first = if self.arrays[array].is_local { b'L' } else { b'A' };
        char::from(first + u8::try_from(same).expect("few arrays"))
    }

    /// Whether what its copies write depends on the initial contents of arrays.
    pub fn copies(&self) -> bool {
        self.has(Vocabulary::Copies) || self.has(Vocabulary::OwnCopies)
    }

    /// Calls `visit` on each statement, with nested ones after those that contain them.
    pub fn for_each(&self, visit: &mut impl FnMut(&Statement)) {
        for_each(&self.body, visit);
    }
}

fn for_each(statements: &[Statement], visit: &mut impl FnMut(&Statement)) {
    for statement in statements {
        visit(statement);
        match statement {
            Statement::If { then, otherwise, .. } => {
                for_each(then, visit);
                for_each(otherwise, visit);
            }
            Statement::Loop { body, .. } | Statement::While { body, .. } => for_each(body, visit),
            _ => {}
        }
    }
}
