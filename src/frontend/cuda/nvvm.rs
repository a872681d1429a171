//! NVVM intrinsics (`llvm.nvvm.…`), to which Clang's own functions and a toolkit's headers come
//! down.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    AtomicOp, BarrierKind, BinaryOp, ConvertOp, FloatOp, GroupOp, Operation, Ordering, Scope, Space, ThreadQuery, Type,
    Value, WarpOp,
};

use super::shuffle::{self, Shuffle};
use super::synchronise::{barrier, barrier_with, fence};
use super::warp::{exchange, lane_mask, truth};
use super::{anything, copies, phases};
use crate::builder::{Builder, Lanes};
use crate::builtins::Unsupported;
use crate::builtins::arithmetic::{float_lane, integer_lane};
use crate::builtins::call::Answer;
use crate::builtins::memory;

/// Appends the meaning of a call of `llvm.nvvm.<name>`. `Ok(None)` for an unknown intrinsic.
pub fn intrinsic(builder: &mut Builder<'_>, name: &str, arguments: &[Lanes], result: &[Type]) -> Answer {
    let operands: Vec<Value> = arguments.iter().flatten().copied().collect();
    if let Some(register) = name.strip_prefix("read.ptx.sreg.") {
        return special_register(builder, register, result).map(Some);
    }
    if let Some(rest) = name.strip_prefix("shfl.sync.") {
        return shuffle(builder, rest, &operands, result).map(Some);
    }
    let done = || Ok(Some(Lanes::new()));
    match (name, operands.as_slice()) {
        ("barrier0" | "barrier.sync.aligned" | "bar.sync", []) => {
            barrier(builder, BarrierKind::Group);
            done()
        }
        ("barrier.n" | "barrier.sync" | "bar.sync", &[id]) => {
            let zero = builder.kernel.constant(id).is_some_and(Bits::is_zero);
            barrier(builder, if zero { BarrierKind::Group } else { BarrierKind::Named { id, count: None } });
            done()
        }
        ("barrier" | "barrier.sync.cnt", &[id, count]) => {
            barrier(builder, BarrierKind::Named { id, count: Some(count) });
            done()
        }
        ("barrier0.popc", &[predicate]) => Ok(Some(vec![barrier_with(builder, GroupOp::Count, predicate, 32)])),
        ("barrier0.and", &[predicate]) => Ok(Some(vec![barrier_with(builder, GroupOp::All, predicate, 32)])),
        ("barrier0.or", &[predicate]) => Ok(Some(vec![barrier_with(builder, GroupOp::Any, predicate, 32)])),
        ("bar.warp.sync", &[mask]) => {
            barrier(builder, BarrierKind::Warp { mask: Some(mask) });
            done()
        }
        ("membar.cta", []) => {
            fence(builder, Scope::Group);
            done()
        }
        ("membar.gl", []) => {
            fence(builder, Scope::Device);
            done()
        }
        ("membar.sys", []) => {
            fence(builder, Scope::System);
            done()
        }
        ("nanosleep", _) => done(),
        ("activemask", []) => Ok(Some(vec![exchange(builder, WarpOp::ActiveMask, None, Vec::new(), Type::Bits(32))])),
        ("vote.all.sync", &[mask, says]) => Ok(Some(vote(builder, WarpOp::VoteAll, mask, says))),
        ("vote.any.sync", &[mask, says]) => Ok(Some(vote(builder, WarpOp::VoteAny, mask, says))),
        ("vote.uni.sync", &[mask, says]) => Ok(Some(vote(builder, WarpOp::VoteEqual, mask, says))),
        ("vote.ballot.sync", &[mask, says]) => Ok(Some(vote(builder, WarpOp::Ballot, mask, says))),
        ("match.any.sync.i32" | "match.any.sync.i64", &[mask, value]) => {
            Ok(Some(vec![exchange(builder, WarpOp::MatchAny, Some(mask), vec![value], Type::Bits(32))]))
        }
        ("match.all.sync.i32p" | "match.all.sync.i64p", &[mask, value]) => {
            let lanes = exchange(builder, WarpOp::MatchAll, Some(mask), vec![value], Type::Bits(32));
            let all = truth(builder, lanes);
            Ok(Some(vec![lanes, all]))
        }
        (name, &[value, mask]) if name.starts_with("redux.sync.") => {
            let Some(op) = reduction(&name["redux.sync.".len()..]) else { return Ok(None) };
            Ok(Some(vec![exchange(builder, op, Some(mask), vec![value], Type::Bits(32))]))
        }
        (name, _) if name.starts_with("ldg.global.") || name.starts_with("ldu.global.") => {
            let &[pointer, ..] = operands.as_slice() else { return Ok(None) };
            let alignment = operands.get(1).and_then(|&bytes| builder.kernel.constant(bytes)?.to_u64()).unwrap_or(1);
            load(builder, pointer, alignment, result).map(Some)
        }
        ("isspacep.global", &[pointer]) => Ok(Some(vec![is_in_space(builder, Space::Global, pointer)])),
        ("isspacep.shared", &[pointer]) => Ok(Some(vec![is_in_space(builder, Space::Local, pointer)])),
        ("isspacep.const", &[pointer]) => Ok(Some(vec![is_in_space(builder, Space::Constant, pointer)])),
        ("isspacep.local", &[pointer]) => Ok(Some(vec![is_in_space(builder, Space::Private, pointer)])),
        (name, operands) if name.starts_with("cp.async.") => {
            copies::intrinsic(builder, &name["cp.async.".len()..], operands)
        }
        (name, operands) if name.starts_with("mbarrier.") => {
            phases::intrinsic(builder, &name["mbarrier.".len()..], operands)
        }
        (name, _) if name.starts_with("atomic.") => Ok(atomic(builder, &name["atomic.".len()..], &operands, result)),
        _ => Ok(arithmetic(builder, name, &operands, result).map(|value| vec![value])),
    }
}

