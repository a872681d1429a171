//! Equates dividends whose quotients and remainders are equal.
//!
//! A kernel takes a flat index apart by `/` and `%`, and both threads access the same cell only if
//! the parts are equal. `x = n * (x / n) + x % n` holds modulo `2^w` for every `n`, in signed and
//! in unsigned division. (By SMT-LIB, `x % 0` is `x`, and the one quotient that overflows has the
//! remainder 0.) So quotient, remainder and divisor determine `x`: the equations `x / n = y / n`
//! and `x % n = y % n` together are equivalent to `x = y`. A solver of bit-vectors would have to
//! multiply to find that.

use lockstep_ir::sequential::{BinaryOp, Expression, Expressions, Node};
use rustc_hash::FxHashMap;

/// The parts of a division that two dividends may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Division {
    signed: bool,
    dividends: [Expression; 2],
    divisor: Expression,
}

/// The question with equations of dividends in place of those of quotients and remainders, in all
/// of its conjunctions.
///
/// It holds for the same values of the variables.
pub fn with_dividends_equated(e: &mut Expressions, parts: &[Expression]) -> Vec<Expression> {
    if !e.occurs(parts, |node| is_division(node).is_some()) {
        return parts.to_vec();
    }
    let mut memo = FxHashMap::default();
    let parts = parts.iter().map(|&part| inside(e, part, &mut memo)).collect();
    in_conjunction(e, parts)
}

/// An expression with the equations in its conjunctions replaced.
fn inside(e: &mut Expressions, expression: Expression, memo: &mut FxHashMap<Expression, Expression>) -> Expression {
    let settled = |e: &Expressions, part| !matches!(e.node(part), Node::And(_) | Node::Or(_) | Node::Not(_));
    for part in e.operands_first(expression, |part| memo.contains_key(&part)) {
        let rebuilt = match e.node(part).clone() {
            _ if settled(e, part) => part,
            Node::And(parts) => {
                let parts = parts.iter().map(|part| memo[part]).collect();
                let parts = in_conjunction(e, parts);
                e.and(parts)
            }
            _ => e.rebuild(part, |operand| memo[&operand]),
        };
        memo.insert(part, rebuilt);
    }
    memo[&expression]
}

/// The conjuncts with the equations among them replaced.
fn in_conjunction(e: &mut Expressions, mut parts: Vec<Expression>) -> Vec<Expression> {
    while let Some((quotients, remainders, dividends)) = equated(e, &parts) {
        let equal = e.equal(dividends[0], dividends[1]);
        parts[quotients] = equal;
        parts.remove(remainders);
    }
    parts
}

/// The positions of two equations, one of quotients and one of remainders, and the dividends that
/// they determine.
fn equated(e: &Expressions, parts: &[Expression]) -> Option<(usize, usize, [Expression; 2])> {
    let mut seen: FxHashMap<(Division, bool), usize> = FxHashMap::default();
    for (position, &part) in parts.iter().enumerate() {
        let Some((division, is_quotient)) = divided_alike(e, part) else { continue };
        if let Some(&other) = seen.get(&(division, !is_quotient)) {
            let (quotients, remainders) = if is_quotient { (position, other) } else { (other, position) };
            return Some((quotients, remainders, division.dividends));
        }
        seen.insert((division, is_quotient), position);
    }
    None
}

/// The division of which an equation compares the quotients or the remainders; whether it compares
/// the quotients.
fn divided_alike(e: &Expressions, equation: Expression) -> Option<(Division, bool)> {
    let &Node::Equal(a, b) = e.node(equation) else { return None };
    let (&Node::Binary(first, x, n), &Node::Binary(second, y, m)) = (e.node(a), e.node(b)) else { return None };
    let (signed, is_quotient) = is_division(e.node(a))?;
    let dividends = if x <= y { [x, y] } else { [y, x] };
    (first == second && n == m).then_some((Division { signed, dividends, divisor: n }, is_quotient))
}

