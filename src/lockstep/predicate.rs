//! Predicate: control flow becomes one predicate per block and thread, and loops.
//!
//! Input: a kernel whose graph is reducible and whose loops are closed (see
//! [`lockstep_ir::kernel::transform::close_loops`]). The blocks are visited in the order of the lock-step
//! paper (003, section 4): topological but for back edges, the blocks of a loop contiguous.
//!
//! * The predicate of an **edge** is its block's and the branch condition. The predicate of a **block** is the
//!   disjunction over its edges, or that of the block it post-dominates ([`Structure::shortcut`]).
//! * A **block parameter** is the argument of the edge taken: a conditional expression over the edges'
//!   predicates. It is not a variable; nothing is assigned.
//! * At a **loop header**, parameters and the predicate are variables, assigned before the loop from the
//!   entering edges and at the end of the body from the back edges. A thread that is not on a back edge
//!   keeps its values, and its predicate becomes false: it has left.
//! * An edge that **leaves a loop** is taken in one iteration and needed after all of them: its predicate and its
//!   arguments are variables too, set when the edge is taken.
//!
//! Soundness is Theorem 5.5 of the paper: an inactive thread changes nothing that an active one reads.
//! What is new here is the shortcut, which holds for terminating threads, and that values proper are not
//! predicated (see [`super`]).

use std::collections::BTreeSet;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{ArrayOrigin, Block, Kernel, Operation, Space, Target, Terminator, Type, Value};
use lockstep_ir::sequential::{
    Carried, CompareOp, Copies, Expression, Loop, LoopData, Role, Sort, Statement, Variable,
};

use super::arrays::Contents;
use super::{Exited, Lowered, Lowering, NULL, PointerExpression, TAG_WIDTH, Unsupported, sort};
use crate::analysis::structure::{LoopIndex, Structure};

/// An edge into a block.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// Whether each thread takes it.
    taken: Copies<Expression>,
    /// Whether it goes back to a loop header.
    back: bool,
    /// The arguments.
    arguments: Vec<Copies<Lowered>>,
}

/// A loop the walk is in.
#[derive(Clone, Debug)]
pub(super) struct OpenLoop {
    index: LoopIndex,
    pub(super) loop_: Loop,
    header: Block,
    active: Copies<Variable>,
    /// The variables of the header's parameters, with the values before the loop.
    carried: Vec<(Copies<Slot>, Copies<Lowered>)>,
    exits: Vec<Exit>,
}

/// The variables that hold a kernel value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Scalar(Variable),
    Pointer { tag: Option<Variable>, known: u64, offset: Variable },
}

/// An edge that leaves a loop.
#[derive(Clone, Debug)]
struct Exit {
    from: Block,
    /// Which of the block's edges.
    edge: usize,
    to: Block,
    taken: Copies<Variable>,
    arguments: Vec<Copies<Slot>>,
}

