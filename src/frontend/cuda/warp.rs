//! Functions of a warp: shuffles, votes, matches, reductions, and masks of the active lanes.
//!
//! They exchange values and order no memory. The mask says which lanes take part. CUDA had
//! functions without one before threads of a warp ran independently. There, all lanes of the warp
//! must take part, as with a mask of all lanes: a lane that does not is reported. In HIP, the
//! functions without a mask apply to the active lanes.

use lockstep_ir::kernel::{Access, BinaryOp, CompareOp, ConvertOp, Language, Needs, Operation, Type, Value, WarpOp};

use super::shuffle::distance;
use crate::builder::Builder;
use crate::builtins::Unsupported;
use crate::builtins::call::{Answer, Call};
use crate::builtins::mangle::{Integer, ParameterType, Scalar};

/// Appends a function of a warp.
pub fn expand(call: &mut Call) -> Answer {
    let name = call.name;
    if let Some(op) = shuffle(name.trim_end_matches("_sync")) {
        return exchange_values(call, op);
    }
    match name {
        "__activemask" => {
            let ty = *call.result.first().ok_or_else(|| call.ill_typed())?;
            Ok(Some(vec![exchange(call.builder, WarpOp::ActiveMask, None, Vec::new(), ty)]))
        }
        "__all_sync" | "__all" => vote(call, WarpOp::VoteAll),
        "__any_sync" | "__any" => vote(call, WarpOp::VoteAny),
        "__uni_sync" => vote(call, WarpOp::VoteEqual),
        "__ballot_sync" | "__ballot" => vote(call, WarpOp::Ballot),
        "__match_any_sync" | "__match_any" => matching(call, WarpOp::MatchAny),
        "__match_all_sync" | "__match_all" => matching(call, WarpOp::MatchAll),
        "__reduce_add_sync" => matching(call, WarpOp::ReduceAdd),
        "__reduce_min_sync" => extremum(call, [WarpOp::ReduceSignedMin, WarpOp::ReduceUnsignedMin]),
        "__reduce_max_sync" => extremum(call, [WarpOp::ReduceSignedMax, WarpOp::ReduceUnsignedMax]),
        "__reduce_and_sync" => matching(call, WarpOp::ReduceAnd),
        "__reduce_or_sync" => matching(call, WarpOp::ReduceOr),
        "__reduce_xor_sync" => matching(call, WarpOp::ReduceXor),
        _ => Ok(None),
    }
}

/// The shuffle of this name, in CUDA's spelling without its ending.
pub fn shuffle(name: &str) -> Option<WarpOp> {
    match name {
        "__shfl" => Some(WarpOp::Shuffle),
        "__shfl_up" => Some(WarpOp::ShuffleUp),
        "__shfl_down" => Some(WarpOp::ShuffleDown),
        "__shfl_xor" => Some(WarpOp::ShuffleXor),
        _ => None,
    }
}

/// An exchange with a result of this type.
pub fn exchange(builder: &mut Builder<'_>, op: WarpOp, mask: Option<Value>, operands: Vec<Value>, ty: Type) -> Value {
    builder.append(Operation::WarpExchange { op, mask, operands }, ty)
}

/// The mask of a call, and the position of the argument after it.
fn mask(call: &mut Call) -> Result<(Option<Value>, usize), Unsupported> {
    if call.name.ends_with("_sync") {
        return Ok((Some(call.single(0)?), 1));
    }
    match call.builder.kernel.language {
        Language::Hip => Ok((None, 0)),
        _ => Ok((Some(call.builder.number(32, u64::from(u32::MAX))), 0)),
    }
}

/// Every part of a value is exchanged alike.
fn exchange_values(call: &mut Call, op: WarpOp) -> Answer {
    let (mask, first) = mask(call)?;
    let values = call.arguments.get(first).cloned().ok_or_else(|| call.ill_typed())?;
    let (by, width) = (call.single(first + 1)?, call.single(first + 2)?);
    let results = call.result.to_vec();
    if values.len() != results.len() {
        return Err(call.ill_typed());
    }
    // HIP's functions move data by byte addresses that are computed from the whole distance.
    let by = match call.builder.kernel.language {
        Language::Hip => by,
        _ => distance(call.builder, op, by),
    };
    let lanes = values.into_iter().zip(results);
    Ok(Some(lanes.map(|(value, ty)| exchange(call.builder, op, mask, vec![value, by, width], ty)).collect()))
}

fn vote(call: &mut Call, op: WarpOp) -> Answer {
    let (mask, first) = mask(call)?;
    let predicate = call.single(first)?;
    let predicate = truth(call.builder, predicate);
    let ty = match (op, call.result) {
        (WarpOp::Ballot, &[ty]) => ty,
        (_, &[_]) => Type::Bool,
        _ => return Err(call.ill_typed()),
    };
    Ok(Some(vec![exchange(call.builder, op, mask, vec![predicate], ty)]))
}

/// Whether a number is not zero.
pub fn truth(builder: &mut Builder<'_>, number: Value) -> Value {
    match builder.ty(number) {
        Type::Bits(width) => {
            let zero = builder.number(width, 0);
            builder.compare(CompareOp::NotEqual, number, zero)
        }
        _ => number,
    }
}

