//! Predicate: loops of the kernel become loops of the program, with the values that they carry and
//! the edges that leave them.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{Block, Target, Value};
use lockstep_ir::sequential::{
    Carried, CompareOp, Copies, Expression, Expressions, Loop, LoopData, Role, Sort, Statement, Variable,
};

use super::predicate::Edge;
use super::slots::{Slot, push_updates};
use super::{Lowered, Lowering, Unsupported};
use crate::analysis::structure::LoopIndex;

/// A loop the walk is in.
#[derive(Clone, Debug)]
pub struct OpenLoop {
    pub index: LoopIndex,
    pub loop_: Loop,
    header: Block,
    pub active: Copies<Variable>,
    /// Whether each thread comes to the loop.
    pub entered: Copies<Expression>,
    /// The variables of the header's parameters, with their values before the loop.
    carried: Vec<(Copies<Slot>, Copies<Lowered>)>,
    pub exits: Vec<Exit>,
}

/// An edge that leaves a loop.
#[derive(Clone, Debug)]
pub struct Exit {
    pub from: Block,
    /// The index among the block's edges.
    pub edge: usize,
    to: Block,
    taken: Copies<Variable>,
    arguments: Vec<Copies<Slot>>,
}

impl OpenLoop {
    /// The numbers of this width that a thread carries from one iteration to the next.
    pub fn numbers(&self, e: &Expressions, thread: usize, width: u32) -> Vec<Variable> {
        let number = |slot: &Copies<Slot>| match *slot.of(thread) {
            Slot::Scalar(variable) => Some(variable),
            Slot::Pointer { .. } => None,
        };
        let mut all: Vec<Variable> = self.carried.iter().filter_map(|(slot, _)| number(slot)).collect();
        all.retain(|&variable| e.variables()[variable].sort == Sort::Bits(width));
        all
    }
}

