//! Relations of a launch: dependencies between its sizes and the kernel's arguments.
//!
//! `k<<<(n + 255) / 256, 256>>>(out, n)` launches as many groups as `n` needs. Neither number is
//! known, but one is computed from the other. The relation holds in every launch at that place, so
//! it becomes a precondition of the kernel. Numbers are those of the host's machine code: they have
//! a fixed width and may wrap around. If the host's own arithmetic is undefined, there is no launch
//! for the verdict to cover.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    AssumeKind, BinaryOp, CompareOp, ConvertOp, Kernel, NoWrap, Operation, ThreadQuery, Type, Value,
};
use num_bigint::BigInt;

/// A number that the host computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// An integer that the host passes.
    Argument {
        /// Its position among those of the host's launch; in a request, the kernel's parameter.
        index: usize,
        /// The width in bits.
        width: u32,
    },
    /// Groups in a dimension, of 32 bits.
    Groups(u8),
    /// Threads per group in a dimension, of 32 bits.
    Threads(u8),
    /// A number of the host that the kernel does not get ([`HostNumber`]).
    Host {
        /// The number among those of the launch.
        index: usize,
        /// The width in bits.
        width: u32,
    },
    /// A constant.
    Constant(Bits),
    /// A binary operation on two numbers of one width.
    Binary(BinaryOp, Box<[Term; 2]>),
    /// A number of another width.
    Convert(ConvertOp, u32, Box<Term>),
    /// The third if the comparison of the first two holds, else the fourth.
    Choice(CompareOp, Box<[Term; 4]>),
}

/// A number of the host that relations mention and the kernel does not get.
///
/// It is the same number in all relations of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostNumber {
    /// The name in reports: `host.length`.
    pub name: String,
    /// The width in bits.
    pub width: u32,
}

/// A comparison of two numbers of one width that holds in every launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// The comparison.
    pub op: CompareOp,
    /// The number on its left.
    pub left: Term,
    /// The number on its right.
    pub right: Term,
}

impl Term {
    /// The width in bits.
    pub fn width(&self) -> u32 {
        match self {
            Self::Argument { width, .. } | Self::Host { width, .. } | Self::Convert(_, width, _) => *width,
            Self::Groups(_) | Self::Threads(_) => 32,
            Self::Constant(bits) => bits.width(),
            Self::Binary(_, both) => both[0].width(),
            Self::Choice(_, four) => four[2].width(),
        }
    }

    /// Visits the indices of the host's numbers.
    pub fn for_each_host(&mut self, visit: &mut dyn FnMut(&mut usize)) {
        match self {
            Self::Host { index, .. } => visit(index),
            Self::Argument { .. } | Self::Groups(_) | Self::Threads(_) | Self::Constant(_) => {}
            Self::Binary(_, both) => both.iter_mut().for_each(|term| term.for_each_host(visit)),
            Self::Convert(_, _, from) => from.for_each_host(visit),
            Self::Choice(_, four) => four.iter_mut().for_each(|term| term.for_each_host(visit)),
        }
    }

    /// Whether a size or an argument of the launch is in it.
    pub fn names_launch(&self) -> bool {
        match self {
            Self::Argument { .. } | Self::Groups(_) | Self::Threads(_) => true,
            Self::Host { .. } | Self::Constant(_) => false,
            Self::Binary(_, both) => both.iter().any(Self::names_launch),
            Self::Convert(_, _, from) => from.names_launch(),
            Self::Choice(_, four) => four.iter().any(Self::names_launch),
        }
    }

    /// Its value in a launch with these arguments and sizes; `None` if an argument or a number of
    /// the host in it is not known.
    pub fn value(&self, arguments: &[Option<Bits>], groups: [u32; 3], threads: [u32; 3]) -> Option<Bits> {
        let of = |term: &Self| term.value(arguments, groups, threads);
        let size = |sizes: [u32; 3], at: u8| sizes.get(usize::from(at)).map(|&size| Bits::new(32, u64::from(size)));
        match self {
            Self::Argument { index, width } => {
                arguments.get(*index).cloned().flatten().filter(|value| value.width() == *width)
            }
            Self::Groups(dimension) => size(groups, *dimension),
            Self::Threads(dimension) => size(threads, *dimension),
            Self::Host { .. } => None,
            Self::Constant(bits) => Some(bits.clone()),
            Self::Binary(op, both) => op.checked_fold(&of(&both[0])?, &of(&both[1])?),
            Self::Convert(op, width, from) => {
                let from = of(from)?;
                Some(match op {
                    ConvertOp::Truncate => from.extract(width - 1, 0),
                    ConvertOp::ZeroExtend => from.zero_extend(*width),
                    ConvertOp::SignExtend => from.sign_extend(*width),
                    ConvertOp::Bitcast => from,
                })
            }
            Self::Choice(op, four) => of(if op.fold(&of(&four[0])?, &of(&four[1])?) { &four[2] } else { &four[3] }),
        }
    }

