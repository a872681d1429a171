//! Predicate: control flow becomes one predicate per block and thread, and loops.
//!
//! Input: a kernel whose graph is reducible and whose loops are closed (see
//! [`lockstep_ir::kernel::transform::close_loops`]). The blocks are visited in the order of the
//! lock-step paper (003, section 4): topological but for back edges, the blocks of a loop
//! contiguous.
//!
//! * The predicate of an **edge** is its block's and the branch condition. The predicate of a
//!   **block** is the disjunction over its edges, or that of the block it post-dominates
//!   ([`Structure::shortcut`]).
//! * A **block parameter** is the argument of the edge taken: a conditional expression over the
//!   edges' predicates. It is not a variable, and nothing is assigned.
//! * At a **loop header**, parameters and the predicate are variables, assigned before the loop
//!   from the entering edges and at the end of the body from the back edges. A thread that takes no
//!   back edge keeps its values, and its predicate becomes false: it has left the loop.
//! * An edge that **leaves a loop** is taken in one iteration and needed after all of them. So its
//!   predicate and its arguments are variables too, set when the edge is taken.
//!
//! Soundness is Theorem 5.5 of the paper: an inactive thread changes nothing that an active one
//! reads. Two points go beyond the paper: the shortcut, which holds for terminating threads, and
//! the values, which are not predicated (see [`super`]).

use std::collections::BTreeSet;

use lockstep_ir::assumption::Assumed;
use lockstep_ir::computation;
use lockstep_ir::kernel::{
    ArrayOrigin, AsyncGroup, AsyncWait, BarrierKind, Block, Kernel, Operation, Space, Target, Terminator, Value,
};
use lockstep_ir::sequential::{Copies, Expression, Role, Sort, Variable};

use super::instrument::races::MOST_RACES;
use super::lowering::Exited;
use super::memory::arrays::Contents;
use super::{Lowered, Lowering, NotLowered, PointerExpression, Unsupported};
use crate::analysis::structure::Structure;

#[derive(Clone, Debug)]
pub struct Edge {
    /// Whether each thread takes the edge.
    pub taken: Copies<Expression>,
    /// Whether the edge goes back to a loop header.
    pub back: bool,
    /// The arguments.
    pub arguments: Vec<Copies<Lowered>>,
}

