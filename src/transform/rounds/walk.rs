//! The operations on barriers that a thread executes in small launches, found by executing the
//! kernel for it.
//!
//! Nothing rests on what is found: it only tells which statements about the barriers are worth
//! proving. So an integer argument, or an integer in memory, is one small number for all; other
//! values are unknown. A branch on an unknown value is skipped if no barrier depends on it.

use std::collections::BTreeMap;

use cranelift_entity::SecondaryMap;
use lockstep_ir::bits::Bits;
use lockstep_ir::cfg::{self, PostDominators};
use lockstep_ir::kernel::{
    Array, BinaryOp, Block, Instruction, Kernel, Operation, PhaseOp, Target, Terminator, ThreadQuery, Type, Value,
    WarpOp,
};
use lockstep_options::launch::Launch;

use super::operation::{Synchronisation, operations};

/// The most blocks that are executed in one walk.
const MOST_BLOCKS: usize = 20_000;

/// The most operations on barriers of one walk.
const MOST_STEPS: usize = 2_000;

/// A barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Barrier {
    /// The one of the whole group.
    Group,
    /// Those of the thread's warp, or its exchanges.
    Warp {
        /// Whether it orders accesses.
        orders: bool,
    },
    /// One with a number.
    Number(u64),
    /// A phase object, at this byte of an array.
    Object(Array, u64),
}

/// The part of a thread in a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Act {
    /// It arrives and waits.
    Sync,
    /// It arrives.
    Arrive,
    /// It waits for the phase with this number.
    Phase(u64),
    /// It waits for a phase of this parity.
    Parity(u64),
    /// It initialises the barrier.
    Initialise,
}

/// An operation on a barrier, as a thread executes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// The operation.
    pub at: Instruction,
    /// The barrier.
    pub barrier: Barrier,
    /// The thread's part.
    pub act: Act,
    /// The threads that take part in a barrier with a number; the arrivals as which one at a phase
    /// object counts, or for which it is initialised.
    pub count: u64,
}

/// The operations of a thread, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Walks a kernel.
pub struct Walker<'a> {
    kernel: &'a Kernel,
    launch: &'a Launch,
    sizes: [u64; 3],
    warp_size: u32,
    operations: BTreeMap<Instruction, Synchronisation>,
    ends: PostDominators<Block>,
    graph: cfg::Graph<Block>,
}

impl<'a> Walker<'a> {
    /// A walker for groups of this size.
    pub fn new(kernel: &'a Kernel, launch: &'a Launch, sizes: [u64; 3], warp_size: u32) -> Self {
        let graph = cfg::graph(kernel);
        let operations = operations(kernel, warp_size.into());
        Self { kernel, launch, sizes, warp_size, operations, ends: PostDominators::new(&graph), graph }
    }

