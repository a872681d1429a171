//! Small kernels as trees: what the generator makes, the printers print and the shrinker makes
//! smaller.
//!
//! All numbers are 32 bits and unsigned. What a kernel reads is masked to a few bits, and loops end
//! by construction: so all inputs of a tiny launch can be tried, and all runs end.

use std::collections::BTreeSet;

use lockstep_ir::kernel::WarpOp;

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
    /// The thread's index in its warp.
    Lane,
    /// The kernel's parameter, of which [`PARAMETER_MASK`] is left.
    Parameter,
    /// The kernel's second parameter, as [`Program::width`] says.
    Width,
    /// `a op b`; what divides, and by how much is shifted, is a constant in range.
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

/// Something that is true or false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `a relation b`.
    Compare(Relation, Value, Value),
    /// Both.
    And(Box<Condition>, Box<Condition>),
    /// One of them.
    Or(Box<Condition>, Box<Condition>),
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    SignedLess,
}

/// Where an access goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The array, by its number.
    pub array: usize,
    /// The index of a cell of 4 bytes.
    pub index: Value,
    /// How sums, differences and products at the top of the index are computed.
    pub arithmetic: Arithmetic,
    /// How many bytes are accessed: 1, 2 or 4.
    pub bytes: u8,
    /// At which byte of the cell, a multiple of their number.
    pub byte: u8,
}

/// How an index is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arithmetic {
    /// In 32 bits, wrapping around.
    #[default]
    Unsigned,
    /// In 64 bits.
    Wide,
    /// In 32 bits with a sign: it is undefined if it overflows.
    Signed,
}

/// What an atomic operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOperation {
    Add,
    Or,
    Maximum,
    Exchange,
    /// The operand replaces 0.
    CompareExchange,
}

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A variable gets a value.
    Assign(usize, Value),
    /// A variable gets what is left of a cell under a mask.
    Load { to: usize, place: Place, mask: u32 },
    /// A cell gets a value.
    Store { place: Place, value: Value },
    /// Atomically; a variable may get what was there before, under a mask.
    Atomic { operation: AtomicOperation, place: Place, operand: Value, to: Option<(usize, u32)> },
    /// One or the other.
    If { condition: Condition, then: Vec<Statement>, otherwise: Vec<Statement> },
    /// Several times.
    Loop { number: usize, form: Form, is_checked_last: bool, body: Vec<Statement> },
    /// The innermost loop ends.
    Break,
    /// Its next iteration begins.
    Continue,
    /// The thread ends.
    Return,
    /// All threads of the group meet, and what they did in these memories is ordered.
    Barrier { local: bool, global: bool },
    /// The lanes of a mask meet, and what they did is ordered.
    WarpBarrier { mask: Value },
    /// A variable gets what the lanes of a mask (`None`: those that are there) exchange.
    Exchange { to: usize, op: WarpOp, mask: Option<Value>, value: Value, by: Value, width: u32 },
    /// A variable gets the next number of a counter, of its width, and the counter its step.
    Draw { to: usize, place: Place },
    /// A variable gets one of two values that nobody knows: what a function without a body returns,
    /// or leaves in the variable, which it is given a pointer to.
    Call { to: usize, through_pointer: bool },
    /// The group copies `count` cells beside its threads; an event gets the copy's, which is its
    /// own before if `joins`.
    Copy { event: usize, joins: bool, from: Place, to: Place, count: Value, stride: Option<u32> },
    /// The group waits for the copies of these events.
    Wait { events: Vec<usize> },
    /// The threads of a group call a function of a library.
    Library { to: usize, function: Library, value: Value },
}

/// A function of a library that all threads of a group call together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// `cub::BlockReduce::Sum`: the first thread gets it, others anything.
    BlockSum,
    /// `cub::BlockScan::ExclusiveSum`
    BlockScan,
    /// `cub::WarpReduce::Sum`: the first lane gets it, others anything.
    WarpSum,
    /// `cooperative_groups::reduce` over a tile of so many threads.
    TileSum(u32),
    /// `shfl` of such a tile, from its first thread.
    TileFirst(u32),
}

/// How a loop counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// From a number, by a step of at least 1, while less than this value of two bits.
    Up { from: u32, step: u32, bound: Value },
    /// From a number, half of it each time, while more than 0.
    Halving { from: u32 },
    /// From 1, twice as much each time, while less than this number.
    Doubling { to: u32 },
}

/// An array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    /// Whether each group has its own.
    pub is_local: bool,
    /// How many cells a local array has; of how many cells of a global one a thread may read what
    /// was there at first.
    pub cells: u32,
    /// What is known of it if it is a counter.
    pub counter: Option<Counter>,
}

/// A counter: an array to which nothing is done atomically but adding its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// How many bits it has: 8, 16 or 32.
    pub bits: u32,
    /// What is added.
    pub step: u32,
    /// What it starts with: the kernel sets it, or the host does, to anything.
    pub start: Option<u32>,
}

/// What the kernel's second parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    /// What is left of it; `None`: all.
    pub mask: Option<u32>,
}

/// A kernel and its launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Threads per group, in two dimensions.
    pub local_size: [u32; 2],
    /// Groups.
    pub num_groups: [u32; 2],
    /// Which vocabulary it is drawn from, besides what all have.
    pub vocabulary: BTreeSet<Vocabulary>,
    /// Threads per warp.
    pub warp_size: u32,
    /// The arrays.
    pub arrays: Vec<Array>,
    /// How many variables a thread has; at first they are its local id, its global id, and the
    /// parameter.
    pub variables: usize,
    /// How many events of copies a thread has; at first they are none.
    pub events: usize,
    /// The second parameter, if there is one.
    pub width: Option<Width>,
    /// How often a thread calls a function without a body at most.
    pub calls: u32,
    /// How many loops there are.
    pub loops: usize,
    /// What its threads do.
    pub body: Vec<Statement>,
}

/// What is left of the kernel's parameter.
pub const PARAMETER_MASK: u32 = 3;

/// What is left of a loop's bound.
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
    /// Whether it is of this vocabulary.
    pub fn has(&self, vocabulary: Vocabulary) -> bool {
        self.vocabulary.contains(&vocabulary)
    }

    /// How many threads the launch has.
    pub fn threads(&self) -> u32 {
        self.local_size.iter().chain(&self.num_groups).product()
    }

    /// The name of an array.
    pub fn name(&self, array: usize) -> char {
        let same = self.arrays[..array].iter().filter(|other| other.is_local == self.arrays[array].is_local).count();
        let first = if self.arrays[array].is_local { b'L' } else { b'A' };
        char::from(first + u8::try_from(same).expect("few arrays"))
    }

    /// Calls `visit` on each statement, those inside of others behind these.
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
            Statement::Loop { body, .. } => for_each(body, visit),
            _ => {}
        }
    }
}