/// A special register, with 32 or 64 bits.
pub fn special_register(builder: &mut Builder<'_>, register: &str, result: &[Type]) -> Result<Lanes, Unsupported> {
    let &[ty] = result else { return Err(Unsupported(format!("special register %{register}"))) };
    let dimension =
        |text: &str| "xyz".find(text).and_then(|index| u8::try_from(index).ok()).filter(|_| text.len() == 1);
    let query = match register.rsplit_once('.').map(|(name, last)| (name, dimension(last))) {
        Some(("tid", Some(d))) => ThreadQuery::LocalId(d),
        Some(("ctaid", Some(d))) => ThreadQuery::GroupId(d),
        Some(("ntid", Some(d))) => ThreadQuery::LocalSize(d),
        Some(("nctaid", Some(d))) => ThreadQuery::NumGroups(d),
        Some(("lanemask", None)) => {
            let lane = query(builder, ThreadQuery::LaneId, ty);
            let which = register.rsplit('.').next().unwrap_or_default();
            let mask = lane_mask(builder, which, lane);
            return mask.map(|mask| vec![mask]).ok_or_else(|| Unsupported(format!("special register %{register}")));
        }
        _ => match register {
            "laneid" => ThreadQuery::LaneId,
            "warpsize" => ThreadQuery::WarpSize,
            // The contents of these registers may change while the kernel runs: each read gives any
            // value.
            "clock" | "clock_hi" | "clock64" | "globaltimer" | "globaltimer_lo" | "globaltimer_hi" | "smid"
            | "nsmid" | "warpid" | "nwarpid" | "gridid" | "pm0" | "pm1" | "pm2" | "pm3" | "dynamic_smem_size"
            | "total_smem_size" => return Ok(vec![anything(builder, ty)]),
            _ => return Err(Unsupported(format!("special register %{register}"))),
        },
    };
    Ok(vec![self::query(builder, query, ty)])
}

/// Whether a pointer leads into this space.
///
/// It is known if the value that the pointer is computed from lies in a known space; otherwise it
/// is any truth value.
pub fn is_in_space(builder: &mut Builder<'_>, asked: Space, pointer: Value) -> Value {
    match space_behind(builder, pointer, MOST_POINTER_STEPS) {
        // Variables that are never written lie in global memory, those of `__constant__` in another
        // space.
        Some(Space::Constant | Space::Generic) | None => anything(builder, Type::Bool),
        Some(space) => builder.boolean(space == asked),
    }
}

/// The most operations that are looked through between a pointer and the values that it is computed
/// from.
const MOST_POINTER_STEPS: usize = 12;

