//! Rows of symbolic width: the preconditions under which each column lies in its row.
//!
//! A kernel with `a[y * width + x]` is made for launches in which `x` is smaller than `width`:
//! otherwise two places of the matrix are one element. So the largest column of all threads gives a
//! precondition, such as `width >= offset + 16 * get_num_groups(0)`. It is a guess like every
//! template, and counts only with a proof. So indices are read here as integers that do not wrap.
//!
//! An index is a polynomial over parameters, ids, sizes and iterations of loops. With a width `w`
//! it is `w * row + column`, and the row may have rows of its own (`(z * height + y) * width + x`).

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::kernel::{
    BinaryOp, CompareOp, ConvertOp, Definition, Kernel, Operation, ParameterKind, Terminator, ThreadQuery, Type, Value,
};
use lockstep_ir::polynomial::{Atom, Polynomial};
use num_bigint::{BigInt, BigUint, Sign};

use super::roles::Roles;
use crate::analysis::accesses::for_each_access;

/// The most operations between an access and a number in its index.
const DEEPEST: u32 = 48;

/// The most terms of an index.
const MOST_TERMS: usize = 40;

/// The most conditions on one width.
const MOST_COLUMNS: usize = 2;

/// The most digits of an index: dimensions of an array.
const MOST_DIGITS: usize = 4;

/// A number that polynomials treat as opaque.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Number {
    Parameter(u32),
    Query(ThreadQueryKey),
    /// A value from zero up to a bound, if it is known.
    Value(Value),
}

/// A query, in an order.
type ThreadQueryKey = (u8, u8);

/// The conditions `width >= columns`, by widths.
pub fn columns(
    kernel: &Kernel,
    roles: &Roles,
    (block, grid): (&[Option<u32>], &[Option<u32>]),
    is_cuda: bool,
) -> Vec<String> {
    let mut indices =
        Indices { kernel, block, grid, is_cuda, atoms: Vec::new(), most: BTreeMap::new(), known: BTreeMap::new() };
    let mut found: BTreeMap<u32, Vec<Polynomial>> = BTreeMap::new();
    for data in kernel.instructions.values() {
        let mut pointers = Vec::new();
        for_each_access(kernel, &data.operation, data.result, |access| pointers.push(access.pointer));
        for pointer in pointers {
            if let Some(index) = indices.offset_of(pointer, DEEPEST) {
                indices.split(&index, &roles.totals, &mut found, MOST_DIGITS);
            }
        }
    }
    let mut texts = Vec::new();
    for (width, columns) in found {
        if columns.len() <= MOST_COLUMNS {
            texts.extend(columns.iter().filter_map(|column| indices.condition(width, column)));
        }
    }
    texts
}

/// The indices of a kernel.
struct Indices<'a> {
    kernel: &'a Kernel,
    block: &'a [Option<u32>],
    grid: &'a [Option<u32>],
    is_cuda: bool,
    atoms: Vec<Number>,
    /// The largest value of each value that is an atom, if it is known.
    most: BTreeMap<Value, Option<BigInt>>,
    known: BTreeMap<Value, Option<Polynomial>>,
}

