//! Loads, stores and atomics of PTX.
//!
//! Cache operators and hints order nothing and are passed over; `volatile` accesses are volatile.
//! Accesses with an ordering (`relaxed`, `acquire`, `release`) are atomic. Those of vectors are
//! atomic element by element, since PTX promises no more. An address is a register with a pointer,
//! or with a number that is computed from the address of one. Whether it belongs to the named state
//! space is not checked if the pointer's own space is not known.

use lockstep_ir::kernel::{
    Access, AtomicOp, CompareOp, ConvertOp, Needs, Operation, Ordering, Scope, Space, Target, Terminator, ThreadQuery,
    Type, Value,
};

use super::machine::{Machine, bitcast};
use super::read::{Instruction, Operand};
use super::synchronise::gather_warp;
use super::types::{Class, PtxType};
use crate::builtins::memory::{join, split, written};
use crate::builtins::{Unsupported, addresses};
use crate::cuda::{anything, copies, nvvm};

/// Appends an access. `Ok(false)` for an unknown instruction.
pub fn expand(machine: &mut Machine, instruction: &Instruction) -> Result<bool, Unsupported> {
    let (name, words) = instruction.words();
    match name {
        "ld" | "ldu" => {
            let form = Form::parse(&words, false).ok_or_else(|| instruction.refused())?;
            load(machine, instruction, &form)?;
        }
        "st" => {
            let form = Form::parse(&words, false).ok_or_else(|| instruction.refused())?;
            store(machine, instruction, &form)?;
        }
        "atom" | "red" => {
            let form = Form::parse(&words, true).ok_or_else(|| instruction.refused())?;
            atomic(machine, instruction, &form, name == "atom")?;
        }
        "cp" if words.first() == Some(&"async") => return copy(machine, instruction, &words[1..]),
        "ldmatrix" => move_matrix(machine, instruction, &words, false)?,
        "stmatrix" => move_matrix(machine, instruction, &words, true)?,
        // Textures are memory that no kernel writes while it reads them, which the report lists.
        "tex" | "tld4" | "txq" if machine.follows_all => machine.forget(instruction.operand(0)?),
        "discard" => discard(machine, instruction, &words)?,
        // These instructions move no data that a program sees.
        "prefetch" | "prefetchu" | "applypriority" => {}
        _ => return Ok(false),
    }
    Ok(true)
}

/// The address space of a PTX state space.
pub fn space_of(word: &str) -> Option<Space> {
    Some(match word {
        "global" => Space::Global,
        "shared" | "shared::cta" | "shared::cluster" => Space::Local,
        "local" | "param" | "param::entry" | "param::func" => Space::Private,
        "const" => Space::Constant,
        _ => return None,
    })
}

/// The meaning of an access's opcode words.
struct Form<'a> {
    ordering: Option<Ordering>,
    scope: Scope,
    volatile: bool,
    /// Whether a load may go through a non-coherent cache.
    cached: bool,
    space: Option<Space>,
    parts: usize,
    op: Option<&'a str>,
    ty: PtxType,
}

impl<'a> Form<'a> {
    fn parse(words: &[&'a str], is_atomic: bool) -> Option<Self> {
        let (last, words) = words.split_last()?;
        let ty = PtxType::parse(last).filter(|ty| ty.class != Class::Predicate)?;
        let (ordering, scope) = (None, Scope::Device);
        let mut form = Self { ordering, scope, volatile: false, cached: false, space: None, parts: 1, op: None, ty };
        for &word in words {
            match word {
                "relaxed" => form.ordering = Some(Ordering::Relaxed),
                "acquire" => form.ordering = Some(Ordering::Acquire),
                "release" => form.ordering = Some(Ordering::Release),
                "acq_rel" => form.ordering = Some(Ordering::AcquireRelease),
                "cta" | "cluster" | "gpu" | "sys" => form.scope = scope_of(word)?,
                "volatile" => form.volatile = true,
                "nc" => form.cached = true,
                "v2" => form.parts = 2,
                "v4" => form.parts = 4,
                "v8" => form.parts = 8,
                "weak" | "mmio" | "ca" | "cg" | "cs" | "lu" | "cv" | "wb" | "wt" | "noftz" => {}
                word if word.starts_with("L1::") || word.starts_with("L2::") => {}
                "add" | "and" | "cas" | "dec" | "exch" | "inc" | "max" | "min" | "or" | "xor" if is_atomic => {
                    form.op = Some(word);
                }
                word => form.space = Some(space_of(word)?),
            }
        }
        Some(form)
    }

    /// The size of an element in bytes.
    fn bytes(&self) -> u32 {
        self.ty.width / 8
    }

    fn elements<'o>(&self, operand: &'o Operand, instruction: &Instruction) -> Result<&'o [Operand], Unsupported> {
        let elements = match operand {
            Operand::Vector(elements) => elements,
            single => std::slice::from_ref(single),
        };
        if elements.len() == self.parts { Ok(elements) } else { Err(instruction.refused()) }
    }
}

