//! Barriers, fences and the functions of a warp.

use lockstep_ir::kernel::{
    BarrierKind, BinaryOp, CompareOp, GroupOp, Operation, Ordering, SpaceSet, Terminator, ThreadQuery, Type, Value,
    WarpOp,
};

use super::machine::Machine;
use super::memory::scope_of;
use super::read::{Instruction, Operand};
use super::types::{Class, PtxType};
use crate::builtins::Unsupported;
use crate::cuda::integers::by_name;
use crate::cuda::nvvm;
use crate::cuda::shuffle::{self, Shuffle};
use crate::cuda::synchronise::{barrier, barrier_with, fence};
use crate::cuda::warp::{exchange, truth};

/// Appends one of these instructions. `Ok(false)` for an unknown one.
pub fn expand(machine: &mut Machine, instruction: &Instruction) -> Result<bool, Unsupported> {
    let (name, words) = instruction.words();
    let words: Vec<&str> = words.into_iter().filter(|word| *word != "aligned").collect();
    match (name, words.as_slice()) {
        ("bar", ["warp", "sync"]) => {
            let mask = machine.number(instruction.operand(0)?, 32)?;
            barrier(machine.builder, BarrierKind::Warp { mask: Some(mask) });
        }
        ("bar" | "barrier", &["sync" | "arrive"] | &["cta", "sync" | "arrive"]) => {
            barrier_of_group(machine, instruction, words.contains(&"arrive"))?;
        }
        ("bar" | "barrier", &["red", op, _] | &["cta", "red", op, _]) => reduce(machine, instruction, op)?,
        ("membar", &[scope]) => {
            let scope = scope_of(scope).ok_or_else(|| instruction.refused())?;
            fence(machine.builder, scope);
        }
        ("fence", &[ordering, scope]) => {
            let ordering = match ordering {
                "sc" => Ordering::SequentiallyConsistent,
                "acq_rel" => Ordering::AcquireRelease,
                "acquire" => Ordering::Acquire,
                "release" => Ordering::Release,
                _ => return Ok(false),
            };
            let scope = scope_of(scope).ok_or_else(|| instruction.refused())?;
            machine.builder.append_effect(Operation::Fence { ordering, scope, spaces: SpaceSet::ALL });
        }
        ("activemask", ["b32"]) => {
            let mask = exchange(machine.builder, WarpOp::ActiveMask, None, Vec::new(), Type::Bits(32));
            machine.set(instruction.operand(0)?, mask)?;
        }
        ("vote", &["sync", op, _]) => vote(machine, instruction, op)?,
        ("shfl", &["sync", op, "b32"]) => shuffle(machine, instruction, op)?,
        ("match", &["any", "sync", ty]) => {
            let value = matched(machine, instruction, ty)?;
            let mask = machine.number(instruction.operand(2)?, 32)?;
            let lanes = exchange(machine.builder, WarpOp::MatchAny, Some(mask), vec![value], Type::Bits(32));
            machine.set(instruction.operand(0)?, lanes)?;
        }
        ("match", &["all", "sync", ty]) => {
            let value = matched(machine, instruction, ty)?;
            let mask = machine.number(instruction.operand(2)?, 32)?;
            let lanes = exchange(machine.builder, WarpOp::MatchAll, Some(mask), vec![value], Type::Bits(32));
            let all = truth(machine.builder, lanes);
            set_pair(machine, instruction.operand(0)?, lanes, |_| all)?;
        }
        ("redux", &["sync", op, ty]) => reduce_in_warp(machine, instruction, op, ty)?,
        // The warp computes the product of matrices together; it is any numbers.
        ("mma", ["sync", ..]) => {
            gather_warp(machine);
            machine.forget(instruction.operand(0)?);
        }
        ("elect", ["sync"]) => elect(machine, instruction)?,
        // Less order than there is, among the accesses of instructions that are refused.
        ("fence", ["proxy" | "mbarrier_init", ..]) => {}
        // The number of registers of a thread is none of its program's business.
        ("setmaxnreg", ["inc" | "dec", "sync", "u32"]) => {}
        // It concerns other grids, of which a launch by itself knows nothing.
        ("griddepcontrol", _) if machine.follows_all => {}
        ("nanosleep" | "brkpt" | "pmevent", _) => {}
        ("exit", []) => machine.end = Some(Terminator::Return),
        ("trap", []) => machine.end = Some(Terminator::Trap),
        _ => return Ok(false),
    }
    Ok(true)
}

/// `elect.sync d|p, mask`: one lane of the mask, which the machine chooses, always the same one for
/// the same mask.
fn elect(machine: &mut Machine, instruction: &Instruction) -> Result<(), Unsupported> {
    let mask = machine.number(instruction.operand(1)?, 32)?;
    let builder = &mut *machine.builder;
    let here = builder.boolean(true);
    exchange(builder, WarpOp::VoteAll, Some(mask), vec![here], Type::Bool);
    let elected = builder.uninterpreted("ptx.elect", vec![mask], Type::Bits(32));
    let one = builder.number(32, 1);
    let bit = builder.binary(BinaryOp::ShiftLeft, one, elected);
    let inside = builder.binary(BinaryOp::And, mask, bit);
    let zero = builder.number(32, 0);
    let outside = builder.compare(CompareOp::Equal, inside, zero);
    let first = by_name(builder, "cttz", &[mask]);
    let leader = builder.select(outside, first, elected);
    let lane = nvvm::query(builder, ThreadQuery::LaneId, Type::Bits(32));
    let is_leader = builder.compare(CompareOp::Equal, lane, leader);
    set_pair(machine, instruction.operand(0)?, leader, |_| is_leader)
}