impl Lowering<'_> {
    /// Walks all blocks.
    pub fn walk(&mut self) -> Result<(), NotLowered> {
        self.declare_loops();
        self.declare_sites();
        self.start_aggregates();
        self.start_copies();
        self.start_tickets();
        self.start_taken();
        self.start_rounds();
        self.start_signals();
        self.start_grid_barriers();
        if self.options.exited_threads_arrive {
            let ahead = ahead(&self.facts.structure, |block| meets_group(self.kernel, block));
            self.exited = Some(Exited { variables: self.declare_gone("exited"), ahead });
        }
        if names_lanes(self.kernel) {
            self.returned = Some(self.declare_gone("returned"));
        }
        let structure = &self.facts.structure;
        for &block in &structure.order {
            self.close_loops_before(Some(block));
            if self.options.deadline.passed() {
                return Err(NotLowered::OutOfTime);
            }
            self.enter(block)?;
            self.note_leaders(block);
            for &instruction in &self.kernel.blocks[block].instructions {
                self.location = self.kernel.instructions[instruction].location;
                self.instruction(block, instruction)?;
                if self.options.deadline.passed() {
                    return Err(NotLowered::OutOfTime);
                }
                if self.sites.races > MOST_RACES {
                    return Err(NotLowered::TooLarge);
                }
            }
            self.location = self.kernel.blocks[block].location;
            self.leave(block);
        }
        self.close_loops_before(None);
        self.check_rounds();
        self.check_late();
        Ok(())
    }

    /// Gives every thread a copy of the same struct parameters.
    fn start_aggregates(&mut self) {
        let arrays: Vec<_> = self.arrays.iter().collect();
        for (array, state) in arrays {
            let data = &self.kernel.arrays[array];
            if let (ArrayOrigin::Aggregate, Contents::Private(copies)) = (data.origin, state.contents) {
                let sort = self.program.expressions.variables()[copies[0]].sort;
                let name = format!("initial.{}", data.name);
                let initial = self.e().add_variable(&name, sort, None, Role::Input);
                let initial = self.e().variable(initial);
                let initial = self.with_known_cells(array, initial);
                for copy in copies {
                    self.assign(copy, initial);
                }
            }
        }
    }

    /// Initialises each thread's own copies of arrays. The copy of global memory starts as the
    /// memory does. Local memory starts with arbitrary contents, not known to be the same for both
    /// threads.
    fn start_copies(&mut self) {
        let arrays: Vec<_> = self.arrays.iter().collect();
        for (array, state) in arrays {
            if let Contents::Shared { at_barrier, own: Some(own) } = state.contents
                && self.kernel.arrays[array].space == Space::Global
            {
                for variable in own {
                    let initial = self.e().variable(at_barrier);
                    self.assign(variable, initial);
                }
            }
        }
    }

    /// A ghost per thread that becomes true when the thread has left certain blocks for good.
    fn declare_gone(&mut self, what: &str) -> [Variable; 2] {
        let variables = [0, 1].map(|thread| {
            let name = format!("{what}${}", thread + 1);
            self.e().add_variable(&name, Sort::Boolean, Some(thread), Role::Predicate)
        });
        let no = self.e().boolean(false);
        for variable in variables {
            self.assign(variable, no);
        }
        variables
    }

    // --- Blocks ----------------------------------------------------------------------------------

    fn enter(&mut self, block: Block) -> Result<(), Unsupported> {
        let edges = std::mem::take(&mut self.edges[block]);
        self.rounds_here = None;
        let header =
            self.facts.structure.loop_of[block].filter(|&index| self.facts.structure.loops[index].header == block);
        if let Some(index) = header {
            return self.open_loop(index, edges);
        }
        let predicate = self.block_predicate(block, &edges);
        self.predicates[block] = Some(predicate);
        self.name_predicate(block);
        for (position, &parameter) in self.kernel.blocks[block].parameters.iter().enumerate() {
            let value = self.join(parameter, position, &edges);
            self.values[parameter] = Some(value);
            self.name_value(parameter);
        }
        Ok(())
    }

    fn block_predicate(&mut self, block: Block, edges: &[Edge]) -> Copies<Expression> {
        if block == self.kernel.entry {
            let yes = self.true_();
            return Copies::Uniform(yes);
        }
        if let Some(dominator) = self.facts.structure.shortcut[block] {
            return self.predicates[dominator].expect("dominators come first in the block order");
        }
        let uniform = self.of_pair.uniformity.block(block);
        self.copies(uniform, |this, thread| {
            let taken: Vec<Expression> = edges.iter().map(|edge| *edge.taken.of(thread)).collect();
            this.e().or(taken)
        })
    }

    /// The value of a parameter over these edges: the last edge's argument unless an earlier edge
    /// is taken.
    pub fn join(&mut self, parameter: Value, position: usize, edges: &[Edge]) -> Copies<Lowered> {
        let uniform = self.of_pair.uniformity.value(parameter);
        let Some((last, earlier)) = edges.split_last() else {
            // No edge: the block is never entered.
            return self.arbitrary(parameter, uniform);
        };
        self.copies(uniform, |this, thread| {
            earlier.iter().rev().fold(*last.arguments[position].of(thread), |otherwise, edge| {
                this.choose(*edge.taken.of(thread), *edge.arguments[position].of(thread), otherwise)
            })
        })
    }

    fn arbitrary(&mut self, value: Value, uniform: bool) -> Copies<Lowered> {
        let ty = self.kernel.ty(value);
        self.copies(uniform, |this, thread| {
            this.arbitrary_value(
                ty,
                "unreached",
                (!uniform).then_some(thread),
                lockstep_ir::sequential::Unknown::Undefined,
            )
        })
    }

    pub fn choose(&mut self, condition: Expression, then: Lowered, otherwise: Lowered) -> Lowered {
        match (then, otherwise) {
            (Lowered::Scalar(a), Lowered::Scalar(b)) => Lowered::Scalar(self.e().if_then_else(condition, a, b)),
            (Lowered::Pointer(a), Lowered::Pointer(b)) => Lowered::Pointer(PointerExpression {
                tag: self.e().if_then_else(condition, a.tag, b.tag),
                offset: self.e().if_then_else(condition, a.offset, b.offset),
            }),
            _ => panic!("a pointer and a scalar meet"),
        }
    }

    /// Distributes the block's predicate over its edges.
    fn leave(&mut self, block: Block) {
        let terminator = &self.kernel.blocks[block].terminator;
        match terminator {
            Terminator::Unreachable => {
                for thread in 0..2 {
                    let active = self.active(block, thread);
                    let not_active = self.e().not(active);
                    self.assume(not_active, "the source promises that this is not reached");
                }
                let there = self.kernel.place(self.kernel.blocks[block].location);
                self.program.assumptions.add(Assumed::NotReached.at([there]));
            }
            Terminator::Return | Terminator::Trap => self.end_rounds(block),
            Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Switch { .. } => {
                let targets: Vec<Target> = terminator.targets().cloned().collect();
                for (position, target) in targets.iter().enumerate() {
                    self.take_edge(block, position, target);
                }
            }
        }
    }

    fn take_edge(&mut self, block: Block, position: usize, target: &Target) {
        let uniform = self.of_pair.uniformity.edge(self.kernel, block);
        let taken = self.copies(uniform, |this, thread| {
            let condition = this.edge_condition(block, position, thread);
            let active = this.active(block, thread);
            this.e().and([active, condition])
        });
        self.note_exit(block, target.block, &taken);
        let arguments: Vec<Copies<Lowered>> =
            target.arguments.iter().map(|&argument| *self.lowered(argument)).collect();
        // The edge may leave several loops at once; the outermost of them declared it.
        let mut exits = self.open_loops.iter().flat_map(|open| &open.exits);
        let exit = exits.find(|exit| exit.from == block && exit.edge == position).cloned();
        if let Some(exit) = exit {
            self.record_exit(&exit, &taken, &arguments);
        } else {
            let back = self.facts.structure.is_back_edge(block, target.block);
            self.edges[target.block].push(Edge { taken, back, arguments });
        }
    }

    /// Records which threads have returned. For barriers, a thread has returned when it goes where
    /// no barrier can be reached any more: it ends without coming to one. (All returns of the
    /// source are one block, which the walk reaches at the end, after the barriers that a thread
    /// has left behind.) For warps, a thread has returned when it has executed a `return`.
    fn note_exit(&mut self, from: Block, to: Block, taken: &Copies<Expression>) {
        let left = |exited: &&Exited| exited.ahead.contains(&from) && !exited.ahead.contains(&to);
        let exited = self.exited.as_ref().filter(left).map(|exited| exited.variables);
        let returned = self.returned.filter(|_| is_return(self.kernel, from, to));
        for variables in exited.into_iter().chain(returned) {
            for (thread, variable) in variables.into_iter().enumerate() {
                let before = self.e().variable(variable);
                let now = self.e().or([before, *taken.of(thread)]);
                self.assign(variable, now);
            }
        }
    }

    pub fn edge_condition(&mut self, block: Block, position: usize, thread: usize) -> Expression {
        match &self.kernel.blocks[block].terminator {
            Terminator::Branch { condition, .. } => {
                let condition = self.scalar(*condition, thread);
                if position == 0 { condition } else { self.e().not(condition) }
            }
            Terminator::Switch { value, cases, .. } => {
                let value = self.scalar(*value, thread);
                if let Some((constant, _)) = cases.get(position) {
                    let constant = self.e().bits(constant.clone());
                    return self.e().equal(value, constant);
                }
                let mut none = Vec::new();
                for (constant, _) in cases {
                    let constant = self.e().bits(constant.clone());
                    let equal = self.e().equal(value, constant);
                    none.push(self.e().not(equal));
                }
                self.e().and(none)
            }
            Terminator::Jump(_) | Terminator::Return | Terminator::Trap | Terminator::Unreachable => self.true_(),
        }
    }
}

