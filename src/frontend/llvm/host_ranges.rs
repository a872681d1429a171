//! Ranges of the host's integers where it launches a kernel.
//!
//! The host checks its options before it launches (`if (n < 1 || n > 512) return 1;`), and it
//! launches in loops (`for (j = 32; j <= 1024; j *= 2)`). The range of a value at a place is what
//! holds there in every execution of the host's code that gets there ([`HostRange`]):
//!
//! * **Computation.** The range of a result follows from those of the operands.
//! * **Conditions.** An edge of the control flow that dominates the place has been taken since the
//!   compared values were last computed. (If a value were computed anew between the last time the
//!   edge was taken and the place, the place could be reached without the edge, since the value
//!   dominates the edge.) So the edge's condition holds of the values at the place.
//! * **Choices.** A φ-node has the value of one of its edges, in the range that this value has at
//!   the end of the edge.
//! * **Loops.** A φ-node of a loop's header has a property if the values with which the loop is
//!   entered have it, and each value that comes round has it whenever the φ-node has it: an
//!   induction over the iterations. The properties that are tried are those of the first values:
//!   no lower, no higher, a multiple, a power of two; and the bounds of the values after one
//!   iteration, which an option may have given.
//! * **Parameters** of a function that only this file calls have the range of all its calls.
//!
//! All this counts on the source language's rule that signed arithmetic does not overflow, where
//! Clang marks it so: if it did, the host's program would be undefined, and there would be no
//! launch for the verdict to cover. A value that is not followed has the range of its type.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use cranelift_entity::EntityRef;
use inkwell::llvm_sys::LLVMIntPredicate as Predicate;
use inkwell::llvm_sys::core as c;
use lockstep_ir::cfg::{Dominators, Graph, Node};
use lockstep_options::launch::ranges::{HostRange, gcd};

use super::launches::name_of_called;
use super::raw::{LBlock, LValue, Opcode, TypeKind, ValueKind};

/// The most values that one question looks at.
const MOST_STEPS: usize = 4_000;

/// The most operations that are followed from one value to the next.
const DEEPEST: usize = 24;

/// The same for the bound of a comparison, whose conditions may mention the compared value again.
const NEARBY: usize = 4;

/// The greatest modulus that is followed.
const MOST_MODULUS: i128 = 1 << 40;

/// A branch condition and whether it holds.
pub type Condition = (LValue, bool);

/// The control flow of one function.
struct Flow {
    graph: Graph<Node>,
    dominators: Dominators<Node>,
    nodes: HashMap<LBlock, Node>,
    blocks: Vec<LBlock>,
}

impl Flow {
    fn of(function: LValue) -> Self {
        let blocks = function.blocks();
        let nodes: HashMap<LBlock, Node> =
            blocks.iter().enumerate().map(|(index, &block)| (block, Node::new(index))).collect();
        let successors = |block: &LBlock| block.terminator().map(LValue::successors).unwrap_or_default();
        let edges = blocks.iter().map(|block| successors(block).iter().map(|to| nodes[to]).collect()).collect();
        let graph = Graph::new(Node::new(0), edges);
        Self { dominators: Dominators::new(&graph), graph, nodes, blocks }
    }

    fn dominates(&self, a: LBlock, b: LBlock) -> bool {
        self.dominators.dominates(self.nodes[&a], self.nodes[&b])
    }

    fn predecessors(&self, block: LBlock) -> Vec<LBlock> {
        self.graph.predecessors(self.nodes[&block]).iter().map(|node| self.blocks[node.index()]).collect()
    }

    /// The conditions of the edges that dominate a block, the nearest first.
    fn conditions(&self, block: LBlock) -> Vec<Condition> {
        let mut conditions = Vec::new();
        let mut at = self.nodes[&block];
        while let Some(above) = self.dominators.idom(at) {
            // An edge dominates its end if there is no other edge to it.
            if let [from] = self.graph.predecessors(at) {
                conditions.extend(condition_of(self.blocks[from.index()], self.blocks[at.index()]));
            }
            at = above;
        }
        conditions.iter().flat_map(|&condition| parts(condition)).collect()
    }
}

impl HostRanges {
    /// Whether every way to an instruction passes another one of the same function first.
    pub fn comes_first(&self, first: LValue, then: LValue) -> bool {
        let [a, b] = [block_of(first), block_of(then)];
        if a == b {
            return std::iter::successors(first.next_instruction(), |next| next.next_instruction())
                .any(|next| next == then);
        }
        function_of(a) == function_of(b) && self.flow(a).dominates(a, b)
    }