    /// Whether a sum or a product in it wraps around in such a launch, read as signed and as
    /// unsigned numbers.
    pub fn wraps(&self, arguments: &[Option<Bits>], groups: [u32; 3], threads: [u32; 3]) -> bool {
        let wraps = |term: &Self| term.wraps(arguments, groups, threads);
        match self {
            Self::Argument { .. } | Self::Host { .. } | Self::Groups(_) | Self::Threads(_) | Self::Constant(_) => false,
            Self::Convert(_, _, from) => wraps(from),
            Self::Choice(_, four) => four.iter().any(wraps),
            Self::Binary(op, both) => {
                let value = |term: &Self| term.value(arguments, groups, threads);
                let is_lost = |a: Bits, b: Bits, result: Bits| {
                    let signed = exactly(*op, a.signed(), b.signed());
                    let unsigned = exactly(*op, a.unsigned().clone().into(), b.unsigned().clone().into());
                    signed.is_some_and(|exact| exact != result.signed())
                        && unsigned.is_some_and(|exact| exact != BigInt::from(result.unsigned().clone()))
                };
                let lost = value(&both[0]).zip(value(&both[1])).zip(value(self));
                both.iter().any(wraps) || lost.is_some_and(|((a, b), result)| is_lost(a, b, result))
            }
        }
    }

    /// Builds the term. The host's numbers are parameters from the place `host` on.
    fn build(&self, kernel: &mut Kernel, host: usize) -> Value {
        let entry = kernel.entry;
        let mut append = |operation, ty| kernel.append(entry, operation, ty, None);
        let parameter = |index: usize| Operation::Parameter(u32::try_from(index).unwrap_or(u32::MAX));
        match self {
            Self::Argument { index, width } => append(parameter(*index), Type::Bits(*width)),
            Self::Host { index, width } => append(parameter(host + index), Type::Bits(*width)),
            Self::Groups(dimension) => size(kernel, ThreadQuery::NumGroups(*dimension)),
            Self::Threads(dimension) => size(kernel, ThreadQuery::LocalSize(*dimension)),
            Self::Constant(bits) => append(Operation::Constant(bits.clone()), Type::Bits(bits.width())),
            Self::Binary(op, both) => {
                let (a, b) = (both[0].build(kernel, host), both[1].build(kernel, host));
                let ty = kernel.ty(a);
                kernel.append(entry, Operation::Binary(*op, NoWrap::default(), a, b), ty, None)
            }
            Self::Convert(op, width, from) => {
                let from = from.build(kernel, host);
                kernel.append(entry, Operation::Convert(*op, from), Type::Bits(*width), None)
            }
            Self::Choice(op, four) => {
                let [a, b, then, otherwise] = [0, 1, 2, 3].map(|index| four[index].build(kernel, host));
                let holds = kernel.append(entry, Operation::Compare(*op, a, b), Type::Bool, None);
                let ty = kernel.ty(then);
                kernel.append(entry, Operation::Select(holds, then, otherwise), ty, None)
            }
        }
    }

