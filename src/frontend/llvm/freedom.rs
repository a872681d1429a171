//! Whether what is known of a launch's numbers is all there is to know.
//!
//! A relation or a range is true of every launch, but not each number that satisfies them is one
//! that the host passes: a counter that is doubled has few values, and the length of a string may
//! have been compared before something that may have changed it. A number is **free** if the host
//! may well pass each number of its range: it comes from an option, is computed from such numbers,
//! or counts the iterations of the loop with the launch; and every condition about it on the way to
//! the launch is a relation or a range. Only a counterexample in free numbers is one of the
//! program.

use std::collections::HashSet;

use lockstep_options::launch::ranges::HostRange;

use super::aliases::toolkit_function;
use super::host_ranges::{HostRanges, block_of, is_instruction};
use super::launches::name_of_called;
use super::raw::{LValue, Opcode};
use super::relations::binary_op;

/// The functions that read a number from text, and those that draw one.
pub const READING: [&str; 10] = [
    "atoi",
    "atol",
    "atoll",
    "strtol",
    "strtoll",
    "strtoul",
    "strtoull",
    "__isoc23_strtol",
    "__isoc23_strtoul",
    "rand",
];

/// The most values that are looked at for one number.
const MOST_STEPS: usize = 500;

/// Whether a value is computed from one of some numbers; values that are not looked at may be.
fn mentions(value: LValue, numbers: &[LValue]) -> bool {
    let mut seen = HashSet::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if numbers.contains(&value) || seen.len() > MOST_STEPS {
            return true;
        }
        // An error of the toolkit says nothing of the numbers that it got.
        let is_toolkits = is_instruction(value) && toolkit_function(value).is_some();
        if is_instruction(value) && !is_toolkits && seen.insert(value) {
            pending.extend(value.operands());
        }
    }
    false
}

/// The values that a conjunction or disjunction consists of.
fn parts_of(condition: LValue) -> Vec<LValue> {
    let mut found = Vec::new();
    let mut pending = vec![condition];
    while let Some(value) = pending.pop() {
        let joins = [Opcode::LLVMAnd, Opcode::LLVMOr, Opcode::LLVMXor, Opcode::LLVMSelect];
        let is_joined = is_instruction(value) && joins.contains(&value.opcode());
        if is_joined && found.len() < MOST_STEPS {
            pending.extend(value.operands());
        } else {
            found.push(value);
        }
    }
    found
}

impl HostRanges {
    /// Whether a condition under which the host comes to a marker says something of these numbers
    /// that is not among those that are `known`. It need not come before the marker on every way.
    pub fn loses_conditions(&self, marker: LValue, numbers: &[LValue], known: &[LValue]) -> bool {
        let numbers: Vec<LValue> = numbers.iter().copied().filter(|number| is_instruction(*number)).collect();
        let is_lost = |condition: LValue| {
            let leaves = parts_of(condition);
            leaves.into_iter().any(|leaf| !known.contains(&leaf) && mentions(leaf, &numbers))
        };
        self.guards(marker).into_iter().any(is_lost)
    }

    /// Whether a number at a marker is free, apart from conditions about it.
    pub fn is_free(&self, value: LValue, marker: LValue) -> bool {
        let mut left = MOST_STEPS;
        self.is_free_in(value, marker, &mut Vec::new(), &mut left)
    }

    /// The same, where φ-nodes are being looked at, each with whether it was left by arithmetic.
    fn is_free_in(&self, value: LValue, marker: LValue, pending: &mut Vec<(LValue, bool)>, left: &mut usize) -> bool {
        if !is_instruction(value) {
            // Calls in this file may pass few numbers, and so may a program whose `main` is in
            // another one.
            let is_called = |function: LValue| function.is_internal() || !function.is_in_program();
            return !value.function_of_parameter().is_some_and(is_called);
        }
        if let Some(&(_, is_computed)) = pending.iter().rev().find(|(phi, _)| *phi == value) {
            return !is_computed;
        }
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let operands = value.operands();
        let mut all = |operands: &[LValue], is_computed: bool| {
            let before: Vec<bool> = pending.iter().map(|(_, computed)| *computed).collect();
            for (_, computed) in pending.iter_mut() {
                *computed |= is_computed;
            }
            let are_free = operands.iter().all(|operand| self.is_free_in(*operand, marker, pending, left));
            for ((_, computed), before) in pending.iter_mut().zip(before) {
                *computed = before;
            }
            are_free
        };
        match value.opcode() {
            Opcode::LLVMPHI if self.counts_to(value, marker) => true,
            Opcode::LLVMPHI => {
                pending.push((value, false));
                let are_free = operands.iter().all(|operand| self.is_free_in(*operand, marker, pending, left));
                pending.pop();
                are_free
            }
            Opcode::LLVMSelect => all(&operands[1..], false),
            Opcode::LLVMFreeze | Opcode::LLVMZExt | Opcode::LLVMSExt | Opcode::LLVMTrunc => all(&operands[..1], false),
            Opcode::LLVMCall | Opcode::LLVMInvoke => {
                let name = name_of_called(value).unwrap_or_default();
                let is_chosen = ["llvm.smin", "llvm.smax", "llvm.umin", "llvm.umax", "llvm.abs"];
                if is_chosen.iter().any(|begin| name.starts_with(begin)) {
                    return all(&value.call_arguments(), true);
                }
                READING.contains(&name.as_str()) || self.is_bounded(value, marker)
            }
            Opcode::LLVMLoad => self.is_bounded(value, marker),
            opcode => binary_op(opcode).is_some() && all(&operands, true),
        }
    }

    /// Whether a φ-node counts the iterations of a loop with a marker, in steps of a constant.
    fn counts_to(&self, phi: LValue, marker: LValue) -> bool {
        let block = block_of(phi);
        let (_, back) = self.edges(block);
        let is_step = |value: LValue| {
            let operands = if is_instruction(value) { value.operands() } else { Vec::new() };
            let is_sum = is_instruction(value) && matches!(value.opcode(), Opcode::LLVMAdd | Opcode::LLVMSub);
            is_sum && operands.first() == Some(&phi) && operands[1].small_constant().is_some()
        };
        let mut next = back.iter().filter_map(|from| phi.incoming(*from));
        !back.is_empty() && next.all(is_step) && self.loop_of(block, &back).contains(&block_of(marker))
    }

    /// Whether the host compares a number that it has from elsewhere with others.
    fn is_bounded(&self, value: LValue, marker: LValue) -> bool {
        self.at(value, block_of(marker)).is_some_and(|range| {
            let all = HostRange::all(value.ty().integer_width());
            all.low < range.low && range.high < all.high
        })
    }
}