/// The space of all values that a pointer is computed from.
fn space_behind(builder: &Builder<'_>, pointer: Value, steps: usize) -> Option<Space> {
    match builder.ty(pointer) {
        Type::Pointer(Space::Generic) if steps > 0 => {}
        Type::Pointer(space) => return Some(space),
        _ => return None,
    }
    match *builder.kernel.operation(pointer)? {
        Operation::SpaceCast(from) | Operation::PointerAdd { pointer: from, .. } => {
            space_behind(builder, from, steps - 1)
        }
        Operation::Select(_, a, b) => {
            let [a, b] = [a, b].map(|from| space_behind(builder, from, steps - 1));
            a.filter(|_| a == b)
        }
        _ => None,
    }
}

/// A thread query, as a number of this type.
pub fn query(builder: &mut Builder<'_>, query: ThreadQuery, ty: Type) -> Value {
    let wide = builder.kernel.offset_type();
    let value = builder.append(Operation::ThreadQuery(query), wide);
    let op = if ty.width() < wide.width() { ConvertOp::Truncate } else { ConvertOp::ZeroExtend };
    builder.convert(op, value, ty)
}

/// `shfl.sync`: mask, value, lane or distance, and the segments.
fn shuffle(builder: &mut Builder<'_>, rest: &str, operands: &[Value], result: &[Type]) -> Result<Lanes, Unsupported> {
    let op = rest.split('.').next().and_then(shuffle::named);
    match (op, operands, result) {
        (Some(op), &[mask, value, by, control], &[ty]) if builder.ty(value) == ty => {
            Ok(vec![Shuffle { op, mask, value, by, control }.append(builder)])
        }
        // The second result tells whether the lane lies in the segment.
        (Some(op), &[mask, value, by, control], &[ty, Type::Bool]) if builder.ty(value) == ty => {
            let shuffle = Shuffle { op, mask, value, by, control };
            let (_, inside) = shuffle.source(builder);
            Ok(vec![shuffle.append(builder), inside])
        }
        _ => Err(Unsupported(format!("intrinsic llvm.nvvm.shfl.sync.{rest}"))),
    }
}

fn vote(builder: &mut Builder<'_>, op: WarpOp, mask: Value, says: Value) -> Lanes {
    let ty = if op == WarpOp::Ballot { Type::Bits(32) } else { Type::Bool };
    let says = truth(builder, says);
    vec![exchange(builder, op, Some(mask), vec![says], ty)]
}

fn reduction(name: &str) -> Option<WarpOp> {
    Some(match name {
        "add" => WarpOp::ReduceAdd,
        "min" => WarpOp::ReduceSignedMin,
        "max" => WarpOp::ReduceSignedMax,
        "umin" => WarpOp::ReduceUnsignedMin,
        "umax" => WarpOp::ReduceUnsignedMax,
        "and" => WarpOp::ReduceAnd,
        "or" => WarpOp::ReduceOr,
        "xor" => WarpOp::ReduceXor,
        _ => return None,
    })
}

fn load(builder: &mut Builder<'_>, pointer: Value, alignment: u64, result: &[Type]) -> Result<Lanes, Unsupported> {
    let unknown = || Unsupported("load of this type through the read-only cache".into());
    let bits = result.iter().map(|ty| ty.width()).sum::<Option<u32>>().ok_or_else(unknown)?;
    let ty = if let &[ty] = result { ty } else { Type::Bits(bits) };
    let alignment = u32::try_from(alignment).unwrap_or(1).max(1);
    let whole = builder.append(Operation::Load(memory::access(pointer, alignment)), ty);
    let lanes = memory::split(builder, whole, result).ok_or_else(unknown)?;
    Ok(cached(builder, pointer, lanes))
}

/// Values read through a non-coherent cache, where memory has these at a pointer.
pub fn cached(builder: &mut Builder<'_>, pointer: Value, lanes: Lanes) -> Lanes {
    let cached = |value| {
        let ty = builder.ty(value);
        builder.append(Operation::Cached { pointer, value }, ty)
    };
    lanes.into_iter().map(cached).collect()
}

