//! Influences on places of a kernel.
//!
//! The **influence** on a place is everything that could change whether a thread comes there, and
//! with which values. It consists of the operands of the operation there, the branches that lead to
//! it, and the values from which these are computed. For loads, it also contains all writes to the
//! loaded memory. It is found backwards, over the whole kernel and in any order, so it contains
//! more than the influences in one run. It lacks only the conditions that decide *when* a thread
//! continues at a barrier; the thread's results do not depend on these if threads do not race.
//!
//! So a fault in a run outside the influence on a place changes nothing there.

use std::collections::BTreeSet;

use cranelift_entity::{EntityRef, SecondaryMap};
use lockstep_interpreter::Part;
use lockstep_ir::cfg;
use lockstep_ir::kernel::{
    Array, ArrayOrigin, Block, Definition, Instruction, Kernel, Operation, Space, Terminator, Value,
};
use lockstep_transform::analysis::accesses::for_each_access;
use lockstep_transform::analysis::pointers::{PointsTo, points_to};

/// The influences on the places of one kernel.
pub struct Influences<'a> {
    kernel: &'a Kernel,
    points_to: PointsTo,
    block_of: SecondaryMap<Instruction, Option<Block>>,
    /// The blocks whose terminators decide whether a thread comes to a block, by the block's
    /// number.
    decided_by: Vec<Vec<Block>>,
    /// The predecessors of each block.
    jumped_from: SecondaryMap<Block, Vec<Block>>,
    /// The instructions that write each array.
    writers: SecondaryMap<Array, Vec<Instruction>>,
}

/// The sources of an influence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Given {
    /// A parameter that is passed by value.
    Parameter(u32),
    /// The contents of an array when the kernel starts.
    Contents(Array),
    /// The result of a function of this name.
    Function(String),
    /// The result of an instruction that has no operands: a clock's value, or an address.
    Made(Instruction),
}

/// Everything that could change the events at a place.
#[derive(Clone, Debug, Default)]
pub struct Influence {
    instructions: BTreeSet<Instruction>,
    ends: BTreeSet<Block>,
    given: BTreeSet<Given>,
    communicates: bool,
}

impl Influence {
    /// Whether the events there are part of the influence.
    pub fn contains(&self, part: Part) -> bool {
        match part {
            Part::Instruction(instruction) => self.instructions.contains(&instruction),
            Part::End(block) => self.ends.contains(&block),
        }
    }

    /// Whether both influences begin with the same parameter, contents or function.
    pub fn shares_inputs_with(&self, other: &Self) -> bool {
        self.given.intersection(&other.given).next().is_some()
    }

    /// Whether other threads are part of the influence, through memory that the kernel writes or
    /// through exchanges. Then order matters.
    pub fn communicates(&self) -> bool {
        self.communicates
    }

    /// The numbers of the parameters that are part of the influence, if it begins otherwise only
    /// with constants, ids, sizes, and contents of such arrays.
    pub fn parameters_beside(&self, contents: &BTreeSet<Array>) -> Option<BTreeSet<u32>> {
        let parameter = |given: &Given| match given {
            Given::Parameter(number) => Some(Some(*number)),
            Given::Contents(array) if contents.contains(array) => Some(None),
            _ => None,
        };
        let all: Option<Vec<Option<u32>>> = self.given.iter().map(parameter).collect();
        Some(all?.into_iter().flatten().collect())
    }

    /// Whether the influence begins only with constants, ids and sizes.
    pub fn is_of_the_launch(&self) -> bool {
        self.given.is_empty() && !self.communicates
    }
}

impl<'a> Influences<'a> {
    /// Prepares the influences on the places of this kernel.
    pub fn of(kernel: &'a Kernel) -> Self {
        let points_to = points_to(kernel);
        let mut block_of = SecondaryMap::new();
        let mut jumped_from: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        let mut writers: SecondaryMap<Array, Vec<Instruction>> = SecondaryMap::new();
        for (block, data) in &kernel.blocks {
            for target in data.terminator.targets() {
                jumped_from[target.block].push(block);
            }
            for &instruction in &data.instructions {
                block_of[instruction] = Some(block);
                for array in arrays(kernel, &points_to, instruction, true) {
                    writers[array].push(instruction);
                }
            }
        }
        let decided_by = cfg::analyse(kernel).post_dominators.control_dependencies();
        Self { kernel, points_to, block_of, decided_by, jumped_from, writers }
    }