    /// The branches after which a marker may be reached in one way and not in another, each with
    /// its condition.
    pub fn guards(&self, marker: LValue) -> Vec<LValue> {
        let block = block_of(marker);
        let flow = self.flow(block);
        let mut reaching = HashSet::from([block]);
        let mut pending = vec![block];
        while let Some(block) = pending.pop() {
            pending.extend(flow.predecessors(block).into_iter().filter(|before| reaching.insert(*before)));
        }
        let condition = |from: &LBlock| {
            let terminator = from.terminator()?;
            let chooses = matches!(terminator.opcode(), Opcode::LLVMBr | Opcode::LLVMSwitch);
            let successors = if chooses { terminator.successors() } else { Vec::new() };
            let some = successors.iter().any(|to| reaching.contains(to));
            (some && !successors.iter().all(|to| reaching.contains(to)))
                .then(|| terminator.operands().first().copied())
                .flatten()
        };
        flow.blocks.iter().filter_map(condition).collect()
    }

    /// Whether control may come from one block to another of its function, or is there.
    pub fn reaches(&self, from: LBlock, to: LBlock) -> bool {
        let flow = self.flow(from);
        let mut seen = HashSet::from([to]);
        let mut pending = vec![to];
        while let Some(block) = pending.pop() {
            if block == from {
                return true;
            }
            pending.extend(flow.predecessors(block).into_iter().filter(|before| seen.insert(*before)));
        }
        false
    }

    /// The blocks from which control comes to a block: those before it, and those of a loop that
    /// begins with it.
    pub fn edges(&self, block: LBlock) -> (Vec<LBlock>, Vec<LBlock>) {
        let flow = self.flow(block);
        flow.predecessors(block).into_iter().partition(|from| !flow.dominates(block, *from))
    }

    /// The blocks of the loop that begins with a block and has these ends.
    pub fn loop_of(&self, header: LBlock, ends: &[LBlock]) -> HashSet<LBlock> {
        let flow = self.flow(header);
        let mut body = HashSet::from([header]);
        let mut pending = ends.to_vec();
        while let Some(block) = pending.pop() {
            if body.insert(block) {
                pending.extend(flow.predecessors(block));
            }
        }
        body
    }

    /// The blocks of the function of a block, in their order.
    pub fn blocks_of(&self, block: LBlock) -> Vec<LBlock> {
        self.flow(block).blocks.clone()
    }

    /// Whether a value may be computed after an instruction, in one execution of its function.
    pub fn may_follow(&self, instruction: LValue, value: LValue) -> bool {
        if !is_instruction(value) {
            return false;
        }
        let [block, of_value] = [block_of(instruction), block_of(value)];
        let flow = self.flow(of_value);
        let mut seen = HashSet::new();
        // In one block, the value comes first, as the instruction uses it.
        let mut pending = flow.predecessors(of_value);
        while let Some(before) = pending.pop() {
            if before == block {
                return true;
            }
            if seen.insert(before) {
                pending.extend(flow.predecessors(before));
            }
        }
        false
    }
}

/// Whether the function of an instruction may be entered again where it has called `setjmp`.
pub fn may_jump_back(instruction: LValue) -> bool {
    let blocks = function_of(block_of(instruction)).blocks().into_iter();
    blocks.flat_map(LBlock::instructions).filter_map(name_of_called).any(|name| name.contains("setjmp"))
}

/// Whether an instruction is one of `main`, which nothing calls.
pub fn is_in_main(instruction: LValue) -> bool {
    let function = function_of(block_of(instruction));
    function.name() == "main" && function.users().is_empty()
}

/// The condition of an edge.
pub fn condition_of(from: LBlock, to: LBlock) -> Option<Condition> {
    let terminator = from.terminator()?;
    if !matches!(terminator.opcode(), Opcode::LLVMBr) {
        return None;
    }
    let &[then, otherwise] = terminator.successors().as_slice() else { return None };
    // SAFETY: a branch with two successors has a condition.
    let condition = LValue::new(unsafe { c::LLVMGetCondition(terminator.0) })?;
    (then != otherwise).then_some((condition, to == then))
}

/// The comparisons, and other conditions that nothing joins, that hold if a condition does.
pub fn parts((condition, holds): Condition) -> Vec<Condition> {
    let mut found = Vec::new();
    let mut pending = vec![(condition, holds)];
    while let Some((condition, holds)) = pending.pop() {
        if !is_instruction(condition) || found.len() > DEEPEST {
            continue;
        }
        let operands = condition.operands();
        let is = |operand: LValue, value: u64| operand.small_constant() == Some(value);
        match condition.opcode() {
            Opcode::LLVMICmp => found.push((condition, holds)),
            Opcode::LLVMAnd if holds => pending.extend([(operands[0], true), (operands[1], true)]),
            Opcode::LLVMOr if !holds => pending.extend([(operands[0], false), (operands[1], false)]),
            Opcode::LLVMXor if is(operands[1], 1) => pending.push((operands[0], !holds)),
            Opcode::LLVMFreeze => pending.push((operands[0], holds)),
            Opcode::LLVMSelect if holds && is(operands[2], 0) => {
                pending.extend([(operands[0], true), (operands[1], true)]);
            }
            Opcode::LLVMSelect if !holds && is(operands[1], 1) => {
                pending.extend([(operands[0], false), (operands[2], false)]);
            }
            _ => found.push((condition, holds)),
        }
    }
    found
}

