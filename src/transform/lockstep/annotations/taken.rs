//! `__atomic_has_taken_value(p, 0, v)`: an atomic on the cell at `p` has returned `v`.
//!
//! The returned numbers form a set, and a ghost tracks one element of it. This element is a
//! **probe**, a place and a number that are arbitrary and fixed during the run. The ghost records
//! whether an atomic of one of the two threads has returned this number from this place. A question
//! about another place or number is answered with "yes". Proofs hold for every probe, and so for
//! the probe that matches the question. A proved statement is therefore true if it is monotone in
//! the answers: additional answers of "yes" never make it false. The source may ask only inside
//! monotone statements that are to be proved. In an assumption, for example, such an answer would
//! assume an unknown fact.
//!
//! The ghost ignores the atomics of other threads: that a number has been taken is proved for the
//! two threads only. So, like a statement about accesses, it is proved for thread 1 of each pair
//! and assumed for no thread elsewhere.

use lockstep_ir::kernel::{self, AssertKind, BinaryOp, CompareOp, ConvertOp, Kernel, Operation, Value};
use lockstep_ir::sequential::{Expression, Role, Sort, Variable};

use crate::lockstep::memory::touch::Touch;
use crate::lockstep::{Lowering, TAG_WIDTH, Unsupported};

/// The name of the annotation.
pub const TAKEN: &str = "__atomic_has_taken_value";

/// The width of numbers, the largest that an atomic has.
const NUMBER: u32 = 64;

/// A question of the source, with its ghosts.
#[derive(Clone, Debug)]
pub struct Taken {
    operands: Vec<Value>,
    array: kernel::Array,
    /// The place and the number of the probe.
    place: Variable,
    number: Variable,
    /// Whether the probe has been taken.
    seen: Variable,
}

impl Lowering<'_> {
    /// Declares the ghosts of all questions that can be answered.
    pub fn start_taken(&mut self) {
        let asked = self.kernel.instructions.values().filter_map(|data| match &data.operation {
            Operation::Annotation { name, operands } if name == TAKEN => Some(operands.clone()),
            _ => None,
        });
        let asked: Vec<Vec<Value>> = asked.collect();
        for operands in asked {
            let arrays = &self.facts.points_to[operands[0]].arrays;
            let (Some(&array), 1) = (arrays.iter().next(), arrays.len()) else { continue };
            if self.taken.iter().any(|known| known.operands == operands) {
                continue;
            }
            let width = self.kernel.pointer_bits;
            let place = self.e().add_variable("probe.place", Sort::Bits(width), None, Role::Input);
            let number = self.e().add_variable("probe.number", Sort::Bits(NUMBER), None, Role::Input);
            let seen = self.e().add_variable("probe.seen", Sort::Boolean, None, Role::Value);
            let not_yet = self.e().boolean(false);
            self.assign(seen, not_yet);
            self.taken.push(Taken { operands, array, place, number, seen });
        }
    }

    /// Records that an atomic has returned a number.
    pub fn take(&mut self, pointer: Value, touch: &Touch, result: Value) {
        let asked = self.taken.clone();
        for Taken { array, place, number, seen, .. } in asked {
            if !self.facts.points_to[pointer].arrays.contains(&array) {
                continue;
            }
            let mut any = vec![self.e().variable(seen)];
            for thread in [0, 1] {
                let tag = self.e().number(TAG_WIDTH, u64::from(array.as_u32()));
                let here = self.e().equal(touch.tag[thread], tag);
                let [place, number] = [place, number].map(|variable| self.e().variable(variable));
                let same_place = self.e().equal(touch.offset[thread], place);
                let returned = self.scalar(result, thread);
                let returned = self.e().zero_extend(NUMBER, returned);
                let same_number = self.e().equal(returned, number);
                any.push(self.e().and([touch.active[thread], here, same_place, same_number]));
            }
            let now = self.e().or(any);
            self.assign(seen, now);
        }
    }

    /// The answers for both threads.
    pub fn has_taken(&mut self, operands: &[Value]) -> Result<[Expression; 2], Unsupported> {
        let known = self.taken.iter().find(|known| known.operands == operands).cloned();
        let Some(Taken { place, number, seen, .. }) = known else {
            return self.unsupported(format!("{TAKEN} of a pointer into several arrays"));
        };
        let &[pointer, index, value] = operands else { return self.unsupported(format!("annotation {TAKEN}")) };
        if !self.kernel.constant(index).is_some_and(lockstep_ir::bits::Bits::is_zero) {
            return self.unsupported(format!("{TAKEN} with another offset than 0: write it as {TAKEN}(p + i, 0, v)"));
        }
        if !is_shown_only(self.kernel, operands) {
            return self.unsupported(format!("{TAKEN} elsewhere than in an invariant or an assertion, or negated"));
        }
        let answers = [0, 1].map(|thread| {
            let there = self.pointer(pointer, thread).offset;
            let [place, number] = [place, number].map(|variable| self.e().variable(variable));
            let same_place = self.e().equal(there, place);
            let asked = self.scalar(value, thread);
            let asked = self.e().zero_extend(NUMBER, asked);
            let same_number = self.e().equal(asked, number);
            let probe = self.e().and([same_place, same_number]);
            let seen = self.e().variable(seen);
            self.e().implies(probe, seen)
        });
        Ok(answers)
    }
}

/// Whether the answers to a question are used only in statements to be proved that are monotone in
/// the answers.
fn is_shown_only(kernel: &Kernel, operands: &[Value]) -> bool {
    let is_question = |operation: &Operation| matches!(operation, Operation::Annotation { name, operands: others } if name == TAKEN && others == operands);
    let mut answers: Vec<Value> = kernel
        .instructions
        .values()
        .filter(|data| is_question(&data.operation))
        .filter_map(|data| data.result)
        .collect();
    let mut next = 0;
    while let Some(&answer) = answers.get(next) {
        next += 1;
        for data in kernel.instructions.values() {
            let mut uses = false;
            data.operation.for_each_operand(|operand| uses |= operand == answer);
            if !uses {
                continue;
            }
            let is_zero = |value: Value| kernel.constant(value).is_some_and(lockstep_ir::bits::Bits::is_zero);
            let passes_on = match &data.operation {
                Operation::Binary(BinaryOp::And | BinaryOp::Or, ..) | Operation::Convert(ConvertOp::ZeroExtend, _) => {
                    true
                }
                Operation::Compare(CompareOp::NotEqual, a, b) => *a == answer && is_zero(*b),
                Operation::Assert(_, AssertKind::User | AssertKind::Global) => continue,
                Operation::Annotation { name, .. } if data.result.is_none() && !name.starts_with("__barrier_") => {
                    continue;
                }
                _ => false,
            };
            match data.result.filter(|_| passes_on) {
                Some(result) if answers.contains(&result) => {}
                Some(result) => answers.push(result),
                None => return false,
            }
        }
        // A branch on the value, or a variable that keeps it.
        for block in kernel.blocks.values() {
            let mut uses = false;
            block.terminator.for_each_operand(|operand| uses |= operand == answer);
            if uses {
                return false;
            }
        }
    }
    true
}
