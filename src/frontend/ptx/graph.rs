//! The control-flow graph of a kernel's steps, and the registers that merge at its blocks.
//!
//! A register merges where several of its definitions meet and it is used afterwards: the iterated
//! dominance frontier of the blocks that write it, less those where it is dead. At the entry every
//! register holds anything. An instruction writes the registers of its first operand, and the
//! carry; the lowering checks that it writes no other.

use std::collections::{BTreeSet, HashSet};

use cranelift_entity::EntityRef;
use lockstep_ir::cfg::{self, Dominators, Node};
use lockstep_ir::kernel::Terminator;

use super::flatten::{Flat, Guard, Step};
use super::machine::CARRY;
use super::read::Operand;

/// The end of a block.
#[derive(Clone, Debug)]
pub enum Ending {
    /// Continue at a block.
    Jump(usize),
    /// Continue at `then` where a predicate holds (or, if negated, does not).
    Branch {
        /// The predicate.
        condition: Operand,
        /// Whether it is negated.
        negated: bool,
        /// The block if so.
        then: usize,
        /// The block if not.
        otherwise: usize,
    },
    /// Continue at the block with this index in the table.
    Table(Operand, Vec<usize>),
    /// The thread ends.
    End(Terminator),
}

impl Ending {
    /// The blocks that it leads to, with repetitions.
    pub fn successors(&self) -> Vec<usize> {
        match self {
            Self::Jump(block) => vec![*block],
            Self::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Self::Table(_, blocks) => blocks.clone(),
            Self::End(_) => Vec::new(),
        }
    }
}

/// A block: a range of steps, and its end.
#[derive(Clone, Debug)]
pub struct BlockData {
    /// The index of the first step.
    pub start: usize,
    /// The index behind the last step.
    pub end: usize,
    /// The end.
    pub ending: Ending,
    /// The place of the end.
    pub place: usize,
}

/// The graph of a kernel. Block 0 is the entry, which no jump leads to.
pub struct Graph {
    /// The blocks.
    pub blocks: Vec<BlockData>,
    /// The reachable blocks in reverse postorder.
    pub order: Vec<usize>,
    /// The blocks that each immediately dominates, in reverse postorder.
    pub children: Vec<Vec<usize>>,
    /// The registers that merge at the beginning of each.
    pub merges: Vec<Vec<usize>>,
}

/// Makes the graph.
pub fn graph(flat: &Flat) -> Graph {
    let blocks = blocks(flat);
    let successors = blocks.iter().map(|block| block.ending.successors().into_iter().map(Node::new).collect());
    let graph = cfg::Graph::new(Node::new(0), successors.collect());
    let dominators = Dominators::new(&graph);
    let order: Vec<usize> = graph.reverse_postorder().iter().map(|node| node.index()).collect();
    let mut children = vec![Vec::new(); blocks.len()];
    for &block in &order {
        if let Some(parent) = dominators.idom(Node::new(block)) {
            children[parent.index()].push(block);
        }
    }
    let merges = merges(flat, &blocks, &graph, &dominators);
    Graph { blocks, order, children, merges }
}

fn blocks(flat: &Flat) -> Vec<BlockData> {
    let mut builder = Blocks { made: Vec::new(), labels: vec![None; flat.labels], jumps: Vec::new() };
    let place = flat.steps.first().map_or(0, |(_, place)| *place);
    builder.close(0, 0, Ending::Jump(1), place);
    let mut start = 0;
    for (index, (step, place)) in flat.steps.iter().enumerate() {
        match step {
            Step::Label(label) => {
                if index > start {
                    builder.close_to_next(start, index, *place);
                }
                start = index + 1;
                builder.labels[*label] = Some(builder.made.len());
                continue;
            }
            Step::Jump(guard, label) => {
                builder.jumps.push((builder.made.len(), vec![*label]));
                builder.guarded(start, index, guard, Ending::Jump(0), *place);
            }
            Step::Table(guard, operand, labels) => {
                if guard.is_none() {
                    builder.jumps.push((builder.made.len(), labels.clone()));
                    builder.close(start, index, Ending::Table(operand.clone(), Vec::new()), *place);
                } else {
                    builder.jumps.push((builder.made.len() + 1, labels.clone()));
                    builder.guarded(start, index, guard, Ending::Table(operand.clone(), Vec::new()), *place);
                }
            }
            Step::End(guard, terminator) => {
                builder.guarded(start, index, guard, Ending::End(terminator.clone()), *place);
            }
            Step::Instruction(_) | Step::Copy(..) | Step::Parameter(..) | Step::Call(..) | Step::Refused(_) => {
                continue;
            }
        }
        start = index + 1;
    }
    let last = flat.steps.len();
    let place = flat.steps.last().map_or(0, |(_, place)| *place);
    builder.close(start, last, Ending::End(Terminator::Return), place);
    builder.resolve();
    builder.made
}

