//! Signed arithmetic whose overflow is undefined in the source language.
//!
//! Each thread that executes such an operation, and no other, is assumed to stay within the numbers
//! of the type. An execution that violates the assumption has no defined meaning, so it needs no
//! proof and contains no defect. The report lists the lines. With `--check overflow` the condition
//! is asserted instead, where the result is part of an index
//! ([`crate::analysis::addresses::indices`]). Nothing is assumed or listed for an operation that
//! cannot overflow whatever the branches around it say ([`lockstep_invariants::ranges`]), or whose
//! result has no effect on the proof ([`crate::analysis::need`]). This only makes the assumptions
//! weaker.
//!
//! The assumptions are written so that they cost the solver little: sums as comparisons, products
//! with a constant as bounds of the other factor. A product of two unknowns is computed with twice
//! the bits, a form that the prover recognises.

use std::collections::BTreeSet;

use lockstep_invariants::ranges::Range;
use lockstep_ir::assumption::Assumed;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, Block, Value};
use lockstep_ir::sequential::{Claim, CompareOp, Copies, Expression};
use lockstep_options::checks::Check;

use crate::analysis::accesses::for_each_access;
use crate::lockstep::memory::touch::Touch;
use crate::lockstep::{Lowered, Lowering};

impl Lowering<'_> {
    /// Assumes that `result = operands[0] op operands[1]` does not overflow in any thread that
    /// executes it here.
    pub fn assume_no_overflow(&mut self, block: Block, op: BinaryOp, operands: [Value; 2], value: Value) {
        if !self.facts.needed.value(value) {
            return;
        }
        let checked = self.options.checks.has(Check::Overflow) && self.facts.indices.contains(value);
        let one_for_both = matches!(self.lowered(value), Copies::Uniform(_))
            && self.predicates[block].as_ref().is_some_and(Copies::is_uniform);
        let (mut assumed, mut claimed) = (false, [self.true_(); 2]);
        for (thread, claimed) in claimed.iter_mut().enumerate().take(if one_for_both { 1 } else { 2 }) {
            let [a, b] = operands.map(|operand| self.scalar(operand, thread));
            let Lowered::Scalar(result) = *self.lowered(value).of(thread) else { return };
            let Some(fits) = self.fits(op, a, b, result) else { continue };
            // With digits, this assumption made them exact; nothing is multiplied there.
            if self.form.digits.is_some() && self.program.expressions.multiplies_unknowns(&[fits]) {
                continue;
            }
            let active = self.active(block, thread);
            let holds = self.e().implies(active, fits);
            if thread == 0 {
                self.promised.insert(value, fits);
            }
            if checked {
                *claimed = holds;
                continue;
            }
            assumed |= self.e().as_boolean(holds) != Some(true);
            self.assume_about(holds, "signed arithmetic does not overflow", self.decided_sites(value));
        }
        if checked {
            if one_for_both {
                claimed[1] = claimed[0];
            }
            self.claim_if(Check::Overflow, Claim::Overflow, claimed);
            // From here on, the condition is known of thread 1, too.
            self.assume_about(claimed[0], "shown for each thread by itself", self.decided_sites(value));
        }
        if assumed {
            let here = self.kernel.place(self.location);
            self.overflow_places.insert(here);
        }
    }

    /// Assumes that a counter that advances by a stride of the launch does not wrap
    /// ([`crate::analysis::strides`]).
    ///
    /// If the counter goes up to a known number, the proof shows whether it wraps.
    pub fn assume_no_wrapping_stride(&mut self, block: Block, sum: Value) {
        let facts = self.facts;
        let Some(stride) = facts.strides.get(&sum).filter(|_| facts.needed.value(sum)) else { return };
        let is_known = |bound: &Value| {
            let bound = self.values[*bound].as_ref().map(|bound| bound.of(0));
            matches!(bound, Some(Lowered::Scalar(bound)) if self.program.expressions.as_bits(*bound).is_some())
        };
        if stride.bounds.iter().any(is_known) {
            return;
        }
        let mut assumed = false;
        for thread in 0..2 {
            let counter = self.scalar(stride.counter, thread);
            let Lowered::Scalar(result) = *self.lowered(sum).of(thread) else { return };
            let order = if stride.signed { CompareOp::SignedLessEqual } else { CompareOp::UnsignedLessEqual };
            let mut advances = self.e().compare(order, counter, result);
            if !stride.is_bounded {
                // The stride itself may have wrapped around. Nothing is assumed of a counter that
                // goes down.
                let by = self.scalar(stride.by, thread);
                let e = self.e();
                let zero = e.number(e.width(by), 0);
                let negative = e.compare(CompareOp::SignedLess, by, zero);
                advances = e.or([negative, advances]);
            }
            let active = self.active(block, thread);
            let holds = self.e().implies(active, advances);
            assumed |= self.e().as_boolean(holds) != Some(true);
            let reason = "a counter that advances by sizes of the launch does not wrap";
            self.assume_about(holds, reason, self.decided_sites(sum));
        }
        if assumed {
            self.list_here(Assumed::LaunchStrides);
        }
    }

    /// The assumptions about the first thread for the operations that compute an accessed address.
    /// They hold where the access is executed, because the thread was active at the operations in
    /// the same iterations. Only variables of these conditions are mentioned.
    pub fn promised_at(&self, touch: &Touch, conditions: &[Expression]) -> Vec<Expression> {
        let e = &self.program.expressions;
        let mut variables = BTreeSet::new();
        for &condition in conditions {
            e.for_each_variable(condition, |variable| {
                variables.insert(variable);
            });
        }
        let mut promised = self.promised_of(touch);
        promised.retain(|&promise| {
            let mut known = true;
            e.for_each_variable(promise, |variable| known &= variables.contains(&variable));
            known
        });
        promised
    }

    fn promised_of(&self, touch: &Touch) -> Vec<Expression> {
        let data = &self.kernel.instructions[touch.instruction];
        let mut pending = Vec::new();
        for_each_access(self.kernel, &data.operation, data.result, |access| pending.push(access.pointer));
        let mut promised = Vec::new();
        let mut seen = BTreeSet::new();
        while let Some(value) = pending.pop() {
            if !seen.insert(value) {
                continue;
            }
            promised.extend(self.promised.get(&value));
            if let Some(operation) = self.kernel.operation(value) {
                operation.for_each_operand(|operand| pending.push(operand));
            }
        }
        promised
    }

    /// Lists the assumption with its places if it was made.
    pub fn list_overflow(&mut self) {
        let places = std::mem::take(&mut self.overflow_places);
        if !places.is_empty() {
            self.program.assumptions.add(Assumed::NoSignedOverflow.at(places));
        }
    }

    /// The condition that `result = a op b` is the mathematical result. `None` if it always is, or
    /// if nothing need be assumed.
    fn fits(&mut self, op: BinaryOp, a: Expression, b: Expression, result: Expression) -> Option<Expression> {
        let e = &self.program.expressions;
        let all = Range::of_width(Some(e.width(a)).filter(|&width| width <= 64)?);
        let (x, y) = (self.ranges.of(e, a)?, self.ranges.of(e, b)?);
        let always = |exact: Option<Range>| exact.is_some_and(|exact| exact.within(all));
        match op {
            BinaryOp::Add => (!always(Some(x.plus(y)))).then(|| self.sum_fits([a, result], b, y)),
            BinaryOp::Subtract => (!always(Some(x.minus(y)))).then(|| self.sum_fits([result, a], b, y)),
            BinaryOp::Multiply if always(x.times(y)) => None,
            BinaryOp::Multiply => self.product_fits(a, b, [x, y], all),
            BinaryOp::ShiftLeft
            | BinaryOp::UnsignedDivide
            | BinaryOp::SignedDivide
            | BinaryOp::UnsignedRemainder
            | BinaryOp::SignedRemainder
            | BinaryOp::LogicalShiftRight
            | BinaryOp::ArithmeticShiftRight
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => None,
        }
    }

    /// The condition that `lower + summand = upper` holds without overflow. The sum is at least the
    /// other number if the summand is not negative, otherwise less.
    fn sum_fits(&mut self, [lower, upper]: [Expression; 2], summand: Expression, range: Range) -> Expression {
        let e = self.e();
        let grows = e.compare(CompareOp::SignedLessEqual, lower, upper);
        if range.low >= 0 {
            return grows;
        }
        let shrinks = e.compare(CompareOp::SignedLess, upper, lower);
        let zero = e.number(e.width(summand), 0);
        let negative = e.compare(CompareOp::SignedLess, summand, zero);
        e.if_then_else(negative, shrinks, grows)
    }

    fn product_fits(&mut self, a: Expression, b: Expression, [x, y]: [Range; 2], all: Range) -> Option<Expression> {
        if self.threads.known_product(&mut self.program.expressions, a, b).is_some() {
            // A product of sizes and indices of the launch, which is small enough.
            return None;
        }
        for (factor, range) in [(a, y), (b, x)] {
            if range.low == range.high {
                let bounds = factors_within(range.low, all);
                return Some(self.lies_within(factor, bounds));
            }
        }
        let e = self.e();
        let wide = 2 * e.width(a);
        let (a, b) = (e.sign_extend(wide, a), e.sign_extend(wide, b));
        let product = e.multiply(a, b);
        Some(self.lies_within(product, all))
    }

    /// The condition that a bit-vector, as a signed number, is in a range.
    pub fn lies_within(&mut self, of: Expression, range: Range) -> Expression {
        let e = self.e();
        let width = e.width(of);
        let low = e.bits(Bits::from_signed(width, range.low));
        let high = e.bits(Bits::from_signed(width, range.high));
        let above = e.compare(CompareOp::SignedLessEqual, low, of);
        let below = e.compare(CompareOp::SignedLessEqual, of, high);
        e.and([above, below])
    }
}

/// The numbers whose product with `factor`, which is neither 0 nor 1, lies in the range.
fn factors_within(factor: i128, all: Range) -> Range {
    let quotients = [all.low / factor, all.high / factor];
    // Division rounds towards zero, so neither quotient is too large; -1 takes the least number out
    // of the range.
    Range { low: quotients[0].min(quotients[1]).max(all.low), high: quotients[0].max(quotients[1]).min(all.high) }
}