/// `add.gen.i.cta.i32.p0`, `load.inc.32.p0`, …: the scope is the device's if none is named.
fn atomic(builder: &mut Builder<'_>, rest: &str, operands: &[Value], result: &[Type]) -> Option<Lanes> {
    let words: Vec<&str> = rest.split('.').collect();
    let op = match words.as_slice() {
        ["load", "inc", ..] | ["inc", ..] => AtomicOp::Increment,
        ["load", "dec", ..] | ["dec", ..] => AtomicOp::Decrement,
        ["add", "gen", "f", ..] => AtomicOp::FloatAdd,
        ["add", ..] => AtomicOp::Add,
        ["exch", ..] => AtomicOp::Exchange,
        ["cas", ..] => AtomicOp::CompareExchange,
        ["and", ..] => AtomicOp::And,
        ["or", ..] => AtomicOp::Or,
        ["xor", ..] => AtomicOp::Xor,
        // The name does not tell the sign; with either sign the value is unknown.
        ["max", ..] => AtomicOp::SignedMax,
        ["min", ..] => AtomicOp::SignedMin,
        _ => return None,
    };
    let scope = if words.contains(&"cta") {
        Scope::Group
    } else if words.contains(&"sys") {
        Scope::System
    } else {
        Scope::Device
    };
    let (&[pointer, ref given @ ..], &[ty]) = (operands, result) else { return None };
    let bytes = ty.width().unwrap_or(32) / 8;
    let access = memory::access(pointer, bytes);
    let operation =
        Operation::Atomic { access, op, operands: given.to_vec(), ordering: Ordering::Relaxed, failing: None, scope };
    Some(vec![builder.append(operation, ty)])
}

/// Arithmetic: exact where that is simple, otherwise a function of which only the name is known.
fn arithmetic(builder: &mut Builder<'_>, name: &str, operands: &[Value], result: &[Type]) -> Option<Value> {
    /// The prefixes of functions that depend on their operands only.
    const FUNCTIONS: [&str; 41] = [
        "add.",
        "mul.",
        "div.",
        "fma.",
        "sqrt.",
        "rsqrt.",
        "rcp.",
        "ex2.",
        "lg2.",
        "sin.",
        "cos.",
        "tanh.",
        "f2",
        "d2",
        "i2",
        "ui2",
        "ll2",
        "ull2",
        "ff2",
        "bf2",
        "fmin",
        "fmax",
        "fabs",
        "ceil.",
        "floor.",
        "round.",
        "trunc.",
        "saturate.",
        "bitcast.",
        "prmt",
        "mulhi.",
        "mul24.",
        "sad.",
        "fns",
        "lohi.",
        "h2",
        "e4m3",
        "e5m2",
        "abs.",
        "neg.",
        "fneg",
    ];
    let &[ty] = result else { return None };
    let words: Vec<&str> = name.split('.').collect();
    match (words.as_slice(), operands) {
        (["fabs", ..], &[a]) if matches!(ty, Type::Float(_)) => float_lane(builder, "fabs", &[a], ty),
        (["sqrt", "rn", "f" | "d"], &[a]) => Some(builder.float(FloatOp::SquareRoot, vec![a], ty)),
        (["fma", "rn", "f" | "d"], &[a, b, c]) => Some(builder.float(FloatOp::FusedMultiplyAdd, vec![a, b, c], ty)),
        (["add", "rn", "f" | "d"], &[a, b]) => Some(builder.float(FloatOp::Add, vec![a, b], ty)),
        (["mul", "rn", "f" | "d"], &[a, b]) => Some(builder.float(FloatOp::Multiply, vec![a, b], ty)),
        (["div", "rn", "f" | "d"], &[a, b]) => Some(builder.float(FloatOp::Divide, vec![a, b], ty)),
        (["bitcast", ..], &[a]) => Some(builder.convert(ConvertOp::Bitcast, a, ty)),
        (["mulhi", kind], &[a, b]) => Some(high_product(builder, !kind.starts_with('u'), a, b)),
        (["fmin" | "fmax", kind], &[a, b]) if matches!(*kind, "f" | "d") => {
            let function = if words[0] == "fmin" { "minnum" } else { "maxnum" };
            float_lane(builder, function, &[a, b], ty)
        }
        (["brev32" | "brev64"], &[a]) => integer_lane(builder, "bitreverse", &[a], ty),
        _ if FUNCTIONS.iter().any(|prefix| name.starts_with(prefix)) && ty.width().is_some() => {
            let plain = operands.iter().all(|&operand| builder.ty(operand).width().is_some());
            plain.then(|| builder.uninterpreted(format!("nvvm.{name}"), operands.to_vec(), ty))
        }
        _ => None,
    }
}

