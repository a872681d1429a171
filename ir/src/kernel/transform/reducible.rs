//! Makes irreducible graphs reducible by node splitting.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::EntityRef;

use super::prune;
use super::ssa::{Shape, Variable, reconstruct, uses_elsewhere};
use crate::cfg::{self, Graph};
use crate::kernel::{Block, Definition, InstructionData, Kernel, Value};
use crate::source::Location;

/// The maximum number of copied instructions and blocks. Splitting is exponential in the worst
/// case; graphs from compilers need a handful of copies.
const LIMIT: usize = 2_000;

/// A loop has several entries, and making one of them the only entry would take too many copies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{place}: control flow enters a loop in the middle, and untangling it takes more than {limit} copied instructions"
)]
pub struct Irreducible {
    /// The place where the loop is entered.
    pub location: Option<Location>,
    /// The same in words: `a.cl:3:5`, or the block.
    pub place: String,
    /// The limit.
    pub limit: usize,
}

/// The kernel without unreachable blocks, with a reducible graph.
///
/// A cycle with several entries keeps one of them. The blocks that the other entries lead to, up to
/// the kept one, are copied, and edges from outside go to the copies. Copied instructions keep
/// their locations; a copied barrier or access is the same one in the source.
pub fn make_reducible(kernel: Kernel) -> Result<Kernel, Irreducible> {
    let mut kernel = prune(kernel);
    let mut copied = 0;
    // Reports the first irreducible cycle: later ones may consist of copies.
    let mut refusal = None;
    while let Some(cycle) = tangled_cycle(&cfg::graph(&kernel)) {
        let graph = cfg::graph(&kernel);
        let refusal = refusal.get_or_insert_with(|| too_large(&kernel, &graph, &cycle));
        let (_, copies) = cycle
            .entries
            .iter()
            .map(|&header| copies_for(&kernel, &graph, &cycle, header))
            .min_by_key(|(cost, _)| *cost)
            .expect("a tangled cycle has entries");
        copied += cost(&kernel, &copies);
        if copied > LIMIT {
            return Err(refusal.clone());
        }
        split(&mut kernel, &cycle, &copies);
        kernel = prune(kernel);
    }
    Ok(kernel)
}

fn too_large(kernel: &Kernel, graph: &Graph<Block>, cycle: &Cycle) -> Irreducible {
    let entry = cycle.entries[0];
    let location = kernel.blocks[entry]
        .instructions
        .iter()
        .find_map(|&instruction| kernel.instructions[instruction].location)
        .or(kernel.blocks[entry].location)
        .or(graph.predecessors(entry).iter().find_map(|&from| kernel.blocks[from].location));
    let place = location.map_or_else(
        || format!("{entry} of {}", kernel.name),
        |location| {
            let data = &kernel.locations[location];
            format!("{}:{}:{}", kernel.files[data.file], data.line, data.column)
        },
    );
    Irreducible { location, place, limit: LIMIT }
}

/// A strongly connected part of the graph, without the headers around it, that is entered at
/// several blocks.
struct Cycle {
    members: BTreeSet<Block>,
    /// At least two.
    entries: Vec<Block>,
}

/// Searches the nest of strongly connected components: the entry of each is removed and the rest
/// searched again. The graph is reducible if and only if every component has one entry.
fn tangled_cycle(graph: &Graph<Block>) -> Option<Cycle> {
    let mut regions: Vec<BTreeSet<Block>> = vec![graph.reverse_postorder().iter().copied().collect()];
    while let Some(region) = regions.pop() {
        for members in components(graph, &region) {
            let entered = |block: Block| {
                block == graph.entry() || graph.predecessors(block).iter().any(|from| !members.contains(from))
            };
            let entries: Vec<Block> = members.iter().copied().filter(|&block| entered(block)).collect();
            if let [header] = entries[..] {
                let mut rest = members;
                rest.remove(&header);
                regions.push(rest);
            } else {
                return Some(Cycle { members, entries });
            }
        }
    }
    None
}

/// The strongly connected components of a region that have more than one block (Kosaraju's
/// algorithm). A block that leads to itself needs no care: every edge into it enters its header.
fn components(graph: &Graph<Block>, region: &BTreeSet<Block>) -> Vec<BTreeSet<Block>> {
    let mut finished = Vec::new();
    let mut visited = vec![false; graph.len()];
    for &root in region {
        let mut stack = vec![(root, 0)];
        if std::mem::replace(&mut visited[root.index()], true) {
            continue;
        }
        while let Some((block, next)) = stack.last_mut() {
            if let Some(&successor) = graph.successors(*block).get(*next) {
                *next += 1;
                if region.contains(&successor) && !std::mem::replace(&mut visited[successor.index()], true) {
                    stack.push((successor, 0));
                }
            } else {
                finished.push(*block);
                stack.pop();
            }
        }
    }
    let mut components = Vec::new();
    let mut taken = vec![false; graph.len()];
    while let Some(root) = finished.pop() {
        let mut members = BTreeSet::new();
        let mut work = vec![root];
        while let Some(block) = work.pop() {
            if region.contains(&block) && !std::mem::replace(&mut taken[block.index()], true) {
                members.insert(block);
                work.extend_from_slice(graph.predecessors(block));
            }
        }
        if members.len() > 1 {
            components.push(members);
        }
    }
    components
}

