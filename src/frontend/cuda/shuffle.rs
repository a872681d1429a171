//! `shfl.sync` of PTX, with its segments and their last lanes in one number.
//!
//! The number is `(32 - width) << 8 | last`.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp, Operation, ThreadQuery, Type, Value, WarpOp};

use super::nvvm::query;
use super::warp::exchange;
use crate::builder::Builder;

/// A shuffle of PTX.
pub struct Shuffle {
    /// The kind of shuffle.
    pub op: WarpOp,
    /// The participating lanes.
    pub mask: Value,
    /// The exchanged value.
    pub value: Value,
    /// The lane, the distance, or the flipped bits.
    pub by: Value,
    /// The segments, and the last lane of each.
    pub control: Value,
}

/// The shuffle of this name: `idx`, `up`, `down`, `bfly`.
pub fn named(name: &str) -> Option<WarpOp> {
    Some(match name {
        "idx" => WarpOp::Shuffle,
        "up" => WarpOp::ShuffleUp,
        "down" => WarpOp::ShuffleDown,
        "bfly" => WarpOp::ShuffleXor,
        _ => return None,
    })
}

impl Shuffle {
    /// The value that the lane receives.
    pub fn append(&self, builder: &mut Builder<'_>) -> Value {
        let ty = builder.ty(self.value);
        if let Some(width) = self.width(builder) {
            let by = distance(builder, self.op, self.by);
            return exchange(builder, self.op, Some(self.mask), vec![self.value, by, width], ty);
        }
        let (lane, _) = self.source(builder);
        let width = builder.number(32, 32);
        exchange(builder, WarpOp::Shuffle, Some(self.mask), vec![self.value, lane, width], ty)
    }

    /// The width of segments that end at their last lane, as those of CUDA's functions do.
    fn width(&self, builder: &mut Builder<'_>) -> Option<Value> {
        let last = if self.op == WarpOp::ShuffleUp { 0 } else { 31 };
        if let Some(control) = builder.kernel.constant(self.control).and_then(Bits::to_u64) {
            let width = 32 - ((control >> 8) & 31);
            return (control & 31 == last && width.is_power_of_two()).then(|| builder.number(32, width));
        }
        let (segments, found) = match *builder.kernel.operation(self.control)? {
            Operation::Binary(BinaryOp::Or, _, segments, last) => (segments, constant(builder, last)?),
            _ => (self.control, 0),
        };
        let Operation::Binary(BinaryOp::ShiftLeft, _, missing, eight) = *builder.kernel.operation(segments)? else {
            return None;
        };
        let Operation::Binary(BinaryOp::Subtract, _, whole, width) = *builder.kernel.operation(missing)? else {
            return None;
        };
        let fits = found == last && constant(builder, eight) == Some(8) && is_warp_size(builder, whole);
        fits.then_some(width)
    }

    /// The source lane of the value, and whether it lies in the segment; the lane itself if not.
    pub fn source(&self, builder: &mut Builder<'_>) -> (Value, Value) {
        let lane = query(builder, ThreadQuery::LaneId, Type::Bits(32));
        let low = |builder: &mut Builder<'_>, value: Value, first: u32| {
            let bits = builder.extract(first + 4, first, value);
            builder.convert(ConvertOp::ZeroExtend, bits, Type::Bits(32))
        };
        let by = low(builder, self.by, 0);
        let clamp = low(builder, self.control, 0);
        let segments = low(builder, self.control, 8);
        let ones = builder.number(32, 31);
        let within = builder.binary(BinaryOp::Xor, segments, ones);
        let first = builder.binary(BinaryOp::And, lane, segments);
        let last = builder.binary(BinaryOp::And, clamp, within);
        let last = builder.binary(BinaryOp::Or, first, last);
        let wanted = match self.op {
            WarpOp::ShuffleUp => builder.binary(BinaryOp::Subtract, lane, by),
            WarpOp::ShuffleDown => builder.binary(BinaryOp::Add, lane, by),
            WarpOp::ShuffleXor => builder.binary(BinaryOp::Xor, lane, by),
            _ => {
                let by = builder.binary(BinaryOp::And, by, within);
                builder.binary(BinaryOp::Or, first, by)
            }
        };
        let inside = if self.op == WarpOp::ShuffleUp {
            builder.compare(CompareOp::SignedLessEqual, last, wanted)
        } else {
            builder.compare(CompareOp::SignedLessEqual, wanted, last)
        };
        (builder.select(inside, wanted, lane), inside)
    }
}

/// The distance of a shuffle, or the bits that it flips.
///
/// `shfl` reads the low five bits of the given number (PTX ISA 8.5, section 9.7.9.6). The caller
/// does not pass a lane's number here: the segments reduce it.
pub fn distance(builder: &mut Builder<'_>, op: WarpOp, by: Value) -> Value {
    let is_distance = matches!(op, WarpOp::ShuffleUp | WarpOp::ShuffleDown | WarpOp::ShuffleXor);
    if !is_distance || constant(builder, by).is_some_and(|by| by < 32) {
        return by;
    }
    let width = builder.ty(by).width().unwrap_or(32);
    let low = builder.number(width, 31);
    builder.binary(BinaryOp::And, by, low)
}