/// A comparison of integers that holds: the predicate and the operands.
pub fn comparison((condition, holds): Condition) -> Option<(Predicate, [LValue; 2])> {
    if !is_instruction(condition) || !matches!(condition.opcode(), Opcode::LLVMICmp) {
        return None;
    }
    let &[a, b] = condition.operands().as_slice() else { return None };
    // SAFETY: it is a comparison of integers or pointers.
    let predicate = unsafe { c::LLVMGetICmpPredicate(condition.0) };
    Some((if holds { predicate } else { inverse(predicate) }, [a, b]))
}

fn inverse(predicate: Predicate) -> Predicate {
    match predicate {
        Predicate::LLVMIntEQ => Predicate::LLVMIntNE,
        Predicate::LLVMIntNE => Predicate::LLVMIntEQ,
        Predicate::LLVMIntUGT => Predicate::LLVMIntULE,
        Predicate::LLVMIntUGE => Predicate::LLVMIntULT,
        Predicate::LLVMIntULT => Predicate::LLVMIntUGE,
        Predicate::LLVMIntULE => Predicate::LLVMIntUGT,
        Predicate::LLVMIntSGT => Predicate::LLVMIntSLE,
        Predicate::LLVMIntSGE => Predicate::LLVMIntSLT,
        Predicate::LLVMIntSLT => Predicate::LLVMIntSGE,
        Predicate::LLVMIntSLE => Predicate::LLVMIntSGT,
    }
}

/// The predicate with its operands exchanged.
fn exchanged(predicate: Predicate) -> Predicate {
    match predicate {
        Predicate::LLVMIntUGT => Predicate::LLVMIntULT,
        Predicate::LLVMIntUGE => Predicate::LLVMIntULE,
        Predicate::LLVMIntULT => Predicate::LLVMIntUGT,
        Predicate::LLVMIntULE => Predicate::LLVMIntUGE,
        Predicate::LLVMIntSGT => Predicate::LLVMIntSLT,
        Predicate::LLVMIntSGE => Predicate::LLVMIntSLE,
        Predicate::LLVMIntSLT => Predicate::LLVMIntSGT,
        Predicate::LLVMIntSLE => Predicate::LLVMIntSGE,
        same => same,
    }
}

pub fn is_instruction(value: LValue) -> bool {
    matches!(value.kind(), ValueKind::LLVMInstructionValueKind)
}

/// The block of an instruction.
pub fn block_of(instruction: LValue) -> LBlock {
    // SAFETY: it is an instruction of a block.
    LBlock(unsafe { c::LLVMGetInstructionParent(instruction.0) })
}

fn function_of(block: LBlock) -> LValue {
    // SAFETY: the block belongs to a function.
    LValue(unsafe { c::LLVMGetBasicBlockParent(block.0) })
}

/// The width of an integer of at most 64 bits.
fn width(value: LValue) -> Option<u32> {
    let is_integer = matches!(value.ty().kind(), TypeKind::LLVMIntegerTypeKind);
    is_integer.then(|| value.ty().integer_width()).filter(|width| *width <= 64)
}

/// The ranges of the host's integers.
#[derive(Default)]
pub struct HostRanges {
    flows: RefCell<HashMap<LValue, Rc<Flow>>>,
    /// The ranges that induction supposes of φ-nodes, the last one first.
    supposed: RefCell<Vec<(LValue, HostRange)>>,
    /// The parameters whose calls are being looked at.
    parameters: RefCell<Vec<LValue>>,
    steps: Cell<usize>,
}

impl HostRanges {
    /// The range of a value at the end of a block that it dominates.
    pub fn at(&self, value: LValue, block: LBlock) -> Option<HostRange> {
        let all = HostRange::all(width(value)?);
        self.steps.set(MOST_STEPS);
        let range = self.range(value, &self.context(block), DEEPEST);
        // Code that is never reached launches nothing.
        Some(if range.is_empty() { all } else { range })
    }

    /// The comparisons that hold in a block.
    pub fn conditions(&self, block: LBlock) -> Vec<Condition> {
        self.flow(block).conditions(block)
    }

    fn flow(&self, block: LBlock) -> Rc<Flow> {
        let function = function_of(block);
        let mut flows = self.flows.borrow_mut();
        flows.entry(function).or_insert_with(|| Rc::new(Flow::of(function))).clone()
    }

    fn context(&self, block: LBlock) -> Context {
        Context { conditions: self.conditions(block) }
    }