/// The high half of a product.
pub fn high_product(builder: &mut Builder<'_>, signed: bool, a: Value, b: Value) -> Value {
    let width = builder.ty(a).width().unwrap_or(32);
    let op = if signed { ConvertOp::SignExtend } else { ConvertOp::ZeroExtend };
    let [a, b] = [a, b].map(|factor| builder.convert(op, factor, Type::Bits(2 * width)));
    let product = builder.binary(BinaryOp::Multiply, a, b);
    builder.extract(2 * width - 1, width, product)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::testing::Bench;

    fn appended(name: &str, arguments: &[Lanes], result: &[Type], bench: &mut Bench) -> Lanes {
        intrinsic(&mut bench.builder(), name, arguments, result).expect("supported").expect("known")
    }

    #[test]
    fn special_registers() {
        let mut bench = Bench::cuda();
        for (name, expected) in [
            ("read.ptx.sreg.tid.y", ThreadQuery::LocalId(1)),
            ("read.ptx.sreg.ctaid.z", ThreadQuery::GroupId(2)),
            ("read.ptx.sreg.nctaid.x", ThreadQuery::NumGroups(0)),
            ("read.ptx.sreg.laneid", ThreadQuery::LaneId),
        ] {
            let lane = appended(name, &[], &[Type::Bits(32)], &mut bench)[0];
            let Operation::Convert(ConvertOp::Truncate, query) = *bench.operation(lane) else { panic!("{name}") };
            assert_eq!(*bench.operation(query), Operation::ThreadQuery(expected), "{name}");
        }
        let unknown = intrinsic(&mut bench.builder(), "read.ptx.sreg.envreg3", &[], &[Type::Bits(32)]);
        assert_eq!(unknown.expect_err("unknown").0, "special register %envreg3");
    }

    #[test]
    fn the_width_of_a_shuffle_is_in_its_segments() {
        let mut bench = Bench::cuda();
        let arguments: Vec<Lanes> =
            [u64::from(u32::MAX), 5, 1, 0x181f].into_iter().map(|number| vec![bench.number(32, number)]).collect();
        appended("shfl.sync.down.i32", &arguments, &[Type::Bits(32)], &mut bench);
        let Operation::WarpExchange { op: WarpOp::ShuffleDown, mask: Some(_), operands } = bench.last().clone() else {
            panic!("{:?}", bench.last())
        };
        assert_eq!(bench.kernel.constant(operands[2]).and_then(Bits::to_u64), Some(8));
    }

    #[test]
    fn spaces_of_pointers_are_known_where_they_are_all_the_same() {
        let mut bench = Bench::cuda();
        let [shared, other, global] = [Space::Local, Space::Local, Space::Global].map(|space| bench.pointer(space));
        let condition = bench.input(Type::Bool);
        let mut builder = bench.builder();
        let generic = Type::Pointer(Space::Generic);
        let [shared, other, global] =
            [shared, other, global].map(|pointer| builder.append(Operation::SpaceCast(pointer), generic));
        let alike = builder.append(Operation::Select(condition, shared, other), generic);
        let mixed = builder.append(Operation::Select(condition, shared, global), generic);
        for (name, pointer, expected) in [
            ("isspacep.shared", shared, Some(true)),
            ("isspacep.global", shared, Some(false)),
            ("isspacep.global", global, Some(true)),
            ("isspacep.shared", alike, Some(true)),
            ("isspacep.shared", mixed, None),
        ] {
            let answer = appended(name, &[vec![pointer]], &[Type::Bool], &mut bench)[0];
            let known = bench.kernel.constant(answer).map(|bits| !bits.is_zero());
            assert_eq!(known, expected, "{name}");
        }
    }

    #[test]
    fn atomics_of_a_block() {
        let mut bench = Bench::cuda();
        let pointer = bench.pointer(Space::Global);
        let one = bench.number(32, 1);
        let name = "atomic.add.gen.i.cta.i32.p0";
        appended(name, &[vec![pointer], vec![one]], &[Type::Bits(32)], &mut bench);
        assert!(matches!(bench.last(), Operation::Atomic { op: AtomicOp::Add, scope: Scope::Group, .. }));
    }

    #[test]
    fn high_halves_of_products() {
        let mut bench = Bench::cuda();
        let (a, b) = (bench.input(Type::Bits(32)), bench.input(Type::Bits(32)));
        let unsigned = appended("mulhi.ui", &[vec![a], vec![b]], &[Type::Bits(32)], &mut bench)[0];
        let signed = appended("mulhi.i", &[vec![a], vec![b]], &[Type::Bits(32)], &mut bench)[0];
        let inputs = [u128::from(u32::MAX), u128::from(u32::MAX)];
        assert_eq!(bench.evaluate(&inputs, unsigned), 0xFFFF_FFFE);
        assert_eq!(bench.evaluate(&inputs, signed), 0);
    }
}
