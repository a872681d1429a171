//! The operations on barriers of which the rounds are made.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::bits::Bits;
use lockstep_ir::cfg;
use lockstep_ir::kernel::{BarrierKind, Block, Instruction, Kernel, Operation, PhaseOp, Terminator, Value};

use super::has_objects;

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
    /// A barrier or an exchange of all lanes of a warp.
    Warp {
        /// Whether it orders their accesses, as an exchange does not.
        orders: bool,
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
        matches!(self, Self::Barrier { waits: true, .. } | Self::Await { .. } | Self::Warp { .. })
    }
}

/// The operations on barriers of a kernel, in order.
///
/// Those of a warp matter where its lanes may wait for each other in different ways: beside phase
/// objects.
pub fn operations(kernel: &Kernel, warp_size: u64) -> BTreeMap<Instruction, Synchronisation> {
    let with_warps = has_objects(kernel);
    let operation = |operation: &Operation| match of_warp(kernel, operation, warp_size) {
        OfWarp::All { orders } if with_warps => Some(Synchronisation::Warp { orders }),
        _ => Synchronisation::of(operation),
    };
    let all = kernel.instructions.iter();
    all.filter_map(|(instruction, data)| Some((instruction, operation(&data.operation)?))).collect()
}

/// The initialisations of phase objects, with their positions.
pub fn initialisations(kernel: &Kernel) -> BTreeMap<Instruction, usize> {
    let is_one = |operation: &Operation| matches!(operation, Operation::Phase { op: PhaseOp::Initialise, .. });
    let all = kernel.instructions.iter().filter(|(_, data)| is_one(&data.operation));
    all.map(|(instruction, _)| instruction).zip(0..).collect()
}

/// The lanes that wait for each other in an operation of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfWarp {
    /// None: it is no operation of a warp, or of lanes that wait for no others.
    None,
    /// All.
    All {
        /// Whether it orders their accesses.
        orders: bool,
    },
    /// Some, or those of a mask that is computed.
    Some,
}

/// Whether a mask is known to name all lanes of a warp.
pub fn names_all(kernel: &Kernel, mask: Value, warp_size: u64) -> bool {
    let all = u64::MAX >> (64 - warp_size.clamp(1, 64));
    kernel.constant(mask).and_then(Bits::to_u64).is_some_and(|mask| mask & all == all)
}

/// The lanes that wait for each other in an operation.
pub fn of_warp(kernel: &Kernel, operation: &Operation, warp_size: u64) -> OfWarp {
    let of_mask = |mask: Option<Value>, orders: bool| {
        let is_of_all = mask.is_none_or(|mask| names_all(kernel, mask, warp_size));
        if is_of_all { OfWarp::All { orders } } else { OfWarp::Some }
    };
    match *operation {
        Operation::Barrier { kind: BarrierKind::Warp { mask }, spaces, flags } => {
            of_mask(mask, flags.is_none() && spaces.is_all())
        }
        Operation::WarpExchange { mask: mask @ Some(_), .. } => of_mask(mask, false),
        _ => OfWarp::None,
    }
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

/// The operations on barriers behind which a thread may end the whole launch.
pub fn before_traps(kernel: &Kernel, warp_size: u64) -> BTreeSet<Instruction> {
    let graph = cfg::graph(kernel);
    let mut found: BTreeSet<Block> = BTreeSet::new();
    let traps = |block: &Block| matches!(kernel.blocks[*block].terminator, Terminator::Trap);
    let mut pending: Vec<Block> = kernel.blocks.keys().filter(traps).collect();
    while let Some(block) = pending.pop() {
        if found.insert(block) {
            pending.extend(graph.predecessors(block));
        }
    }
    let operations = operations(kernel, warp_size);
    let all = found.into_iter().flat_map(|block| &kernel.blocks[block].instructions);
    all.copied().filter(|instruction| operations.contains_key(instruction)).collect()
}

/// The places from which an operation on a barrier can be reached, by operation.
pub fn reaches(kernel: &Kernel, warp_size: u64) -> BTreeMap<Instruction, BTreeSet<Instruction>> {
    let graph = cfg::graph(kernel);
    let all = operations(kernel, warp_size);
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
