//! Evaluates assumptions in a launch whose sizes and arguments are known.

use lockstep_ir::kernel::ContentsKind;

use super::{Arithmetic, Assumption, Binary, Comparison, INT, Integer, Query, Tree, UNSIGNED, Unary};

/// A number of a C type; the bits above its width are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    bits: u64,
    ty: Integer,
}

impl Number {
    /// A number of this type, which wraps to its width.
    pub fn new(value: i128, ty: Integer) -> Self {
        let mask = u64::MAX >> (64 - ty.bits);
        // The lowest 64 bits are meant.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "wraps as C does")]
        Self { bits: value as u64 & mask, ty }
    }

    /// Its value.
    pub fn value(self) -> i128 {
        let bits = i128::from(self.bits);
        if self.ty.signed && self.bits >> (self.ty.bits - 1) == 1 { bits - (1 << self.ty.bits) } else { bits }
    }

    fn to(self, ty: Integer) -> Self {
        Self::new(self.value(), ty)
    }

    fn truth(holds: bool) -> Self {
        Self { bits: u64::from(holds), ty: INT }
    }
}

/// The sizes and arguments of a launch.
pub trait Values {
    /// The argument for a parameter; `None` if it is not known.
    fn parameter(&self, name: &str) -> Option<Number>;
    /// A size; `None` if it is not known.
    fn size(&self, query: Query, dimension: u8) -> Option<u64>;
    /// Whether an array's elements satisfy a fact; `None` if that is not known.
    fn contents(&self, kind: ContentsKind, array: &str) -> Option<bool>;
    /// The width of `size_t`.
    fn pointer_bits(&self) -> u32;
}

impl Assumption {
    /// Whether it holds in a launch; `None` if a value is not known or the operation has no result
    /// in C.
    pub fn holds(&self, values: &dyn Values) -> Option<bool> {
        Some(number(&self.tree, values)?.bits != 0)
    }
}

fn number(tree: &Tree, values: &dyn Values) -> Option<Number> {
    Some(match tree {
        Tree::Number(value, ty) => Number::new((*value).into(), *ty),
        Tree::Name(name) => values.parameter(name)?,
        Tree::Query(query, dimension) => size(values, *query, *dimension)?,
        Tree::Word(query, dimension) => size(values, *query, *dimension)?.to(UNSIGNED),
        Tree::Contents(kind, array, _) => Number::truth(values.contents(*kind, array)?),
        Tree::Unary(op, inner) => {
            let inner = number(inner, values)?;
            let promoted = inner.to(inner.ty.promoted());
            match op {
                Unary::Plus => promoted,
                Unary::Minus => Number::new(-promoted.value(), promoted.ty),
                Unary::Complement => Number::new(!promoted.value(), promoted.ty),
                Unary::Not => Number::truth(inner.bits == 0),
            }
        }
        Tree::Binary(op @ (Binary::And | Binary::Or), both) => {
            // As in C, the second operand counts only if the first does not decide.
            let a = number(&both[0], values)?.bits != 0;
            Number::truth(if a == (*op == Binary::Or) { a } else { number(&both[1], values)?.bits != 0 })
        }
        Tree::Binary(op, both) => {
            let (a, b) = (number(&both[0], values)?, number(&both[1], values)?);
            match op {
                Binary::And | Binary::Or => unreachable!("read above"),
                Binary::Compare(comparison) => {
                    let ty = a.ty.common(b.ty);
                    let (a, b) = (a.to(ty).value(), b.to(ty).value());
                    Number::truth(match comparison {
                        Comparison::Less => a < b,
                        Comparison::LessEqual => a <= b,
                        Comparison::Greater => a > b,
                        Comparison::GreaterEqual => a >= b,
                        Comparison::Equal => a == b,
                        Comparison::NotEqual => a != b,
                    })
                }
                Binary::Arithmetic(op) => arithmetic(*op, a, b)?,
            }
        }
        Tree::Conditional(three) => {
            let holds = number(&three[0], values)?.bits != 0;
            let (chosen, other) = if holds { (&three[1], &three[2]) } else { (&three[2], &three[1]) };
            let chosen = number(chosen, values)?;
            // The type is also that of the operand which is not evaluated.
            chosen.to(chosen.ty.common(ty(other, values)?))
        }
    })
}

