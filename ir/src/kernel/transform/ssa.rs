//! Restores SSA form where a value has several definitions.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::EntityRef;

use crate::cfg::{Dominators, Graph};
use crate::kernel::{Block, Kernel, Value};

/// The graph for which SSA form is restored. Adding block parameters does not change it, so one
/// shape serves many variables.
pub struct Shape {
    pub graph: Graph<Block>,
    pub dominators: Dominators<Block>,
    /// Computed on first use: the frontiers may be of quadratic size.
    frontiers: OnceCell<Vec<Vec<Block>>>,
}

impl Shape {
    /// The shape of a kernel without unreachable blocks.
    pub fn new(graph: Graph<Block>) -> Self {
        let dominators = Dominators::new(&graph);
        Self { graph, dominators, frontiers: OnceCell::new() }
    }

    /// The blocks where different definitions may meet: the iterated dominance frontier.
    fn joins(&self, definitions: impl Iterator<Item = Block>) -> BTreeSet<Block> {
        let mut work: Vec<Block> = definitions.collect();
        let mut joins = BTreeSet::new();
        let frontiers = self.frontiers.get_or_init(|| self.dominators.frontiers(&self.graph));
        while let Some(block) = work.pop() {
            for &join in &frontiers[block.index()] {
                if joins.insert(join) {
                    work.push(join);
                }
            }
        }
        joins
    }
}

/// A value that stands for a variable with several definitions.
pub struct Variable {
    /// The value that the uses name.
    pub original: Value,
    /// The value that holds the variable from each of these blocks on. A block has at most one
    /// definition, before its uses there.
    pub definitions: BTreeMap<Block, Value>,
    /// Blocks where the variable must pass through a parameter if it is used from there on.
    pub passages: BTreeSet<Block>,
}

/// Replaces the uses of the variable in these blocks by the reaching definition. New block
/// parameters merge several reaching definitions. Every path to a use passes a definition.
///
/// Parameters are made only where a use needs them; a block without a definition or a join has the
/// variable of its immediate dominator.
pub fn reconstruct(kernel: &mut Kernel, shape: &Shape, variable: &Variable, blocks: &BTreeSet<Block>) {
    let definitions = variable.definitions.keys().chain(&variable.passages).copied();
    let mut joins = shape.joins(definitions);
    joins.extend(&variable.passages);
    let mut reaching = Reaching::new(shape, joins, variable);
    for &block in blocks {
        let replacement = reaching.value_in(kernel, block);
        if replacement != variable.original {
            replace_in_block(kernel, block, variable.original, replacement);
        }
    }
    reaching.complete(kernel);
}

/// Replaces the uses of the variable in these blocks by the definition that reaches the block's
/// beginning, even where the block has a definition of its own. For the rest see [`reconstruct`].
pub fn reconstruct_at_start(kernel: &mut Kernel, shape: &Shape, variable: &Variable, blocks: &BTreeSet<Block>) {
    let joins = shape.joins(variable.definitions.keys().copied());
    let mut reaching = Reaching::new(shape, joins, variable);
    for &block in blocks {
        let replacement = reaching.value_before(kernel, block);
        replace_in_block(kernel, block, variable.original, replacement);
    }
    reaching.complete(kernel);
}

struct Reaching<'a> {
    shape: &'a Shape,
    joins: BTreeSet<Block>,
    original: Value,
    /// The value that holds the variable at the end of a block that defines it.
    definitions: BTreeMap<Block, Value>,
    /// The new parameters.
    parameters: BTreeMap<Block, Value>,
    /// Blocks whose new parameter has no arguments yet.
    pending: Vec<Block>,
}

impl<'a> Reaching<'a> {
    fn new(shape: &'a Shape, joins: BTreeSet<Block>, variable: &Variable) -> Self {
        let (original, definitions) = (variable.original, variable.definitions.clone());
        Self { shape, joins, original, definitions, parameters: BTreeMap::new(), pending: Vec::new() }
    }

    /// The value that holds the variable at the end of a block.
    fn value_in(&mut self, kernel: &mut Kernel, block: Block) -> Value {
        match self.definitions.get(&block) {
            Some(&value) => value,
            None => self.value_before(kernel, block),
        }
    }

    /// The value that holds the variable at the beginning of a block.
    fn value_before(&mut self, kernel: &mut Kernel, block: Block) -> Value {
        let mut current = block;
        loop {
            if self.joins.contains(&current) {
                if let Some(&parameter) = self.parameters.get(&current) {
                    return parameter;
                }
                let data = &kernel.values[self.original];
                let (ty, name) = (data.ty, data.name.clone());
                let parameter = kernel.add_parameter(current, ty, name);
                self.parameters.insert(current, parameter);
                self.pending.push(current);
                return parameter;
            }
            current = self.shape.dominators.idom(current).expect("every path to a use passes a definition");
            if let Some(&value) = self.definitions.get(&current) {
                return value;
            }
        }
    }

    fn complete(&mut self, kernel: &mut Kernel) {
        while let Some(join) = self.pending.pop() {
            for &predecessor in self.shape.graph.predecessors(join) {
                let argument = self.value_in(kernel, predecessor);
                for target in kernel.blocks[predecessor].terminator.targets_mut() {
                    if target.block == join {
                        target.arguments.push(argument);
                    }
                }
            }
        }
    }
}

fn replace_in_block(kernel: &mut Kernel, block: Block, original: Value, replacement: Value) {
    let replace = |value: &mut Value| {
        if *value == original {
            *value = replacement;
        }
    };
    let data = &mut kernel.blocks[block];
    for &instruction in &data.instructions {
        kernel.instructions[instruction].operation.for_each_operand_mut(replace);
    }
    data.terminator.for_each_operand_mut(replace);
}

/// The blocks that use a value, for each value that is used outside its own block.
pub fn uses_elsewhere(kernel: &Kernel, home: impl Fn(Value) -> Block) -> BTreeMap<Value, BTreeSet<Block>> {
    let mut uses: BTreeMap<Value, BTreeSet<Block>> = BTreeMap::new();
    for (block, data) in &kernel.blocks {
        let mut visit = |value: Value| {
            if home(value) != block {
                uses.entry(value).or_default().insert(block);
            }
        };
        for &instruction in &data.instructions {
            kernel.instructions[instruction].operation.for_each_operand(&mut visit);
        }
        data.terminator.for_each_operand(&mut visit);
    }
    uses
}
