//! Parameters in memory that become registers.
//!
//! Parameters of calls, and of the kernel, are memory of their own in PTX. Code reads and writes
//! them at constant offsets, apart from rare cases. Then each part that is accessed as a whole is a
//! register. Otherwise the parameter becomes an array of the thread. The same holds for a thread's
//! own variables, which unoptimised code has for each variable of the source.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use lockstep_ir::kernel::Type;

use super::aliases;
use super::flatten::{Flat, Step, SymbolData};
use super::read::{Instruction, Operand};
use super::types::{Class, PtxType};

/// An access to a parameter at a constant offset.
struct Access<'a> {
    symbol: usize,
    offset: u64,
    ty: PtxType,
    /// The register operand, one for each element.
    elements: &'a [Operand],
    is_load: bool,
}

/// The accesses of the kernel to its own parameters, by parameter: the offset and size in bytes of
/// each part. `None` for a parameter whose address is taken.
pub type Parts = Vec<Option<BTreeSet<(u64, u64)>>>;

/// Replaces accesses to parameters. Returns the accesses to the kernel's own.
pub fn replace(flat: &mut Flat, parameters: usize) -> Parts {
    aliases::replace(flat);
    let mut parts: Vec<Option<BTreeSet<(u64, u64)>>> = vec![Some(BTreeSet::new()); flat.symbols.len()];
    for (step, _) in &flat.steps {
        match step {
            Step::Instruction(instruction) => match access(instruction) {
                Some(access) => note(&mut parts, &access),
                None => instruction.operands.iter().for_each(|operand| take_address(&mut parts, operand)),
            },
            Step::Copy(to, from, ty) => {
                for operand in [to, from] {
                    if let Operand::Symbol(symbol) = operand {
                        note(&mut parts, &whole(*symbol, *ty));
                    }
                }
            }
            Step::Call(_, results, arguments) => {
                for operand in results.iter().chain(arguments) {
                    if let Operand::Symbol(symbol) = operand
                        && let Some(ty) = passed_type(&flat.symbols[*symbol])
                    {
                        note(&mut parts, &whole(*symbol, ty));
                    }
                }
            }
            Step::Table(_, operand, _) => take_address(&mut parts, operand),
            Step::Label(_) | Step::Jump(..) | Step::End(..) | Step::Parameter(..) | Step::Refused(_) => {}
        }
    }
    for (symbol, parts) in flat.symbols.iter().zip(&mut parts) {
        if is_slot(symbol) && parts.as_ref().is_some_and(|parts| overlap(parts) || !is_inside(symbol, parts)) {
            *parts = None;
        }
    }
    let registers = make_registers(flat, &parts);
    rewrite(flat, &parts, &registers);
    let mut own: Parts = vec![Some(BTreeSet::new()); parameters];
    for (symbol, parts) in flat.symbols.iter_mut().zip(parts) {
        match symbol {
            SymbolData::Parameter(index) => own[*index] = parts,
            SymbolData::Passed(variable) if parts.is_none() => {
                *symbol = SymbolData::Variable(variable.clone());
            }
            SymbolData::Passed(_) | SymbolData::Variable(_) => {}
        }
    }
    own
}

/// Whether all parts lie inside the variable.
fn is_inside(symbol: &SymbolData, parts: &BTreeSet<(u64, u64)>) -> bool {
    let (SymbolData::Passed(variable) | SymbolData::Variable(variable)) = symbol else { return false };
    let size = variable.bytes().unwrap_or(0);
    parts.iter().all(|(offset, bytes)| offset.checked_add(*bytes).is_some_and(|end| end <= size))
}

/// Whether some of these parts share bytes.
pub fn overlap(parts: &BTreeSet<(u64, u64)>) -> bool {
    parts.iter().zip(parts.iter().skip(1)).any(|((first, bytes), (second, _))| first + bytes > *second)
}

fn whole(symbol: usize, ty: PtxType) -> Access<'static> {
    Access { symbol, offset: 0, ty, elements: &[Operand::OtherAddress], is_load: true }
}

/// Whether the parts of a variable may become registers.
fn is_slot(symbol: &SymbolData) -> bool {
    match symbol {
        SymbolData::Passed(_) => true,
        SymbolData::Variable(variable) => variable.space == "local",
        SymbolData::Parameter(_) => false,
    }
}

/// The type of a parameter of a call that is a number.
pub fn passed_type(symbol: &SymbolData) -> Option<PtxType> {
    match symbol {
        SymbolData::Passed(variable) if variable.dimensions.is_empty() && variable.vector == 1 => {
            PtxType::parse(&variable.ty)
        }
        _ => None,
    }
}

/// The access to a parameter that an instruction is.
fn access(instruction: &Instruction) -> Option<Access<'_>> {
    let (name, words) = instruction.words();
    let (is_load, [address, data]) = match (name, instruction.operands.as_slice()) {
        ("ld", [data, address]) => (true, [address, data]),
        ("st", [address, data]) => (false, [address, data]),
        _ => return None,
    };
    let (&last, modifiers) = words.split_last()?;
    let is_plain = |word: &&str| matches!(*word, "param" | "param::entry" | "param::func" | "local" | "v2" | "v4");
    if !modifiers.iter().all(is_plain) {
        return None;
    }
    let ty = PtxType::parse(last).filter(|ty| ty.class != Class::Predicate)?;
    let Operand::Address(base, offset) = address else { return None };
    let Operand::Symbol(symbol) = **base else { return None };
    let offset = match offset {
        None => 0,
        Some((false, offset)) => match **offset {
            Operand::Integer(offset) => u64::try_from(offset).ok().filter(|offset| *offset < 1 << 32)?,
            _ => return None,
        },
        Some((true, _)) => return None,
    };
    let elements = match data {
        Operand::Vector(elements) => elements,
        single => std::slice::from_ref(single),
    };
    let is_value = |element: &Operand| is_load || !matches!(element, Operand::Symbol(_));
    elements.iter().all(is_value).then_some(Access { symbol, offset, ty, elements, is_load })
}

