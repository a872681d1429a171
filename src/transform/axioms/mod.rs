//! Axioms about the functions of a kernel of which nothing is known, from Boogie files (`--boogie-file`).
//!
//! GPUVerify hands such files to Boogie as they are. What they contain in practice is read here: types that are names of
//! bit-vectors, functions that are operations on bit-vectors or have a body, constants, and axioms over bit-vectors. [`read`] reads
//! a file, [`resolve`] gives everything a sort, by what the kernels say of the functions that they declare
//! with `DECLARE_UF_…`; anything else is refused, with its line. [`crate::lockstep`] assumes of an axiom what it says of the
//! functions' applications that occur.

mod read;
mod resolve;
#[cfg(test)]
mod tests;
mod tokens;

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{BinaryOp, CompareOp, Sort};

pub use read::{Declarations, read};
pub use resolve::{Signatures, resolve};

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct AxiomError {
    /// The file, as it was given.
    pub file: String,
    /// The line.
    pub line: u32,
    /// What is wrong there.
    pub message: String,
}

/// The axioms of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axioms {
    /// The file, as it was given.
    pub file: String,
    /// Its axioms, in order.
    pub axioms: Vec<Axiom>,
}

/// Something that holds for all values of some variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axiom {
    /// The line on which it begins.
    pub line: u32,
    /// The sorts of the variables.
    pub variables: Vec<Sort>,
    /// For which terms it is wanted: those that all patterns of one of these lists match. Variables that these do not mention
    /// stand for every term.
    pub patterns: Vec<Vec<Term>>,
    /// What holds: of sort Boolean.
    pub body: Term,
}

/// An expression over the variables of an axiom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its sort: Boolean or a bit-vector.
    pub sort: Sort,
    /// What it is.
    pub kind: TermKind,
}

/// What a term is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// The variable of this index.
    Variable(usize),
    /// A truth value.
    Boolean(bool),
    /// A number.
    Bits(Bits),
    /// A function of which nothing is known but what axioms say, by its name in the source. A truth value that the kernel passes to it
    /// or gets from it is a bit-vector of one bit here.
    Apply(String, Vec<Term>),
    /// Something that is computed.
    Operation(Operation, Vec<Term>),
}

/// An operation with SMT-LIB's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Negation of a truth value.
    Not,
    /// All.
    And,
    /// Any.
    Or,
    /// The first implies the second.
    Implies,
    /// Two of one sort are equal.
    Equal,
    /// `if a then b else c`
    IfThenElse,
    /// Bitwise complement.
    Complement,
    /// In two's complement.
    Negate,
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// Another operation on two numbers.
    Binary(BinaryOp),
    /// A comparison.
    Compare(CompareOp),
    /// To this width.
    ZeroExtend(u32),
    /// To this width.
    SignExtend(u32),
    /// The bits from the second number to the first, inclusive.
    Extract(u32, u32),
    /// The first as the high bits.
    Concat,
}

impl Term {
    /// Calls `visit` on this term and all inside it, outer ones first.
    pub fn for_each<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        match &self.kind {
            TermKind::Variable(_) | TermKind::Boolean(_) | TermKind::Bits(_) => {}
            TermKind::Apply(_, operands) | TermKind::Operation(_, operands) => {
                for operand in operands {
                    operand.for_each(visit);
                }
            }
        }
    }

    /// The variables that occur, without repetitions, in order.
    pub fn variables(&self) -> Vec<usize> {
        let mut variables = Vec::new();
        self.for_each(&mut |term| {
            if let TermKind::Variable(index) = term.kind
                && !variables.contains(&index)
            {
                variables.push(index);
            }
        });
        variables.sort_unstable();
        variables
    }
}