/// The type of an expression, whatever its value.
fn ty(tree: &Tree, values: &dyn Values) -> Option<Integer> {
    Some(match tree {
        Tree::Number(_, ty) => *ty,
        Tree::Name(name) => values.parameter(name)?.ty,
        Tree::Query(..) => Integer { bits: values.pointer_bits(), signed: false },
        Tree::Word(..) => UNSIGNED,
        Tree::Contents(..)
        | Tree::Unary(Unary::Not, _)
        | Tree::Binary(Binary::And | Binary::Or | Binary::Compare(_), _) => INT,
        Tree::Unary(_, inner) => ty(inner, values)?.promoted(),
        Tree::Binary(Binary::Arithmetic(Arithmetic::ShiftLeft | Arithmetic::ShiftRight), both) => {
            ty(&both[0], values)?.promoted()
        }
        Tree::Binary(Binary::Arithmetic(_), both) => ty(&both[0], values)?.common(ty(&both[1], values)?),
        Tree::Conditional(three) => ty(&three[1], values)?.common(ty(&three[2], values)?),
    })
}

fn size(values: &dyn Values, query: Query, dimension: u8) -> Option<Number> {
    let ty = Integer { bits: values.pointer_bits(), signed: false };
    if dimension > 2 {
        return Some(Number::new(i128::from(query != Query::GlobalOffset), ty));
    }
    Some(Number::new(values.size(query, dimension)?.into(), ty))
}

fn arithmetic(op: Arithmetic, a: Number, b: Number) -> Option<Number> {
    let shift = matches!(op, Arithmetic::ShiftLeft | Arithmetic::ShiftRight);
    let ty = if shift { a.ty.promoted() } else { a.ty.common(b.ty) };
    let by = b.value();
    let (a, b) = (a.to(ty).value(), b.to(ty).value());
    let in_width = |by: i128| u32::try_from(by).ok().filter(|&by| by < ty.bits);
    let value = match op {
        Arithmetic::Multiply => a.wrapping_mul(b),
        Arithmetic::Divide => a.checked_div(b)?,
        Arithmetic::Remainder => a.checked_rem(b)?,
        Arithmetic::Add => a + b,
        Arithmetic::Subtract => a - b,
        Arithmetic::ShiftLeft => a << in_width(by)?,
        Arithmetic::ShiftRight => a >> in_width(by)?,
        Arithmetic::And => a & b,
        Arithmetic::Or => a | b,
        Arithmetic::Xor => a ^ b,
    };
    Some(Number::new(value, ty))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Launch;

    impl Values for Launch {
        fn parameter(&self, name: &str) -> Option<Number> {
            let value = match name {
                "n" => 100,
                "minus" => -1,
                _ => return None,
            };
            Some(Number::new(value, INT))
        }

        fn size(&self, query: Query, dimension: u8) -> Option<u64> {
            (dimension == 0).then_some(match query {
                Query::LocalSize => 64,
                Query::NumGroups => 4,
                Query::GlobalSize => 256,
                Query::GlobalOffset => 0,
                Query::Dimensions => 1,
            })
        }

        fn contents(&self, kind: ContentsKind, array: &str) -> Option<bool> {
            (array == "rows").then_some(kind == ContentsKind::Sorted)
        }

        fn pointer_bits(&self) -> u32 {
            64
        }
    }

    fn holds(text: &str) -> Option<bool> {
        Assumption::parse(text).unwrap().holds(&Launch)
    }

    #[test]
    fn arithmetic_is_that_of_c() {
        let all = [
            "n == 100 && minus == -1",
            "n / 8 == 12 && -n / 8 == -12 && -n % 8 == -4 && n % 8 == 4",
            "n << 2 == 400 && -n >> 1 == -50 && (n & 6) == 4 && (n | 3) == 103 && (n ^ 4) == 96 && ~n == -101",
            "n > 5 ? n == 100 : n == 5",
            // The common type is unsigned.
            "minus > 1u && minus > get_local_size(0) && minus > blockDim.x",
            // Both wrap.
            "2147483647 + 1 < 0 && 4294967295u + 1u == 0u",
            // An operand that does not count need have no value.
            "n == 100 || n / 0 > 0 || m > 0",
            "!(n == 5 && n / 0 > 0) && (n == 100 ? 1 : n / 0)",
            "(n == 100 ? minus : 0u / 0u) > 0",
            "get_local_size(0) * get_num_groups(0) == get_global_size(0) && get_local_size(3) == 1",
            "0x7fffffffffffffff + 1 < 0 && 18446744073709551615u * 18446744073709551615u == 1u",
        ];
        for text in all {
            assert_eq!(holds(text), Some(true), "{text}");
            assert_eq!(holds(&format!("!({text})")), Some(false), "{text}");
        }
    }

    #[test]
    fn unknown_values_and_missing_results_decide_nothing() {
        for text in ["m > 0", "get_local_size(1) == 1", "n / (n - n) > 0", "n % (n - n) > 0", "n << 32 > 0", "n >> -1"]
        {
            assert_eq!(holds(text), None, "{text}");
        }
    }
}
