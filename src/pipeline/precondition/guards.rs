//! The comparisons that hold in each block of a kernel.

use cranelift_entity::SecondaryMap;
use lockstep_ir::cfg;
use lockstep_ir::kernel::{BinaryOp, Block, CompareOp, Kernel, Operation, Terminator, UnaryOp, Value};

/// The most branches above a block, and the most operations in a condition.
const MOST: usize = 32;

/// `small < large`, or `small <= large`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The smaller number.
    pub small: Value,
    /// The larger one.
    pub large: Value,
    /// Whether they differ.
    pub is_strict: bool,
}

/// For each block, the comparisons that hold for each thread that executes it.
pub struct Guards(SecondaryMap<Block, Vec<Order>>);

impl Guards {
    /// The guards of a kernel.
    pub fn of(kernel: &Kernel) -> Self {
        let cfg = cfg::analyse(kernel);
        let mut guards = SecondaryMap::new();
        for block in kernel.blocks.keys().filter(|&block| cfg.graph.is_reachable(block)) {
            let mut at = block;
            for _ in 0..MOST {
                let Some(above) = cfg.dominators.idom(at) else { break };
                if let Terminator::Branch { condition, ref then, ref otherwise } = kernel.blocks[above].terminator
                    && then.block != otherwise.block
                {
                    // A block that is entered from the branch alone is executed after that edge.
                    let leads_here = |target: Block| {
                        cfg.graph.predecessors(target).len() == 1 && cfg.dominators.dominates(target, block)
                    };
                    for (target, holds) in [(then.block, true), (otherwise.block, false)] {
                        if leads_here(target) {
                            orders(kernel, condition, holds, &mut guards[block]);
                        }
                    }
                }
                at = above;
            }
        }
        Self(guards)
    }

    /// The comparisons that hold in a block.
    pub fn at(&self, block: Block) -> &[Order] {
        &self.0[block]
    }
}

/// Adds the comparisons that follow from a condition that holds or does not.
fn orders(kernel: &Kernel, condition: Value, holds: bool, found: &mut Vec<Order>) {
    let mut pending = vec![(condition, holds)];
    for _ in 0..MOST {
        let Some((condition, holds)) = pending.pop() else { break };
        match kernel.operation(condition) {
            Some(&Operation::Unary(UnaryOp::Not, inner)) => pending.push((inner, !holds)),
            Some(&Operation::Binary(BinaryOp::And, _, a, b)) if holds => pending.extend([(a, true), (b, true)]),
            Some(&Operation::Binary(BinaryOp::Or, _, a, b)) if !holds => pending.extend([(a, false), (b, false)]),
            // `a && b` and `a || b`, without a branch.
            Some(&Operation::Select(a, b, c)) if holds && is_bool(kernel, c, false) => {
                pending.extend([(a, true), (b, true)]);
            }
            Some(&Operation::Select(a, b, c)) if !holds && is_bool(kernel, b, true) => {
                pending.extend([(a, false), (c, false)]);
            }
            Some(&Operation::Compare(op, a, b)) => {
                let is_strict = match op {
                    CompareOp::UnsignedLess | CompareOp::SignedLess => true,
                    CompareOp::UnsignedLessEqual | CompareOp::SignedLessEqual => false,
                    CompareOp::Equal | CompareOp::NotEqual => continue,
                };
                let (small, large) = if holds { (a, b) } else { (b, a) };
                found.push(Order { small, large, is_strict: is_strict == holds });
            }
            _ => {}
        }
    }
}

fn is_bool(kernel: &Kernel, value: Value, of: bool) -> bool {
    kernel.constant(value).and_then(lockstep_ir::bits::Bits::to_u64) == Some(u64::from(of))
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::{Language, Target, Type};

    use super::*;

    #[test]
    fn comparisons_hold_behind_the_edges_that_need_them() {
        let word = Type::Bits(32);
        let mut kernel = Kernel::new("k", Language::OpenCl, 32);
        let entry = kernel.entry;
        let [then, otherwise, join] = [(); 3].map(|()| kernel.add_block());
        let mut add = |operation, ty| kernel.append(entry, operation, ty, None);
        let [a, b] = [0, 1].map(|index| add(Operation::Parameter(index), word));
        let less = add(Operation::Compare(CompareOp::SignedLess, a, b), Type::Bool);
        let target = |block| Target { block, arguments: Vec::new() };
        kernel.blocks[entry].terminator =
            Terminator::Branch { condition: less, then: target(then), otherwise: target(otherwise) };
        for block in [then, otherwise] {
            kernel.blocks[block].terminator = Terminator::Jump(target(join));
        }
        kernel.blocks[join].terminator = Terminator::Return;
        let guards = Guards::of(&kernel);
        assert_eq!(guards.at(then), [Order { small: a, large: b, is_strict: true }]);
        assert_eq!(guards.at(otherwise), [Order { small: b, large: a, is_strict: false }]);
        assert_eq!(guards.at(join), []);
    }
}