/// The scope of this name.
pub fn scope_of(word: &str) -> Option<Scope> {
    Some(match word {
        "cta" => Scope::Group,
        "cluster" => Scope::Cluster,
        "gpu" | "gl" => Scope::Device,
        "sys" => Scope::System,
        _ => return None,
    })
}

/// The pointer of an address operand.
pub fn pointer(
    machine: &mut Machine,
    instruction: &Instruction,
    operand: &Operand,
    space: Option<Space>,
) -> Result<Value, Unsupported> {
    let Operand::Address(base, offset) = operand else { return Err(instruction.refused()) };
    let wanted = Type::Pointer(space.unwrap_or(Space::Generic));
    let unseen = || Unsupported(format!("PTX {} at an address that is not seen to be a pointer's", instruction.opcode));
    let mut pointer = address(machine, base, space, wanted).ok_or_else(unseen)?;
    let ty = match (machine.builder.ty(pointer), space) {
        (ty, None) => ty,
        (ty, Some(_)) if ty == wanted => ty,
        (ty @ Type::Pointer(Space::Constant), Some(Space::Global)) => ty,
        (Type::Pointer(Space::Generic), Some(_)) => {
            pointer = machine.builder.append(Operation::SpaceCast(pointer), wanted);
            wanted
        }
        _ => return Err(Unsupported(format!("PTX {} at an address of another space", instruction.opcode))),
    };
    if let Some((negative, distance)) = offset {
        let distance = machine.constant(distance).ok_or_else(|| instruction.refused())?;
        let distance = if *negative { -distance } else { distance };
        let width = machine.builder.kernel.pointer_bits;
        let offset = machine.number(&Operand::Integer(distance), width)?;
        pointer = machine.builder.append(Operation::PointerAdd { pointer, offset, in_bounds: false }, ty);
    }
    Ok(pointer)
}

/// The pointer of the register or variable in an address operand.
fn address(machine: &mut Machine, base: &Operand, space: Option<Space>, wanted: Type) -> Option<Value> {
    if machine.follows_all {
        return address_anywhere(machine, base, wanted);
    }
    let content = machine.content(base).ok()??;
    if matches!(machine.builder.ty(content), Type::Pointer(_)) {
        return Some(content);
    }
    addresses::pointer_behind(machine.builder, content, wanted).or_else(|| {
        // A variable that is never written is as good as constant.
        (space == Some(Space::Global))
            .then(|| addresses::pointer_behind(machine.builder, content, Type::Pointer(Space::Constant)))?
    })
}

/// The pointer of a register, variable or number; a number leads anywhere.
fn address_anywhere(machine: &mut Machine, base: &Operand, wanted: Type) -> Option<Value> {
    let bits = machine.builder.kernel.pointer_bits;
    let content = match base {
        Operand::Integer(_) => None,
        _ => machine.content(base).ok()?,
    };
    if let Some(pointer) = content.filter(|content| matches!(machine.builder.ty(*content), Type::Pointer(_))) {
        machine.seen.pointers.push(pointer);
        return Some(pointer);
    }
    let width = machine.width(base).unwrap_or(bits);
    let number = machine.number(base, width).ok()?;
    machine.seen.numbers.push(number);
    let number = machine.builder.resized(number, bits, ConvertOp::ZeroExtend);
    Some(machine.builder.append(Operation::IntegerToPointer(number), wanted))
}