    /// The influence on all of these places.
    pub fn on(&self, parts: impl IntoIterator<Item = Part>) -> Influence {
        let pending = parts.into_iter().map(Step::Part).collect();
        let mut search = Search { of: self, pending, seen: BTreeSet::new(), found: Influence::default() };
        while let Some(step) = search.pending.pop() {
            if search.seen.insert(step) {
                search.follow(step);
            }
        }
        search.found
    }

    /// The influence on the atomic operations that change an array.
    pub fn on_atomics_of(&self, array: Array) -> Influence {
        let is_atomic = |instruction: &Instruction| {
            matches!(self.kernel.instructions[*instruction].operation, Operation::Atomic { .. })
        };
        self.on(self.writers[array].iter().copied().filter(is_atomic).map(Part::Instruction))
    }
}

/// The arrays that an instruction accesses, or only those that it may change.
fn arrays(kernel: &Kernel, points_to: &PointsTo, instruction: Instruction, only_changed: bool) -> BTreeSet<Array> {
    let data = &kernel.instructions[instruction];
    let mut found = BTreeSet::new();
    for_each_access(kernel, &data.operation, data.result, |access| {
        if !only_changed || access.writes {
            found.extend(&points_to[access.pointer].arrays);
        }
    });
    if let Operation::Phase { object, .. } = &data.operation {
        found.extend(&points_to[*object].arrays);
    }
    found
}

/// A step that is still to be followed backwards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Value(Value),
    Part(Part),
    /// The threads that come to a block.
    ComesTo(Block),
    /// The contents of an array.
    Contents(Array),
}

struct Search<'a> {
    of: &'a Influences<'a>,
    pending: Vec<Step>,
    seen: BTreeSet<Step>,
    found: Influence,
}

impl Search<'_> {
    fn follow(&mut self, step: Step) {
        let (kernel, of) = (self.of.kernel, self.of);
        match step {
            Step::Value(value) => match kernel.values[value].definition {
                Definition::Result(instruction) => self.pending.push(Step::Part(Part::Instruction(instruction))),
                // The parameter's value depends on the edge by which the thread comes.
                Definition::Parameter(block, index) => {
                    let index = usize::try_from(index).expect("an index");
                    for &from in &of.jumped_from[block] {
                        self.pending.push(Step::Part(Part::End(from)));
                        let targets = kernel.blocks[from].terminator.targets();
                        let passed = targets.filter(|target| target.block == block);
                        self.pending.extend(passed.map(|target| Step::Value(target.arguments[index])));
                    }
                }
            },
            Step::Part(Part::Instruction(instruction)) => self.instruction(instruction),
            Step::Part(Part::End(block)) => {
                self.found.ends.insert(block);
                if let Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } =
                    &kernel.blocks[block].terminator
                {
                    self.pending.push(Step::Value(*value));
                }
                self.pending.push(Step::ComesTo(block));
            }
            Step::ComesTo(block) => {
                let decide = of.decided_by[block.index()].iter();
                self.pending.extend(decide.map(|&block| Step::Part(Part::End(block))));
            }
            Step::Contents(array) => {
                let data = &kernel.arrays[array];
                // Local and private memory hold the values that the kernel has stored there, or
                // unknown ones.
                let is_fresh = matches!(data.space, Space::Local | Space::Private);
                if !is_fresh || data.origin == ArrayOrigin::Aggregate {
                    self.found.given.insert(Given::Contents(array));
                }
                self.found.communicates |= !of.writers[array].is_empty();
                let writers = of.writers[array].iter();
                self.pending.extend(writers.map(|&writer| Step::Part(Part::Instruction(writer))));
            }
        }
    }

    fn instruction(&mut self, instruction: Instruction) {
        let (kernel, of) = (self.of.kernel, self.of);
        self.found.instructions.insert(instruction);
        let operation = &kernel.instructions[instruction].operation;
        operation.for_each_operand(|operand| self.pending.push(Step::Value(operand)));
        self.pending.extend(of.block_of[instruction].map(Step::ComesTo));
        let given = match operation {
            Operation::Parameter(index) => Some(Given::Parameter(*index)),
            Operation::Uninterpreted(name, _) => Some(Given::Function(name.clone())),
            Operation::Undefined
            | Operation::Anything
            | Operation::Choice(_)
            | Operation::Cached { .. }
            | Operation::PointerToInteger(_)
            | Operation::PointerEqual(..)
            | Operation::PointerDifference(..) => Some(Given::Made(instruction)),
            _ => None,
        };
        self.found.given.extend(given);
        let exchanges = matches!(operation, Operation::WarpExchange { .. } | Operation::GroupExchange { .. });
        self.found.communicates |= exchanges;
        let arrays = arrays(kernel, &of.points_to, instruction, false);
        self.pending.extend(arrays.into_iter().map(Step::Contents));
    }
}