    fn range(&self, value: LValue, context: &Context, depth: usize) -> HostRange {
        let Some(width) = width(value) else { return HostRange::all(64) };
        let all = HostRange::all(width);
        if let Some(constant) = value.small_constant() {
            return HostRange::exactly(signed(constant, width));
        }
        let left = self.steps.get();
        if left == 0 || depth == 0 {
            return all;
        }
        self.steps.set(left - 1);
        let supposed = self.supposed.borrow().iter().rev().find(|(phi, _)| *phi == value).map(|(_, range)| *range);
        let computed = supposed.unwrap_or_else(|| match value.kind() {
            ValueKind::LLVMInstructionValueKind => self.computed(value, width, context, depth),
            ValueKind::LLVMArgumentValueKind => self.parameter(value, depth),
            _ => all,
        });
        self.refined(value, computed.and(&all), context, depth)
    }

    /// A range, restricted to what the conditions of a context say of the value.
    fn refined(&self, value: LValue, mut range: HostRange, context: &Context, depth: usize) -> HostRange {
        // Some conditions say something only of a number that is known not to be negative.
        let (first, again) = (&context.conditions, &context.conditions);
        for &condition in first.iter().chain(again) {
            let Some((predicate, [a, b])) = comparison(condition) else { continue };
            for (predicate, of, bound) in [(predicate, a, b), (exchanged(predicate), b, a)] {
                if width(of) == width(value) {
                    range = self.restricted(value, range, (predicate, of, bound), context, depth);
                } else if is_instruction(of) && of.operands().first() == Some(&value) {
                    range = self.restricted_by_widened(range, (predicate, of, bound), context, depth);
                }
            }
        }
        range
    }

    /// The numbers of a range of which a comparison of `of`, computed from the value, holds.
    fn restricted(
        &self,
        value: LValue,
        range: HostRange,
        (predicate, of, bound): (Predicate, LValue, LValue),
        context: &Context,
        depth: usize,
    ) -> HostRange {
        let Some(width) = width(value) else { return range };
        if of == value {
            if bound == value {
                return range;
            }
            let bound = self.range(bound, context, depth.min(NEARBY) - 1);
            return compared(range, predicate, &bound);
        }
        if !is_instruction(of) {
            return range;
        }
        let operands = of.operands();
        let is_zero = matches!(predicate, Predicate::LLVMIntEQ) && bound.small_constant() == Some(0);
        if is_zero && matches!(of.opcode(), Opcode::LLVMAnd) && clears_lowest_bit(value, &operands, width) {
            return HostRange { is_power: range.is_power || range.low >= 0, ..range };
        }
        if operands.first() != Some(&value) && !matches!(of.opcode(), Opcode::LLVMCall) {
            return range;
        }
        let constants = (operands.get(1).and_then(|by| by.small_constant()), bound.small_constant());
        match (of.opcode(), predicate, constants) {
            (Opcode::LLVMAdd, _, (Some(added), Some(_))) => {
                let added = signed(added, width);
                let number = HostRange::exactly(signed(bound.small_constant().unwrap_or(0), width));
                let sum = compared(HostRange::all(width), predicate, &number);
                moved_back(range, sum, added, width)
            }
            (Opcode::LLVMAnd, Predicate::LLVMIntEQ, (Some(mask), Some(rest)))
                if mask.count_ones() == mask.trailing_ones() =>
            {
                range.and(&multiple(i128::from(mask) + 1, i128::from(rest)))
            }
            (Opcode::LLVMURem | Opcode::LLVMSRem, Predicate::LLVMIntEQ, (Some(modulus), Some(0)))
                if signed(modulus, width) > 0 && (range.low >= 0 || matches!(of.opcode(), Opcode::LLVMSRem)) =>
            {
                range.and(&multiple(i128::from(modulus), 0))
            }
            (Opcode::LLVMCall, Predicate::LLVMIntULT, (_, Some(2))) if counts_bits(of, value) => {
                HostRange { is_power: true, ..range }
            }
            _ => range,
        }
    }

    /// The same for a comparison of the value in a wider type.
    fn restricted_by_widened(
        &self,
        range: HostRange,
        (predicate, of, bound): (Predicate, LValue, LValue),
        context: &Context,
        depth: usize,
    ) -> HostRange {
        let keeps =
            matches!(of.opcode(), Opcode::LLVMSExt) || matches!(of.opcode(), Opcode::LLVMZExt) && range.low >= 0;
        if width(of).is_none() || !keeps || depth < 2 || bound == of {
            return range;
        }
        let bound = self.range(bound, context, depth.min(NEARBY) - 1);
        compared(range, predicate, &bound)
    }

