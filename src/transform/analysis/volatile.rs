//! Volatile data: volatile accesses through which threads do not tell each other anything.
//!
//! In CUDA C++, HIP and PTX, a volatile access is a relaxed atomic one (PTX ISA, "Memory
//! Consistency Model"). Older code signals through such accesses, so two of them are no defect by
//! themselves: a thread that waits for a flag is meant to see the value change. A thread may also
//! read *data*, on which no branch depends. Nothing then tells the thread whether the value is the
//! old or the new one, and an order has to come from elsewhere. Without it, the result depends on
//! timing, as in any data race. C++ calls it one.
//!
//! An array is data if no value read from it *decides*: no condition, no address and no other array
//! that is read to decide depends on it, and no atomic operation accesses it. This errs on the side
//! of signals, whose races no run reports.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{Array, Definition, Instruction, Kernel, Operation, Space, Terminator, Value};

use super::accesses::for_each_access;
use super::pointers::{PointsTo, points_to};

/// The volatile accesses to data, in a kernel with fences. In a kernel without them, every volatile
/// access counts as plain.
pub fn volatile_data(kernel: &Kernel) -> BTreeSet<Instruction> {
    if !kernel.has_fences() || !kernel.language.has_relaxed_volatiles() {
        return BTreeSet::new();
    }
    let points_to = points_to(kernel);
    let told = Deciding::of(kernel, &points_to).arrays;
    let mut found = BTreeSet::new();
    for (instruction, data) in &kernel.instructions {
        for_each_access(kernel, &data.operation, data.result, |shape| {
            let targets = &points_to[shape.pointer].arrays;
            if shape.volatile && !shape.atomic && targets.iter().all(|array| !told.contains(array)) {
                found.insert(instruction);
            }
        });
    }
    found
}

/// The values on which conditions and addresses depend, and the arrays from which they are read.
struct Deciding<'a> {
    kernel: &'a Kernel,
    points_to: &'a PointsTo,
    values: BTreeSet<Value>,
    arrays: BTreeSet<Array>,
    pending: Vec<Value>,
}

impl<'a> Deciding<'a> {
    fn of(kernel: &'a Kernel, points_to: &'a PointsTo) -> Self {
        let mut this =
            Self { kernel, points_to, values: BTreeSet::new(), arrays: BTreeSet::new(), pending: Vec::new() };
        for block in kernel.blocks.values() {
            match &block.terminator {
                Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => {
                    this.pending.push(*value);
                }
                Terminator::Jump(_) | Terminator::Return | Terminator::Trap | Terminator::Unreachable => {}
            }
        }
        for data in kernel.instructions.values() {
            match &data.operation {
                Operation::Assume(condition, _) | Operation::Select(condition, ..) => this.pending.push(*condition),
                _ => {}
            }
            for_each_access(kernel, &data.operation, data.result, |shape| {
                // How a thread finds its own variables tells nobody anything.
                let is_shared = |array: &Array| kernel.arrays[*array].space != Space::Private;
                if points_to[shape.pointer].arrays.iter().any(is_shared) {
                    this.pending.push(shape.pointer);
                }
                if shape.atomic {
                    this.arrays.extend(&points_to[shape.pointer].arrays);
                }
            });
        }
        this.close();
        this
    }

    /// Adds the origins of the values that are known to decide.
    fn close(&mut self) {
        loop {
            while let Some(value) = self.pending.pop() {
                if self.values.insert(value) {
                    self.origins(value);
                }
            }
            self.stored();
            if self.pending.is_empty() {
                return;
            }
        }
    }

    fn origins(&mut self, value: Value) {
        match self.kernel.values[value].definition {
            Definition::Parameter(block, index) => {
                let all = self.kernel.blocks.values().flat_map(|from| from.terminator.targets());
                let given = all
                    .filter(|target| target.block == block)
                    .map(|target| target.arguments[usize::try_from(index).expect("positions are 32 bits")]);
                self.pending.extend(given);
            }
            Definition::Result(instruction) => {
                let data = &self.kernel.instructions[instruction];
                data.operation.for_each_operand(|operand| self.pending.push(operand));
                for_each_access(self.kernel, &data.operation, data.result, |shape| {
                    self.arrays.extend(&self.points_to[shape.pointer].arrays);
                });
            }
        }
    }

    /// Adds what is stored in the arrays that are read to decide.
    fn stored(&mut self) {
        for data in self.kernel.instructions.values() {
            let mut is_told = false;
            for_each_access(self.kernel, &data.operation, data.result, |shape| {
                let targets = &self.points_to[shape.pointer].arrays;
                is_told |= shape.writes && targets.iter().any(|array| self.arrays.contains(array));
            });
            if !is_told {
                continue;
            }
            let (values, pending) = (&self.values, &mut self.pending);
            data.operation.for_each_operand(|operand| {
                if !values.contains(&operand) {
                    pending.push(operand);
                }
            });
            // A copy passes on the contents of its source.
            for_each_access(self.kernel, &data.operation, data.result, |shape| {
                let targets = &self.points_to[shape.pointer].arrays;
                if !shape.writes && targets.iter().any(|array| !self.arrays.contains(array)) {
                    self.arrays.extend(targets);
                }
            });
        }
    }
}