/// Whether a block has an operation that all threads of a group must reach.
#[expect(clippy::unnested_or_patterns, reason = "the pattern of a macro cannot be nested into another")]
fn meets_group(kernel: &Kernel, block: Block) -> bool {
    kernel.blocks[block].instructions.iter().any(|&instruction| match &kernel.instructions[instruction].operation {
        Operation::Barrier { .. }
        | Operation::AsyncCopy { group: AsyncGroup::Group | AsyncGroup::Shared, .. }
        | Operation::AsyncWait(AsyncWait::Events(_))
        | Operation::WarpExchange { .. }
        | Operation::GroupExchange { .. }
        | Operation::Phase { .. } => true,
        computation!()
        | Operation::Load(_)
        | Operation::Store(..)
        | Operation::Atomic { .. }
        | Operation::MemoryCopy { .. }
        | Operation::MemorySet { .. }
        | Operation::ImageRead { .. }
        | Operation::ImageWrite { .. }
        | Operation::Fence { .. }
        | Operation::AsyncCopy { group: AsyncGroup::Thread | AsyncGroup::Elements, .. }
        | Operation::AsyncWait(AsyncWait::Commit | AsyncWait::AllBut(_) | AsyncWait::Batches { .. })
        | Operation::Counted(_)
        | Operation::Assume(..)
        | Operation::Assert(..)
        | Operation::Annotation { .. } => false,
    })
}

