//! A kernel's control-flow graph in the language of Graphviz's dot.

use std::fmt::Write as _;

use lockstep_ir::kernel::{Block, Kernel, Terminator};

/// The graph: a node per block with the source lines it comes from, an edge per jump.
pub fn graph(kernel: &Kernel) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(text, "digraph \"{}\" {{\n  node [shape=box, fontname=monospace];", escape(&kernel.name));
    for (block, data) in &kernel.blocks {
        let lines = lines(kernel, block);
        let lines = if lines.is_empty() { String::new() } else { format!("\\n{lines}") };
        let count = data.instructions.len();
        let _ = writeln!(text, "  {block} [label=\"{block}{lines}\\n{count} instructions\"];");
        for (label, target) in edges(&data.terminator) {
            let _ = writeln!(text, "  {block} -> {target} [label=\"{}\"];", escape(&label));
        }
    }
    text.push_str("}\n");
    text
}

fn edges(terminator: &Terminator) -> Vec<(String, Block)> {
    match terminator {
        Terminator::Jump(target) => vec![(String::new(), target.block)],
        Terminator::Branch { condition, then, otherwise } => {
            vec![(format!("{condition}"), then.block), (format!("not {condition}"), otherwise.block)]
        }
        Terminator::Switch { value, cases, default } => {
            let cases = cases.iter().map(|(constant, target)| (format!("{value} = {constant}"), target.block));
            cases.chain([("default".to_owned(), default.block)]).collect()
        }
        Terminator::Return | Terminator::Unreachable => Vec::new(),
    }
}

/// The first and the last source line of a block's instructions.
fn lines(kernel: &Kernel, block: Block) -> String {
    let data = &kernel.blocks[block];
    let places = data.instructions.iter().filter_map(|&instruction| kernel.instructions[instruction].location);
    let lines = places.chain(data.location).map(|location| kernel.locations[location].line).filter(|&line| line > 0);
    let lines: Vec<u32> = lines.collect();
    match (lines.iter().min(), lines.iter().max()) {
        (Some(first), Some(last)) if first == last => format!("line {first}"),
        (Some(first), Some(last)) => format!("lines {first}-{last}"),
        _ => String::new(),
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
