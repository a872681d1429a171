//! The operations on barriers that a warp executes in small launches, found by executing the kernel
//! for its first thread.
//!
//! Nothing rests on what is found: it only tells which statements about the barriers are worth
//! proving. So an integer argument, or an integer in memory, is one small number for all; other
//! values are unknown. A branch on an unknown value is skipped if no barrier depends on it.

use std::collections::BTreeMap;

use cranelift_entity::SecondaryMap;
use lockstep_ir::bits::Bits;
use lockstep_ir::cfg::{self, PostDominators};
use lockstep_ir::kernel::{
    BarrierKind, BinaryOp, Block, ConvertOp, Instruction, Kernel, Operation, Target, Terminator, ThreadQuery, Type,
    UnaryOp, Value, WarpOp,
};
use lockstep_options::launch::Launch;

/// The most blocks that are executed in one walk.
const MOST_BLOCKS: usize = 20_000;

/// The most operations on barriers of one walk.
const MOST_STEPS: usize = 2_000;

/// An operation on a barrier, as a warp executes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// The operation.
    pub at: Instruction,
    /// The barrier's number; `None` for the barrier of the whole group.
    pub number: Option<u64>,
    /// The threads that take part.
    pub threads: u64,
    /// Whether the warp waits.
    pub waits: bool,
}

/// The operations of a warp, in order.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The operations.
    pub steps: Vec<Step>,
}

/// The reason why a walk ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Whether the operation is executed depends on an unknown value.
    Guard(Option<Instruction>),
    /// The number or the count of the operation is unknown.
    Operands(Instruction),
}

/// The operation's number and count operands, and whether it waits.
pub fn barrier(operation: &Operation) -> Option<(Option<Value>, Option<Value>, bool)> {
    match *operation {
        Operation::Barrier { kind: BarrierKind::Group, .. } => Some((None, None, true)),
        Operation::Barrier { kind: BarrierKind::Named { id, count }, .. } => Some((Some(id), count, true)),
        Operation::Barrier { kind: BarrierKind::Arrive { id, count }, .. } => Some((Some(id), Some(count), false)),
        _ => None,
    }
}

/// Walks a kernel.
pub struct Walker<'a> {
    kernel: &'a Kernel,
    launch: &'a Launch,
    sizes: [u64; 3],
    warp_size: u32,
    ends: PostDominators<Block>,
    graph: cfg::Graph<Block>,
}

impl<'a> Walker<'a> {
    /// A walker for groups of this size.
    pub fn new(kernel: &'a Kernel, launch: &'a Launch, sizes: [u64; 3], warp_size: u32) -> Self {
        let graph = cfg::graph(kernel);
        Self { kernel, launch, sizes, warp_size, ends: PostDominators::new(&graph), graph }
    }

    /// The operations of a warp where integers are `small`.
    pub fn walk(&self, warp: u64, small: u64) -> Result<Walk, Obstacle> {
        let mut state = State { values: SecondaryMap::new(), small };
        let mut steps = Vec::new();
        let mut block = self.kernel.entry;
        for _ in 0..MOST_BLOCKS {
            for &instruction in &self.kernel.blocks[block].instructions {
                let data = &self.kernel.instructions[instruction];
                if let Some(step) = self.step(instruction, &state)? {
                    steps.push(step);
                    if steps.len() >= MOST_STEPS {
                        return Ok(Walk { steps });
                    }
                }
                if let Some(result) = data.result {
                    let value = self.value(&data.operation, self.kernel.ty(result), warp, &state);
                    state.values[result] = value;
                }
            }
            let terminator = &self.kernel.blocks[block].terminator;
            let taken = match terminator {
                Terminator::Return | Terminator::Trap | Terminator::Unreachable => {
                    return Ok(Walk { steps });
                }
                Terminator::Jump(target) => Some(target),
                Terminator::Branch { condition, then, otherwise } => match state.number(*condition) {
                    Some(condition) => Some(if condition == 0 { otherwise } else { then }),
                    None => None,
                },
                Terminator::Switch { value, cases, default } => state.values[*value].as_ref().map(|value| {
                    let case = cases.iter().find(|(case, _)| case == value);
                    case.map_or(default, |(_, target)| target)
                }),
            };
            block = match taken {
                Some(target) => {
                    self.pass(target, &mut state);
                    target.block
                }
                None => match self.skip(block, &mut state)? {
                    Some(block) => block,
                    None => return Ok(Walk { steps }),
                },
            };
        }
        Ok(Walk { steps })
    }

    fn pass(&self, target: &Target, state: &mut State) {
        let arguments: Vec<Option<Bits>> =
            target.arguments.iter().map(|&argument| state.values[argument].clone()).collect();
        for (&parameter, argument) in self.kernel.blocks[target.block].parameters.iter().zip(arguments) {
            state.values[parameter] = argument;
        }
    }

    /// The block behind everything that a branch decides; `None` if that is the end.
    fn skip(&self, from: Block, state: &mut State) -> Result<Option<Block>, Obstacle> {
        let end = self.ends.idom(from);
        let mut seen = std::collections::BTreeSet::new();
        let mut pending: Vec<Block> = self.graph.successors(from).to_vec();
        while let Some(block) = pending.pop() {
            if Some(block) == end || !seen.insert(block) {
                continue;
            }
            for &instruction in &self.kernel.blocks[block].instructions {
                if barrier(&self.kernel.instructions[instruction].operation).is_some() {
                    return Err(Obstacle::Guard(Some(instruction)));
                }
            }
            pending.extend(self.graph.successors(block));
        }
        if let Some(end) = end {
            for &parameter in &self.kernel.blocks[end].parameters {
                state.values[parameter] = None;
            }
        }
        Ok(end)
    }