impl Lowering<'_> {
    /// Walks all blocks.
    pub(super) fn walk(&mut self) -> Result<(), Unsupported> {
        self.declare_loops();
        self.declare_sites();
        self.start_aggregates();
        self.start_copies();
        if self.options.exited_threads_arrive {
            self.declare_exited();
        }
        let structure = self.structure;
        for &block in &structure.order {
            self.close_loops_before(Some(block));
            self.enter(block);
            for &instruction in &self.kernel.blocks[block].instructions {
                self.location = self.kernel.instructions[instruction].location;
                self.instruction(block, instruction)?;
            }
            self.location = self.kernel.blocks[block].location;
            self.leave(block);
        }
        self.close_loops_before(None);
        Ok(())
    }

    /// Every thread starts with a copy of the same struct parameters.
    fn start_aggregates(&mut self) {
        let arrays: Vec<_> = self.arrays.iter().collect();
        for (array, state) in arrays {
            let data = &self.kernel.arrays[array];
            if let (ArrayOrigin::Aggregate, Contents::Private(copies)) = (data.origin, state.contents) {
                let sort = self.program.expressions.variables()[copies[0]].sort;
                let name = format!("initial.{}", data.name);
                let initial = self.e().add_variable(&name, sort, None, Role::Input);
                let initial = self.e().variable(initial);
                for copy in copies {
                    self.assign(copy, initial);
                }
            }
        }
    }

    /// Each thread's own copy of global memory starts as the memory does. What local memory holds at first is
    /// anything, and not known to be the same for both.
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

    fn declare_exited(&mut self) {
        let variables = [0, 1].map(|thread| {
            let name = format!("exited${}", thread + 1);
            self.e().add_variable(&name, Sort::Boolean, Some(thread), Role::Predicate)
        });
        let no = self.e().boolean(false);
        for variable in variables {
            self.assign(variable, no);
        }
        self.exited = Some(Exited { variables, barrier_ahead: barrier_ahead(self.kernel, self.structure) });
    }

    /// Adds the program's loops, so that sites can name them before they are walked.
    fn declare_loops(&mut self) {
        for (index, shape) in self.structure.loops.iter().enumerate() {
            let name = format!("iteration.{index}");
            let location = self.kernel.blocks[shape.header].location;
            let loop_ = self.program.loops.next_key();
            let counter = self.e().add_variable(&name, Sort::Bits(64), None, Role::Counter(loop_));
            self.homes[counter] = Some(loop_);
            let guard = self.e().boolean(false);
            self.program.loops.push(LoopData {
                counter,
                guard,
                active: Copies::Uniform(counter),
                body: Vec::new(),
                parent: shape.parent.map(|parent| self.loops[parent]),
                invariants: Vec::new(),
                carried: Vec::new(),
                has_barrier: false,
                location,
            });
            self.loops.push(loop_);
        }
    }

    // --- Blocks -------------------------------------------------------------------------------------

    fn enter(&mut self, block: Block) {
        let edges = std::mem::take(&mut self.edges[block]);
        let header = self.structure.loop_of[block].filter(|&index| self.structure.loops[index].header == block);
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
    }

    fn block_predicate(&mut self, block: Block, edges: &[Edge]) -> Copies<Expression> {
        if block == self.kernel.entry {
            let yes = self.true_();
            return Copies::Uniform(yes);
        }
        if let Some(dominator) = self.structure.shortcut[block] {
            return self.predicates[dominator].expect("dominators come first in the block order");
        }
        let uniform = self.uniformity.block(block);
        self.copies(uniform, |this, thread| {
            let taken: Vec<Expression> = edges.iter().map(|edge| *edge.taken.of(thread)).collect();
            this.e().or(taken)
        })
    }

    /// The value of a parameter over these edges: the last one's argument unless an earlier one is taken.
    fn join(&mut self, parameter: Value, position: usize, edges: &[Edge]) -> Copies<Lowered> {
        let uniform = self.uniformity.value(parameter);
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

    pub(super) fn choose(&mut self, condition: Expression, then: Lowered, otherwise: Lowered) -> Lowered {
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
                let line = self.kernel.blocks[block].location.map_or(0, |at| self.kernel.locations[at].line);
                self.program
                    .assume_listed(format!("line {line}, which the source marks as unreachable, is not reached"));
            }
            Terminator::Return => {}
            Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Switch { .. } => {
                let targets: Vec<Target> = terminator.targets().cloned().collect();
                for (position, target) in targets.iter().enumerate() {
                    self.take_edge(block, position, target);
                }
            }
        }
    }

    fn take_edge(&mut self, block: Block, position: usize, target: &Target) {
        let uniform = self.uniformity.edge(self.kernel, block);
        let taken = self.copies(uniform, |this, thread| {
            let condition = this.edge_condition(block, position, thread);
            let active = this.active(block, thread);
            this.e().and([active, condition])
        });
        self.note_exit(block, target.block, &taken);
        let arguments: Vec<Copies<Lowered>> =
            target.arguments.iter().map(|&argument| *self.lowered(argument)).collect();
        // The edge may leave several loops at once; the outermost of them has declared it.
        let mut exits = self.open_loops.iter().flat_map(|open| &open.exits);
        let exit = exits.find(|exit| exit.from == block && exit.edge == position).cloned();
        if let Some(exit) = exit {
            self.record_exit(&exit, &taken, &arguments);
        } else {
            let back = self.structure.is_back_edge(block, target.block);
            self.edges[target.block].push(Edge { taken, back, arguments });
        }
    }

    /// A thread that goes where no barrier can be reached any more has returned, as far as barriers are concerned: it
    /// ends without coming to one. (All returns of the source are one block, which the walk comes to at the end, after
    /// the barriers that a thread has left behind.)
    fn note_exit(&mut self, from: Block, to: Block, taken: &Copies<Expression>) {
        let Some(exited) = &self.exited else { return };
        if !exited.barrier_ahead.contains(&from) || exited.barrier_ahead.contains(&to) {
            return;
        }
        for (thread, variable) in exited.variables.into_iter().enumerate() {
            let before = self.e().variable(variable);
            let now = self.e().or([before, *taken.of(thread)]);
            self.assign(variable, now);
        }
    }

    fn edge_condition(&mut self, block: Block, position: usize, thread: usize) -> Expression {
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
            Terminator::Jump(_) | Terminator::Return | Terminator::Unreachable => self.true_(),
        }
    }

    // --- Loops --------------------------------------------------------------------------------------

    fn open_loop(&mut self, index: LoopIndex, edges: Vec<Edge>) {
        let header = self.structure.loops[index].header;
        self.location = self.kernel.blocks[header].location;
        let loop_ = self.loops[index];
        let uniform = self.uniformity.block(header);
        let entered = self.copies(uniform, |this, thread| {
            let taken: Vec<Expression> = edges.iter().map(|edge| *edge.taken.of(thread)).collect();
            this.e().or(taken)
        });
        let active = self.variable_copies(uniform, &format!("active.{index}"), Sort::Boolean, Role::Predicate);
        self.change_in(&active, Some(loop_));
        let mut carried = Vec::new();
        let mut before = Vec::new();
        for (position, &parameter) in self.kernel.blocks[header].parameters.iter().enumerate() {
            let initial = self.join(parameter, position, &edges);
            let slot = self.slot(parameter, &format!("loop{index}.{position}"), Some(loop_));
            self.assign_slot(&slot, &initial);
            carried.push((slot, initial));
            before.push((parameter, slot));
        }
        self.assign_copies(&active, &entered);
        let exits = self.declare_exits(index);
        self.predicates[header] = Some(self.read(&active));
        for (parameter, slot) in before {
            let value = self.read_slot(&slot);
            self.values[parameter] = Some(value);
        }
        let current = self.read(&active);
        let either = [*current.of(0), *current.of(1)];
        self.program.loops[loop_].guard = self.program.expressions.or(either);
        self.program.loops[loop_].active = active;
        self.open_loops.push(OpenLoop { index, loop_, header, active, carried, exits });
        self.statements.push(Vec::new());
    }

    /// The edges of which this is the outermost loop that they leave. What they set is initialised once, before
    /// this loop: an inner loop that is entered again must not forget who has left for good.
    fn declare_exits(&mut self, index: LoopIndex) -> Vec<Exit> {
        let mut exits = Vec::new();
        let structure = self.structure;
        // Outside of the loop they change when the loop around it comes to this loop again.
        let home = self.program.loops[self.loops[index]].parent;
        for &from in structure.order.iter().filter(|&&block| structure.contains(index, structure.loop_of[block])) {
            let targets: Vec<Target> = self.kernel.blocks[from].terminator.targets().cloned().collect();
            for (edge, target) in targets.iter().enumerate() {
                let to = structure.loop_of[target.block];
                let outermost = structure.loops[index].parent.is_none_or(|parent| structure.contains(parent, to));
                if structure.contains(index, to) || !outermost {
                    continue;
                }
                let uniform = self.uniformity.edge(self.kernel, from);
                let taken = self.variable_copies(uniform, &format!("left.{index}"), Sort::Boolean, Role::Predicate);
                self.change_in(&taken, home);
                let no = self.e().boolean(false);
                let no = taken.map(|_| no);
                self.assign_copies(&taken, &no);
                let parameters = self.kernel.blocks[target.block].parameters.clone();
                let arguments =
                    parameters.iter().map(|&parameter| self.slot(parameter, &format!("left.{index}"), home)).collect();
                exits.push(Exit { from, edge, to: target.block, taken, arguments });
            }
        }
        exits
    }

    /// Remembers that a thread leaves the loop here, and with which values.
    fn record_exit(&mut self, exit: &Exit, taken: &Copies<Expression>, arguments: &[Copies<Lowered>]) {
        for (slot, argument) in exit.arguments.iter().zip(arguments) {
            let old = self.read_slot(slot);
            // A value that is the same for both threads leaves with whichever of them takes the edge.
            let uniform = slot.is_uniform();
            let new = self.copies(uniform, |this, thread| {
                let leaves = if uniform {
                    let either = [*taken.of(0), *taken.of(1)];
                    this.e().or(either)
                } else {
                    *taken.of(thread)
                };
                this.choose(leaves, *argument.of(thread), *old.of(thread))
            });
            self.assign_slot(slot, &new);
        }
        let before = self.read(&exit.taken);
        let after = self.copies(exit.taken.is_uniform(), |this, thread| {
            let both = [*before.of(thread), *taken.of(thread)];
            this.e().or(both)
        });
        self.assign_copies(&exit.taken, &after);
    }

    /// Ends the loops that do not contain the next block.
    fn close_loops_before(&mut self, next: Option<Block>) {
        while let Some(open) = self.open_loops.last() {
            if next.is_some_and(|block| self.structure.contains(open.index, self.structure.loop_of[block])) {
                return;
            }
            let open = self.open_loops.pop().expect("there is one");
            self.close_loop(&open);
        }
    }

    fn close_loop(&mut self, open: &OpenLoop) {
        self.location = self.kernel.blocks[open.header].location;
        let edges = std::mem::take(&mut self.edges[open.header]);
        debug_assert!(edges.iter().all(|edge| edge.back));
        let mut updates = Vec::new();
        let mut carried = Vec::new();
        let parameters = self.kernel.blocks[open.header].parameters.clone();
        for (position, (slot, initial)) in open.carried.iter().enumerate() {
            let next = self.join(parameters[position], position, &edges);
            let old = self.read_slot(slot);
            let uniform = slot.is_uniform();
            let new = self.copies(uniform, |this, thread| {
                if uniform {
                    return *next.of(thread);
                }
                let back: Vec<Expression> = edges.iter().map(|edge| *edge.taken.of(thread)).collect();
                let back = this.e().or(back);
                this.choose(back, *next.of(thread), *old.of(thread))
            });
            push_updates(slot, &new, &mut updates);
            self.describe_carried(parameters[position], slot, initial, &next, &mut carried);
        }
        let active = open.active;
        let stays = self.copies(active.is_uniform(), |this, thread| {
            let back: Vec<Expression> = edges.iter().map(|edge| *edge.taken.of(thread)).collect();
            this.e().or(back)
        });
        for (variable, value) in active.iter().zip(stays.iter()) {
            updates.push((*variable, *value));
        }
        self.assign_together(updates);
        self.assume_counted(open.loop_);
        let body = self.statements.pop().expect("the loop's statements");
        let data = &mut self.program.loops[open.loop_];
        data.body = body;
        data.carried = carried;
        self.emit(Statement::Loop(open.loop_));
        for exit in &open.exits {
            let taken = self.read(&exit.taken);
            let arguments = exit.arguments.iter().map(|slot| self.read_slot(slot)).collect();
            self.edges[exit.to].push(Edge { taken, back: false, arguments });
        }
    }

    /// Ghost counters do not wrap, which every report lists.
    fn assume_counted(&mut self, loop_: Loop) {
        let counter = self.program.loops[loop_].counter;
        let counter = self.e().variable(counter);
        let most = self.e().bits(Bits::ones(64));
        let counted = self.e().compare(CompareOp::UnsignedLess, counter, most);
        self.assume(counted, "fewer than 2^64 iterations");
    }

    /// Assigns all at once: values that read a variable assigned before them are computed first.
    fn assign_together(&mut self, updates: Vec<(Variable, Expression)>) {
        let mut ready = Vec::new();
        for (position, &(variable, value)) in updates.iter().enumerate() {
            let mut clash = false;
            self.program.expressions.for_each_variable(value, |read| {
                clash |= updates[..position].iter().any(|&(earlier, _)| earlier == read);
            });
            if !clash {
                ready.push((variable, value));
                continue;
            }
            let data = self.program.expressions.variables()[variable].clone();
            let name = match data.name.split_once('$') {
                Some((stem, suffix)) => format!("{stem}.next${suffix}"),
                None => format!("{}.next", data.name),
            };
            let next = self.e().add_variable(&name, data.sort, data.thread, data.role);
            self.assign(next, value);
            let next = self.e().variable(next);
            ready.push((variable, next));
        }
        for (variable, value) in ready {
            self.assign(variable, value);
        }
    }

    fn describe_carried(
        &mut self,
        parameter: Value,
        slot: &Copies<Slot>,
        initial: &Copies<Lowered>,
        next: &Copies<Lowered>,
        carried: &mut Vec<Carried>,
    ) {
        let name = self.kernel.values[parameter].name.clone();
        let expression = |lowered: Lowered| match lowered {
            Lowered::Scalar(expression) => expression,
            Lowered::Pointer(pointer) => pointer.offset,
        };
        let variable = (*slot).map(|slot| match slot {
            Slot::Scalar(variable) => variable,
            Slot::Pointer { offset, .. } => offset,
        });
        carried.push(Carried { name, variable, initial: (*initial).map(expression), next: (*next).map(expression) });
        // Pointers that may lead to different arrays change places by changing tags.
        let tags = [0, 1].map(|thread| match *slot.of(thread) {
            Slot::Pointer { tag, .. } => tag,
            Slot::Scalar(_) => None,
        });
        if let [Some(first), Some(second)] = tags {
            let variable = if slot.is_uniform() { Copies::Uniform(first) } else { Copies::Each([first, second]) };
            let tag = |lowered: Lowered| match lowered {
                Lowered::Scalar(expression) => expression,
                Lowered::Pointer(pointer) => pointer.tag,
            };
            carried.push(Carried { name: None, variable, initial: (*initial).map(tag), next: (*next).map(tag) });
        }
    }

    // --- Variables ----------------------------------------------------------------------------------

    fn variable_copies(&mut self, uniform: bool, name: &str, sort: Sort, role: Role) -> Copies<Variable> {
        if uniform {
            return Copies::Uniform(self.e().add_variable(name, sort, None, role));
        }
        Copies::Each(
            [0, 1].map(|thread| self.e().add_variable(&format!("{name}${}", thread + 1), sort, Some(thread), role)),
        )
    }

    fn change_in(&mut self, variables: &Copies<Variable>, home: Option<Loop>) {
        for &variable in variables.iter() {
            self.homes[variable] = home;
        }
    }

    fn read(&mut self, variables: &Copies<Variable>) -> Copies<Expression> {
        (*variables).map(|variable| self.program.expressions.variable(variable))
    }

    fn assign_copies(&mut self, variables: &Copies<Variable>, values: &Copies<Expression>) {
        for thread in 0..if variables.is_uniform() { 1 } else { 2 } {
            self.assign(*variables.of(thread), *values.of(thread));
        }
    }

    /// New variables for a block parameter.
    fn slot(&mut self, parameter: Value, fallback: &str, home: Option<Loop>) -> Copies<Slot> {
        let name = self.kernel.values[parameter].name.clone().unwrap_or_else(|| fallback.to_owned());
        let name: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '.' { c } else { '_' }).collect();
        let uniform = self.uniformity.value(parameter);
        match self.kernel.ty(parameter) {
            Type::Pointer(_) => {
                let targets = &self.points_to[parameter];
                let single = match (targets.arrays.len(), targets.may_be_null()) {
                    (1, false) => targets.arrays.first().map(|array| u64::from(array.as_u32())),
                    (0, true) => Some(NULL),
                    _ => None,
                };
                let bits = self.kernel.pointer_bits;
                let offset = self.variable_copies(uniform, &format!("{name}.offset"), Sort::Bits(bits), Role::Value);
                let tag = single.is_none().then(|| {
                    self.variable_copies(uniform, &format!("{name}.array"), Sort::Bits(TAG_WIDTH), Role::Value)
                });
                self.change_in(&offset, home);
                if let Some(tag) = &tag {
                    self.change_in(tag, home);
                }
                self.copies(uniform, |_, thread| Slot::Pointer {
                    tag: tag.as_ref().map(|tag| *tag.of(thread)),
                    known: single.unwrap_or(NULL),
                    offset: *offset.of(thread),
                })
            }
            ty => {
                let variables = self.variable_copies(uniform, &name, sort(ty), Role::Value);
                self.change_in(&variables, home);
                variables.map(Slot::Scalar)
            }
        }
    }

    fn read_slot(&mut self, slot: &Copies<Slot>) -> Copies<Lowered> {
        (*slot).map(|slot| match slot {
            Slot::Scalar(variable) => Lowered::Scalar(self.program.expressions.variable(variable)),
            Slot::Pointer { tag, known, offset } => Lowered::Pointer(PointerExpression {
                tag: match tag {
                    Some(tag) => self.program.expressions.variable(tag),
                    None => self.program.expressions.number(TAG_WIDTH, known),
                },
                offset: self.program.expressions.variable(offset),
            }),
        })
    }

    fn assign_slot(&mut self, slot: &Copies<Slot>, value: &Copies<Lowered>) {
        let mut updates = Vec::new();
        push_updates(slot, value, &mut updates);
        for (variable, value) in updates {
            self.assign(variable, value);
        }
    }
}

