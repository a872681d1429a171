//! A kernel's control-flow graph in the language of Graphviz's dot.

use std::fmt::Write as _;

use lockstep_ir::cfg::{self, Cfg};
use lockstep_ir::kernel::{Block, CompareOp, Definition, Kernel, Operation, SourceLine, Terminator, Value};

use crate::report::count;

/// The graph: a node per block with the source lines it comes from, a box per loop, an edge per
/// jump.
pub fn graph(kernel: &Kernel, source_line: &SourceLine<'_>) -> String {
    let cfg = cfg::analyse(kernel);
    let mut text = String::new();
    // Writing to a string does not fail.
    let name = escape(&kernel.name);
    let _ = writeln!(text, "digraph \"{name}\" {{\n  node [shape=box, fontname=monospace];");
    let outermost = cfg.loops.iter().filter(|(_, data)| data.parent.is_none());
    for (this, _) in outermost {
        write_loop(&mut text, kernel, &cfg, this, source_line);
    }
    for block in kernel.blocks.keys().filter(|&block| cfg.loops.innermost(block).is_none()) {
        write_block(&mut text, kernel, block, 1, source_line);
    }
    for (block, data) in &kernel.blocks {
        for (label, target) in edges(kernel, &data.terminator) {
            let mut attributes = Vec::new();
            if !label.is_empty() {
                attributes.push(format!("label=\"{}\"", escape(&label)));
            }
            if cfg.loops.is_back_edge(block, target) {
                attributes.push("style=bold".to_owned());
            }
            let attributes =
                if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) };
            let _ = writeln!(text, "  {block} -> {target}{attributes};");
        }
    }
    text.push_str("}\n");
    text
}

/// A loop: a box around its blocks and the loops inside it. Loops nest no deeper than the source's
/// blocks.
fn write_loop(text: &mut String, kernel: &Kernel, cfg: &Cfg<Block>, this: cfg::Loop, source_line: &SourceLine<'_>) {
    let data = cfg.loops.get(this);
    let depth = usize::try_from(data.depth).unwrap_or(1);
    let indent = "  ".repeat(depth);
    let line = first_line(kernel, data.header).map(|line| format!(", line {line}")).unwrap_or_default();
    let _ = writeln!(text, "{indent}subgraph cluster_{this} {{\n{indent}  label=\"{this}{line}\";");
    for &inner in &data.children {
        write_loop(text, kernel, cfg, inner, source_line);
    }
    for &block in data.members.iter().filter(|&&block| cfg.loops.innermost(block) == Some(this)) {
        write_block(text, kernel, block, depth + 1, source_line);
    }
    let _ = writeln!(text, "{indent}}}");
}

/// A block, with the text of its source lines.
fn write_block(text: &mut String, kernel: &Kernel, block: Block, depth: usize, source_line: &SourceLine<'_>) {
    let lines: Vec<String> = source_places(kernel, block)
        .into_iter()
        .map(|(file, line)| {
            let source = source_line(&file, line).unwrap_or_default();
            escape(format!("{line}: {}", source.trim()).trim_end_matches([' ', ':'])) + "\\l"
        })
        .collect();
    let (indent, size) = ("  ".repeat(depth), count(kernel.blocks[block].instructions.len(), "instruction"));
    let _ = writeln!(text, "{indent}{block} [label=\"{block}, {size}\\n{}\"];", lines.concat());
}

/// The most source lines of a block that are shown.
const MOST_LINES: usize = 12;

/// The files and lines of a block's instructions, in order and without repetitions.
fn source_places(kernel: &Kernel, block: Block) -> Vec<(String, u32)> {
    let data = &kernel.blocks[block];
    let places = data.instructions.iter().filter_map(|&instruction| kernel.instructions[instruction].location);
    let mut found: Vec<(String, u32)> = Vec::new();
    for location in places.chain(data.location) {
        let data = &kernel.locations[location];
        let place = (kernel.files[data.file].clone(), data.line);
        if data.line > 0 && !found.contains(&place) && found.len() < MOST_LINES {
            found.push(place);
        }
    }
    found
}

fn first_line(kernel: &Kernel, block: Block) -> Option<u32> {
    source_places(kernel, block).first().map(|&(_, line)| line)
}

fn edges(kernel: &Kernel, terminator: &Terminator) -> Vec<(String, Block)> {
    match terminator {
        Terminator::Jump(target) => vec![(String::new(), target.block)],
        Terminator::Branch { condition, then, otherwise } => {
            let condition = condition_in_words(kernel, *condition);
            vec![(condition.clone(), then.block), (format!("not {condition}"), otherwise.block)]
        }
        Terminator::Switch { value, cases, default } => {
            let cases = cases
                .iter()
                .map(|(constant, target)| (format!("{} = {constant}", value_in_words(kernel, *value)), target.block));
            cases.chain([("default".to_owned(), default.block)]).collect()
        }
        Terminator::Return | Terminator::Trap | Terminator::Unreachable => Vec::new(),
    }
}

/// A condition: a comparison is spelled out.
fn condition_in_words(kernel: &Kernel, value: Value) -> String {
    let Some(Operation::Compare(op, a, b)) = operation(kernel, value) else { return value_in_words(kernel, value) };
    let sign = match op {
        CompareOp::Equal => "==",
        CompareOp::NotEqual => "!=",
        CompareOp::UnsignedLess => "<u",
        CompareOp::UnsignedLessEqual => "<=u",
        CompareOp::SignedLess => "<s",
        CompareOp::SignedLessEqual => "<=s",
    };
    format!("({} {sign} {})", value_in_words(kernel, *a), value_in_words(kernel, *b))
}

/// A value: its name in the source, or the constant that it is, or its number.
fn value_in_words(kernel: &Kernel, value: Value) -> String {
    match (&kernel.values[value].name, operation(kernel, value)) {
        (Some(name), _) => name.clone(),
        (None, Some(Operation::Constant(bits))) => bits.unsigned().to_string(),
        (None, _) => value.to_string(),
    }
}

fn operation(kernel: &Kernel, value: Value) -> Option<&Operation> {
    match kernel.values[value].definition {
        Definition::Result(instruction) => Some(&kernel.instructions[instruction].operation),
        Definition::Parameter(..) => None,
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(|c: char| c.is_control(), " ")
}