    fn step(&self, at: Instruction, state: &State) -> Result<Option<Step>, Obstacle> {
        let Some((number, count, waits)) = barrier(&self.kernel.instructions[at].operation) else { return Ok(None) };
        let known = |value: Value| state.number(value).ok_or(Obstacle::Operands(at));
        let warp_size = u64::from(self.warp_size);
        let all = self.sizes.iter().product::<u64>().div_ceil(warp_size) * warp_size;
        let number = number.map(known).transpose()?;
        let threads = count.map(known).transpose()?.unwrap_or(all);
        Ok(Some(Step { at, number, threads, waits }))
    }

    fn value(&self, operation: &Operation, ty: Type, warp: u64, state: &State) -> Option<Bits> {
        let width = match ty {
            Type::Bool => 1,
            Type::Bits(width) => width,
            Type::Float(_) | Type::Pointer(_) => return None,
        };
        let get = |value: &Value| state.values[*value].clone();
        match operation {
            Operation::Constant(bits) => Some(bits.clone()),
            Operation::Parameter(_) | Operation::Load(_) if width > 1 => Some(Bits::new(width, state.small)),
            Operation::ThreadQuery(query) => self.query(*query, warp, state).map(|number| Bits::new(width, number)),
            Operation::Unary(UnaryOp::Not, a) => Some(get(a)?.not()),
            Operation::Unary(UnaryOp::Negate, a) => Some(get(a)?.neg()),
            Operation::Binary(op, _, a, b) => match (op, get(a), get(b)) {
                (_, Some(a), Some(b)) => op.checked_fold(&a, &b),
                // Conditions are conjunctions of which one side may decide.
                (BinaryOp::And, Some(a), None) | (BinaryOp::And, None, Some(a)) if a.is_zero() => Some(a),
                (BinaryOp::Or, Some(a), None) | (BinaryOp::Or, None, Some(a)) if a.is_ones() => Some(a),
                _ => None,
            },
            Operation::Compare(op, a, b) => Some(Bits::new(1, u8::from(op.fold(&get(a)?, &get(b)?)))),
            Operation::Select(condition, a, b) => match state.number(*condition) {
                Some(0) => get(b),
                Some(_) => get(a),
                None => None,
            },
            Operation::Convert(op, a) => {
                let a = get(a)?;
                match op {
                    ConvertOp::ZeroExtend => Some(a.zero_extend(width)),
                    ConvertOp::SignExtend => Some(a.sign_extend(width)),
                    ConvertOp::Truncate => Some(a.extract(width - 1, 0)),
                    ConvertOp::Bitcast => (a.width() == width).then_some(a),
                }
            }
            Operation::Extract { high, low, value } => Some(get(value)?.extract(*high, *low)),
            Operation::Concat(high, low) => Some(get(high)?.concat(&get(low)?)),
            // The first lane reads its own value if it reads from itself.
            Operation::WarpExchange { op: WarpOp::Shuffle, operands, .. } => {
                get(&operands[0]).filter(|_| state.number(operands[1]) == Some(0))
            }
            _ => None,
        }
    }

    fn query(&self, query: ThreadQuery, warp: u64, state: &State) -> Option<u64> {
        let linear = warp * u64::from(self.warp_size);
        let local = [linear, linear / self.sizes[0], linear / self.sizes[0] / self.sizes[1].max(1)];
        let at = |dimension: u8| usize::from(dimension).min(2);
        let id = |dimension: u8| local[at(dimension)] % self.sizes[at(dimension)];
        let groups = |dimension: u8| self.launch.num_groups[at(dimension)].known().map_or(state.small, u64::from);
        Some(match query {
            ThreadQuery::LocalId(dimension) | ThreadQuery::GlobalId(dimension) => id(dimension),
            ThreadQuery::GroupId(_) | ThreadQuery::GlobalOffset(_) | ThreadQuery::LaneId => 0,
            ThreadQuery::LocalSize(dimension) => self.sizes[at(dimension)],
            ThreadQuery::NumGroups(dimension) => groups(dimension),
            ThreadQuery::GlobalSize(dimension) => groups(dimension) * self.sizes[at(dimension)],
            ThreadQuery::WarpSize => u64::from(self.warp_size),
            ThreadQuery::Dimensions => return None,
        })
    }
}

struct State {
    values: SecondaryMap<Value, Option<Bits>>,
    small: u64,
}

impl State {
    fn number(&self, value: Value) -> Option<u64> {
        self.values[value].as_ref()?.to_u64()
    }
}

/// The places from which an operation on a barrier can be reached, by operation.
pub fn reaches(kernel: &Kernel) -> BTreeMap<Instruction, std::collections::BTreeSet<Instruction>> {
    let graph = cfg::graph(kernel);
    let in_block = |block: Block| -> Vec<Instruction> {
        let is_one = |instruction: &Instruction| barrier(&kernel.instructions[*instruction].operation).is_some();
        kernel.blocks[block].instructions.iter().copied().filter(is_one).collect()
    };
    let mut reached = BTreeMap::new();
    for block in kernel.blocks.keys() {
        let here = in_block(block);
        if here.is_empty() {
            continue;
        }
        let mut behind = std::collections::BTreeSet::new();
        let mut seen = std::collections::BTreeSet::new();
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