/// Whether a jump is a `return` of the source. Such a jump leads to the kernel's end. It does not
/// come from the source's last brace, and it is no branch that skips the rest of the kernel.
fn is_return(kernel: &Kernel, from: Block, to: Block) -> bool {
    let computes = |block: Block| {
        let mut instructions = kernel.blocks[block].instructions.iter();
        instructions.all(|&instruction| kernel.instructions[instruction].operation.is_computation())
    };
    let place = |block: Block| {
        let location = kernel.blocks[block].location?;
        let data = &kernel.locations[location];
        Some((data.file, data.line, data.column))
    };
    if !matches!(kernel.blocks[from].terminator, Terminator::Jump(_)) {
        return false;
    }
    let mut end = to;
    for _ in 0..kernel.blocks.len() {
        match &kernel.blocks[end].terminator {
            _ if !computes(end) => return false,
            Terminator::Return => return place(from).is_some() && place(from) != place(end),
            Terminator::Jump(next) if place(end).is_none() || place(end) == place(from) => end = next.block,
            _ => return false,
        }
    }
    false
}

/// Whether some operation names the lanes that take part.
fn names_lanes(kernel: &Kernel) -> bool {
    kernel.instructions.values().any(|data| {
        matches!(
            data.operation,
            Operation::WarpExchange { mask: Some(_), .. }
                | Operation::Barrier { kind: BarrierKind::Warp { mask: Some(_) }, .. }
        )
    })
}

/// The blocks from which one of these can be reached.
fn ahead(structure: &Structure, is_one: impl Fn(Block) -> bool) -> BTreeSet<Block> {
    let mut found: BTreeSet<Block> = structure.order.iter().copied().filter(|&block| is_one(block)).collect();
    let mut pending: Vec<Block> = found.iter().copied().collect();
    while let Some(block) = pending.pop() {
        for &from in &structure.predecessors[block] {
            if found.insert(from) {
                pending.push(from);
            }
        }
    }
    found
}