struct Blocks {
    made: Vec<BlockData>,
    labels: Vec<Option<usize>>,
    /// The blocks whose ends lead to labels.
    jumps: Vec<(usize, Vec<usize>)>,
}

impl Blocks {
    fn close(&mut self, start: usize, end: usize, ending: Ending, place: usize) {
        self.made.push(BlockData { start, end, ending, place });
    }

    fn close_to_next(&mut self, start: usize, end: usize, place: usize) {
        let next = self.made.len() + 1;
        self.close(start, end, Ending::Jump(next), place);
    }

    /// Ends a block in a way that a guard may prevent.
    fn guarded(&mut self, start: usize, end: usize, guard: &Guard, ending: Ending, place: usize) {
        let Some((condition, negated)) = guard else { return self.close(start, end, ending, place) };
        let (condition, negated) = (condition.clone(), *negated);
        let here = self.made.len();
        if let Ending::Jump(then) = ending {
            let branch = Ending::Branch { condition, negated, then, otherwise: here + 1 };
            return self.close(start, end, branch, place);
        }
        let branch = Ending::Branch { condition, negated, then: here + 1, otherwise: here + 2 };
        self.close(start, end, branch, place);
        self.close(end, end, ending, place);
    }

    fn resolve(&mut self) {
        // A label behind the last step leads to the last block, which returns. Labels without a
        // place are those of code that was cut off, whose first step is refused.
        let last = self.made.len() - 1;
        for (block, labels) in std::mem::take(&mut self.jumps) {
            let targets: Vec<usize> =
                labels.iter().map(|label| self.labels[*label].unwrap_or(last).min(last)).collect();
            match &mut self.made[block].ending {
                Ending::Jump(to) | Ending::Branch { then: to, .. } => *to = targets[0],
                Ending::Table(_, to) => *to = targets,
                Ending::End(_) => {}
            }
        }
    }
}

/// Instructions whose first operand is read, and those that may read and write it.
const FIRST_IS_READ: [&str; 12] =
    ["bar", "barrier", "cp", "fence", "mma", "nanosleep", "prefetch", "red", "setmaxnreg", "st", "tcgen05", "wgmma"];

/// The registers that a step writes.
pub fn writes(step: &Step) -> Vec<usize> {
    let mut written = Vec::new();
    match step {
        Step::Instruction(instruction) => {
            match instruction.operands.first() {
                Some(Operand::Address(..)) | None => {}
                Some(operand) => registers(operand, &mut written),
            }
            if instruction.opcode.split('.').any(|word| word == "cc") {
                written.push(CARRY);
            }
        }
        Step::Copy(to, ..) | Step::Parameter(to, ..) => registers(to, &mut written),
        Step::Call(_, results, _) => results.iter().for_each(|result| registers(result, &mut written)),
        Step::Label(_) | Step::Jump(..) | Step::Table(..) | Step::End(..) | Step::Refused(_) => {}
    }
    written
}

/// The registers that a step may read. One that is missing would hold anything.
pub fn reads(step: &Step) -> Vec<usize> {
    let mut read = Vec::new();
    match step {
        Step::Instruction(instruction) => {
            let (name, _) = instruction.words();
            if let Some((guard, _)) = &instruction.guard {
                registers(guard, &mut read);
            }
            for (index, operand) in instruction.operands.iter().enumerate() {
                let is_read = index > 0
                    || instruction.guard.is_some()
                    || matches!(operand, Operand::Address(..))
                    || FIRST_IS_READ.contains(&name);
                if is_read {
                    registers(operand, &mut read);
                }
            }
            if matches!(name, "addc" | "subc" | "madc") {
                read.push(CARRY);
            }
        }
        Step::Copy(_, from, _) => registers(from, &mut read),
        Step::Call(_, _, arguments) => arguments.iter().for_each(|argument| registers(argument, &mut read)),
        Step::Jump(Some((guard, _)), _) | Step::End(Some((guard, _)), _) => registers(guard, &mut read),
        Step::Table(guard, index, _) => {
            if let Some((guard, _)) = guard {
                registers(guard, &mut read);
            }
            registers(index, &mut read);
        }
        Step::Label(_) | Step::Jump(None, _) | Step::End(None, _) | Step::Parameter(..) | Step::Refused(_) => {}
    }
    read
}

