//! Litmus programs: a few threads with a few instructions each, and a question about their ends.

use lockstep_ir::kernel::{Ordering, Scope};

/// A litmus program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Litmus {
    pub name: String,
    /// The places in memory: a name, and the value at first.
    pub places: Vec<(String, u32)>,
    pub threads: Vec<Thread>,
    pub question: Question,
}

/// A thread, and where it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    pub block: u32,
    pub device: u32,
    /// The registers: a name, and the value at first.
    pub registers: Vec<(String, u32)>,
    pub body: Vec<Instruction>,
}

/// A number in an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Constant(u32),
    /// A register, by its number in the thread.
    Register(usize),
}

/// How an access is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    Weak,
    Strong(Ordering, Scope),
}

/// The effect of a read-modify-write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Add(Operand),
    Subtract(Operand),
    Exchange(Operand),
    /// The second operand replaces the first.
    CompareAndSwap(Operand, Operand),
}

/// An instruction; places and targets are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// A register gets the sum.
    Set(usize, Operand, Operand),
    Load {
        to: usize,
        place: usize,
        means: Means,
    },
    Store {
        place: usize,
        value: Operand,
        means: Means,
    },
    /// A read-modify-write; a register may get the old value.
    Update {
        to: Option<usize>,
        place: usize,
        change: Change,
        ordering: Ordering,
        scope: Scope,
    },
    Fence(Ordering, Scope),
    /// A barrier of the block.
    Barrier(u32),
    /// Goes on at an instruction if the operands are equal, or different.
    Branch {
        if_equal: bool,
        a: Operand,
        b: Operand,
        to: usize,
    },
    Jump(usize),
}

/// A question about the ends of all executions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub asks: Asks,
    pub condition: Condition,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Whether the condition holds at one end.
    Exists,
    /// Whether it holds at none.
    Never,
    /// Whether it holds at all.
    Always,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    Compare { is_equal: bool, a: Term, b: Term },
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    Constant(u32),
    /// A register of a thread, by their numbers.
    Register(usize, usize),
    Place(usize),
}

/// The end of an execution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// The registers of each thread.
    pub registers: Vec<Vec<u32>>,
    /// The values of each place.
    pub memory: Vec<u32>,
}

impl Condition {
    /// Whether it holds at an end.
    pub fn holds(&self, end: &End) -> bool {
        match self {
            Self::Compare { is_equal, a, b } => (end.value(*a) == end.value(*b)) == *is_equal,
            Self::And(a, b) => a.holds(end) && b.holds(end),
            Self::Or(a, b) => a.holds(end) || b.holds(end),
        }
    }
}

impl End {
    fn value(&self, term: Term) -> u32 {
        match term {
            Term::Constant(number) => number,
            Term::Register(thread, register) => self.registers[thread][register],
            Term::Place(place) => self.memory[place],
        }
    }
}

impl Litmus {
    /// The number of blocks.
    pub fn blocks(&self) -> u32 {
        self.threads.iter().map(|thread| thread.block + 1).max().unwrap_or(0)
    }

    /// The most threads in a block.
    pub fn threads_of_block(&self) -> u32 {
        let count = |block| self.threads.iter().filter(|thread| thread.block == block).count();
        (0..self.blocks()).map(|block| u32::try_from(count(block)).expect("few threads")).max().unwrap_or(0)
    }
}
