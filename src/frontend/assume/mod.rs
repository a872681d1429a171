//! `--assume`: the command line's assumptions about the arguments and sizes of every launch.
//!
//! An assumption is a C expression over the kernel's integer parameters and the functions that tell
//! sizes: `width >= get_global_size(0) && n % 4 == 0`, or in CUDA `gridDim.x * blockDim.x <= n`. It
//! is computed as C does, with C's promotions, and wraps where C does. Four predicates are about
//! the elements that an array of integers has at the beginning of the launch: `sorted(rows)`,
//! `increasing(rows)`, `distinct(order)`, and `within(columns, 0, n)` from 0 up to `n - 1`. The
//! whole becomes a precondition of each kernel that has all parameters it names. A precondition
//! that Lockstep finds is the same kind of expression.

pub mod evaluate;
mod read;

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    self as kernel, AssumeKind, BinaryOp, CompareOp, ContentsFact, ContentsKind, ConvertOp, Kernel, Operation,
    ParameterKind, ThreadQuery, Type, UnaryOp, Value,
};
use lockstep_ir::source::Place;

use super::builder::Builder;
use super::patterns::KernelPatterns;

/// An assumption about every launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The text as given.
    pub text: String,
    /// The place of the configuration that has it; none for one of the command line.
    pub origin: Option<Place>,
    /// The kernels that it is about; all that have its parameters if not given.
    pub only: Option<KernelPatterns>,
    tree: Tree,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Tree {
    Number(u64, Integer),
    Name(String),
    Query(Query, u8),
    /// The same in CUDA, where it is an `unsigned`.
    Word(Query, u8),
    /// A fact about the elements of the array that a parameter points to, and bounds.
    Contents(ContentsKind, String, Option<Box<[Tree; 2]>>),
    Unary(Unary, Box<Tree>),
    Binary(Binary, Box<[Tree; 2]>),
    Conditional(Box<[Tree; 3]>),
}

