//! Values that depend on the order of atomic operations.
//!
//! The result of an atomic operation says which threads came before, so a value that is computed
//! from it may be another one in another run on the same input. The dependence goes through
//! operations, through the arguments of blocks, and through memory: an array in which such a value
//! is stored, or which is stored to at such a place, may have such elements anywhere.
//!
//! Branches count, too. If a branch depends on the order, so does whether a block behind it is
//! executed, and hence each value of a block that is reachable from the branch. These are more
//! blocks than the branch decides, which is harmless: a value that is not in one of them is the
//! same in every run that comes to it.
//!
//! The contents of arrays at the launch have the same consequences.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{Array, Block, Kernel, Operation, Terminator, Value};

use super::accesses::for_each_access;
use super::pointers::{PointsTo, points_to};

/// The values and places of a kernel that depend on the order of atomic operations.
#[derive(Clone, Debug, Default)]
pub struct OrderedValues {
    /// The values.
    pub values: BTreeSet<Value>,
    /// The arrays with elements that do.
    pub arrays: BTreeSet<Array>,
    /// The blocks behind a branch that does.
    pub blocks: BTreeSet<Block>,
    /// Whether the results of atomic operations count by themselves.
    is_of_order: bool,
}

impl OrderedValues {
    /// Those of a kernel.
    pub fn of(kernel: &Kernel) -> Self {
        let mut found = Self { is_of_order: true, ..Self::default() };
        let is_atomic = |operation: &Operation| matches!(operation, Operation::Atomic { .. });
        if !kernel.instructions.values().any(|data| is_atomic(&data.operation)) {
            return found;
        }
        found.follow(kernel);
        found
    }

    /// Those that depend on the contents of arrays at the launch, in place of the order.
    pub fn of_contents(kernel: &Kernel, arrays: &BTreeSet<Array>) -> Self {
        let mut found = Self { arrays: arrays.clone(), ..Self::default() };
        found.follow(kernel);
        found
    }

    /// Adds all that depends on them.
    fn follow(&mut self, kernel: &Kernel) {
        let targets = points_to(kernel);
        loop {
            let before = self.size();
            for block in kernel.blocks.keys() {
                self.visit(kernel, block, &targets);
            }
            if self.size() == before {
                return;
            }
        }
    }

    /// Whether the order decides which elements of an array of this name are accessed, or whether.
    pub fn decide_accesses(&self, kernel: &Kernel, array: &str) -> bool {
        self.decide(kernel, &|of| kernel.arrays[of].name == array)
    }

    /// Whether they decide what is stored in an array of this name.
    pub fn decide_stores(&self, kernel: &Kernel, array: &str) -> bool {
        let targets = points_to(kernel);
        let is_meant = |pointer: Value| targets[pointer].arrays.iter().any(|of| kernel.arrays[*of].name == array);
        kernel.instructions.values().any(|data| match &data.operation {
            Operation::Store(access, value) => is_meant(access.pointer) && self.values.contains(value),
            // Copies pass on contents.
            other => {
                let mut writes = false;
                for_each_access(kernel, other, data.result, |access| {
                    writes |= access.writes && is_meant(access.pointer);
                });
                writes
            }
        })
    }

    /// Whether they decide which elements of any array are accessed, or whether.
    pub fn decide_any_access(&self, kernel: &Kernel) -> bool {
        self.decide(kernel, &|_| true)
    }

    fn decide(&self, kernel: &Kernel, is_meant: &dyn Fn(Array) -> bool) -> bool {
        if self.size() == 0 {
            return false;
        }
        let targets = points_to(kernel);
        kernel.blocks.iter().any(|(block, data)| {
            data.instructions.iter().any(|&instruction| {
                let data = &kernel.instructions[instruction];
                let mut is_decided = false;
                for_each_access(kernel, &data.operation, data.result, |access| {
                    let is_meant = targets[access.pointer].arrays.iter().any(|of| is_meant(*of));
                    is_decided |= is_meant && (self.values.contains(&access.pointer) || self.blocks.contains(&block));
                });
                is_decided
            })
        })
    }

    fn size(&self) -> usize {
        self.values.len() + self.arrays.len() + self.blocks.len()
    }

    fn visit(&mut self, kernel: &Kernel, block: Block, targets: &PointsTo) {
        let is_behind = self.blocks.contains(&block);
        for &instruction in &kernel.blocks[block].instructions {
            let data = &kernel.instructions[instruction];
            let mut depends = is_behind || self.is_of_order && matches!(data.operation, Operation::Atomic { .. });
            data.operation.for_each_operand(|operand| depends |= self.values.contains(&operand));
            for_each_access(kernel, &data.operation, data.result, |access| {
                depends |= targets[access.pointer].arrays.iter().any(|array| self.arrays.contains(array));
            });
            if !depends {
                continue;
            }
            self.values.extend(data.result);
            // The number that an atomic operation leaves behind may be the same in each order, but
            // what others read meanwhile is not.
            for_each_access(kernel, &data.operation, data.result, |access| {
                if access.writes {
                    self.arrays.extend(targets[access.pointer].arrays.iter().copied());
                }
            });
        }
        let terminator = &kernel.blocks[block].terminator;
        let decides = match terminator {
            Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => {
                self.values.contains(value)
            }
            Terminator::Jump(_) | Terminator::Return | Terminator::Trap | Terminator::Unreachable => false,
        };
        for target in terminator.targets() {
            if decides || is_behind {
                self.blocks.insert(target.block);
            }
            let parameters = &kernel.blocks[target.block].parameters;
            for (&parameter, argument) in parameters.iter().zip(&target.arguments) {
                if decides || is_behind || self.values.contains(argument) {
                    self.values.insert(parameter);
                }
            }
        }
    }
}