/// The signed or the unsigned reduction of two, by the value's type.
fn extremum(call: &mut Call, [signed, unsigned]: [WarpOp; 2]) -> Answer {
    match call.parameter(1)? {
        ParameterType::Scalar(Scalar::Integer(Integer { signed: true, .. })) => matching(call, signed),
        ParameterType::Scalar(Scalar::Integer(Integer { signed: false, .. })) => matching(call, unsigned),
        _ => Err(call.ill_typed()),
    }
}

/// A match, or a reduction. `__match_all_sync` says through a pointer whether all values are the
/// same.
fn matching(call: &mut Call, op: WarpOp) -> Answer {
    let (mask, first) = mask(call)?;
    let value = call.single(first)?;
    let &[ty] = call.result else { return Err(call.ill_typed()) };
    let result = exchange(call.builder, op, mask, vec![value], ty);
    if op == WarpOp::MatchAll {
        let pointer = call.single(first + 1)?;
        let all = truth(call.builder, result);
        let all = call.builder.convert(ConvertOp::ZeroExtend, all, Type::Bits(32));
        call.builder.append_effect(Operation::Store(
            Access { pointer, alignment: 4, volatile: false, needs: Needs::Everything },
            all,
        ));
    }
    Ok(Some(vec![result]))
}

/// A mask of 32 bits: the lanes before, up to, from or after this one, or this one itself.
pub fn lane_mask(builder: &mut Builder<'_>, which: &str, lane: Value) -> Option<Value> {
    let one = builder.number(32, 1);
    let own = builder.binary(BinaryOp::ShiftLeft, one, lane);
    let before = builder.binary(BinaryOp::Subtract, own, one);
    let all = builder.number(32, u64::from(u32::MAX));
    let up_to = builder.binary(BinaryOp::Or, before, own);
    Some(match which {
        "eq" => own,
        "lt" => before,
        "le" => up_to,
        "gt" => builder.binary(BinaryOp::Xor, up_to, all),
        "ge" => builder.binary(BinaryOp::Xor, before, all),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use lockstep_ir::bits::Bits;

    use super::*;
    use crate::builder::Lanes;
    use crate::builtins::testing::Bench;

    fn exchanges(bench: &Bench) -> Vec<(WarpOp, bool, usize)> {
        let found = bench.find(|operation| matches!(operation, Operation::WarpExchange { .. }));
        let parts = found.into_iter().map(|operation| match operation {
            Operation::WarpExchange { op, mask, operands } => (op, mask.is_some(), operands.len()),
            other => panic!("{other:?}"),
        });
        parts.collect()
    }

    #[test]
    fn shuffles_have_a_mask_and_a_width() {
        let mut bench = Bench::cuda();
        let arguments: Vec<Lanes> = (0..4).map(|_| vec![bench.input(Type::Bits(32))]).collect();
        bench.call("_Z16__shfl_down_syncjiji", &arguments, &[Type::Bits(32)]);
        assert_eq!(exchanges(&bench), [(WarpOp::ShuffleDown, true, 3)]);
    }

    #[test]
    fn functions_without_a_mask_are_for_all_lanes_in_cuda() {
        let mut bench = Bench::cuda();
        let arguments: Vec<Lanes> = (0..3).map(|_| vec![bench.input(Type::Bits(32))]).collect();
        let value = bench.call("_Z11__shfl_downiji", &arguments, &[Type::Bits(32)])[0];
        let Operation::WarpExchange { mask: Some(mask), .. } = *bench.operation(value) else { panic!("no mask") };
        assert_eq!(bench.kernel.constant(mask).and_then(Bits::to_u64), Some(0xffff_ffff));
        bench.kernel.language = Language::Hip;
        bench.call("_Z11__shfl_downiji", &arguments, &[Type::Bits(32)]);
        assert_eq!(exchanges(&bench), [(WarpOp::ShuffleDown, true, 3), (WarpOp::ShuffleDown, false, 3)]);
    }

    #[test]
    fn votes_and_ballots() {
        let mut bench = Bench::cuda();
        let arguments: Vec<Lanes> = (0..2).map(|_| vec![bench.input(Type::Bits(32))]).collect();
        bench.call("_Z13__ballot_syncji", &arguments, &[Type::Bits(32)]);
        bench.call("_Z10__any_syncji", &arguments, &[Type::Bits(32)]);
        assert_eq!(exchanges(&bench), [(WarpOp::Ballot, true, 1), (WarpOp::VoteAny, true, 1)]);
    }

    #[test]
    fn masks_of_lanes() {
        let mut bench = Bench::cuda();
        let lane = bench.input(Type::Bits(32));
        for number in [0_u32, 1, 7, 31] {
            for (which, expected) in [
                ("eq", 1 << number),
                ("lt", (1_u32 << number) - 1),
                ("le", u32::MAX >> (31 - number)),
                ("gt", !(u32::MAX >> (31 - number))),
                ("ge", !((1_u32 << number) - 1)),
            ] {
                let mask = lane_mask(&mut bench.builder(), which, lane).expect("a mask");
                assert_eq!(bench.evaluate(&[u128::from(number)], mask), u128::from(expected), "{which} {number}");
            }
        }
    }
}