/// A function that tells a size of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Threads per group.
    LocalSize,
    /// Groups.
    NumGroups,
    /// Threads in the launch.
    GlobalSize,
    /// The first global id.
    GlobalOffset,
    /// The number of dimensions.
    Dimensions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unary {
    Plus,
    Minus,
    Complement,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binary {
    Arithmetic(Arithmetic),
    Compare(Comparison),
    And,
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arithmetic {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

/// An integer type of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    /// Its width in bits.
    pub bits: u32,
    /// Whether it has negative values.
    pub signed: bool,
}

const INT: Integer = Integer { bits: 32, signed: true };
const UNSIGNED: Integer = Integer { bits: 32, signed: false };
const LONG: Integer = Integer { bits: 64, signed: true };

impl Integer {
    /// The type with this name in OpenCL C, or in C++ where `long` has 64 bits.
    pub fn named(name: &str) -> Option<Self> {
        let (name, signed) = match name.strip_prefix("unsigned ").or_else(|| name.strip_prefix('u')) {
            Some(rest) => (rest, false),
            None => (name.strip_prefix("signed ").unwrap_or(name), true),
        };
        let bits = match name {
            "char" => 8,
            "short" => 16,
            "int" => 32,
            "long" | "long long" => 64,
            _ => return None,
        };
        Some(Self { bits, signed })
    }

    fn promoted(self) -> Self {
        if self.bits < INT.bits { INT } else { self }
    }

    fn common(self, other: Self) -> Self {
        let (a, b) = (self.promoted(), other.promoted());
        match a.bits.cmp(&b.bits) {
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Equal => Self { bits: a.bits, signed: a.signed && b.signed },
        }
    }
}

impl Assumption {
    /// The same, from this place of a configuration, about these kernels.
    #[must_use]
    pub fn of_configuration(self, origin: Place, only: Option<KernelPatterns>) -> Self {
        Self { origin: Some(origin), only, ..self }
    }

    /// Whether it is about the kernel of this name, if that has the parameters.
    pub fn is_for(&self, kernel: &str) -> bool {
        self.only.as_ref().is_none_or(|patterns| patterns.matches(kernel))
    }

    /// Whether it is about this kernel: not another one's, and all its names are parameters of the
    /// kernel, or such fields of them as `is_field` knows.
    pub fn is_about(&self, kernel: &Kernel, is_field: &dyn Fn(&str) -> bool) -> bool {
        let named = |name: &str| kernel.passed().iter().find(|parameter| parameter.name == name);
        let points =
            |name: &str| named(name).is_some_and(|parameter| matches!(parameter.kind, ParameterKind::Pointer(_)));
        self.is_for(&kernel.name)
            && self.names().into_iter().all(|name| named(name).is_some() || is_field(name))
            && self.arrays().into_iter().all(points)
    }

    /// The names of integer parameters.
    pub fn names(&self) -> BTreeSet<&str> {
        self.mentioned().0
    }

    /// The names of parameters that point to arrays.
    pub fn arrays(&self) -> BTreeSet<&str> {
        self.mentioned().1
    }

    fn mentioned(&self) -> (BTreeSet<&str>, BTreeSet<&str>) {
        let (mut names, mut arrays) = (BTreeSet::new(), BTreeSet::new());
        let mut pending = vec![&self.tree];
        while let Some(tree) = pending.pop() {
            match tree {
                Tree::Name(name) => {
                    names.insert(name.as_str());
                }
                Tree::Number(..) | Tree::Query(..) | Tree::Word(..) => {}
                Tree::Contents(_, array, bounds) => {
                    arrays.insert(array.as_str());
                    pending.extend(bounds.iter().flat_map(|bounds| bounds.iter()));
                }
                Tree::Unary(_, inner) => pending.push(inner),
                Tree::Binary(_, both) => pending.extend(both.iter()),
                Tree::Conditional(three) => pending.extend(three.iter()),
            }
        }
        (names, arrays)
    }

    /// Appends the computation of the expression to a kernel.
    ///
    /// `parameter` gives the value and type of a parameter.
    pub fn build(
        &self,
        builder: &mut Builder<'_>,
        parameter: &dyn Fn(&str) -> Result<Typed, String>,
    ) -> Result<Value, String> {
        let value = build(builder, &self.tree, parameter)?;
        Ok(truth(builder, value))
    }
}

/// Adds an expression to the preconditions of a kernel that is complete. The parameters have these
/// types, by name.
///
/// # Errors
/// The expression names a parameter that the kernel does not have, or that is no integer.
pub fn assume(assumption: &Assumption, kernel: &mut Kernel, types: &BTreeMap<String, Integer>) -> Result<(), String> {
    let entry = kernel.entry;
    let before = kernel.blocks[entry].instructions.len();
    let mut typed = BTreeMap::new();
    for name in assumption.names() {
        let index = kernel.parameters.iter().position(|parameter| parameter.name == name);
        let (Some(index), Some(&ty)) = (index, types.get(name)) else {
            return Err(format!("there is no integer parameter `{name}`"));
        };
        let width = Type::Bits(ty.bits);
        if kernel.parameters[index].kind != ParameterKind::Scalar(width) {
            return Err(format!("the parameter `{name}` has another type"));
        }
        let index = u32::try_from(index).map_err(|_| "too many parameters".to_owned())?;
        typed.insert(name, (kernel.append(entry, Operation::Parameter(index), width, None), ty));
    }
    let mut builder = Builder { kernel, block: entry, location: None };
    let holds = assumption.build(&mut builder, &|name| Ok(typed[name]))?;
    builder.append_effect(Operation::Assume(holds, AssumeKind::Given));
    let instructions = &mut kernel.blocks[entry].instructions;
    let added = instructions.len() - before;
    instructions.rotate_right(added);
    Ok(())
}

/// A computed value and its type.
pub type Typed = (Value, Integer);

fn build(
    builder: &mut Builder<'_>,
    tree: &Tree,
    parameter: &dyn Fn(&str) -> Result<Typed, String>,
) -> Result<Typed, String> {
    match tree {
        Tree::Number(value, ty) => Ok((builder.bits(Bits::new(ty.bits, *value)), *ty)),
        Tree::Name(name) => parameter(name),
        Tree::Query(query, dimension) => Ok(size(builder, *query, *dimension)),
        Tree::Word(query, dimension) => {
            let wide = size(builder, *query, *dimension);
            Ok((convert(builder, wide, UNSIGNED), UNSIGNED))
        }
        Tree::Contents(kind, array, bounds) => {
            let (array, of_elements) = elements(builder.kernel, array)?;
            let bounds = match bounds {
                Some(bounds) => {
                    let bound = |builder: &mut Builder<'_>, tree| {
                        let typed = build(builder, tree, parameter)?;
                        Ok::<Value, String>(convert(builder, typed, LONG))
                    };
                    Some([bound(builder, &bounds[0])?, bound(builder, &bounds[1])?])
                }
                None => None,
            };
            let Integer { bits: element, signed } = of_elements;
            let fact = ContentsFact { kind: *kind, array, element, signed, bounds };
            let holds = builder.append(Operation::Contents(fact), Type::Bool);
            Ok(from_truth(builder, holds))
        }
        Tree::Unary(op, inner) => {
            let inner = build(builder, inner, parameter)?;
            Ok(unary(builder, *op, inner))
        }
        Tree::Binary(op, both) => {
            let a = build(builder, &both[0], parameter)?;
            let b = build(builder, &both[1], parameter)?;
            Ok(binary(builder, *op, a, b))
        }
        Tree::Conditional(three) => {
            let condition = build(builder, &three[0], parameter)?;
            let (a, b) = (build(builder, &three[1], parameter)?, build(builder, &three[2], parameter)?);
            let ty = a.1.common(b.1);
            let condition = truth(builder, condition);
            let (a, b) = (convert(builder, a, ty), convert(builder, b, ty));
            Ok((builder.select(condition, a, b), ty))
        }
    }
}

/// The array of integers that a parameter points to, and the type of its elements.
///
/// # Errors
/// There is no such parameter, or it points to something else.
pub fn elements(kernel: &Kernel, name: &str) -> Result<(kernel::Array, Integer), String> {
    let parameter = kernel.parameters.iter().find(|parameter| parameter.name == name);
    let Some(ParameterKind::Pointer(array)) = parameter.map(|parameter| &parameter.kind) else {
        return Err(format!("there is no array `{name}`"));
    };
    let layout = kernel.arrays[*array].element.as_ref();
    let ty = layout.and_then(|layout| Integer::named(&layout.name));
    let is_whole = |ty: &Integer| layout.is_some_and(|layout| 8 * layout.bytes == u64::from(ty.bits));
    ty.filter(is_whole).map(|ty| (*array, ty)).ok_or_else(|| format!("`{name}` is no array of integers"))
}

fn size(builder: &mut Builder<'_>, query: Query, dimension: u8) -> Typed {
    let bits = builder.kernel.pointer_bits;
    let ty = Integer { bits, signed: false };
    // Beyond the third dimension, sizes are 1 and offsets are 0.
    if dimension > 2 {
        let number = u64::from(query != Query::GlobalOffset);
        return (builder.number(bits, number), ty);
    }
    let (query, ty) = match query {
        Query::LocalSize => (ThreadQuery::LocalSize(dimension), ty),
        Query::NumGroups => (ThreadQuery::NumGroups(dimension), ty),
        Query::GlobalSize => (ThreadQuery::GlobalSize(dimension), ty),
        Query::GlobalOffset => (ThreadQuery::GlobalOffset(dimension), ty),
        Query::Dimensions => (ThreadQuery::Dimensions, ty),
    };
    (builder.append(Operation::ThreadQuery(query), Type::Bits(bits)), ty)
}

fn unary(builder: &mut Builder<'_>, op: Unary, inner: Typed) -> Typed {
    let ty = inner.1.promoted();
    match op {
        Unary::Not => {
            let holds = truth(builder, inner);
            let not = builder.unary(UnaryOp::Not, holds);
            from_truth(builder, not)
        }
        Unary::Plus => (convert(builder, inner, ty), ty),
        Unary::Minus | Unary::Complement => {
            let value = convert(builder, inner, ty);
            let op = if op == Unary::Minus { UnaryOp::Negate } else { UnaryOp::Not };
            (builder.unary(op, value), ty)
        }
    }
}

fn binary(builder: &mut Builder<'_>, op: Binary, a: Typed, b: Typed) -> Typed {
    match op {
        Binary::And | Binary::Or => {
            let (a, b) = (truth(builder, a), truth(builder, b));
            let op = if op == Binary::And { BinaryOp::And } else { BinaryOp::Or };
            let holds = builder.binary(op, a, b);
            from_truth(builder, holds)
        }
        Binary::Compare(comparison) => {
            let ty = a.1.common(b.1);
            let (a, b) = (convert(builder, a, ty), convert(builder, b, ty));
            let (less, less_equal) = if ty.signed {
                (CompareOp::SignedLess, CompareOp::SignedLessEqual)
            } else {
                (CompareOp::UnsignedLess, CompareOp::UnsignedLessEqual)
            };
            let holds = match comparison {
                Comparison::Less => builder.compare(less, a, b),
                Comparison::LessEqual => builder.compare(less_equal, a, b),
                Comparison::Greater => builder.compare(less, b, a),
                Comparison::GreaterEqual => builder.compare(less_equal, b, a),
                Comparison::Equal => builder.compare(CompareOp::Equal, a, b),
                Comparison::NotEqual => builder.compare(CompareOp::NotEqual, a, b),
            };
            from_truth(builder, holds)
        }
        Binary::Arithmetic(op) => arithmetic(builder, op, a, b),
    }
}

fn arithmetic(builder: &mut Builder<'_>, op: Arithmetic, a: Typed, b: Typed) -> Typed {
    // The result of a shift has the type of the shifted operand.
    let shift = matches!(op, Arithmetic::ShiftLeft | Arithmetic::ShiftRight);
    let ty = if shift { a.1.promoted() } else { a.1.common(b.1) };
    let (a, b) = (convert(builder, a, ty), convert(builder, b, ty));
    let op = match op {
        Arithmetic::Multiply => BinaryOp::Multiply,
        Arithmetic::Divide if ty.signed => BinaryOp::SignedDivide,
        Arithmetic::Divide => BinaryOp::UnsignedDivide,
        Arithmetic::Remainder if ty.signed => BinaryOp::SignedRemainder,
        Arithmetic::Remainder => BinaryOp::UnsignedRemainder,
        Arithmetic::Add => BinaryOp::Add,
        Arithmetic::Subtract => BinaryOp::Subtract,
        Arithmetic::ShiftLeft => BinaryOp::ShiftLeft,
        Arithmetic::ShiftRight if ty.signed => BinaryOp::ArithmeticShiftRight,
        Arithmetic::ShiftRight => BinaryOp::LogicalShiftRight,
        Arithmetic::And => BinaryOp::And,
        Arithmetic::Or => BinaryOp::Or,
        Arithmetic::Xor => BinaryOp::Xor,
    };
    (builder.binary(op, a, b), ty)
}

fn convert(builder: &mut Builder<'_>, (value, from): Typed, to: Integer) -> Value {
    let op = match from.bits.cmp(&to.bits) {
        std::cmp::Ordering::Equal => return value,
        std::cmp::Ordering::Greater => ConvertOp::Truncate,
        std::cmp::Ordering::Less if from.signed => ConvertOp::SignExtend,
        std::cmp::Ordering::Less => ConvertOp::ZeroExtend,
    };
    builder.convert(op, value, Type::Bits(to.bits))
}

fn truth(builder: &mut Builder<'_>, (value, ty): Typed) -> Value {
    // In C a comparison is a number; the operation that it was made from says the same more simply.
    if let Some(&Operation::Convert(ConvertOp::ZeroExtend, holds)) = builder.kernel.operation(value)
        && builder.ty(holds) == Type::Bool
    {
        return holds;
    }
    let zero = builder.number(ty.bits, 0);
    builder.compare(CompareOp::NotEqual, value, zero)
}

fn from_truth(builder: &mut Builder<'_>, holds: Value) -> Typed {
    (builder.convert(ConvertOp::ZeroExtend, holds, Type::Bits(INT.bits)), INT)
}