/// The blocks from which something that all threads of a group must reach can be reached.
fn barrier_ahead(kernel: &Kernel, structure: &Structure) -> BTreeSet<Block> {
    let meets = |block: Block| {
        kernel.blocks[block].instructions.iter().any(|&instruction| {
            let operation = &kernel.instructions[instruction].operation;
            matches!(operation, Operation::Barrier { .. } | Operation::AsyncCopy { .. } | Operation::AsyncWait(_))
        })
    };
    let mut found: BTreeSet<Block> = structure.order.iter().copied().filter(|&block| meets(block)).collect();
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

impl OpenLoop {
    /// The value before the loop of one of its variables, for thread 1.
    pub(super) fn initial_of(&self, variable: Variable) -> Option<Expression> {
        self.carried.iter().find_map(|(slot, initial)| match (*slot.of(0), *initial.of(0)) {
            (Slot::Scalar(known), Lowered::Scalar(value)) if known == variable => Some(value),
            (Slot::Pointer { offset, .. }, Lowered::Pointer(pointer)) if offset == variable => Some(pointer.offset),
            _ => None,
        })
    }
}

fn push_updates(slot: &Copies<Slot>, value: &Copies<Lowered>, updates: &mut Vec<(Variable, Expression)>) {
    for thread in 0..if slot.is_uniform() { 1 } else { 2 } {
        match (*slot.of(thread), *value.of(thread)) {
            (Slot::Scalar(variable), Lowered::Scalar(value)) => updates.push((variable, value)),
            (Slot::Pointer { tag, offset, .. }, Lowered::Pointer(pointer)) => {
                if let Some(tag) = tag {
                    updates.push((tag, pointer.tag));
                }
                updates.push((offset, pointer.offset));
            }
            _ => panic!("a pointer and a scalar meet"),
        }
    }
}