    /// The number in C notation, with the names of the arguments; in parentheses if it is a part of
    /// a larger term.
    pub fn text(&self, name: &Names<'_>, is_part: bool) -> String {
        const AXES: [char; 3] = ['x', 'y', 'z'];
        let of_part = |term: &Self| term.text(name, true);
        let text = match self {
            Self::Argument { index, .. } => return (name.argument)(*index),
            Self::Host { index, .. } => return name.host.get(*index).map_or(String::new(), |host| host.name.clone()),
            Self::Groups(dimension) => return format!("gridDim.{}", AXES[usize::from(*dimension)]),
            Self::Threads(dimension) => return format!("blockDim.{}", AXES[usize::from(*dimension)]),
            Self::Constant(bits) => return bits.signed().to_string(),
            Self::Convert(ConvertOp::Truncate, width, from) => match c_type(*width) {
                Some(ty) => return format!("({ty}){}", of_part(from)),
                None => return from.text(name, is_part),
            },
            // A widened number has the same value.
            Self::Convert(_, _, from) => return from.text(name, is_part),
            Self::Binary(op, both) => {
                // The compiler's shifts are seldom the source's: it shifts a narrower number up and
                // down again.
                if let (BinaryOp::ArithmeticShiftRight, Self::Binary(BinaryOp::ShiftLeft, inner)) = (op, &both[0])
                    && let (Self::Constant(down), Self::Constant(up)) = (&both[1], &inner[1])
                    && let (true, Some(by)) = (down == up, down.to_u64())
                    && let Some(ty) = u32::try_from(by).ok().and_then(|by| c_type(down.width().checked_sub(by)?))
                {
                    return format!("({ty}){}", of_part(&inner[0]));
                }
                if let (BinaryOp::Add, Self::Constant(added)) = (op, &both[1])
                    && added.signed() < 0.into()
                {
                    let taken = Self::Constant(added.neg());
                    return Self::Binary(BinaryOp::Subtract, Box::new([both[0].clone(), taken])).text(name, is_part);
                }
                if let (BinaryOp::ShiftLeft | BinaryOp::LogicalShiftRight, Self::Constant(by)) = (op, &both[1]) {
                    let op = if *op == BinaryOp::ShiftLeft { BinaryOp::Multiply } else { BinaryOp::UnsignedDivide };
                    let factor = Self::Constant(Bits::one(by.width()).shl(by));
                    return Self::Binary(op, Box::new([both[0].clone(), factor])).text(name, is_part);
                }
                format!("{} {} {}", of_part(&both[0]), op.symbol(), of_part(&both[1]))
            }
            Self::Choice(op, four) => {
                let sign = match op {
                    CompareOp::Equal => "==",
                    CompareOp::NotEqual => "!=",
                    CompareOp::UnsignedLess | CompareOp::SignedLess => "<",
                    CompareOp::UnsignedLessEqual | CompareOp::SignedLessEqual => "<=",
                };
                let [a, b, then, otherwise] = [0, 1, 2, 3].map(|index| of_part(&four[index]));
                format!("{a} {sign} {b} ? {then} : {otherwise}")
            }
        };
        if is_part { format!("({text})") } else { text }
    }
}

/// The names of the numbers in relations.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// The name of an argument, by its place.
    pub argument: &'a dyn Fn(usize) -> String,
    /// The host's numbers.
    pub host: &'a [HostNumber],
}

/// C's signed type of this width.
fn c_type(width: u32) -> Option<&'static str> {
    Some(match width {
        8 => "char",
        16 => "short",
        32 => "int",
        _ => return None,
    })
}

fn size(kernel: &mut Kernel, query: ThreadQuery) -> Value {
    let (entry, ty) = (kernel.entry, kernel.offset_type());
    let wide = kernel.append(entry, Operation::ThreadQuery(query), ty, None);
    // Sizes are below 2^31.
    let word = Type::Bits(32);
    if ty == word { wide } else { kernel.append(entry, Operation::Convert(ConvertOp::Truncate, wide), word, None) }
}

/// The mathematical result of an operation that may wrap around.
fn exactly(op: BinaryOp, a: BigInt, b: BigInt) -> Option<BigInt> {
    match op {
        BinaryOp::Add => Some(a + b),
        BinaryOp::Subtract => Some(a - b),
        BinaryOp::Multiply => Some(a * b),
        BinaryOp::ShiftLeft => Some(a << u32::try_from(&b).ok().filter(|distance| *distance < 64)?),
        _ => None,
    }
}

impl Relation {
    /// Whether the relation holds in a launch with these arguments and sizes; `None` if that is not
    /// known.
    pub fn holds(&self, arguments: &[Option<Bits>], groups: [u32; 3], threads: [u32; 3]) -> Option<bool> {
        let [left, right] = [&self.left, &self.right].map(|term| term.value(arguments, groups, threads));
        Some(self.op.fold(&left?, &right?))
    }

    /// Visits the indices of the host's numbers in it.
    pub fn for_each_host(&mut self, visit: &mut dyn FnMut(&mut usize)) {
        self.left.for_each_host(visit);
        self.right.for_each_host(visit);
    }

    /// Whether a number of the host is in it.
    pub fn names_host(&self) -> bool {
        let mut found = false;
        self.clone().for_each_host(&mut |_| found = true);
        found
    }

    /// Whether a size or an argument of the launch is in it.
    pub fn names_launch(&self) -> bool {
        self.left.names_launch() || self.right.names_launch()
    }

    /// Adds the relation to the preconditions of a kernel whose parameters have these places and
    /// widths. The host's numbers are parameters from the place `host` on.
    pub fn assume(&self, kernel: &mut Kernel, host: usize) {
        let entry = kernel.entry;
        let before = kernel.blocks[entry].instructions.len();
        let [left, right] = [&self.left, &self.right].map(|term| term.build(kernel, host));
        let holds = kernel.append(entry, Operation::Compare(self.op, left, right), Type::Bool, None);
        kernel.append_effect(entry, Operation::Assume(holds, AssumeKind::Launch), None);
        let instructions = &mut kernel.blocks[entry].instructions;
        let added = instructions.len() - before;
        instructions.rotate_right(added);
    }

