//! Programs for concrete execution: each run of statements without a loop is a tape of steps.
//!
//! Values are in numbered places. Truth values and bit-vectors of up to 64 bits are words in one array of cells, for which
//! there are short steps; everything else goes a general way.

use std::ops::Range;

use cranelift_entity::{EntityRef, SecondaryMap};
use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{BinaryOp, CompareOp, Expression, Function, Loop, Obligation, Site, Sort, Variable};
use rustc_hash::FxHashMap;

use super::value::{Value, low_bits};

/// Where a word is.
pub type Cell = u32;

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A word, in this cell.
    Word(Cell),
    /// A longer vector or a map: the one of this number.
    Other(u32),
}

/// An operation, with what distinguishes it from others on the same operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A constant: a truth value is one bit.
    Constant(Bits),
    /// A variable's value at the beginning of the tape.
    Read(Variable),
    /// An arbitrary value of this variable's sort, of the havoc statement of this number.
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
    /// Bits from the second to the first.
    Extract(u32, u32),
    /// Concatenation.
    Concat,
    /// An element of a map.
    Select,
    /// A changed map.
    Store,
    /// An uninterpreted function.
    Apply(Function),
}

/// An operation on one or two words.
#[derive(Clone, Copy, Debug)]
pub enum WordOperation {
    /// The first.
    Copy,
    /// Boolean negation.
    Not,
    /// Equality.
    Equal,
    /// Bitwise complement.
    Complement,
    /// An operation on two vectors of the result's width.
    Binary(BinaryOp),
    /// A comparison of two vectors of this width.
    Compare(CompareOp, u32),
    /// Sign-extension of a vector of this width.
    SignExtend(u32),
    /// The bits from this one on.
    Extract(u32),
    /// Concatenation with a second vector of this width.
    Concat(u32),
}

/// An operation with its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Computation {
    /// What.
    pub operation: Operation,
    /// Of these.
    pub operands: Box<[Place]>,
    /// The operands' widths; 0 for truth values and maps. A word and what it is extended to with zeros are in one place, and
    /// only this tells them apart.
    pub widths: Box<[u32]>,
    /// The result's sort.
    pub sort: Sort,
}

/// A step of a tape.
#[derive(Clone, Debug)]
pub enum Step {
    /// Computes a word of this width from two (the same twice, if it takes one).
    Word { operation: WordOperation, operands: [Cell; 2], width: u32, target: Cell },
    /// Computes the constant plus each of these terms.
    Sum { constant: u64, terms: Range<u32>, width: u32, target: Cell },
    /// Computes a conjunction of these operands if false is decisive, a disjunction if true is.
    Junction { decisive: bool, operands: Range<u32>, target: Cell },
    /// Computes the second operand if the first holds, and the third if not.
    Choose { operands: [Cell; 3], target: Cell },
    /// Computes the value of an uninterpreted function for these operands.
    Apply { function: Function, operands: Range<u32>, width: u32, target: Cell },
    /// Draws a word, for the havoc statement of this number.
    Arbitrary { havoc: u32, width: u32, target: Cell },
    /// Computes anything, into this place.
    General(Box<Computation>, Place),
    /// Changes a variable.
    Write(Variable, Place),
    /// A havoc statement for which a value is drawn; whether it is the instrumentation's choice.
    Draw(bool),
    /// Ends the execution unless this holds.
    Assume(Cell),
    /// Thread 1 logs an access: whether it is active, and the first cell of the array.
    Log(Site, Cell, Cell),
    /// Thread 2 checks an access: whether it is active, and the first cell of the array.
    Check(Obligation, Cell, Cell),
    /// Fails unless this holds.
    Assert(Obligation, Cell),
    /// Compares what bits of an input are added to with something else: the result of the comparison, the bits, and both sides.
    Wish(Cell, Wished, [Cell; 2]),
}

/// Steps that are executed one after the other, with what they refer to.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    /// The steps.
    pub steps: Vec<Step>,
    /// Operands of conjunctions and disjunctions.
    pub operands: Vec<Cell>,
    /// Terms of sums: a factor and what it is multiplied with.
    pub terms: Vec<(u64, Cell)>,
}

/// Bits of an input, from the second to the first.
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
    /// These bits, of the input's value.
    pub fn of(self, value: &Value) -> Option<u64> {
        match value {
            Value::Word(word) => Some((word >> self.low) & low_bits(self.high - self.low + 1)),
            Value::Wide(bits) => bits.extract(self.high, self.low).to_u64(),
            Value::Map(_) => None,
        }
    }

    /// The input's value with these bits in it.
    pub fn set(self, value: &Value, width: u32, word: u64) -> Value {
        let distance = Bits::new(width, self.low);
        let [mask, word] = [low_bits(self.high - self.low + 1), word]
            .map(|word| BinaryOp::ShiftLeft.fold(&Bits::new(width, word), &distance));
        let others = BinaryOp::And.fold(&value.bits(width), &mask.not());
        Value::of(BinaryOp::Or.fold(&others, &word))
    }
}

/// What is executed.
#[derive(Clone, Debug)]
pub enum Part {
    /// Steps.
    Straight(Tape),
    /// A loop.
    Loop(Loop),
}

/// What is computed at a loop's head.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// The steps.
    pub tape: Tape,
    /// The guard.
    pub guard: Cell,
    /// The watched conditions of this loop, by the number given to them.
    pub conditions: Vec<(usize, Cell)>,
}

/// A program, compiled.
#[derive(Clone, Debug)]
pub struct Code {
    /// The program's body.
    pub body: Vec<Part>,
    /// Each loop's.
    pub bodies: SecondaryMap<Loop, Vec<Part>>,
    /// Each loop's head.
    pub heads: SecondaryMap<Loop, Head>,
    /// The preconditions.
    pub preconditions: Tape,
    /// The parts of the preconditions that are assumed one after the other.
    pub assumed: Vec<Expression>,
    /// What there is to be computed.
    pub places: Places,
    /// The havoc statements, in order of their numbers, and behind them the functions whose results decide something.
    pub havocs: Vec<Havoc>,
    /// The numbers of these functions.
    pub deciding: FxHashMap<Function, u32>,
}

/// Where values are.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Each variable's.
    pub variables: Vec<Place>,
    /// The constants that are words, which are there from the beginning.
    pub constants: Vec<(Cell, u64)>,
    /// How many cells there are.
    pub cells: Cell,
    /// How many other places there are.
    pub others: u32,
}

impl Places {
    /// A place for values of this sort.
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
    /// What the value stands for.
    pub unknown: lockstep_ir::sequential::Unknown,
    /// Where.
    pub location: Option<lockstep_ir::source::Location>,
}

/// The index of a cell, or of anything else that is numbered.
pub fn index(number: u32) -> usize {
    usize::try_from(number).expect("an index")
}

/// The index of a variable in a list of all.
pub fn at(variable: Variable) -> usize {
    variable.index()
}