/// Requires all lanes of the warp to be here: otherwise the results of joint computations are
/// undefined.
///
/// No memory is ordered.
pub fn gather_warp(machine: &mut Machine) {
    let builder = &mut *machine.builder;
    let all = builder.number(32, u64::from(u32::MAX));
    let here = builder.boolean(true);
    exchange(builder, WarpOp::VoteAll, Some(all), vec![here], Type::Bool);
}

/// `bar.sync a{, b}` and `bar.arrive a, b`. Barrier 0 with all threads is that of the group.
fn barrier_of_group(machine: &mut Machine, instruction: &Instruction, arrives: bool) -> Result<(), Unsupported> {
    let number = instruction.operand(0)?;
    let count = instruction.operands.get(1);
    if machine.constant(number) == Some(0) && count.is_none() && !arrives {
        barrier(machine.builder, BarrierKind::Group);
        return Ok(());
    }
    let id = machine.number(number, 32)?;
    let count = count.map(|count| machine.number(count, 32)).transpose()?;
    let kind = match (arrives, count) {
        (false, count) => BarrierKind::Named { id, count },
        (true, Some(count)) => BarrierKind::Arrive { id, count },
        (true, None) => return Err(instruction.refused()),
    };
    barrier(machine.builder, kind);
    Ok(())
}

/// `bar.red.popc.u32 d, a, p` and `bar.red.and.pred d, a, p`, of all threads at barrier 0.
fn reduce(machine: &mut Machine, instruction: &Instruction, op: &str) -> Result<(), Unsupported> {
    let op = match op {
        "popc" => GroupOp::Count,
        "and" => GroupOp::All,
        "or" => GroupOp::Any,
        _ => return Err(instruction.refused()),
    };
    let [target, number, predicate] = instruction.operands.as_slice() else {
        return Err(Unsupported(format!("PTX instruction {} of a number of threads", instruction.opcode)));
    };
    if machine.constant(number) != Some(0) {
        return Err(Unsupported(format!("PTX instruction {} of another barrier than 0", instruction.opcode)));
    }
    let predicate = machine.predicate(predicate)?;
    let result = barrier_with(machine.builder, op, predicate, 32);
    let result = if op == GroupOp::Count { result } else { truth(machine.builder, result) };
    machine.set(target, result)
}

fn vote(machine: &mut Machine, instruction: &Instruction, op: &str) -> Result<(), Unsupported> {
    let (op, ty) = match op {
        "all" => (WarpOp::VoteAll, Type::Bool),
        "any" => (WarpOp::VoteAny, Type::Bool),
        "uni" => (WarpOp::VoteEqual, Type::Bool),
        "ballot" => (WarpOp::Ballot, Type::Bits(32)),
        _ => return Err(instruction.refused()),
    };
    let says = machine.predicate(instruction.operand(1)?)?;
    let mask = machine.number(instruction.operand(2)?, 32)?;
    let result = exchange(machine.builder, op, Some(mask), vec![says], ty);
    machine.set(instruction.operand(0)?, result)
}

/// `shfl.sync.down.b32 d|p, a, b, c, mask`
fn shuffle(machine: &mut Machine, instruction: &Instruction, op: &str) -> Result<(), Unsupported> {
    let op = shuffle::named(op).ok_or_else(|| instruction.refused())?;
    let operand = |machine: &mut Machine, index| machine.number(instruction.operand(index)?, 32);
    let value = operand(machine, 1)?;
    let by = operand(machine, 2)?;
    let control = operand(machine, 3)?;
    let mask = operand(machine, 4)?;
    let shuffle = Shuffle { op, mask, value, by, control };
    let received = shuffle.append(machine.builder);
    set_pair(machine, instruction.operand(0)?, received, |machine| shuffle.source(machine.builder).1)
}

/// Writes a result, and the predicate that comes with it if it is asked for.
fn set_pair(
    machine: &mut Machine,
    target: &Operand,
    result: Value,
    predicate: impl FnOnce(&mut Machine) -> Value,
) -> Result<(), Unsupported> {
    let Operand::Pair(first, second) = target else { return machine.set(target, result) };
    let predicate = predicate(machine);
    machine.set(first, result)?;
    machine.set(second, predicate)
}

/// `match`: the compared value has 32 or 64 bits.
fn matched(machine: &mut Machine, instruction: &Instruction, ty: &str) -> Result<Value, Unsupported> {
    let ty = PtxType::parse(ty).filter(|ty| ty.class == Class::Bits).ok_or_else(|| instruction.refused())?;
    machine.number(instruction.operand(1)?, ty.width)
}

fn reduce_in_warp(machine: &mut Machine, instruction: &Instruction, op: &str, ty: &str) -> Result<(), Unsupported> {
    let ty = PtxType::parse(ty).filter(|ty| ty.is_integer() && ty.width == 32).ok_or_else(|| instruction.refused())?;
    let op = match op {
        "add" => WarpOp::ReduceAdd,
        "min" if ty.is_signed() => WarpOp::ReduceSignedMin,
        "min" => WarpOp::ReduceUnsignedMin,
        "max" if ty.is_signed() => WarpOp::ReduceSignedMax,
        "max" => WarpOp::ReduceUnsignedMax,
        "and" => WarpOp::ReduceAnd,
        "or" => WarpOp::ReduceOr,
        "xor" => WarpOp::ReduceXor,
        _ => return Err(instruction.refused()),
    };
    let value = machine.number(instruction.operand(1)?, ty.width)?;
    let mask = machine.number(instruction.operand(2)?, 32)?;
    let result = exchange(machine.builder, op, Some(mask), vec![value], Type::Bits(32));
    machine.set(instruction.operand(0)?, result)
}
