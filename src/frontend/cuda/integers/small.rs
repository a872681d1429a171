//! Two 16-bit integers or four 8-bit integers in a word: `__vadd2`, `__vcmpgtu4`.

use lockstep_ir::kernel::{BinaryOp, CompareOp, ConvertOp, Operation, Type, UnaryOp, Value};

use super::{by_name, difference, extend, half_sum, negated, width_of};
use crate::builder::Builder;

/// Appends one lane.
type Lane = fn(&mut Builder<'_>, &[Value]) -> Value;

/// A function of words.
pub struct Small {
    /// The number of words.
    pub operands: usize,
    /// The number of bits of a lane.
    width: u32,
    lane: Lane,
    /// Whether the result is the sum of the lanes rather than the lanes.
    sums: bool,
}

/// The function of this name.
pub fn function(name: &str) -> Option<Small> {
    let name = name.strip_prefix("__v")?;
    let (name, width) = match (name.strip_suffix('2'), name.strip_suffix('4')) {
        (Some(name), _) => (name, 16),
        (_, Some(name)) => (name, 8),
        (None, None) => return None,
    };
    let (operands, lane) = operation(name)?;
    Some(Small { operands, width, lane, sums: name.starts_with("sad") })
}

/// The number of operands, and the function of each lane.
fn operation(name: &str) -> Option<(usize, Lane)> {
    if let Some(comparison) = name.strip_prefix("cmp") {
        return Some((2, comparison_lane(comparison)?.0));
    }
    if let Some(comparison) = name.strip_prefix("set") {
        return Some((2, comparison_lane(comparison)?.1));
    }
    Some(match name {
        "abs" => (1, |builder, x| by_name(builder, "abs", x)),
        "absss" => (1, |builder, x| {
            let negative = saturated_negation(builder, x);
            by_name(builder, "smax", &[x[0], negative])
        }),
        "neg" => (1, |builder, x| negated(builder, x[0])),
        "negss" => (1, saturated_negation),
        "add" => (2, |builder, x| builder.binary(BinaryOp::Add, x[0], x[1])),
        "addss" => (2, |builder, x| by_name(builder, "sadd.sat", x)),
        "addus" => (2, |builder, x| by_name(builder, "uadd.sat", x)),
        "sub" => (2, |builder, x| builder.binary(BinaryOp::Subtract, x[0], x[1])),
        "subss" => (2, |builder, x| by_name(builder, "ssub.sat", x)),
        "subus" => (2, |builder, x| by_name(builder, "usub.sat", x)),
        "haddu" => (2, |builder, x| half_sum(builder, x, false, 0)),
        "avgu" => (2, |builder, x| half_sum(builder, x, false, 1)),
        "avgs" => (2, signed_average),
        "absdiffs" | "sads" => (2, |builder, x| difference(builder, x, true)),
        "absdiffu" | "sadu" => (2, |builder, x| difference(builder, x, false)),
        "maxs" => (2, |builder, x| by_name(builder, "smax", x)),
        "maxu" => (2, |builder, x| by_name(builder, "umax", x)),
        "mins" => (2, |builder, x| by_name(builder, "smin", x)),
        "minu" => (2, |builder, x| by_name(builder, "umin", x)),
        _ => return None,
    })
}

/// A comparison that answers with all ones, and one that answers with 1.
fn comparison_lane(name: &str) -> Option<(Lane, Lane)> {
    macro_rules! lanes {
        ($op:ident, $a:literal, $b:literal) => {
            (
                |builder, x| answer(builder, CompareOp::$op, x[$a], x[$b], ConvertOp::SignExtend),
                |builder, x| answer(builder, CompareOp::$op, x[$a], x[$b], ConvertOp::ZeroExtend),
            )
        };
    }
    Some(match name {
        "eq" => lanes!(Equal, 0, 1),
        "ne" => lanes!(NotEqual, 0, 1),
        "lts" => lanes!(SignedLess, 0, 1),
        "ltu" => lanes!(UnsignedLess, 0, 1),
        "les" => lanes!(SignedLessEqual, 0, 1),
        "leu" => lanes!(UnsignedLessEqual, 0, 1),
        "gts" => lanes!(SignedLess, 1, 0),
        "gtu" => lanes!(UnsignedLess, 1, 0),
        "ges" => lanes!(SignedLessEqual, 1, 0),
        "geu" => lanes!(UnsignedLessEqual, 1, 0),
        _ => return None,
    })
}

fn answer(builder: &mut Builder<'_>, op: CompareOp, a: Value, b: Value, extend: ConvertOp) -> Value {
    let ty = builder.ty(a);
    let holds = builder.compare(op, a, b);
    builder.convert(extend, holds, ty)
}

fn saturated_negation(builder: &mut Builder<'_>, x: &[Value]) -> Value {
    let width = width_of(builder, x[0]);
    let zero = builder.number(width, 0);
    by_name(builder, "ssub.sat", &[zero, x[0]])
}

/// Half the sum, rounded away from zero.
fn signed_average(builder: &mut Builder<'_>, x: &[Value]) -> Value {
    let width = width_of(builder, x[0]);
    let [a, b] = [x[0], x[1]].map(|operand| extend(builder, true, operand, width + 2));
    let sum = builder.binary(BinaryOp::Add, a, b);
    let negative = builder.extract(width + 1, width + 1, sum);
    let positive = builder.unary(UnaryOp::Not, negative);
    let more = extend(builder, false, positive, width + 2);
    let sum = builder.binary(BinaryOp::Add, sum, more);
    builder.extract(width, 1, sum)
}

impl Small {
    /// Appends the function of these words.
    pub fn append(&self, builder: &mut Builder<'_>, words: &[Value]) -> Value {
        let mut result: Option<Value> = None;
        for index in 0..32 / self.width {
            let low = index * self.width;
            let lanes: Vec<Value> =
                words.iter().map(|&word| builder.extract(low + self.width - 1, low, word)).collect();
            let next = (self.lane)(builder, &lanes);
            let next = if self.sums { extend(builder, false, next, 32) } else { next };
            result = Some(match result {
                None => next,
                Some(sum) if self.sums => builder.binary(BinaryOp::Add, sum, next),
                Some(lower) => builder.append(Operation::Concat(next, lower), Type::Bits(low + self.width)),
            });
        }
        result.expect("two lanes at least")
    }
}
