//! Axioms about a kernel's undefined functions, from Boogie files (`--boogie-file`).
//!
//! GPUVerify hands such files to Boogie as they are. Lockstep reads the constructs that they
//! contain in practice: type names for bit-vectors, functions that are operations on bit-vectors or
//! have a body, constants, and axioms over bit-vectors. [`read`] reads a file. [`resolve`] gives
//! everything a sort, using the signatures that the kernels declare with `DECLARE_UF_…`. Anything
//! else is refused, with its line. [`crate::lockstep`] assumes each axiom for the applications of
//! the functions that occur in the program.

mod read;
mod resolve;
#[cfg(test)]
mod tests;
mod tokens;

use lockstep_ir::bits::Bits;
use lockstep_ir::sequential::{BinaryOp, CompareOp, Sort};

pub use read::{Declarations, read};
pub use resolve::{Signatures, resolve};

/// An error in a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct AxiomError {
    /// The file's name as given.
    pub file: String,
    /// The line of the error.
    pub line: u32,
    /// The description of the error.
    pub message: String,
}

/// The axioms of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axioms {
    /// The file's name as given.
    pub file: String,
    /// The axioms in source order.
    pub axioms: Vec<Axiom>,
}

/// A statement that holds for all values of its variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axiom {
    /// The line on which the axiom begins.
    pub line: u32,
    /// The sorts of the variables.
    pub variables: Vec<Sort>,
    /// The patterns that select the terms to instantiate the axiom for. A list of patterns selects
    /// the terms that match all of its patterns. Variables that the patterns do not mention stand
    /// for every term.
    pub patterns: Vec<Vec<Term>>,
    /// The statement, a term of sort Boolean.
    pub body: Term,
}

/// An expression over the variables of an axiom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The term's sort: Boolean or a bit-vector.
    pub sort: Sort,
    /// The kind of term, with its operands.
    pub kind: TermKind,
}

/// The kinds of terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// The variable of this index.
    Variable(usize),
    /// A truth value.
    Boolean(bool),
    /// A bit-vector constant.
    Bits(Bits),
    /// An uninterpreted function, by its name in the source. Only axioms constrain it. A truth
    /// value that the kernel passes to it or gets from it is a bit-vector of one bit here.
    Apply(String, Vec<Term>),
    /// The result of an operation.
    Operation(Operation, Vec<Term>),
}

/// An operation with SMT-LIB's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Negation of a truth value.
    Not,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Implication of the second operand by the first.
    Implies,
    /// Equality of two terms of one sort.
    Equal,
    /// The conditional `if a then b else c`.
    IfThenElse,
    /// Bitwise complement.
    Complement,
    /// Negation in two's complement.
    Negate,
    /// Addition.
    Add,
    /// Subtraction.
    Subtract,
    /// Another operation on two numbers.
    Binary(BinaryOp),
    /// A comparison.
    Compare(CompareOp),
    /// Zero extension to this width.
    ZeroExtend(u32),
    /// Sign extension to this width.
    SignExtend(u32),
    /// The bits from the second number to the first, inclusive.
    Extract(u32, u32),
    /// Concatenation; the first operand is the high bits.
    Concat,
}

impl Term {
    /// Calls `visit` on this term and on all terms inside it, outer ones first.
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

    /// The variables that occur in the term, in order and without repetitions.
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
