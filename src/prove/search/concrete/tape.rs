//! Programs for concrete execution: each loop-free run of statements is a tape of steps.
//!
//! Values are in numbered places. Truth values and bit-vectors of up to 64 bits are words in one
//! array of cells, with specialised steps. All other values take a general path.

use std::ops::Range;

use cranelift_entity::{EntityRef, SecondaryMap};
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel;
use lockstep_ir::sequential::{BinaryOp, CompareOp, Expression, Function, Loop, Obligation, Site, Sort, Variable};
use rustc_hash::FxHashMap;

use super::value::{Value, low_bits};

/// The index of a cell that holds a word.
pub type Cell = u32;

/// The place of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The word in this cell.
    Word(Cell),
    /// The longer vector or map of this number.
    Other(u32),
}

/// An operation, with the data that distinguishes it from others on the same operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A constant; a truth value is one bit.
    Constant(Bits),
    /// A variable's value at the beginning of the tape.
    Read(Variable),
    /// An arbitrary value of this variable's sort, from the havoc statement of this number.
    Arbitrary(Variable, u32),
    /// Boolean negation.
    Not,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Equality.
    Equal,
    /// If-then-else.
    Choose,
    /// The constant plus each operand times its coefficient.
    Sum(Bits, Box<[Bits]>),
    /// Bitwise complement.
    Complement,
    /// An operation on two bit-vectors.
    Binary(BinaryOp),
    /// A comparison.
    Compare(CompareOp),
    /// Zero-extension.
    ZeroExtend,
    /// Sign-extension.
    SignExtend,
    /// The bits from the second position up to the first.
    Extract(u32, u32),
    /// Concatenation.
    Concat,
    /// An element of a map.
    Select,
    /// A map with one element replaced.
    Store,
    /// An uninterpreted function.
    Apply(Function),
}

/// An operation on one or two words.
#[derive(Clone, Copy, Debug)]
pub enum WordOperation {
    /// The first operand.
    Copy,
    /// Boolean negation.
    Not,
    /// Equality.
    Equal,
    /// Bitwise complement.
    Complement,
    /// An operation on two vectors of the result's width.
    Binary(kernel::BinaryOp),
    /// A comparison of two vectors of this width.
    Compare(kernel::CompareOp, u32),
    /// Sign-extension of a vector of this width.
    SignExtend(u32),
    /// The bits from this position upwards.
    Extract(u32),
    /// Concatenation with a second vector of this width.
    Concat(u32),
}

/// An operation with its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Computation {
    /// The operation.
    pub operation: Operation,
    /// The operands.
    pub operands: Box<[Place]>,
    /// The operands' widths; 0 for truth values and maps.
    ///
    /// A word and its zero-extension share one place, and only the width distinguishes them.
    pub widths: Box<[u32]>,
    /// The result's sort.
    pub sort: Sort,
}

/// A step of a tape.
#[derive(Clone, Debug)]
pub enum Step {
    /// Computes a word of this width from two operands, which are equal for a unary operation.
    Word { operation: WordOperation, operands: [Cell; 2], width: u32, target: Cell },
    /// Computes the sum of the constant and each of these terms.
    Sum { constant: u64, terms: Range<u32>, width: u32, target: Cell },
    /// Computes a conjunction of these operands if false is decisive, a disjunction if true is.
    Junction { decisive: bool, operands: Range<u32>, target: Cell },
    /// Computes the second operand if the first holds, and the third otherwise.
    Choose { operands: [Cell; 3], target: Cell },
    /// Computes the value of an uninterpreted function for these operands.
    Apply { function: Function, operands: Range<u32>, width: u32, target: Cell },
    /// Draws a word for the havoc statement of this number.
    Arbitrary { havoc: u32, width: u32, target: Cell },
    /// Performs any computation, with its result in this place.
    General(Box<Computation>, Place),
    /// Changes a variable.
    Write(Variable, Place),
    /// Counts a drawn value of a havoc statement.
    ///
    /// The flag says whether it is the instrumentation's choice.
    Draw(bool),
    /// Ends the execution unless this holds.
    Assume(Cell),
    /// Thread 1 logs an access: whether it is active, and the first cell of the array.
    Log(Site, Cell, Cell),
    /// Thread 2 checks an access: whether it is active, and the first cell of the array.
    Check(Obligation, Cell, Cell),
    /// Fails unless this holds.
    Assert(Obligation, Cell),
    /// Records a parameter value that would make a comparison hold.
    ///
    /// It has the result of the comparison, the input's bits to which one side adds something, and
    /// both sides.
    Wish(Cell, Wished, [Cell; 2]),
}