fn bytes(ty: PtxType) -> u64 {
    u64::from(ty.width / 8)
}

fn note(parts: &mut [Option<BTreeSet<(u64, u64)>>], access: &Access<'_>) {
    let size = bytes(access.ty);
    if let Some(parts) = &mut parts[access.symbol] {
        parts.extend((0..).zip(access.elements).map(|(index, _): (u64, _)| (access.offset + index * size, size)));
    }
}

fn take_address(parts: &mut [Option<BTreeSet<(u64, u64)>>], operand: &Operand) {
    operand.clone().for_each_leaf_mut(&mut |leaf| {
        if let Operand::Symbol(symbol) = leaf {
            parts[*symbol] = None;
        }
    });
}

/// A register for each part of a call's parameter.
fn make_registers(flat: &mut Flat, parts: &[Option<BTreeSet<(u64, u64)>>]) -> HashMap<(usize, u64), usize> {
    let mut registers = BTreeMap::new();
    for (symbol, parts) in parts.iter().enumerate() {
        if !is_slot(&flat.symbols[symbol]) {
            continue;
        }
        for &(offset, bytes) in parts.iter().flatten() {
            let width = u32::try_from(8 * bytes).unwrap_or(64);
            flat.registers.push(Type::Bits(width));
            registers.insert((symbol, offset), flat.registers.len() - 1);
        }
    }
    registers.into_iter().collect()
}

fn rewrite(flat: &mut Flat, parts: &[Option<BTreeSet<(u64, u64)>>], registers: &HashMap<(usize, u64), usize>) {
    let symbols = std::mem::take(&mut flat.symbols);
    let mut steps = Vec::with_capacity(flat.steps.len());
    for (mut step, place) in std::mem::take(&mut flat.steps) {
        match &mut step {
            Step::Instruction(instruction) => {
                if let Some(replaced) = rewritten(instruction, &symbols, parts, registers, &mut flat.registers) {
                    steps.extend(replaced.into_iter().map(|step| (step, place)));
                    continue;
                }
            }
            Step::Copy(to, from, _) => [to, from].into_iter().for_each(|operand| in_register(operand, registers)),
            Step::Call(_, results, arguments) => {
                results.iter_mut().chain(arguments).for_each(|operand| in_register(operand, registers));
            }
            _ => {}
        }
        steps.push((step, place));
    }
    flat.steps = steps;
    flat.symbols = symbols;
}

fn in_register(operand: &mut Operand, registers: &HashMap<(usize, u64), usize>) {
    if let Operand::Symbol(symbol) = operand
        && let Some(register) = registers.get(&(*symbol, 0))
    {
        *operand = Operand::Register(*register);
    }
}

/// The copies that an access to a parameter is.
fn rewritten(
    instruction: &Instruction,
    symbols: &[SymbolData],
    parts: &[Option<BTreeSet<(u64, u64)>>],
    registers: &HashMap<(usize, u64), usize>,
    types: &mut Vec<Type>,
) -> Option<Vec<Step>> {
    let access = access(instruction)?;
    parts[access.symbol].as_ref()?;
    let guard = instruction.guard.clone();
    // A guarded move fills a wider register with zeros. The access stays, and is refused.
    if guard.is_some() && access.is_load && access.ty.is_signed() {
        return None;
    }
    let mut steps = Vec::new();
    for (index, element) in (0..).zip(access.elements) {
        let offset = access.offset + index * bytes(access.ty);
        let step = match (&symbols[access.symbol], &guard) {
            (SymbolData::Parameter(parameter), None) if access.is_load => {
                Step::Parameter(element.clone(), *parameter, offset, access.ty)
            }
            (SymbolData::Parameter(parameter), Some(guard)) if access.is_load => {
                types.push(Type::Bits(access.ty.width));
                let read = Operand::Register(types.len() - 1);
                steps.push(Step::Parameter(read.clone(), *parameter, offset, access.ty));
                guarded_copy(guard, element.clone(), read, access.ty)
            }
            (SymbolData::Passed(_) | SymbolData::Variable(_), _) => {
                let own = Operand::Register(*registers.get(&(access.symbol, offset))?);
                let [to, from] = if access.is_load { [element.clone(), own] } else { [own, element.clone()] };
                match &guard {
                    None => Step::Copy(to, from, access.ty),
                    Some(guard) => guarded_copy(guard, to, from, access.ty),
                }
            }
            _ => return None,
        };
        steps.push(step);
    }
    Some(steps)
}

/// A copy where a guard holds.
fn guarded_copy(guard: &(Operand, bool), to: Operand, from: Operand, ty: PtxType) -> Step {
    let opcode = format!("mov.b{}", ty.width);
    Step::Instruction(Instruction { guard: Some(guard.clone()), opcode, operands: vec![to, from] })
}