impl Lowering<'_> {
    /// Adds the program's loops, so that sites can name them before they are walked.
    pub fn declare_loops(&mut self) {
        for (index, shape) in self.facts.structure.loops.iter().enumerate() {
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

    pub fn open_loop(&mut self, index: LoopIndex, edges: Vec<Edge>) -> Result<(), Unsupported> {
        self.sites.end_stretch();
        let header = self.facts.structure.loops[index].header;
        self.location = self.kernel.blocks[header].location;
        let loop_ = self.loops[index];
        let uniform = self.of_pair.uniformity.block(header);
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
        self.open_loops.push(OpenLoop { index, loop_, header, active, entered, carried, exits });
        self.statements.push(Vec::new());
        self.suggest_of_warps(index, loop_);
        self.suggest_of_copies(index, loop_);
        self.suggest_of_rounds(header, loop_);
        self.suggest_of_signals(loop_);
        self.function_wide_invariants(header)
    }

    /// The edges for which this is the outermost loop that they leave. The variables that they set
    /// are initialised once, before this loop: an inner loop that is entered again must not forget
    /// the threads that have left for good.
    fn declare_exits(&mut self, index: LoopIndex) -> Vec<Exit> {
        let mut exits = Vec::new();
        let structure = &self.facts.structure;
        // Outside the loop, they change when the loop around it comes to this loop again.
        let home = self.program.loops[self.loops[index]].parent;
        for &from in structure.order.iter().filter(|&&block| structure.contains(index, structure.loop_of[block])) {
            let targets: Vec<Target> = self.kernel.blocks[from].terminator.targets().cloned().collect();
            for (edge, target) in targets.iter().enumerate() {
                let to = structure.loop_of[target.block];
                let outermost = structure.loops[index].parent.is_none_or(|parent| structure.contains(parent, to));
                if structure.contains(index, to) || !outermost {
                    continue;
                }
                let uniform = self.of_pair.uniformity.edge(self.kernel, from);
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

    /// Records that a thread leaves the loop here, and with which values.
    pub fn record_exit(&mut self, exit: &Exit, taken: &Copies<Expression>, arguments: &[Copies<Lowered>]) {
        for (slot, argument) in exit.arguments.iter().zip(arguments) {
            let old = self.read_slot(slot);
            // A value that is the same for both threads leaves with either thread that takes the
            // edge.
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
        self.suggest_exit_values(exit, arguments);
        let structure = &self.facts.structure;
        let to = structure.loop_of[exit.to];
        let loops: Vec<Loop> =
            self.open_loops.iter().filter(|open| !structure.contains(open.index, to)).map(|open| open.loop_).collect();
        self.suggest_of_leaving(&loops, exit.taken);
        let before = self.read(&exit.taken);
        let after = self.copies(exit.taken.is_uniform(), |this, thread| {
            let both = [*before.of(thread), *taken.of(thread)];
            this.e().or(both)
        });
        self.assign_copies(&exit.taken, &after);
    }

    /// Suggests that the loop's variables keep the values with which a thread leaves an annotated
    /// loop.
    fn suggest_exit_values(&mut self, exit: &Exit, arguments: &[Copies<Lowered>]) {
        let Some(open) = self.open_loops.last() else { return };
        let (loop_, open_active) = (open.loop_, open.active);
        if !self.program.suggested.iter().any(|suggestion| suggestion.loop_ == loop_) {
            return;
        }
        let carried: Vec<Copies<Slot>> = open.carried.iter().map(|(slot, _)| *slot).collect();
        for (slot, argument) in exit.arguments.iter().zip(arguments) {
            for thread in 0..2 {
                let (Slot::Scalar(kept), Lowered::Scalar(left_with)) = (*slot.of(thread), *argument.of(thread)) else {
                    continue;
                };
                let current = carried.iter().any(|carried| match *carried.of(thread) {
                    Slot::Scalar(variable) => self.program.expressions.variable(variable) == left_with,
                    Slot::Pointer { .. } => false,
                });
                if current {
                    let (kept, left) = (self.e().variable(kept), self.e().variable(*exit.taken.of(thread)));
                    let equal = self.e().equal(kept, left_with);
                    let active = self.e().variable(*open_active.of(thread));
                    let gone = self.e().not(active);
                    let both = self.e().and([gone, equal]);
                    let condition = self.e().implies(left, both);
                    self.suggest_condition(loop_, condition);
                }
            }
        }
    }

    /// Ends the loops that do not contain the next block.
    pub fn close_loops_before(&mut self, next: Option<Block>) {
        while let Some(open) = self.open_loops.last() {
            if next.is_some_and(|block| self.facts.structure.contains(open.index, self.facts.structure.loop_of[block]))
            {
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
        self.suggest_of_last_round(open);
        self.emit(Statement::Loop(open.loop_));
        for exit in &open.exits {
            let taken = self.read(&exit.taken);
            let arguments = exit.arguments.iter().map(|slot| self.read_slot(slot)).collect();
            self.edges[exit.to].push(Edge { taken, back: false, arguments });
        }
    }

    /// Assumes that ghost counters do not wrap, which every report lists.
    fn assume_counted(&mut self, loop_: Loop) {
        let counter = self.program.loops[loop_].counter;
        let counter = self.e().variable(counter);
        let most = self.e().bits(Bits::ones(64));
        let counted = self.e().compare(CompareOp::UnsignedLess, counter, most);
        self.assume(counted, "fewer than 2^64 iterations");
    }

    /// Assigns all variables at once: values that read a variable assigned before them are computed
    /// first.
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
        // Pointers that may lead to different arrays are exchanged by their tags.
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
}

impl OpenLoop {
    /// Whether each thread has left through each of the loop's exits.
    pub fn left(&self) -> Vec<Copies<Variable>> {
        self.exits.iter().map(|exit| exit.taken).collect()
    }

    /// The exits: whether thread 1 has taken them, where they lead, and the variables that hold
    /// the values which it takes along for the parameters there.
    pub fn exits(&self) -> Vec<(Variable, Block, Vec<Option<Variable>>)> {
        let of_slot = |slot: &Copies<Slot>| match *slot.of(0) {
            Slot::Scalar(variable) => Some(variable),
            Slot::Pointer { .. } => None,
        };
        let of_exit = |exit: &Exit| (*exit.taken.of(0), exit.to, exit.arguments.iter().map(of_slot).collect());
        self.exits.iter().map(of_exit).collect()
    }

    /// The value before the loop of one of its variables, for thread 1.
    pub fn initial_of(&self, variable: Variable) -> Option<Expression> {
        self.carried.iter().find_map(|(slot, initial)| match (*slot.of(0), *initial.of(0)) {
            (Slot::Scalar(known), Lowered::Scalar(value)) if known == variable => Some(value),
            (Slot::Pointer { offset, .. }, Lowered::Pointer(pointer)) if offset == variable => Some(pointer.offset),
            _ => None,
        })
    }
}