fn registers(operand: &Operand, found: &mut Vec<usize>) {
    match operand {
        Operand::Register(index) => found.push(*index),
        Operand::Vector(parts) | Operand::Group(parts) => parts.iter().for_each(|part| registers(part, found)),
        Operand::Address(base, offset) => {
            registers(base, found);
            if let Some((_, offset)) = offset {
                registers(offset, found);
            }
        }
        Operand::Pair(first, second) => [first, second].into_iter().for_each(|part| registers(part, found)),
        Operand::Not(inner) => registers(inner, found),
        Operand::Given(_)
        | Operand::Name(_)
        | Operand::Symbol(_)
        | Operand::Integer(_)
        | Operand::Float(_)
        | Operand::OtherAddress => {}
    }
}

/// The registers that merge at each block.
fn merges(
    flat: &Flat,
    blocks: &[BlockData],
    graph: &cfg::Graph<Node>,
    dominators: &Dominators<Node>,
) -> Vec<Vec<usize>> {
    let mut exposed: Vec<Vec<usize>> = vec![Vec::new(); flat.registers.len()];
    let mut defined: Vec<Vec<usize>> = vec![Vec::new(); flat.registers.len()];
    for node in graph.reverse_postorder() {
        let index = node.index();
        let block = &blocks[index];
        let mut here = BTreeSet::new();
        let mut needed = HashSet::new();
        let mut need = |register: usize, here: &BTreeSet<usize>| {
            if !here.contains(&register) && needed.insert(register) {
                exposed[register].push(index);
            }
        };
        for (step, _) in &flat.steps[block.start..block.end] {
            for register in reads(step) {
                need(register, &here);
            }
            here.extend(writes(step));
        }
        let mut last = Vec::new();
        match &block.ending {
            Ending::Branch { condition, .. } => registers(condition, &mut last),
            Ending::Table(operand, _) => registers(operand, &mut last),
            Ending::Jump(_) | Ending::End(_) => {}
        }
        for register in last {
            need(register, &here);
        }
        for register in here {
            defined[register].push(index);
        }
    }
    let frontiers = dominators.frontiers(graph);
    let mut merges = vec![Vec::new(); blocks.len()];
    for (register, (exposed, defined)) in exposed.iter().zip(&defined).enumerate() {
        if exposed.is_empty() || defined.is_empty() {
            continue;
        }
        let joins = joins(defined, &frontiers);
        if joins.is_empty() {
            continue;
        }
        let live = live(exposed, defined, graph);
        for join in joins.intersection(&live) {
            merges[*join].push(register);
        }
    }
    merges
}

/// The iterated dominance frontier.
fn joins(defined: &[usize], frontiers: &[Vec<Node>]) -> BTreeSet<usize> {
    let mut work = defined.to_vec();
    let mut joins = BTreeSet::new();
    while let Some(block) = work.pop() {
        for join in &frontiers[block] {
            if joins.insert(join.index()) {
                work.push(join.index());
            }
        }
    }
    joins
}

/// The blocks at whose beginning a register is used later.
fn live(exposed: &[usize], defined: &[usize], graph: &cfg::Graph<Node>) -> BTreeSet<usize> {
    let defined: HashSet<usize> = defined.iter().copied().collect();
    let mut live: BTreeSet<usize> = exposed.iter().copied().collect();
    let mut work = exposed.to_vec();
    while let Some(block) = work.pop() {
        for before in graph.predecessors(Node::new(block)) {
            let before = before.index();
            if !defined.contains(&before) && live.insert(before) {
                work.push(before);
            }
        }
    }
    live
}
