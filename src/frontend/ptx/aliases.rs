//! Registers that hold the address of a variable or parameter, and nothing else.
//!
//! Compilers copy such an address into a register once, perhaps with a constant added, and use it
//! at many places. There the variable itself is named instead. So accesses at constant offsets are
//! seen ([`super::slots`]). A register counts if one step writes it, which is a move, a conversion
//! between state spaces, or the addition of a constant.

use std::collections::HashMap;

use super::flatten::{Flat, Step, SymbolData};
use super::graph::writes;
use super::read::{Instruction, Operand};

/// The symbol and the offset that a register holds.
type Alias = (usize, i128);

/// Names variables instead of registers that hold their addresses.
pub fn replace(flat: &mut Flat) {
    let mut definitions: Vec<u32> = vec![0; flat.registers.len()];
    for (step, _) in &flat.steps {
        for register in writes(step) {
            definitions[register] = definitions[register].saturating_add(1);
        }
    }
    let mut aliases: HashMap<usize, Alias> = HashMap::new();
    // An address is copied before it is used, so in order of the text one pass finds nearly all.
    for (step, _) in &flat.steps {
        let Step::Instruction(instruction) = step else { continue };
        if let Some((register, alias)) = alias(instruction, &aliases, &flat.symbols)
            && definitions[register] == 1
        {
            aliases.insert(register, alias);
        }
    }
    if aliases.is_empty() {
        return;
    }
    for (step, _) in &mut flat.steps {
        if let Step::Instruction(instruction) = step {
            instruction.operands.iter_mut().for_each(|operand| name_variable(operand, &aliases));
        }
    }
    remove_unused(flat, &aliases);
}

/// The register that an instruction makes an alias.
fn alias(instruction: &Instruction, aliases: &HashMap<usize, Alias>, symbols: &[SymbolData]) -> Option<(usize, Alias)> {
    if instruction.guard.is_some() {
        return None;
    }
    let (name, words) = instruction.words();
    let of = |operand: &Operand| match operand {
        Operand::Symbol(symbol) => is_private(&symbols[*symbol]).then_some((*symbol, 0)),
        Operand::Register(register) => aliases.get(register).copied(),
        _ => None,
    };
    let alias = match (name, words.as_slice(), instruction.operands.as_slice()) {
        ("mov", ["u64" | "b64" | "s64"], [_, from]) => of(from)?,
        ("cvta", ["local" | "param", "u64"] | ["to", "local" | "param", "u64"], [_, from]) => of(from)?,
        ("add", ["u64" | "s64"], [_, from, Operand::Integer(distance)]) => {
            let (symbol, offset) = of(from)?;
            (symbol, offset.checked_add(*distance)?)
        }
        _ => return None,
    };
    match instruction.operands.first() {
        Some(Operand::Register(register)) => Some((*register, alias)),
        _ => None,
    }
}

/// Whether a variable is a thread's own, so that its accesses may become registers.
fn is_private(symbol: &SymbolData) -> bool {
    match symbol {
        SymbolData::Parameter(_) | SymbolData::Passed(_) => true,
        SymbolData::Variable(variable) => variable.space == "local",
    }
}

/// Names the variable in an address.
fn name_variable(operand: &mut Operand, aliases: &HashMap<usize, Alias>) {
    let Operand::Address(base, offset) = operand else { return };
    let Operand::Register(register) = **base else { return };
    let Some((symbol, start)) = aliases.get(&register) else { return };
    let further = match offset {
        None => Some(0),
        Some((negative, distance)) => match **distance {
            Operand::Integer(distance) => Some(if *negative { -distance } else { distance }),
            _ => None,
        },
    };
    let Some(sum) = further.and_then(|further| start.checked_add(further)) else { return };
    let distance = Box::new(Operand::Integer(sum.abs()));
    *operand = Operand::Address(Box::new(Operand::Symbol(*symbol)), (sum != 0).then_some((sum < 0, distance)));
}

/// Removes the moves into aliases that nothing uses any more.
fn remove_unused(flat: &mut Flat, aliases: &HashMap<usize, Alias>) {
    let mut uses: HashMap<usize, usize> = HashMap::new();
    let count = |step: &Step, uses: &mut HashMap<usize, usize>, by: bool| {
        for register in super::graph::reads(step).into_iter().filter(|register| aliases.contains_key(register)) {
            let number = uses.entry(register).or_default();
            *number = if by { *number + 1 } else { number.saturating_sub(1) };
        }
    };
    for (step, _) in &flat.steps {
        count(step, &mut uses, true);
    }
    // Backwards, so that an alias of an unused alias goes, too.
    let mut kept = Vec::with_capacity(flat.steps.len());
    for (step, place) in std::mem::take(&mut flat.steps).into_iter().rev() {
        let written = writes(&step);
        let is_alias = matches!(step, Step::Instruction(_)) && written.len() == 1 && aliases.contains_key(&written[0]);
        if is_alias && uses.get(&written[0]).copied().unwrap_or_default() == 0 {
            count(&step, &mut uses, false);
        } else {
            kept.push((step, place));
        }
    }
    kept.reverse();
    flat.steps = kept;
}