/// Steps that are executed in sequence, with the lists to which they refer.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    /// The steps.
    pub steps: Vec<Step>,
    /// Operands of conjunctions and disjunctions.
    pub operands: Vec<Cell>,
    /// Terms of sums: a factor and the cell that it multiplies.
    pub terms: Vec<(u64, Cell)>,
}

/// Bits of an input, from the second position up to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wished {
    /// The input.
    pub input: Variable,
    /// The highest bit.
    pub high: u32,
    /// The lowest bit.
    pub low: u32,
}

impl Wished {
    /// The value of these bits in the input's value.
    pub fn of(self, value: &Value) -> Option<u64> {
        match value {
            Value::Word(word) => Some((word >> self.low) & low_bits(self.high - self.low + 1)),
            Value::Wide(bits) => bits.extract(self.high, self.low).to_u64(),
            Value::Map(_) => None,
        }
    }

    /// The input's value with these bits replaced.
    pub fn set(self, value: &Value, width: u32, word: u64) -> Value {
        let distance = Bits::new(width, self.low);
        let [mask, word] = [low_bits(self.high - self.low + 1), word]
            .map(|word| BinaryOp::ShiftLeft.fold(&Bits::new(width, word), &distance));
        let others = BinaryOp::And.fold(&value.bits(width), &mask.not());
        Value::of(BinaryOp::Or.fold(&others, &word))
    }
}

/// A part of a program that can be executed.
#[derive(Clone, Debug)]
pub enum Part {
    /// Straight-line steps.
    Straight(Tape),
    /// A loop.
    Loop(Loop),
}

/// The computations at a loop's head.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// The steps.
    pub tape: Tape,
    /// The guard.
    pub guard: Cell,
    /// The watched conditions of this loop, with their numbers.
    pub conditions: Vec<(usize, Cell)>,
}

/// A program, compiled.
#[derive(Clone, Debug)]
pub struct Code {
    /// The program's body.
    pub body: Vec<Part>,
    /// The body of each loop.
    pub bodies: SecondaryMap<Loop, Vec<Part>>,
    /// The head of each loop.
    pub heads: SecondaryMap<Loop, Head>,
    /// The preconditions.
    pub preconditions: Tape,
    /// The parts of the preconditions, assumed in sequence.
    pub assumed: Vec<Expression>,
    /// The places of all values.
    pub places: Places,
    /// The havoc statements, by number.
    ///
    /// They are followed by the uninterpreted functions whose results decide something.
    pub havocs: Vec<Havoc>,
    /// The numbers of these functions.
    pub deciding: FxHashMap<Function, u32>,
}

/// The places of values.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The place of each variable.
    pub variables: Vec<Place>,
    /// The constants that are words; their cells are set before execution.
    pub constants: Vec<(Cell, u64)>,
    /// The number of cells.
    pub cells: Cell,
    /// The number of other places.
    pub others: u32,
}

impl Places {
    /// Allocates a place for values of this sort.
    pub fn add(&mut self, sort: Sort) -> Place {
        let (place, count) = if width_of_word(sort).is_some() {
            (Place::Word(self.cells), &mut self.cells)
        } else {
            (Place::Other(self.others), &mut self.others)
        };
        *count += 1;
        place
    }
}

/// The width of the values of this sort, if they are words.
pub fn width_of_word(sort: Sort) -> Option<u32> {
    match sort {
        Sort::Boolean => Some(1),
        Sort::Bits(width) => (width <= 64).then_some(width),
        Sort::Map { .. } => None,
    }
}

/// A havoc statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Havoc {
    /// The role of the value.
    pub unknown: lockstep_ir::sequential::Unknown,
    /// The source location.
    pub location: Option<lockstep_ir::source::Location>,
}

/// The index of a cell, or of anything else that is numbered.
pub fn index(number: u32) -> usize {
    usize::try_from(number).expect("an index")
}

/// The index of a variable in a list of all variables.
pub fn at(variable: Variable) -> usize {
    variable.index()
}