/// The blocks to copy, with their cost, to make `header` the only entry. They are the blocks that
/// the other entries lead to within the cycle without passing the header.
fn copies_for(kernel: &Kernel, graph: &Graph<Block>, cycle: &Cycle, header: Block) -> (usize, BTreeSet<Block>) {
    let mut copies = BTreeSet::new();
    let mut work: Vec<Block> = cycle.entries.iter().copied().filter(|&entry| entry != header).collect();
    while let Some(block) = work.pop() {
        if block != header && cycle.members.contains(&block) && copies.insert(block) {
            work.extend_from_slice(graph.successors(block));
        }
    }
    (cost(kernel, &copies), copies)
}

fn cost(kernel: &Kernel, copies: &BTreeSet<Block>) -> usize {
    copies.iter().map(|&block| 1 + kernel.blocks[block].instructions.len()).sum()
}

/// Copies the blocks, leads the edges from outside the cycle to the copies, and restores SSA form.
fn split(kernel: &mut Kernel, cycle: &Cycle, originals: &BTreeSet<Block>) {
    let outside: Vec<Block> = kernel.blocks.keys().filter(|block| !cycle.members.contains(block)).collect();
    let mut copy_of = BTreeMap::new();
    for &block in originals {
        copy_of.insert(block, kernel.add_block());
    }
    let mut variables = BTreeMap::new();
    for (&block, &copy) in &copy_of {
        for (value, new) in copy_block(kernel, block, copy) {
            let definitions = BTreeMap::from([(block, value), (copy, new)]);
            variables.insert(value, Variable { original: value, definitions, passages: BTreeSet::new() });
        }
    }
    for block in outside.into_iter().chain(copy_of.values().copied()) {
        for target in kernel.blocks[block].terminator.targets_mut() {
            if let Some(&copy) = copy_of.get(&target.block) {
                target.block = copy;
            }
        }
    }

    let blocks = kernel.instruction_blocks();
    let uses = uses_elsewhere(kernel, |value| match kernel.values[value].definition {
        Definition::Result(instruction) => blocks[instruction].expect("a used value's instruction stands in a block"),
        Definition::Parameter(block, _) => block,
    });
    if !uses.keys().any(|value| variables.contains_key(value)) {
        return;
    }
    let shape = Shape::new(cfg::graph(kernel));
    for (value, mut users) in uses {
        if let Some(variable) = variables.get_mut(&value) {
            users.retain(|&user| shape.graph.is_reachable(user));
            variable.definitions.retain(|&block, _| shape.graph.is_reachable(block));
            reconstruct(kernel, &shape, variable, &users);
        }
    }
}

/// Fills `copy` with a copy of `block`. Returns the values that the block defines, each with its
/// copy.
fn copy_block(kernel: &mut Kernel, block: Block, copy: Block) -> Vec<(Value, Value)> {
    let data = kernel.blocks[block].clone();
    let mut values = BTreeMap::new();
    for parameter in data.parameters {
        let (ty, name) = (kernel.values[parameter].ty, kernel.values[parameter].name.clone());
        values.insert(parameter, kernel.add_parameter(copy, ty, name));
    }
    let renamed = |values: &BTreeMap<Value, Value>, value: &mut Value| {
        if let Some(&new) = values.get(value) {
            *value = new;
        }
    };
    for instruction in data.instructions {
        let InstructionData { mut operation, result, location } = kernel.instructions[instruction].clone();
        operation.for_each_operand_mut(|value| renamed(&values, value));
        match result {
            Some(result) => {
                let (ty, name) = (kernel.values[result].ty, kernel.values[result].name.clone());
                let new = kernel.append(copy, operation, ty, location);
                kernel.values[new].name = name;
                values.insert(result, new);
            }
            None => {
                kernel.append_effect(copy, operation, location);
            }
        }
    }
    let mut terminator = data.terminator;
    terminator.for_each_operand_mut(|value| renamed(&values, value));
    kernel.blocks[copy].terminator = terminator;
    kernel.blocks[copy].location = data.location;
    values.into_iter().collect()
}