impl Indices<'_> {
    fn atom(&mut self, number: Number) -> Atom {
        let known = self.atoms.iter().position(|known| *known == number);
        let index = known.unwrap_or_else(|| {
            self.atoms.push(number);
            self.atoms.len() - 1
        });
        Atom::try_from(index).unwrap_or(Atom::MAX)
    }

    fn number(&self, atom: Atom) -> Number {
        self.atoms[usize::try_from(atom).expect("atoms are 32 bits")]
    }

    /// The offset of a pointer in bytes.
    fn offset_of(&mut self, pointer: Value, depth: u32) -> Option<Polynomial> {
        let depth = depth.checked_sub(1)?;
        match *self.kernel.operation(pointer)? {
            Operation::ArrayBase(_) => Some(Polynomial::default()),
            Operation::SpaceCast(inner) => self.offset_of(inner, depth),
            Operation::PointerAdd { pointer, offset, .. } => {
                let offset = self.value(offset, depth)?;
                Some(self.offset_of(pointer, depth)?.plus(&offset))
            }
            _ => None,
        }
    }

    fn value(&mut self, value: Value, depth: u32) -> Option<Polynomial> {
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        // While it is computed, a value is an unknown one: a loop comes back to it.
        let itself = Polynomial::atom(self.atom(Number::Value(value)));
        self.most.entry(value).or_insert(None);
        self.known.insert(value, Some(itself.clone()));
        let found = depth.checked_sub(1).and_then(|depth| self.computed(value, depth));
        let found = found.filter(|found| found.len() <= MOST_TERMS).or(Some(itself));
        self.known.insert(value, found.clone());
        found
    }

    /// A value as a polynomial of others; `None` if it is none.
    fn computed(&mut self, value: Value, depth: u32) -> Option<Polynomial> {
        if let Definition::Parameter(block, index) = self.kernel.values[value].definition {
            return self.counter(value, (block, index), depth);
        }
        match *self.kernel.operation(value)? {
            Operation::Constant(ref bits) => Some(Polynomial::constant(bits.signed())),
            Operation::Parameter(index) => {
                let is_number = matches!(
                    self.kernel.parameters.get(usize::try_from(index).ok()?)?.kind,
                    ParameterKind::Scalar(Type::Bits(_))
                );
                is_number.then(|| Polynomial::atom(self.atom(Number::Parameter(index))))
            }
            Operation::ThreadQuery(query) => self.query(query),
            Operation::Convert(ConvertOp::ZeroExtend | ConvertOp::SignExtend | ConvertOp::Truncate, inner) => {
                matches!(self.kernel.ty(inner), Type::Bits(_)).then(|| self.value(inner, depth))?
            }
            Operation::Binary(op, _, a, b) => self.binary(value, op, [a, b], depth),
            _ => None,
        }
    }

    fn binary(&mut self, value: Value, op: BinaryOp, [a, b]: [Value; 2], depth: u32) -> Option<Polynomial> {
        let constant = self.kernel.constant(b).and_then(lockstep_ir::bits::Bits::to_u64);
        match (op, constant) {
            (BinaryOp::Add, _) => Some(self.value(a, depth)?.plus(&self.value(b, depth)?)),
            (BinaryOp::Subtract, _) => Some(self.value(a, depth)?.minus(&self.value(b, depth)?)),
            (BinaryOp::Multiply, _) => {
                let (a, b) = (self.value(a, depth)?, self.value(b, depth)?);
                (a.len() * b.len() <= MOST_TERMS).then(|| a.times(&b))
            }
            (BinaryOp::ShiftLeft, Some(by)) if by < 32 => Some(self.value(a, depth)?.scaled(&(BigInt::from(1) << by))),
            (BinaryOp::UnsignedRemainder | BinaryOp::SignedRemainder, Some(by)) if by > 0 => {
                Some(self.up_to(value, by - 1))
            }
            (BinaryOp::And, Some(mask)) if mask < 1 << 31 => Some(self.up_to(value, mask)),
            _ => None,
        }
    }

    /// An opaque value that is at most a number.
    fn up_to(&mut self, value: Value, most: u64) -> Polynomial {
        self.most.insert(value, Some(most.into()));
        Polynomial::atom(self.atom(Number::Value(value)))
    }

    fn query(&mut self, query: ThreadQuery) -> Option<Polynomial> {
        let size = |sizes: &[Option<u32>], axis: u8| sizes.get(usize::from(axis)).copied().flatten();
        let known = match query {
            ThreadQuery::LocalSize(axis) => size(self.block, axis).map(u64::from),
            ThreadQuery::NumGroups(axis) => size(self.grid, axis).map(u64::from),
            ThreadQuery::GlobalSize(axis) => {
                size(self.block, axis).zip(size(self.grid, axis)).map(|(a, b)| u64::from(a) * u64::from(b))
            }
            ThreadQuery::GlobalOffset(_) => Some(0),
            _ => None,
        };
        match known {
            Some(known) => Some(Polynomial::constant(known.into())),
            None => Some(Polynomial::atom(self.atom(Number::Query(key(query)?)))),
        }
    }

    /// A number that each iteration of a loop changes by the same: its first value, and the
    /// iteration times the change.
    fn counter(
        &mut self,
        value: Value,
        (block, index): (lockstep_ir::kernel::Block, u32),
        depth: u32,
    ) -> Option<Polynomial> {
        let index = usize::try_from(index).ok()?;
        let targets = self.kernel.blocks.values().flat_map(|data| data.terminator.targets());
        let given: BTreeSet<Value> = targets
            .filter(|target| target.block == block)
            .filter_map(|target| target.arguments.get(index).copied())
            .collect();
        let itself = self.atom(Number::Value(value));
        let (mut first, mut change) = (None, None);
        for one in given {
            let one = self.value(one, depth)?;
            let (times, rest) = one.divided_by(itself);
            match times.as_constant() {
                Some(times) if times == BigInt::ZERO && first.is_none() => first = Some(one),
                Some(times) if times == BigInt::from(1) && change.is_none() => change = Some(rest),
                _ => return None,
            }
        }
        let (first, change) = (first?, change?);
        let last = self.iterations((block, value), &first, &change);
        self.most.insert(value, last);
        // The atom stood for the counter so far, and stands for the iteration from now on.
        let mentions = |sum: &Polynomial| sum.terms().any(|(monomial, _)| monomial.contains(&itself));
        self.known.retain(|_, known| !known.as_ref().is_some_and(mentions));
        Some(first.plus(&Polynomial::atom(itself).times(&change)))
    }

    /// The number of the last iteration of a loop whose counter has constant bounds.
    fn iterations(
        &mut self,
        (block, counter): (lockstep_ir::kernel::Block, Value),
        first: &Polynomial,
        change: &Polynomial,
    ) -> Option<BigInt> {
        let Terminator::Branch { condition, .. } = self.kernel.blocks[block].terminator else { return None };
        let Some(&Operation::Compare(CompareOp::SignedLess | CompareOp::UnsignedLess, a, b)) =
            self.kernel.operation(condition)
        else {
            return None;
        };
        let (first, change) = (first.as_constant()?, change.as_constant()?);
        let bound = self.kernel.constant(b).filter(|_| a == counter)?.signed();
        let is_counted = change.sign() == Sign::Plus && bound > first;
        is_counted.then(|| (bound - first - 1) / change)
    }

    /// Splits an index by the widths in it, and notes the largest column of each.
    fn split(
        &mut self,
        index: &Polynomial,
        totals: &BTreeSet<String>,
        found: &mut BTreeMap<u32, Vec<Polynomial>>,
        digits: usize,
    ) {
        let widths: BTreeSet<Atom> = index.terms().flat_map(|(monomial, _)| monomial.iter().copied()).collect();
        for width in widths {
            let Number::Parameter(parameter) = self.number(width) else { continue };
            let (row, column) = index.divided_by(width);
            // The stride of the innermost rows is the width alone.
            let is_alone = |monomial: &[Atom]| {
                monomial.iter().all(|atom| !matches!(self.number(*atom), Number::Parameter(_)))
                    && monomial.iter().any(|atom| self.varies(*atom))
            };
            let step = row.terms().filter(|(monomial, _)| is_alone(monomial)).map(|(_, factor)| factor.clone()).min();
            let Some(unit) = step.filter(|step| step.sign() == Sign::Plus) else { continue };
            let (column, _) = column.divided_by_number(&unit);
            let name = self.kernel.parameters.get(parameter as usize).map(|parameter| parameter.name.clone());
            // A width that ids are compared with bounds them already.
            let is_total = name.is_none_or(|name| totals.contains(&name));
            if !is_total && let Some(most) = self.most_of(&column) {
                note(found.entry(parameter).or_default(), most);
            }
            let (row, rest) = row.divided_by_number(&unit);
            if digits > 0 && rest.len() == 0 {
                self.split(&row, totals, found, digits - 1);
            }
        }
    }

    /// Whether a number is not the same for all threads and iterations.
    fn varies(&self, atom: Atom) -> bool {
        match self.number(atom) {
            Number::Parameter(_) => false,
            Number::Query((kind, _)) => kind < 3,
            Number::Value(_) => true,
        }
    }

    /// The largest value of a sum.
    fn most_of(&mut self, sum: &Polynomial) -> Option<Polynomial> {
        let mut most = Polynomial::default();
        for (monomial, factor) in sum.terms() {
            let mut term = Polynomial::constant(factor.clone());
            for &atom in monomial {
                term = term.times(&self.largest(atom)?);
            }
            if factor.sign() == Sign::Minus {
                // The smallest value of what varies is zero.
                if monomial.iter().any(|atom| self.varies(*atom)) {
                    continue;
                }
            }
            most = most.plus(&term);
        }
        Some(most)
    }

    fn largest(&mut self, atom: Atom) -> Option<Polynomial> {
        let one = Polynomial::constant(1.into());
        match self.number(atom) {
            Number::Parameter(_) => Some(Polynomial::atom(atom)),
            Number::Query((kind, axis)) => {
                let size = match kind {
                    0 => ThreadQuery::LocalSize(axis),
                    1 => ThreadQuery::NumGroups(axis),
                    2 => ThreadQuery::GlobalSize(axis),
                    _ => return Some(Polynomial::atom(atom)),
                };
                Some(self.query(size)?.minus(&one))
            }
            Number::Value(value) => Some(Polynomial::constant(self.most.get(&value)?.clone()?)),
        }
    }

    /// The condition that a width is at least the number of columns, in words of the source.
    fn condition(&self, width: u32, column: &Polynomial) -> Option<String> {
        let width_name = &self.kernel.parameters.get(width as usize)?.name;
        let mut parameters: BTreeSet<&str> = BTreeSet::from([width_name.as_str()]);
        let count = column.plus(&Polynomial::constant(1.into()));
        let (mut left, mut right) = (vec![width_name.clone()], Vec::new());
        for (monomial, factor) in count.terms() {
            let mut factors = Vec::new();
            for &atom in monomial {
                factors.push(self.text(atom)?);
                if let Number::Parameter(index) = self.number(atom) {
                    parameters.insert(&self.kernel.parameters.get(index as usize)?.name);
                }
            }
            let mut size = factor.magnitude().clone();
            // As many groups as there are, times the threads in one, are all threads.
            if let [atom] = monomial[..]
                && let Some(whole) = self.whole_launch(atom, &size)
            {
                (factors, size) = (vec![whole], 1_u32.into());
            }
            // The sum has 64 bits, and does not wrap.
            if factors.len() != 1 || size != 1_u32.into() {
                factors.insert(0, format!("{size}l"));
            }
            if factor.sign() == Sign::Minus { &mut left } else { &mut right }.push(factors.join(" * "));
        }
        for side in [&mut left, &mut right] {
            let is_wide = side.iter().any(|term| term.starts_with(|first: char| first.is_ascii_digit()));
            if side.len() > 1 && !is_wide {
                side[0].insert_str(0, "1l * ");
            }
        }
        if right.is_empty() {
            return None;
        }
        let mut parts: Vec<String> = parameters.iter().map(|name| format!("{name} >= 0")).collect();
        parts.push(format!("{} >= {}", left.join(" + "), right.join(" + ")));
        Some(parts.join(" && "))
    }

    /// The number of threads in the launch, if a number of groups is multiplied with their size.
    fn whole_launch(&self, atom: Atom, factor: &BigUint) -> Option<String> {
        let Number::Query((4, axis)) = self.number(atom) else { return None };
        let local = self.block.get(usize::from(axis)).copied().flatten()?;
        (*factor == local.into()).then(|| self.text_of_query((5, axis))).flatten()
    }

    fn text(&self, atom: Atom) -> Option<String> {
        match self.number(atom) {
            Number::Parameter(index) => Some(self.kernel.parameters.get(index as usize)?.name.clone()),
            Number::Query(query) => self.text_of_query(query),
            Number::Value(_) => None,
        }
    }

    fn text_of_query(&self, (kind, axis): ThreadQueryKey) -> Option<String> {
        let letter = char::from(b"xyz"[usize::from(axis.min(2))]);
        Some(match (kind, self.is_cuda) {
            (3, false) => format!("get_local_size({axis})"),
            (4, false) => format!("get_num_groups({axis})"),
            (5, false) => format!("get_global_size({axis})"),
            (3, true) => format!("blockDim.{letter}"),
            (4, true) => format!("gridDim.{letter}"),
            (5, true) => format!("gridDim.{letter} * blockDim.{letter}"),
            _ => return None,
        })
    }
}

/// A query with its axis: first those that vary between threads.
fn key(query: ThreadQuery) -> Option<ThreadQueryKey> {
    Some(match query {
        ThreadQuery::LocalId(axis) => (0, axis),
        ThreadQuery::GroupId(axis) => (1, axis),
        ThreadQuery::GlobalId(axis) => (2, axis),
        ThreadQuery::LocalSize(axis) => (3, axis),
        ThreadQuery::NumGroups(axis) => (4, axis),
        ThreadQuery::GlobalSize(axis) => (5, axis),
        ThreadQuery::GlobalOffset(_) | ThreadQuery::Dimensions | ThreadQuery::LaneId | ThreadQuery::WarpSize => {
            return None;
        }
    })
}

/// Keeps the columns of which none is at least another. No number in them is negative.
fn note(columns: &mut Vec<Polynomial>, column: Polynomial) {
    let is_at_least = |large: &Polynomial, small: &Polynomial| {
        large.minus(small).terms().all(|(_, factor)| factor.sign() == Sign::Plus)
    };
    if columns.iter().any(|known| is_at_least(known, &column)) {
        return;
    }
    columns.retain(|known| !is_at_least(&column, known));
    columns.push(column);
}