fn constant(builder: &Builder<'_>, value: Value) -> Option<u64> {
    builder.kernel.constant(value).and_then(Bits::to_u64)
}

fn is_warp_size(builder: &Builder<'_>, value: Value) -> bool {
    match builder.kernel.operation(value) {
        Some(Operation::Constant(bits)) => bits.to_u64() == Some(32),
        Some(Operation::ThreadQuery(ThreadQuery::WarpSize)) => true,
        Some(&Operation::Convert(_, from)) => is_warp_size(builder, from),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::testing::Bench;

    #[test]
    fn lanes_and_segments() {
        // The lane that each lane receives from, written down as in the manual.
        let expected = |op: WarpOp, lane: u128, by: u128, control: u128| {
            let (clamp, segments) = (control & 31, (control >> 8) & 31);
            let last = (lane & segments) | (clamp & !segments);
            let (wanted, inside) = match op {
                WarpOp::ShuffleUp => (lane.wrapping_sub(by), lane >= by && lane - by >= last),
                WarpOp::ShuffleDown => (lane + by, lane + by <= last),
                WarpOp::ShuffleXor => (lane ^ by, lane ^ by <= last),
                _ => {
                    let wanted = (lane & segments) | (by & !segments);
                    (wanted, wanted <= last)
                }
            };
            (if inside { wanted } else { lane }, u128::from(inside))
        };
        let mut bench = Bench::cuda();
        let [value, by, control] = [32; 3].map(|width| bench.input(Type::Bits(width)));
        for name in ["idx", "up", "down", "bfly"] {
            let op = named(name).expect("a shuffle");
            let shuffle = Shuffle { op, mask: value, value, by, control };
            let (lane, inside) = shuffle.source(&mut bench.builder());
            for own in [0, 1, 6, 15, 17, 31] {
                for by in [0, 1, 5, 31] {
                    for control in [0x0, 0x1f, 0x181f, 0x1c00, 0x101f, 0x5] {
                        let found = [lane, inside].map(|v| bench.evaluate_with(&[0, by, control], |_| own, v));
                        assert_eq!((found[0], found[1]), expected(op, own, by, control), "{name} {own} {by} {control}");
                    }
                }
            }
        }
    }

    #[test]
    fn distances_are_reduced() {
        let mut bench = Bench::cuda();
        let [value, by] = [32; 2].map(|width| bench.input(Type::Bits(width)));
        for (op, last) in [(WarpOp::ShuffleUp, 0), (WarpOp::ShuffleDown, 31), (WarpOp::ShuffleXor, 31)] {
            let control = bench.number(32, last);
            let shuffle = Shuffle { op, mask: value, value, by, control };
            let received = shuffle.append(&mut bench.builder());
            let Operation::WarpExchange { operands, .. } = bench.operation(received).clone() else { panic!("{op:?}") };
            // From a lane whose sources both lie in the segment, the distance leads to the source.
            let (source, _) = shuffle.source(&mut bench.builder());
            for given in [0, 3, 31, 32, 35, 0x8000_0001] {
                let own = if op == WarpOp::ShuffleUp { 31 } else { 0 };
                let [source, by] = [source, operands[1]].map(|value| bench.evaluate_with(&[0, given], |_| own, value));
                assert_eq!(source.abs_diff(own), by, "{op:?} {given}");
            }
            let three = bench.number(32, 3);
            assert_eq!(distance(&mut bench.builder(), op, three), three);
        }
    }

    #[test]
    fn segments_of_cuda_are_widths() {
        let mut bench = Bench::cuda();
        let value = bench.input(Type::Bits(32));
        for (op, control, expected) in [
            (WarpOp::ShuffleDown, 0x181f, Some(8)),
            (WarpOp::ShuffleUp, 0x0, Some(32)),
            (WarpOp::ShuffleUp, 0x1f, None),
            (WarpOp::Shuffle, 0x5, None),
        ] {
            let control = bench.number(32, control);
            let shuffle = Shuffle { op, mask: value, value, by: value, control };
            let width = shuffle.width(&mut bench.builder());
            assert_eq!(width.map(|width| constant(&bench.builder(), width)), expected.map(Some));
        }
        let mut builder = bench.builder();
        let [whole, eight, last] = [32, 8, 31].map(|number| builder.number(32, number));
        let missing = builder.binary(BinaryOp::Subtract, whole, value);
        let segments = builder.binary(BinaryOp::ShiftLeft, missing, eight);
        let control = builder.binary(BinaryOp::Or, segments, last);
        let shuffle = Shuffle { op: WarpOp::Shuffle, mask: value, value, by: value, control };
        assert_eq!(shuffle.width(&mut builder), Some(value));
    }
}
