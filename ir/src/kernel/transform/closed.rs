//! Gives loops a shape that lock-step execution can leave early: preheaders, dedicated exits,
//! loop-closed SSA.

use std::collections::{BTreeMap, BTreeSet};

use super::ssa::{Shape, Variable, reconstruct, uses_elsewhere};
use super::{prune, slots, split_edge};
use crate::cfg::{self, Cfg, Loop, LoopData};
use crate::kernel::{Block, BlockData, Definition, Kernel, Target, Terminator, Value};

/// The kernel without unreachable blocks, such that for every natural loop:
///
/// * **preheader**: the header has exactly one predecessor outside the loop, and that ends in a
///   plain jump;
/// * **dedicated exits**: the predecessors of every block that an exit edge leads to all lie in the
///   loop. An edge that leaves several loops at once leads to one block that is a dedicated exit of
///   each loop;
/// * **loop-closed SSA**: a value defined in the loop is used in its blocks only, including the
///   arguments of exit edges. A value needed later passes through a parameter of an exit's target.
///
/// Loop-closed SSA makes predication sound: a thread that leaves a loop saves its values at that
/// moment, while the other thread continues in the loop and recomputes them. (A thread leaves by
/// assigning the arguments of the exit edge, under its predicate.)
///
/// There may still be several back edges. An irreducible cycle is not a natural loop and is left
/// unchanged.
pub fn close_loops(kernel: Kernel) -> Kernel {
    let mut kernel = prune(kernel);
    insert_preheaders(&mut kernel);
    dedicate_exits(&mut kernel);
    let cfg = cfg::analyse(&kernel);
    let shape = Shape::new(cfg.graph.clone());
    // Innermost first: the parameters that close an inner loop may have to pass through the outer
    // loop's exits in turn.
    for (this, data) in cfg.loops.iter().rev() {
        close(&mut kernel, &cfg, &shape, this, data);
    }
    kernel
}

fn insert_preheaders(kernel: &mut Kernel) {
    let cfg = cfg::analyse(kernel);
    for (this, data) in cfg.loops.iter() {
        let predecessors = cfg.graph.predecessors(data.header).iter().copied();
        let outside: Vec<Block> = predecessors.filter(|&block| !cfg.loops.contains(this, block)).collect();
        match outside[..] {
            [only] if matches!(kernel.blocks[only].terminator, Terminator::Jump(_)) => {}
            _ => insert_preheader(kernel, data.header, &outside),
        }
    }
}

/// A new block that takes over the edges from these blocks, with the header's parameters.
fn insert_preheader(kernel: &mut Kernel, header: Block, outside: &[Block]) {
    let location = outside.first().and_then(|&block| kernel.blocks[block].location);
    let preheader = kernel.blocks.push(BlockData {
        parameters: Vec::new(),
        instructions: Vec::new(),
        terminator: Terminator::Return,
        location,
    });
    let parameters = kernel.blocks[header].parameters.clone();
    let arguments = parameters
        .into_iter()
        .map(|parameter| {
            let data = &kernel.values[parameter];
            let (ty, name) = (data.ty, data.name.clone());
            kernel.add_parameter(preheader, ty, name)
        })
        .collect();
    kernel.blocks[preheader].terminator = Terminator::Jump(Target { block: header, arguments });
    for &block in outside {
        for target in kernel.blocks[block].terminator.targets_mut() {
            if target.block == header {
                target.block = preheader;
            }
        }
    }
}

fn dedicate_exits(kernel: &mut Kernel) {
    let cfg = cfg::analyse(kernel);
    for &block in cfg.graph.reverse_postorder() {
        let predecessors = cfg.graph.predecessors(block);
        let leaving: Vec<Block> =
            predecessors.iter().copied().filter(|&from| left(&cfg, from, block).count() > 0).collect();
        let dedicated = leaving.iter().all(|&from| {
            left(&cfg, from, block).all(|this| predecessors.iter().all(|&other| cfg.loops.contains(this, other)))
        });
        if dedicated {
            continue;
        }
        for from in leaving {
            for slot in slots(kernel, from, block) {
                split_edge(kernel, from, slot);
            }
        }
    }
}

/// The loops that an edge leaves, innermost first.
fn left(cfg: &Cfg<Block>, from: Block, to: Block) -> impl Iterator<Item = Loop> {
    cfg.loops.around(from).filter(move |&this| !cfg.loops.contains(this, to))
}

/// Passes every value that is defined in the loop and used outside through parameters of the exits'
/// targets.
fn close(kernel: &mut Kernel, cfg: &Cfg<Block>, shape: &Shape, this: Loop, data: &LoopData<Block>) {
    let blocks = kernel.instruction_blocks();
    let home = |kernel: &Kernel, value: Value| match kernel.values[value].definition {
        Definition::Result(instruction) => blocks[instruction].expect("a used value's instruction stands in a block"),
        Definition::Parameter(block, _) => block,
    };
    for (value, mut users) in uses_elsewhere(kernel, |value| home(kernel, value)) {
        let definition = home(kernel, value);
        users.retain(|&user| !cfg.loops.contains(this, user));
        if users.is_empty() || !cfg.loops.contains(this, definition) {
            continue;
        }
        // An exit that the definition does not dominate is not on a path to any use.
        let targets = data.exits.iter().map(|&(_, target)| target);
        let passages: BTreeSet<Block> =
            targets.filter(|&target| shape.dominators.dominates(definition, target)).collect();
        let variable = Variable { original: value, definitions: BTreeMap::from([(definition, value)]), passages };
        reconstruct(kernel, shape, &variable, &users);
    }
}