    fn parameter(&self, parameter: LValue, depth: usize) -> HostRange {
        let all = HostRange::all(width(parameter).unwrap_or(64));
        let Some(function) = parameter.function_of_parameter() else { return all };
        let is_internal = function.is_internal();
        let Some(index) = function.parameters().iter().position(|&one| one == parameter) else { return all };
        let calls = function.users();
        let passed = |call: &LValue| {
            let is_call = is_instruction(*call)
                && matches!(call.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
                && call.called() == Some(function);
            let arguments = if is_call { call.call_arguments() } else { Vec::new() };
            (!arguments.contains(&function)).then(|| arguments.get(index).copied())?
        };
        let passed: Option<Vec<(LValue, LBlock)>> =
            calls.iter().map(|call| Some((passed(call)?, block_of(*call)))).collect();
        let Some(passed) = passed.filter(|passed| is_internal && !passed.is_empty()) else { return all };
        if self.parameters.borrow().contains(&parameter) {
            return all;
        }
        self.parameters.borrow_mut().push(parameter);
        // Suppositions about φ-nodes hold in their own function.
        let supposed = self.supposed.take();
        let ranges = passed.iter().map(|&(value, block)| self.range(value, &self.context(block), depth - 1));
        let range = ranges.reduce(|a, b| a.or(&b)).unwrap_or(all);
        self.supposed.replace(supposed);
        self.parameters.borrow_mut().pop();
        range
    }

    fn computed(&self, value: LValue, width: u32, context: &Context, depth: usize) -> HostRange {
        let all = HostRange::all(width);
        let operands = value.operands();
        let operand = |index: usize| operands.get(index).map_or(all, |&of| self.range(of, context, depth - 1));
        match value.opcode() {
            Opcode::LLVMPHI => self.chosen(value, depth),
            Opcode::LLVMSelect => {
                let choice = |index: usize, holds: bool| {
                    let conditions = parts((operands[0], holds)).into_iter().chain(context.conditions.iter().copied());
                    self.range(operands[index], &Context { conditions: conditions.collect() }, depth - 1)
                };
                choice(1, true).or(&choice(2, false))
            }
            Opcode::LLVMFreeze => operand(0),
            Opcode::LLVMSExt => {
                let range = operand(0);
                // The lowest number has one bit, and more in a wider type.
                HostRange { is_power: range.is_power && range.low >= 0, ..range }
            }
            Opcode::LLVMZExt => zero_extended(operand(0), operands[0].ty().integer_width()),
            Opcode::LLVMTrunc => {
                let range = operand(0);
                let fits = all.low <= range.low && range.high <= all.high;
                if fits { range } else { HostRange { is_power: range.is_power, ..low_bits(&range, all) } }
            }
            Opcode::LLVMCall => self.called(value, all, context, depth),
            opcode => arithmetic(opcode, value, [operand(0), operand(1)], width),
        }
    }

    /// The range of the result of one of LLVM's functions.
    fn called(&self, call: LValue, all: HostRange, context: &Context, depth: usize) -> HostRange {
        let Some(name) = name_of_called(call) else { return all };
        let arguments = call.call_arguments();
        let argument = |index: usize| arguments.get(index).map_or(all, |&of| self.range(of, context, depth - 1));
        let short = name.strip_prefix("llvm.").and_then(|name| name.split('.').next());
        let is_unsigned = |range: &HostRange| range.low >= 0;
        let joined = |low: i128, high: i128, a: HostRange, b: HostRange| HostRange { low, high, ..a.or(&b) };
        match short {
            Some("smin" | "umin" | "smax" | "umax") => {
                let (a, b) = (argument(0), argument(1));
                let is_least = matches!(short, Some("smin" | "umin"));
                let not_negative = [&a, &b].into_iter().filter(|range| is_unsigned(range));
                if let (Some("umin"), Some(high)) = (short, not_negative.map(|range| range.high).min())
                    && !(is_unsigned(&a) && is_unsigned(&b))
                {
                    // A negative number is greater than all others as an unsigned one.
                    return HostRange::between(0, high);
                }
                if matches!(short, Some("umin" | "umax")) && !(is_unsigned(&a) && is_unsigned(&b)) {
                    return all;
                }
                if is_least {
                    joined(a.low.min(b.low), a.high.min(b.high), a, b)
                } else {
                    joined(a.low.max(b.low), a.high.max(b.high), a, b)
                }
            }
            Some("abs") => {
                let a = argument(0);
                let high = a.high.max(-a.low).min(all.high);
                if a.low >= 0 { a } else { HostRange::between(if a.low > all.low { 0 } else { all.low }, high) }
            }
            Some("ctpop" | "ctlz" | "cttz") => HostRange::between(0, 64.min(all.high)),
            _ => all,
        }
    }

    // --- φ-nodes ---------------------------------------------------------------------------------

    fn chosen(&self, phi: LValue, depth: usize) -> HostRange {
        let block = block_of(phi);
        let flow = self.flow(block);
        let edges: Vec<(LValue, LBlock)> =
            flow.predecessors(block).into_iter().filter_map(|from| Some((phi.incoming(from)?, from))).collect();
        let (back, first): (Vec<_>, Vec<_>) = edges.into_iter().partition(|(_, from)| flow.dominates(block, *from));
        let along = |(value, from): &(LValue, LBlock)| {
            let conditions = condition_of(*from, block).into_iter().flat_map(parts).chain(flow.conditions(*from));
            self.range(*value, &Context { conditions: conditions.collect() }, depth - 1)
        };
        let first = first.iter().map(along).reduce(|a, b| a.or(&b));
        let all = HostRange::all(width(phi).unwrap_or(64));
        let Some(first) = first else { return all };
        if back.is_empty() {
            return first;
        }
        // The values that come round if the first ones do: those that options give, say.
        self.supposed.borrow_mut().push((phi, first));
        let once = back.iter().map(along).fold(first, |a, b| a.or(&b));
        self.supposed.borrow_mut().pop();
        let mut known = all;
        let bounds = [HostRange { low: once.low, ..all }, HostRange { high: once.high, ..all }];
        for candidate in candidates(phi, &first, &back, all).into_iter().chain(bounds) {
            let supposed = known.and(&candidate);
            if !first.within(&candidate) {
                continue;
            }
            self.supposed.borrow_mut().push((phi, supposed));
            let is_kept = back.iter().map(along).all(|next| next.within(&candidate));
            self.supposed.borrow_mut().pop();
            if is_kept {
                known = supposed;
            }
        }
        known
    }
}

/// The properties that a φ-node of a loop may have in all iterations.
fn candidates(phi: LValue, first: &HostRange, back: &[(LValue, LBlock)], all: HostRange) -> Vec<HostRange> {
    let mut candidates = vec![
        HostRange { low: first.low, ..all },
        // A number that is halved until it is 0.
        HostRange { low: 0, ..all },
        HostRange { high: first.high, ..all },
        HostRange { is_power: first.is_power, ..all },
    ];
    let step = |value: &LValue| {
        let operands = value.operands();
        let is_sum = is_instruction(*value)
            && matches!(value.opcode(), Opcode::LLVMAdd | Opcode::LLVMSub)
            && operands.first() == Some(&phi);
        let by = if is_sum { operands.get(1)?.small_constant() } else { None };
        by.map(|by| signed(by, width(phi).unwrap_or(64)))
    };
    let steps: Option<Vec<i128>> = back.iter().map(|(value, _)| step(value)).collect();
    if let Some(steps) = steps {
        let modulus = steps.iter().fold(first.modulus, |modulus, step| gcd(modulus, *step));
        if modulus > 1 {
            candidates.push(HostRange { modulus, remainder: first.remainder.rem_euclid(modulus), ..all });
        }
    }
    candidates
}

/// The conditions under which a range is asked for.
#[derive(Default)]
struct Context {
    conditions: Vec<Condition>,
}

/// The number that a word of a width is, as a signed one.
fn signed(word: u64, width: u32) -> i128 {
    let unused = 64 - width.min(64);
    i128::from((word << unused).cast_signed() >> unused)
}

/// The numbers that leave a remainder.
fn multiple(modulus: i128, remainder: i128) -> HostRange {
    let (modulus, remainder) = if modulus > MOST_MODULUS { (1, 0) } else { (modulus, remainder) };
    HostRange { modulus, remainder, ..HostRange::between(i128::MIN / 4, i128::MAX / 4) }
}

/// Whether these operands of a conjunction are a value and that value less 1. For a value that is
/// not negative the difference may differ in its sign.
fn clears_lowest_bit(value: LValue, operands: &[LValue], width: u32) -> bool {
    let is_less_one = |operand: LValue| {
        let parts = if is_instruction(operand) { operand.operands() } else { Vec::new() };
        let by = parts.get(1).and_then(|by| by.small_constant()).map(|by| signed(by, width));
        let is_one = by.is_some_and(|by| by == -1 || by == HostRange::all(width).high);
        is_one && matches!(operand.opcode(), Opcode::LLVMAdd) && parts.first() == Some(&value)
    };
    matches!(operands, &[a, b] if a == value && is_less_one(b) || b == value && is_less_one(a))
}

fn counts_bits(call: LValue, of: LValue) -> bool {
    name_of_called(call).is_some_and(|name| name.starts_with("llvm.ctpop"))
        && call.call_arguments().first() == Some(&of)
}

/// The numbers of a range that compare with some number of another one.
fn compared(range: HostRange, predicate: Predicate, bound: &HostRange) -> HostRange {
    let HostRange { mut low, mut high, .. } = range;
    let below = |high: &mut i128, most: i128| *high = (*high).min(most);
    let above = |low: &mut i128, least: i128| *low = (*low).max(least);
    // Unsigned numbers are compared as signed ones are if the bound is not negative: a number below
    // it is not negative either. A number above it may be, as a signed one.
    match predicate {
        Predicate::LLVMIntEQ => return range.and(bound),
        Predicate::LLVMIntNE => {
            if let Some(not) = bound.number() {
                low += i128::from(low == not);
                high -= i128::from(high == not);
            }
        }
        Predicate::LLVMIntSLT => below(&mut high, bound.high - 1),
        Predicate::LLVMIntSLE => below(&mut high, bound.high),
        Predicate::LLVMIntSGT => above(&mut low, bound.low + 1),
        Predicate::LLVMIntSGE => above(&mut low, bound.low),
        Predicate::LLVMIntULT | Predicate::LLVMIntULE if bound.low >= 0 => {
            above(&mut low, 0);
            below(&mut high, bound.high - i128::from(matches!(predicate, Predicate::LLVMIntULT)));
        }
        Predicate::LLVMIntUGT | Predicate::LLVMIntUGE if bound.low >= 0 && range.low >= 0 => {
            above(&mut low, bound.low + i128::from(matches!(predicate, Predicate::LLVMIntUGT)));
        }
        // The greatest unsigned numbers are the negative ones.
        Predicate::LLVMIntUGT | Predicate::LLVMIntUGE if bound.high < 0 => {
            above(&mut low, bound.low + i128::from(matches!(predicate, Predicate::LLVMIntUGT)));
            below(&mut high, -1);
        }
        _ => {}
    }
    HostRange { low, high, ..range }
}

/// The numbers of a range whose sum with `added`, as a number of this width, is in another range.
fn moved_back(range: HostRange, sum: HostRange, added: i128, width: u32) -> HostRange {
    let all = HostRange::all(width);
    let (low, high) = (sum.low - added, sum.high - added);
    // Some sums that wrap around are at the one end of the numbers, and some at the other.
    if low < all.low || high > all.high { range } else { range.and(&HostRange::between(low, high)) }
}

fn zero_extended(range: HostRange, width: u32) -> HostRange {
    if range.low >= 0 {
        return range;
    }
    let high = (1_i128 << width.min(64)) - 1;
    HostRange { is_power: range.is_power, ..HostRange::between(0, high) }
}

/// The remainder of a number's low bits: that of a modulus that is a power of two.
fn low_bits(range: &HostRange, all: HostRange) -> HostRange {
    let modulus = gcd(range.modulus, all.high + 1);
    if range.modulus > 1 { HostRange { modulus, remainder: range.remainder.rem_euclid(modulus), ..all } } else { all }
}

/// The range of the result of an operation on two integers.
fn arithmetic(opcode: Opcode, value: LValue, [a, b]: [HostRange; 2], width: u32) -> HostRange {
    let all = HostRange::all(width);
    if a.is_empty() || b.is_empty() {
        return all;
    }
    let by = b.number();
    match opcode {
        Opcode::LLVMAdd => wrapped(value, a.low + b.low, a.high + b.high, residue(&a, &b, |x, y| x + y), all),
        Opcode::LLVMSub => wrapped(value, a.low - b.high, a.high - b.low, residue(&a, &b, |x, y| x - y), all),
        Opcode::LLVMMul => product(value, &a, &b, all),
        Opcode::LLVMShl => match by {
            Some(by @ 0..=62) => {
                let product = product(value, &a, &HostRange::exactly(1 << by), all);
                HostRange { is_power: a.is_power, ..product }
            }
            _ => HostRange { is_power: a.is_power, ..all },
        },
        Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMLShr | Opcode::LLVMAShr if a.low >= 0 => {
            let is_shift = matches!(opcode, Opcode::LLVMLShr | Opcode::LLVMAShr);
            if b.low < 0 {
                return HostRange::between(if is_shift { 0 } else { -a.high }, a.high);
            }
            let divisor = |by: i128| if is_shift { 1 << by.clamp(0, 64) } else { by.max(1) };
            let is_power = a.is_power && (is_shift || b.is_power);
            HostRange { is_power, ..HostRange::between(a.low / divisor(b.high), a.high / divisor(b.low)) }
        }
        Opcode::LLVMSDiv | Opcode::LLVMAShr => match by {
            Some(by) if matches!(opcode, Opcode::LLVMSDiv) && by > 0 => HostRange::between(a.low / by, a.high / by),
            Some(by @ 0..=63) if matches!(opcode, Opcode::LLVMAShr) => HostRange::between(a.low >> by, a.high >> by),
            _ => all,
        },
        Opcode::LLVMURem | Opcode::LLVMSRem if a.low >= 0 && b.low > 0 => HostRange::between(0, a.high.min(b.high - 1)),
        Opcode::LLVMURem if b.low > 0 => HostRange::between(0, b.high - 1),
        // A mask of the high bits rounds down.
        Opcode::LLVMAnd if by.is_some_and(|mask| rounds_down(&a, mask)) => {
            let mask = by.unwrap_or(-1);
            let modulus = mask & -mask;
            let down = |number: i128| number.div_euclid(modulus) * modulus;
            HostRange { is_power: a.is_power, ..HostRange::between(down(a.low), down(a.high)) }
                .and(&multiple(modulus, 0))
        }
        Opcode::LLVMOr if by.is_some_and(|bits| bits >= 0 && has_no_bits_of(&a, bits)) => {
            HostRange { is_power: false, ..sum_of_bits(&a, by.unwrap_or(0)) }
        }
        Opcode::LLVMAnd => {
            let least = match (a.low >= 0, b.low >= 0) {
                (true, true) => a.high.min(b.high),
                (true, false) => a.high,
                (false, true) => b.high,
                (false, false) => return HostRange { is_power: a.is_power || b.is_power, ..all },
            };
            HostRange { is_power: a.is_power || b.is_power, ..HostRange::between(0, least) }
        }
        Opcode::LLVMOr | Opcode::LLVMXor if a.low >= 0 && b.low >= 0 => {
            let bits = 128 - a.high.max(b.high).leading_zeros();
            HostRange::between(0, (1 << bits) - 1)
        }
        _ => all,
    }
}

/// Whether a mask clears the low bits of the numbers of a range, and nothing else.
fn rounds_down(range: &HostRange, mask: i128) -> bool {
    let lowest = mask & -mask;
    let above = mask + lowest;
    // All bits from the lowest one on are set: of a negative mask without an end, otherwise up to a
    // power of two that is greater than every number.
    mask != 0 && (above == 0 || above > 0 && above.count_ones() == 1 && range.low >= 0 && range.high < above)
}

/// Whether no number of a range has a bit in common with these, by its remainder.
fn has_no_bits_of(range: &HostRange, bits: i128) -> bool {
    let below = 1_i128 << (128 - bits.leading_zeros());
    range.modulus > 1 && range.modulus % below == 0 && range.remainder & bits == 0
}

/// The numbers of a range with these bits set, which none of them has.
fn sum_of_bits(range: &HostRange, bits: i128) -> HostRange {
    let remainder = (range.remainder + bits).rem_euclid(range.modulus);
    HostRange { low: range.low + bits, high: range.high + bits, remainder, ..*range }
}

/// The modulus and the remainder of a sum or a difference.
fn residue(a: &HostRange, b: &HostRange, combine: impl Fn(i128, i128) -> i128) -> (i128, i128) {
    let modulus = gcd(a.modulus, b.modulus);
    let rest = combine(a.remainder, b.remainder);
    (modulus, if modulus == 0 { rest } else { rest.rem_euclid(modulus) })
}

/// The product, whose factors' moduli multiply where a remainder is 0.
fn product(value: LValue, a: &HostRange, b: &HostRange, all: HostRange) -> HostRange {
    let ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
    let (low, high) = ends.iter().fold((ends[0], ends[0]), |(low, high), &end| (low.min(end), high.max(end)));
    let residue = match (a.number(), b.number()) {
        (Some(a), Some(b)) => (0, a * b),
        (Some(by), _) => (by * b.modulus, by * b.remainder),
        (_, Some(by)) => (by * a.modulus, by * a.remainder),
        (None, None) => {
            let factor = |range: &HostRange| if range.remainder == 0 { range.modulus } else { 1 };
            (factor(a) * factor(b), 0)
        }
    };
    let modulus = if residue.0.abs() > MOST_MODULUS { 1 } else { residue.0.abs() };
    let rest = if modulus == 0 { residue.1 } else { residue.1.rem_euclid(modulus) };
    let power = a.is_power && b.is_power;
    HostRange { is_power: power, ..wrapped(value, low, high, (modulus, rest), all) }
}

/// The range of a result that lies between two numbers, or wraps around if it may.
fn wrapped(value: LValue, low: i128, high: i128, (modulus, remainder): (i128, i128), all: HostRange) -> HostRange {
    // SAFETY: additions, subtractions, multiplications and shifts have the flag.
    let is_exact = unsafe { c::LLVMGetNSW(value.0) } != 0;
    let fits = all.low <= low && high <= all.high;
    if fits || is_exact {
        let range = HostRange { modulus, remainder, ..HostRange::between(low.max(all.low), high.min(all.high)) };
        return if range.number().is_some() { HostRange::exactly(range.low) } else { range };
    }
    let kept = gcd(modulus, all.high + 1);
    if modulus > 1 { HostRange { modulus: kept, remainder: remainder.rem_euclid(kept), ..all } } else { all }
}
