//! Facts about values in all threads, by abstract interpretation ([`operations`]). They follow from
//! computations, not from branches.

use lockstep_invariants::{Word, mask, operations};
use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp, Kernel, Operation, ThreadQuery, Type, UnaryOp, Value};
use lockstep_ir::sequential;
use rustc_hash::FxHashMap;

/// The facts about values in all threads. `query` bounds the answers to thread queries.
pub struct Words<'a, Q> {
    kernel: &'a Kernel,
    query: Q,
    known: FxHashMap<Value, Option<Word>>,
}

impl<'a, Q: FnMut(ThreadQuery) -> Option<Word>> Words<'a, Q> {
    /// Creates the facts of a kernel; nothing is known about block parameters.
    pub fn new(kernel: &'a Kernel, query: Q) -> Self {
        Self { kernel, query, known: FxHashMap::default() }
    }

    /// Records the word of a block parameter.
    pub fn learn(&mut self, parameter: Value, word: Option<Word>) {
        self.known.insert(parameter, word);
    }

    /// Whether a condition holds, if it is known.
    pub fn condition(&mut self, value: Value) -> Option<bool> {
        match *self.kernel.operation(value)? {
            Operation::Compare(op, a, b) => {
                let (a, b) = (self.of(a)?, self.of(b)?);
                compare(op, &a, &b)
            }
            Operation::Unary(UnaryOp::Not, a) => self.condition(a).map(|holds| !holds),
            _ => None,
        }
    }

    /// The word of a bit-vector, or of a pointer's offset; `None` for other values and for values
    /// that may be anything.
    pub fn of(&mut self, value: Value) -> Option<Word> {
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        let word = self.kernel.operation(value).cloned().and_then(|operation| self.of_operation(&operation, value));
        self.known.insert(value, word);
        word
    }

    /// The word of a value, or the word of its width without any knowledge.
    fn or_any(&mut self, value: Value) -> Option<Word> {
        let width = match self.kernel.ty(value) {
            Type::Pointer(_) => self.kernel.pointer_bits,
            Type::Bits(width) if width <= 64 => width,
            _ => return None,
        };
        Some(self.of(value).unwrap_or(Word::any(width)))
    }

    fn of_operation(&mut self, operation: &Operation, result: Value) -> Option<Word> {
        let pointer_bits = self.kernel.pointer_bits;
        match operation {
            Operation::Constant(bits) => Word::constant(bits),
            Operation::ThreadQuery(query) => (self.query)(*query),
            Operation::Binary(op, _, a, b) => {
                let (a, b) = (self.or_any(*a)?, self.or_any(*b)?);
                let terms = |factor| [(1, a), (factor, b)];
                Some(match sequential::BinaryOp::of(*op) {
                    Some(op) => operations::binary(op, &a, &b),
                    None if *op == BinaryOp::Add => operations::sum(a.width(), 0, &terms(1)),
                    None => operations::sum(a.width(), 0, &terms(mask(a.width()))),
                })
            }
            Operation::Unary(UnaryOp::Not, a) => Some(operations::complement(&self.of(*a)?)),
            Operation::Select(_, a, b) => Some(self.of(*a)?.or(&self.of(*b)?)),
            Operation::Convert(op, a) => {
                let Type::Bits(width @ 1..=64) = self.kernel.ty(result) else { return None };
                let a = self.or_any(*a)?;
                match op {
                    ConvertOp::ZeroExtend => Some(operations::zero_extend(width, &a)),
                    ConvertOp::SignExtend => Some(operations::sign_extend(width, &a)),
                    ConvertOp::Truncate => Some(operations::extract(width - 1, 0, &a)),
                    ConvertOp::Bitcast => None,
                }
            }
            Operation::Extract { high, low, value } => Some(operations::extract(*high, *low, &self.of(*value)?)),
            Operation::ArrayBase(_) => Some(Word::exactly(pointer_bits, 0)),
            Operation::PointerAdd { pointer, offset, .. } => {
                let terms = [(1, self.of(*pointer)?), (1, self.of(*offset)?)];
                Some(operations::sum(pointer_bits, 0, &terms))
            }
            Operation::SpaceCast(pointer) => self.of(*pointer),
            _ => None,
        }
    }
}

fn compare(op: CompareOp, a: &Word, b: &Word) -> Option<bool> {
    use sequential::CompareOp as S;
    match op {
        CompareOp::Equal => operations::equal(a, b),
        CompareOp::NotEqual => operations::equal(a, b).map(|equal| !equal),
        CompareOp::UnsignedLess => operations::compare(S::UnsignedLess, a, b),
        CompareOp::UnsignedLessEqual => operations::compare(S::UnsignedLessEqual, a, b),
        CompareOp::SignedLess => operations::compare(S::SignedLess, a, b),
        CompareOp::SignedLessEqual => operations::compare(S::SignedLessEqual, a, b),
    }
}