/// The pointer this many bytes behind the address.
fn part(machine: &mut Machine, pointer: Value, bytes: u32) -> Value {
    if bytes == 0 {
        return pointer;
    }
    let width = machine.builder.kernel.pointer_bits;
    let offset = machine.builder.number(width, u64::from(bytes));
    let ty = machine.builder.ty(pointer);
    machine.builder.append(Operation::PointerAdd { pointer, offset, in_bounds: false }, ty)
}

fn access(pointer: Value, bytes: u32, volatile: bool) -> Access {
    Access { pointer, alignment: bytes.next_power_of_two(), volatile, needs: Needs::Everything }
}

fn load(machine: &mut Machine, instruction: &Instruction, form: &Form) -> Result<(), Unsupported> {
    let targets = form.elements(instruction.operand(0)?, instruction)?;
    let pointer = pointer(machine, instruction, instruction.operand(1)?, form.space)?;
    let ty = Type::Bits(form.ty.width);
    let lanes = if let Some(ordering) = form.ordering {
        let element = |offset| {
            let pointer = part(machine, pointer, offset);
            let access = access(pointer, form.bytes(), false);
            let (op, operands, scope) = (AtomicOp::Load, Vec::new(), form.scope);
            machine.builder.append(Operation::Atomic { access, op, operands, ordering, failing: None, scope }, ty)
        };
        (0..).step_by(form.bytes() as usize).take(targets.len()).map(element).collect()
    } else {
        let bytes = form.bytes() * u32::try_from(targets.len()).unwrap_or(1);
        let access = access(pointer, bytes, form.volatile);
        let whole = machine.builder.append(Operation::Load(access), Type::Bits(8 * bytes));
        let lanes = split(machine.builder, whole, &vec![ty; targets.len()]).ok_or_else(|| instruction.refused())?;
        if form.cached { nvvm::cached(machine.builder, pointer, lanes) } else { lanes }
    };
    for (target, lane) in targets.iter().zip(lanes) {
        machine.write(target, lane, form.ty.extension())?;
    }
    Ok(())
}

fn store(machine: &mut Machine, instruction: &Instruction, form: &Form) -> Result<(), Unsupported> {
    let sources = form.elements(instruction.operand(1)?, instruction)?;
    let pointer = pointer(machine, instruction, instruction.operand(0)?, form.space)?;
    let pointer = written(machine.builder, pointer);
    let values = sources.iter().map(|source| machine.number(source, form.ty.width)).collect::<Result<Vec<_>, _>>()?;
    let Some(ordering) = form.ordering else {
        let bytes = form.bytes() * u32::try_from(values.len()).unwrap_or(1);
        let whole = join(machine.builder, &values).ok_or_else(|| instruction.refused())?;
        machine.builder.append_effect(Operation::Store(access(pointer, bytes, form.volatile), whole));
        return Ok(());
    };
    for (offset, value) in (0..).step_by(form.bytes() as usize).zip(values) {
        let pointer = part(machine, pointer, offset);
        let (op, operands, scope) = (AtomicOp::Store, vec![value], form.scope);
        let access = access(pointer, form.bytes(), false);
        machine.builder.append_effect(Operation::Atomic { access, op, operands, ordering, failing: None, scope });
    }
    Ok(())
}