/// For a division, whether it is signed and whether this is the quotient.
fn is_division(node: &Node) -> Option<(bool, bool)> {
    match *node {
        Node::Binary(BinaryOp::UnsignedDivide, ..) => Some((false, true)),
        Node::Binary(BinaryOp::SignedDivide, ..) => Some((true, true)),
        Node::Binary(BinaryOp::UnsignedRemainder, ..) => Some((false, false)),
        Node::Binary(BinaryOp::SignedRemainder, ..) => Some((true, false)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use lockstep_ir::sequential::{Role, Sort};
    use rustc_hash::FxHashSet;

    use super::*;

    fn words<const N: usize>(e: &mut Expressions) -> [Expression; N] {
        std::array::from_fn(|index| {
            let variable = e.add_variable(&format!("x{index}"), Sort::Bits(32), None, Role::Input);
            e.variable(variable)
        })
    }

    fn alike(e: &mut Expressions, op: BinaryOp, of: [Expression; 2], by: Expression) -> Expression {
        let [a, b] = of.map(|dividend| e.binary(op, dividend, by));
        e.equal(a, b)
    }

    #[test]
    fn chains_of_divisions_determine_the_index() {
        let mut e = Expressions::new();
        let [x, y, n, m] = words(&mut e);
        let quotients = [x, y].map(|of| e.binary(BinaryOp::SignedDivide, of, n));
        let parts = [
            alike(&mut e, BinaryOp::SignedRemainder, [x, y], n),
            alike(&mut e, BinaryOp::SignedRemainder, quotients, m),
            alike(&mut e, BinaryOp::SignedDivide, quotients, m),
        ];
        let equal = e.equal(x, y);
        assert_eq!(with_dividends_equated(&mut e, &parts), [equal]);
    }

    #[test]
    fn conditions_with_several_parts_are_rewritten() {
        let mut e = Expressions::new();
        let [x, y, n, m] = words(&mut e);
        let quotients = alike(&mut e, BinaryOp::UnsignedDivide, [x, y], n);
        let remainders = alike(&mut e, BinaryOp::UnsignedRemainder, [y, x], n);
        let both = e.and([quotients, remainders]);
        let condition = e.equal(n, m);
        let [guarded, expected] = [both, e.equal(x, y)].map(|claim| e.implies(condition, claim));
        assert_eq!(with_dividends_equated(&mut e, &[guarded]), [expected]);
        // Under a condition, one of the two determines nothing.
        let [first, second] = [quotients, remainders].map(|claim| e.implies(condition, claim));
        assert_eq!(with_dividends_equated(&mut e, &[first, second]), [first, second]);
    }

    #[test]
    fn other_divisors_or_signs_determine_nothing() {
        let mut e = Expressions::new();
        let [x, y, n, m] = words(&mut e);
        let remainders = alike(&mut e, BinaryOp::SignedRemainder, [x, y], n);
        for (op, by) in [(BinaryOp::SignedDivide, m), (BinaryOp::UnsignedDivide, n), (BinaryOp::SignedRemainder, m)] {
            let other = alike(&mut e, op, [x, y], by);
            let parts = [remainders, other];
            assert_eq!(with_dividends_equated(&mut e, &parts), parts);
        }
    }

    /// The identity on which the rule rests, in 8 bits.
    #[test]
    fn quotient_and_remainder_determine_the_dividend() {
        for n in 0..=u8::MAX {
            let mut seen = FxHashSet::default();
            let mut seen_signed = FxHashSet::default();
            for x in 0..=u8::MAX {
                let quotient = x.checked_div(n).unwrap_or(u8::MAX);
                let remainder = x.checked_rem(n).unwrap_or(x);
                assert!(seen.insert((quotient, remainder)));
                let (a, b) = (x.cast_signed(), n.cast_signed());
                let by_zero = if a < 0 { 1 } else { -1 };
                let quotient = if b == 0 { by_zero } else { a.wrapping_div(b) };
                let remainder = if b == 0 { a } else { a.wrapping_rem(b) };
                assert!(seen_signed.insert((quotient, remainder)));
            }
        }
    }
}
