//! The exchanges between the lanes of a warp.

use lockstep_ir::kernel::WarpOp;

use super::code::Exchange;
use super::machine::signed;

/// A participating lane: its number in the warp and its operands.
pub struct Lane {
    /// Its number.
    pub number: u32,
    /// Its operands: value, then lane or distance, then width if given.
    pub operands: Vec<u64>,
}

/// The value that each lane receives, and whether a participating lane has sent it.
///
/// With `apart`, each lane is told that it runs alone.
pub fn results(exchange: &Exchange, lanes: &[Lane], warp_size: u32, apart: bool) -> Vec<(u64, bool)> {
    let result_mask = u64::MAX >> (64 - exchange.result_width);
    let all: u64 = lanes.iter().map(|lane| bit(lane.number)).sum();
    let where_so = |holds: &dyn Fn(u64) -> bool| -> u64 {
        lanes.iter().filter(|lane| holds(value(lane))).map(|lane| bit(lane.number)).sum()
    };
    let reduced = |fold: fn(u64, u64) -> u64| lanes.iter().map(value).reduce(fold).unwrap_or(0);
    let first = lanes.first().map_or(0, value);
    let signed_of = |value: u64| signed(exchange.width, value);
    let of_all = match exchange.op {
        WarpOp::Shuffle | WarpOp::ShuffleUp | WarpOp::ShuffleDown | WarpOp::ShuffleXor => {
            return lanes.iter().map(|lane| shuffled(exchange.op, lane, lanes, warp_size)).collect();
        }
        WarpOp::MatchAny => {
            return lanes.iter().map(|lane| (where_so(&|other| other == value(lane)) & result_mask, true)).collect();
        }
        WarpOp::ActiveMask if apart => {
            return lanes.iter().map(|lane| (bit(lane.number) & result_mask, true)).collect();
        }
        WarpOp::VoteAll => u64::from(lanes.iter().all(|lane| value(lane) != 0)),
        WarpOp::VoteAny => u64::from(lanes.iter().any(|lane| value(lane) != 0)),
        WarpOp::VoteEqual => u64::from(lanes.iter().all(|lane| value(lane) == first)),
        WarpOp::Ballot => where_so(&|value| value != 0),
        WarpOp::MatchAll => {
            if lanes.iter().all(|lane| value(lane) == first) {
                all
            } else {
                0
            }
        }
        WarpOp::ActiveMask => all,
        WarpOp::ReduceAdd => reduced(u64::wrapping_add),
        WarpOp::ReduceSignedMin => lanes.iter().map(value).min_by_key(|&value| signed_of(value)).unwrap_or(0),
        WarpOp::ReduceSignedMax => lanes.iter().map(value).max_by_key(|&value| signed_of(value)).unwrap_or(0),
        WarpOp::ReduceUnsignedMin => reduced(u64::min),
        WarpOp::ReduceUnsignedMax => reduced(u64::max),
        WarpOp::ReduceAnd => reduced(|a, b| a & b),
        WarpOp::ReduceOr => reduced(|a, b| a | b),
        WarpOp::ReduceXor => reduced(|a, b| a ^ b),
    };
    lanes.iter().map(|_| (of_all & result_mask, true)).collect()
}

fn value(lane: &Lane) -> u64 {
    lane.operands.first().copied().unwrap_or(0)
}

fn bit(lane: u32) -> u64 {
    1 << (lane % 64)
}

/// The value that a lane receives by a shuffle: its own value if the source is outside its segment.
fn shuffled(op: WarpOp, lane: &Lane, lanes: &[Lane], warp_size: u32) -> (u64, bool) {
    let number = u64::from(lane.number);
    let by = lane.operands.get(1).copied().unwrap_or(0);
    let width = lane.operands.get(2).copied().unwrap_or(u64::from(warp_size)).clamp(1, u64::from(warp_size));
    let start = number / width * width;
    let source = match op {
        WarpOp::Shuffle => Some(start + by % width),
        WarpOp::ShuffleUp => number.checked_sub(by).filter(|source| *source >= start),
        WarpOp::ShuffleDown => number.checked_add(by).filter(|source| *source < start + width),
        // Flipping bits may lead to an earlier segment, but not to a later one.
        _ => Some(number ^ by).filter(|source| *source < start + width),
    };
    let Some(source) = source.filter(|source| *source != number) else { return (value(lane), true) };
    match lanes.iter().find(|other| u64::from(other.number) == source) {
        Some(other) => (value(other), true),
        None => (value(lane), false),
    }
}