/// `atom` returns the old value, `red` does not.
fn atomic(machine: &mut Machine, instruction: &Instruction, form: &Form, returns: bool) -> Result<(), Unsupported> {
    let first = usize::from(returns);
    let pointer = pointer(machine, instruction, instruction.operand(first)?, form.space)?;
    let pointer = written(machine.builder, pointer);
    let (op, ty, pieces) = atomic_op(form).ok_or_else(|| instruction.refused())?;
    let count = if op == AtomicOp::CompareExchange { 2 } else { 1 };
    let mut operands = Vec::new();
    for index in 1..=count {
        let elements = form.elements(instruction.operand(first + index)?, instruction)?;
        let mut lanes = Vec::new();
        for element in elements {
            let value = machine.number(element, form.ty.width)?;
            match pieces {
                1 => lanes.push(bitcast(machine.builder, value, ty)),
                _ => lanes.extend((0..pieces).map(|_| anything(machine.builder, ty))),
            }
        }
        operands.push(lanes);
    }
    let width = ty.width().ok_or_else(|| instruction.refused())?;
    let mut old = Vec::new();
    for (index, offset) in (0..operands[0].len()).zip((0..).step_by(width as usize / 8)) {
        let pointer = part(machine, pointer, offset);
        let operation = Operation::Atomic {
            access: access(pointer, width / 8, false),
            op,
            operands: operands.iter().map(|lanes| lanes[index]).collect(),
            ordering: form.ordering.unwrap_or(Ordering::Relaxed),
            failing: None,
            scope: form.scope,
        };
        let value = machine.builder.append(operation, ty);
        old.push(bitcast(machine.builder, value, Type::Bits(width)));
    }
    if returns {
        for (target, lanes) in form.elements(instruction.operand(0)?, instruction)?.iter().zip(old.chunks(pieces)) {
            let whole = join(machine.builder, lanes).ok_or_else(|| instruction.refused())?;
            machine.write(target, whole, form.ty.extension())?;
        }
    }
    Ok(())
}

/// The operation of an atomic, the type that it applies to, and how many of these an element has.
fn atomic_op(form: &Form) -> Option<(AtomicOp, Type, usize)> {
    let bits = Type::Bits(form.ty.width);
    let float = form.ty.float().map(Type::Float);
    let plain = |op| Some((op, bits, 1));
    match (form.op?, form.ty.class) {
        ("exch", _) => plain(AtomicOp::Exchange),
        ("cas", _) => plain(AtomicOp::CompareExchange),
        ("and", Class::Bits) => plain(AtomicOp::And),
        ("or", Class::Bits) => plain(AtomicOp::Or),
        ("xor", Class::Bits) => plain(AtomicOp::Xor),
        ("inc", Class::Unsigned) => plain(AtomicOp::Increment),
        ("dec", Class::Unsigned) => plain(AtomicOp::Decrement),
        ("add", Class::Unsigned | Class::Signed) => plain(AtomicOp::Add),
        ("min", Class::Unsigned) => plain(AtomicOp::UnsignedMin),
        ("min", Class::Signed) => plain(AtomicOp::SignedMin),
        ("max", Class::Unsigned) => plain(AtomicOp::UnsignedMax),
        ("max", Class::Signed) => plain(AtomicOp::SignedMax),
        ("add", Class::Float(_)) => Some((AtomicOp::FloatAdd, float?, 1)),
        ("min", Class::Float(_)) => Some((AtomicOp::FloatMin, float?, 1)),
        ("max", Class::Float(_)) => Some((AtomicOp::FloatMax, float?, 1)),
        // Two halves of a word, each atomic by itself: the stored value is not known.
        (_, Class::Other) if form.ty.width == 32 => Some((AtomicOp::Exchange, Type::Bits(16), 2)),
        _ => None,
    }
}