    /// The operations of the thread with this number in its group, where integers are `small`.
    pub fn walk(&self, thread: u64, small: u64) -> Result<Walk, Obstacle> {
        let (values, places, arrived) = (SecondaryMap::new(), SecondaryMap::new(), BTreeMap::new());
        let mut state = State { values, places, arrived, small };
        let mut steps = Vec::new();
        let mut block = self.kernel.entry;
        for _ in 0..MOST_BLOCKS {
            for &instruction in &self.kernel.blocks[block].instructions {
                let data = &self.kernel.instructions[instruction];
                if let Some(step) = self.step(instruction, &state)? {
                    steps.push(step);
                    if let (Act::Arrive, Some(token)) = (step.act, data.result) {
                        let phase = state.arrived.entry(step.barrier).or_default();
                        state.values[token] = self.kernel.ty(token).width().map(|width| Bits::new(width, *phase));
                        *phase += 1;
                        continue;
                    }
                    if steps.len() >= MOST_STEPS {
                        return Ok(Walk { steps });
                    }
                }
                if let Some(result) = data.result {
                    state.values[result] = self.value(&data.operation, self.kernel.ty(result), thread, &state);
                    state.places[result] = state.place(&data.operation);
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
        let known = |&argument: &Value| (state.values[argument].clone(), state.places[argument]);
        let arguments: Vec<_> = target.arguments.iter().map(known).collect();
        for (&parameter, (value, place)) in self.kernel.blocks[target.block].parameters.iter().zip(arguments) {
            state.values[parameter] = value;
            state.places[parameter] = place;
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
                let operation = &self.kernel.instructions[instruction].operation;
                if self.operations.contains_key(&instruction) || matches!(operation, Operation::Phase { .. }) {
                    return Err(Obstacle::Guard(Some(instruction)));
                }
            }
            pending.extend(self.graph.successors(block));
        }
        if let Some(end) = end {
            for &parameter in &self.kernel.blocks[end].parameters {
                state.values[parameter] = None;
                state.places[parameter] = None;
            }
        }
        Ok(end)
    }

    fn step(&self, at: Instruction, state: &State) -> Result<Option<Step>, Obstacle> {
        let known = |value: Value| state.number(value).ok_or(Obstacle::Operands(at));
        let object = |object: Value| {
            let (array, offset) = state.places[object].ok_or(Obstacle::Operands(at))?;
            Ok(Barrier::Object(array, offset))
        };
        let operation = &self.kernel.instructions[at].operation;
        if let Operation::Phase { op: PhaseOp::Initialise, object: made, operands } = operation {
            let (barrier, count) = (object(*made)?, known(operands[0])?);
            return Ok(Some(Step { at, barrier, act: Act::Initialise, count }));
        }
        let Some(&synchronisation) = self.operations.get(&at) else { return Ok(None) };
        Ok(Some(match synchronisation {
            Synchronisation::Warp { orders } => {
                Step { at, barrier: Barrier::Warp { orders }, act: Act::Sync, count: 0 }
            }
            Synchronisation::Barrier { number, count, waits } => {
                let warp_size = u64::from(self.warp_size);
                let all = self.sizes.iter().product::<u64>().div_ceil(warp_size) * warp_size;
                let barrier = number.map(known).transpose()?.map_or(Barrier::Group, Barrier::Number);
                let count = count.map(known).transpose()?.unwrap_or(all);
                Step { at, barrier, act: if waits { Act::Sync } else { Act::Arrive }, count }
            }
            Synchronisation::Arrive { object: at_object, count } => {
                let count = count.map(known).transpose()?.unwrap_or(1);
                Step { at, barrier: object(at_object)?, act: Act::Arrive, count }
            }
            Synchronisation::Await { object: at_object, operand, by_parity } => {
                let operand = known(operand)?;
                let act = if by_parity { Act::Parity(operand & 1) } else { Act::Phase(operand) };
                Step { at, barrier: object(at_object)?, act, count: 0 }
            }
        }))
    }

    fn value(&self, operation: &Operation, ty: Type, thread: u64, state: &State) -> Option<Bits> {
        let width = match ty {
            Type::Bool => 1,
            Type::Bits(width) => width,
            Type::Float(_) | Type::Pointer(_) => return None,
        };
        let get = |value: &Value| state.values[*value].clone();
        match operation {
            Operation::Constant(bits) => Some(bits.clone()),
            Operation::Parameter(_) | Operation::Load(_) if width > 1 => Some(Bits::new(width, state.small)),
            Operation::ThreadQuery(query) => self.query(*query, thread, state).map(|number| Bits::new(width, number)),
            Operation::Binary(op @ (BinaryOp::And | BinaryOp::Or), _, a, b) => match (op, get(a), get(b)) {
                // Conditions are conjunctions of which one side may decide.
                (BinaryOp::And, Some(a), None) | (BinaryOp::And, None, Some(a)) if a.is_zero() => Some(a),
                (BinaryOp::Or, Some(a), None) | (BinaryOp::Or, None, Some(a)) if a.is_ones() => Some(a),
                (_, a, b) => Some(op.fold(&a?, &b?)),
            },
            Operation::Select(condition, a, b) => match state.number(*condition) {
                Some(0) => get(b),
                Some(_) => get(a),
                None => None,
            },
            // A lane reads its own value if it reads from itself; a value that depends on the warp
            // alone is as good.
            Operation::WarpExchange { op: WarpOp::Shuffle, operands, .. } => {
                get(&operands[0]).filter(|_| state.number(operands[1]) == Some(0))
            }
            _ => operation.fold_known(|value| state.values[value].clone(), width),
        }
    }

    fn query(&self, query: ThreadQuery, linear: u64, state: &State) -> Option<u64> {
        let local = [linear, linear / self.sizes[0], linear / self.sizes[0] / self.sizes[1].max(1)];
        let at = |dimension: u8| usize::from(dimension).min(2);
        let id = |dimension: u8| local[at(dimension)] % self.sizes[at(dimension)];
        let groups = |dimension: u8| self.launch.num_groups[at(dimension)].known().map_or(state.small, u64::from);
        Some(match query {
            ThreadQuery::LocalId(dimension) | ThreadQuery::GlobalId(dimension) => id(dimension),
            ThreadQuery::GroupId(_) | ThreadQuery::GlobalOffset(_) => 0,
            ThreadQuery::LaneId => linear % u64::from(self.warp_size),
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
    /// The places to which pointers lead.
    places: SecondaryMap<Value, Option<(Array, u64)>>,
    /// How often the thread has arrived at each phase object.
    arrived: BTreeMap<Barrier, u64>,
    small: u64,
}

impl State {
    /// The place to which a pointer leads.
    fn place(&self, operation: &Operation) -> Option<(Array, u64)> {
        match operation {
            Operation::ArrayBase(array) => Some((*array, 0)),
            Operation::PointerAdd { pointer, offset, .. } => {
                let (array, start) = self.places[*pointer]?;
                Some((array, start.wrapping_add_signed(self.values[*offset].as_ref()?.to_i64()?)))
            }
            Operation::SpaceCast(pointer) => self.places[*pointer],
            Operation::Select(condition, a, b) => match self.number(*condition) {
                Some(0) => self.places[*b],
                Some(_) => self.places[*a],
                None => None,
            },
            _ => None,
        }
    }

    fn number(&self, value: Value) -> Option<u64> {
        self.values[value].as_ref()?.to_u64()
    }
}
