//! The operations on barriers of which the rounds are made.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::cfg;
use lockstep_ir::kernel::{BarrierKind, Block, Instruction, Kernel, Operation, PhaseOp, Terminator, Value};

/// An operation on a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Synchronisation {
    /// A barrier of the whole group, or one with a number.
    Barrier {
        /// The number; `None` for the barrier of the whole group.
        number: Option<Value>,
        /// The threads for which it is; `None` for all.
        count: Option<Value>,
        /// Whether the thread waits.
        waits: bool,
    },
    /// An arrival at a phase object.
    Arrive {
        /// The object.
        object: Value,
        /// The arrivals as which it counts; `None` for one.
        count: Option<Value>,
    },
    /// A wait for a phase.
    Await {
        /// The object.
        object: Value,
        /// The token, or the parity of the phase.
        operand: Value,
        /// Whether the operand is a parity.
        by_parity: bool,
    },
}

impl Synchronisation {
    /// The operation, if it is one.
    pub fn of(operation: &Operation) -> Option<Self> {
        Some(match *operation {
            Operation::Barrier { kind: BarrierKind::Group, .. } => {
                Self::Barrier { number: None, count: None, waits: true }
            }
            Operation::Barrier { kind: BarrierKind::Named { id, count }, .. } => {
                Self::Barrier { number: Some(id), count, waits: true }
            }
            Operation::Barrier { kind: BarrierKind::Arrive { id, count }, .. } => {
                Self::Barrier { number: Some(id), count: Some(count), waits: false }
            }
            Operation::Phase { op, object, ref operands } => match op {
                PhaseOp::Arrive => Self::Arrive { object, count: operands.first().copied() },
                PhaseOp::Wait => Self::Await { object, operand: operands[0], by_parity: false },
                PhaseOp::WaitParity => Self::Await { object, operand: operands[0], by_parity: true },
                PhaseOp::Initialise | PhaseOp::ArriveOnCopy | PhaseOp::Test | PhaseOp::TestParity => return None,
            },
            _ => return None,
        })
    }

    /// Whether it is the barrier of the whole group.
    pub fn is_of_group(self) -> bool {
        matches!(self, Self::Barrier { number: None, .. })
    }

    /// Whether the thread counts for a round.
    pub fn arrives(self) -> bool {
        !matches!(self, Self::Await { .. })
    }

    /// Whether the thread waits for a round.
    pub fn waits(self) -> bool {
        matches!(self, Self::Barrier { waits: true, .. } | Self::Await { .. })
    }
}

/// The operations on barriers of a kernel, in order.
pub fn operations(kernel: &Kernel) -> BTreeMap<Instruction, Synchronisation> {
    let all = kernel.instructions.iter();
    all.filter_map(|(instruction, data)| Some((instruction, Synchronisation::of(&data.operation)?))).collect()
}

/// Whether the tokens of arrivals are passed on, chosen among and waited for, but nothing else: a
/// proof may take any number for them.
pub fn tokens_are_opaque(kernel: &Kernel) -> bool {
    let arrives = |operation: &Operation| matches!(operation, Operation::Phase { op: PhaseOp::Arrive, .. });
    let made = kernel.instructions.values().filter(|data| arrives(&data.operation));
    let mut tokens: BTreeSet<Value> = made.filter_map(|data| data.result).collect();
    loop {
        let known = tokens.len();
        for data in kernel.instructions.values() {
            if let (Operation::Select(_, a, b), Some(result)) = (&data.operation, data.result)
                && (tokens.contains(a) || tokens.contains(b))
            {
                tokens.insert(result);
            }
        }
        for target in kernel.blocks.values().flat_map(|block| block.terminator.targets()) {
            let passed = kernel.blocks[target.block].parameters.iter().zip(&target.arguments);
            tokens.extend(
                passed
                    .filter(|(_, argument)| tokens.contains(argument))
                    .map(|(&parameter, _)| parameter)
                    .collect::<Vec<_>>(),
            );
        }
        if tokens.len() == known {
            break;
        }
    }
    let is_misused = |operation: &Operation| match operation {
        Operation::Select(condition, ..) => tokens.contains(condition),
        Operation::Phase { op: PhaseOp::Wait, object, .. } => tokens.contains(object),
        _ => {
            let mut uses = false;
            operation.for_each_operand(|operand| uses |= tokens.contains(&operand));
            uses
        }
    };
    let decides = |terminator: &Terminator| match terminator {
        Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => tokens.contains(value),
        Terminator::Jump(_) | Terminator::Return | Terminator::Trap | Terminator::Unreachable => false,
    };
    !kernel.instructions.values().any(|data| is_misused(&data.operation))
        && !kernel.blocks.values().any(|block| decides(&block.terminator))
}

/// The places from which an operation on a barrier can be reached, by operation.
pub fn reaches(kernel: &Kernel) -> BTreeMap<Instruction, BTreeSet<Instruction>> {
    let graph = cfg::graph(kernel);
    let all = operations(kernel);
    let in_block = |block: Block| -> Vec<Instruction> {
        kernel.blocks[block].instructions.iter().copied().filter(|instruction| all.contains_key(instruction)).collect()
    };
    let mut reached = BTreeMap::new();
    for block in kernel.blocks.keys() {
        let here = in_block(block);
        if here.is_empty() {
            continue;
        }
        let mut behind = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut pending: Vec<Block> = graph.successors(block).to_vec();
        while let Some(next) = pending.pop() {
            if seen.insert(next) {
                behind.extend(in_block(next));
                pending.extend(graph.successors(next));
            }
        }
        for (position, &instruction) in here.iter().enumerate() {
            let mut all = behind.clone();
            all.extend(here[position + 1..].iter().copied());
            reached.insert(instruction, all);
        }
    }
    reached
}