    /// Whether the relation is an equation that gives the number on its left.
    pub fn is_equation(&self) -> bool {
        self.op == CompareOp::Equal
    }

    /// The relation in words, with the names of the arguments: `gridDim.x is (n + 255) / 256`.
    pub fn text(&self, name: &Names<'_>) -> String {
        // A bound reads better behind the number that it bounds.
        let is_bound = matches!(self.left, Term::Constant(_)) && !matches!(self.right, Term::Constant(_));
        let (left, right) = if is_bound { (&self.right, &self.left) } else { (&self.left, &self.right) };
        let sign = match (self.op, is_bound) {
            (CompareOp::Equal, _) => "is",
            (CompareOp::NotEqual, _) => "is not",
            (CompareOp::UnsignedLess | CompareOp::SignedLess, false) => "<",
            (CompareOp::UnsignedLess | CompareOp::SignedLess, true) => ">",
            (CompareOp::UnsignedLessEqual | CompareOp::SignedLessEqual, false) => "<=",
            (CompareOp::UnsignedLessEqual | CompareOp::SignedLessEqual, true) => ">=",
        };
        format!("{} {sign} {}", left.text(name, false), right.text(name, false))
    }
}

#[cfg(test)]
mod tests {
    use lockstep_ir::kernel::{Language, verify};

    use super::*;

    fn number(value: u64) -> Term {
        Term::Constant(Bits::new(32, value))
    }

    fn rounded_up() -> Relation {
        let n = Term::Convert(ConvertOp::Truncate, 32, Box::new(Term::Argument { index: 1, width: 64 }));
        let sum = Term::Binary(BinaryOp::Add, Box::new([n, number(255)]));
        Relation {
            op: CompareOp::Equal,
            left: Term::Groups(0),
            right: Term::Binary(BinaryOp::SignedDivide, Box::new([sum, number(256)])),
        }
    }

    #[test]
    fn relations_read_as_c() {
        let argument = |index: usize| ["a", "n"][index].to_owned();
        let name = Names { argument: &argument, host: &[] };
        assert_eq!(rounded_up().text(&name), "gridDim.x is ((int)n + 255) / 256");
        let n = || Term::Argument { index: 1, width: 32 };
        let least = Term::Choice(CompareOp::SignedLess, Box::new([n(), number(u64::MAX), n(), number(7)]));
        assert_eq!(
            Relation { op: CompareOp::Equal, left: Term::Threads(2), right: least }.text(&name),
            "blockDim.z is n < -1 ? n : 7"
        );
        let binary = |op, a, b| Term::Binary(op, Box::new([a, b]));
        let less = binary(BinaryOp::Add, n(), number(u64::from(u32::MAX)));
        assert_eq!(Relation { op: CompareOp::Equal, left: n(), right: less }.text(&name), "n is n - 1");
        let up = binary(BinaryOp::ShiftLeft, n(), number(16));
        let short = binary(BinaryOp::ArithmeticShiftRight, up, number(16));
        assert_eq!(Relation { op: CompareOp::Equal, left: n(), right: short }.text(&name), "n is (short)n");
        let half = Term::Binary(BinaryOp::LogicalShiftRight, Box::new([n(), number(1)]));
        let eighth = Term::Binary(BinaryOp::ShiftLeft, Box::new([half, number(4)]));
        assert_eq!(Relation { op: CompareOp::Equal, left: n(), right: eighth }.text(&name), "n is (n / 2) * 16");
    }

    #[test]
    fn preconditions_come_first() {
        let mut kernel = Kernel::new("k", Language::Cuda, 64);
        let parameter = |name: &str, ty| lockstep_ir::kernel::Parameter {
            name: name.into(),
            kind: lockstep_ir::kernel::ParameterKind::Scalar(ty),
        };
        kernel.parameters = vec![parameter("a", Type::Bits(32)), parameter("n", Type::Bits(64))];
        let entry = kernel.entry;
        let last = kernel.append(entry, Operation::Constant(Bits::one(8)), Type::Bits(8), None);
        rounded_up().assume(&mut kernel, 2);
        let instructions = &kernel.blocks[entry].instructions;
        let &[.., assumed, own] = instructions.as_slice() else { panic!("{instructions:?}") };
        assert!(matches!(kernel.instructions[assumed].operation, Operation::Assume(_, AssumeKind::Launch)));
        assert_eq!(kernel.instructions[own].result, Some(last));
        assert!(verify(kernel).is_ok());
    }
}