/// `cp.async.ca.shared.global [to], [from], bytes{, read}{, policy}` and the waits for such copies.
fn copy(machine: &mut Machine, instruction: &Instruction, words: &[&str]) -> Result<bool, Unsupported> {
    match words {
        ["ca" | "cg", "shared" | "shared::cta", "global", hints @ ..]
            if hints.iter().all(|hint| hint.starts_with("L2::")) =>
        {
            let mut operands = instruction.operands.as_slice();
            if hints.contains(&"L2::cache_hint") {
                operands = operands.split_last().map_or(operands, |(_, others)| others);
            }
            let (bytes, read) = match operands {
                [_, _, bytes] => (bytes, None),
                [_, _, bytes, read] => (bytes, Some(read)),
                _ => return Err(instruction.refused()),
            };
            let bytes = machine.constant(bytes).and_then(|bytes| u32::try_from(bytes).ok());
            let bytes = bytes.filter(|bytes| [4, 8, 16].contains(bytes)).ok_or_else(|| instruction.refused())?;
            let read = match read {
                None => copies::Read::Everything,
                Some(ignored) if machine.is_predicate(ignored) => copies::Read::Unless(machine.predicate(ignored)?),
                Some(read) => copies::Read::Bytes(machine.number(read, 32)?),
            };
            let to = pointer(machine, instruction, instruction.operand(0)?, Some(Space::Local))?;
            let from = pointer(machine, instruction, instruction.operand(1)?, Some(Space::Global))?;
            copies::copy(machine.builder, [to, from], bytes, read);
        }
        ["commit_group"] => copies::commit(machine.builder),
        ["wait_group"] => {
            let kept = machine.constant(instruction.operand(0)?).and_then(|kept| u32::try_from(kept).ok());
            copies::wait(machine.builder, kept.ok_or_else(|| instruction.refused())?);
        }
        ["wait_all"] => copies::wait_for_all(machine.builder),
        _ => return Ok(false),
    }
    Ok(true)
}

/// `ldmatrix`, `stmatrix`: rows of 16 bytes, eight for each matrix, whose addresses the first lanes
/// hold. The values that the warp reads or writes there are any numbers.
fn move_matrix(
    machine: &mut Machine,
    instruction: &Instruction,
    words: &[&str],
    stores: bool,
) -> Result<(), Unsupported> {
    const ROWS: u64 = 8;
    let matrices = match words.iter().find(|word| matches!(**word, "x1" | "x2" | "x4")) {
        Some(&"x1") => 1,
        Some(&"x2") => 2,
        Some(_) => 4,
        None => return Err(instruction.refused()),
    };
    if words.first() != Some(&"sync") || !words.contains(&"b16") {
        return Err(instruction.refused());
    }
    let (address, data) = if stores { (0, 1) } else { (1, 0) };
    let pointer = pointer(machine, instruction, instruction.operand(address)?, Some(Space::Local))?;
    gather_warp(machine);
    let builder = &mut *machine.builder;
    let lane = nvvm::query(builder, ThreadQuery::LaneId, Type::Bits(32));
    let rows = builder.number(32, ROWS * matrices);
    let has_row = builder.compare(CompareOp::UnsignedLess, lane, rows);
    let (inside, after) = (builder.kernel.add_block(), builder.kernel.add_block());
    let [to_inside, to_after] = [inside, after].map(|block| Target { block, arguments: Vec::new() });
    let start = builder.block;
    let branch = Terminator::Branch { condition: has_row, then: to_inside, otherwise: to_after.clone() };
    machine.end_block(start, branch);
    machine.builder.block = inside;
    if stores {
        let row = anything(machine.builder, Type::Bits(128));
        machine.builder.append_effect(Operation::Store(access(pointer, 16, false), row));
    } else {
        machine.builder.append(Operation::Load(access(pointer, 16, false)), Type::Bits(128));
    }
    machine.end_block(inside, Terminator::Jump(to_after));
    machine.builder.block = after;
    if !stores {
        machine.forget(instruction.operand(data)?);
    }
    Ok(())
}

/// `discard`: afterwards 128 bytes hold anything.
fn discard(machine: &mut Machine, instruction: &Instruction, words: &[&str]) -> Result<(), Unsupported> {
    const BYTES: u32 = 128;
    let space = words.iter().find_map(|word| space_of(word));
    let size = instruction.operand(1).ok().and_then(|size| machine.constant(size));
    if size != Some(i128::from(BYTES)) {
        return Err(instruction.refused());
    }
    let pointer = pointer(machine, instruction, instruction.operand(0)?, space)?;
    let pointer = written(machine.builder, pointer);
    let unknown = anything(machine.builder, Type::Bits(8 * BYTES));
    machine.builder.append_effect(Operation::Store(access(pointer, BYTES, false), unknown));
    Ok(())
}
