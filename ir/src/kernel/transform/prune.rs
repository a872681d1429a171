//! Removes blocks that cannot be reached.

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use crate::cfg;
use crate::kernel::{Block, Definition, Instruction, Kernel, Value};

/// The kernel without unreachable blocks, and without the instructions and values that no longer
/// belong to any block. The rest is renumbered in the same order. Arrays, files and locations stay.
pub fn prune(mut kernel: Kernel) -> Kernel {
    let graph = cfg::graph(&kernel);
    let mut instruction_kept = SecondaryMap::<Instruction, bool>::new();
    let mut value_kept = SecondaryMap::<Value, bool>::new();
    for &block in graph.reverse_postorder() {
        let data = &kernel.blocks[block];
        for &parameter in &data.parameters {
            value_kept[parameter] = true;
        }
        for &instruction in &data.instructions {
            instruction_kept[instruction] = true;
            if let Some(result) = kernel.instructions[instruction].result {
                value_kept[result] = true;
            }
        }
    }

    let blocks = renumber::<Block>(kernel.blocks.len(), |block| graph.is_reachable(block));
    let instructions = renumber::<Instruction>(kernel.instructions.len(), |instruction| instruction_kept[instruction]);
    let values = renumber::<Value>(kernel.values.len(), |value| value_kept[value]);
    let new_value = |value: &mut Value| *value = values[*value].expect("a use is reached by its definition only");

    kernel.entry = blocks[kernel.entry].expect("the entry is reachable");
    kernel.blocks = keep(std::mem::take(&mut kernel.blocks), &blocks, |data| {
        data.parameters.iter_mut().for_each(new_value);
        for instruction in &mut data.instructions {
            *instruction = instructions[*instruction].expect("instructions of reachable blocks are kept");
        }
        data.terminator.for_each_operand_mut(new_value);
        for target in data.terminator.targets_mut() {
            target.block = blocks[target.block].expect("a reachable block leads to reachable ones");
        }
    });
    kernel.instructions = keep(std::mem::take(&mut kernel.instructions), &instructions, |data| {
        data.operation.for_each_operand_mut(new_value);
        data.result.iter_mut().for_each(new_value);
    });
    kernel.values = keep(std::mem::take(&mut kernel.values), &values, |data| match &mut data.definition {
        Definition::Result(instruction) => {
            *instruction = instructions[*instruction].expect("the value is a result of a kept instruction");
        }
        Definition::Parameter(block, _) => {
            *block = blocks[*block].expect("the value is a parameter of a kept block");
        }
    });
    kernel
}

/// The new number of each entity that is kept.
fn renumber<E: EntityRef>(count: usize, keep: impl Fn(E) -> bool) -> SecondaryMap<E, Option<E>> {
    let mut numbers = SecondaryMap::new();
    for (next, entity) in (0..count).map(E::new).filter(|&entity| keep(entity)).enumerate() {
        numbers[entity] = Some(E::new(next));
    }
    numbers
}

fn keep<E: EntityRef, D>(
    old: PrimaryMap<E, D>,
    numbers: &SecondaryMap<E, Option<E>>,
    mut change: impl FnMut(&mut D),
) -> PrimaryMap<E, D> {
    let mut new = PrimaryMap::new();
    for (entity, mut data) in old {
        if numbers[entity].is_some() {
            change(&mut data);
            new.push(data);
        }
    }
    new
}
