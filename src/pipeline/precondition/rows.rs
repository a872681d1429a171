//! Rows of symbolic width: the preconditions under which each column lies in its row.
//!
//! A kernel with `a[y * width + x]` is made for launches in which `x` is smaller than `width`:
//! otherwise two places of the matrix are one element. So the largest column of all threads gives a
//! precondition, such as `width >= offset + 16 * get_num_groups(0)`. It is a guess like every
//! template, and counts only with a proof. So indices are read here as integers that do not wrap.
//!
//! An index is a polynomial over parameters, ids, sizes and iterations of loops. With a width `w`
//! it is `w * row + column`, and the row may have rows of its own (`(z * height + y) * width + x`).
//! A width may be a parameter and a constant, as in `y * (width + 2) + x`. A loop that advances by
//! a constant, as in `c0 = 32 * group; c0 < n; c0 += 8192`, makes rows of that width. A comparison
//! that holds wherever the access is made bounds what it is about.
//!
//! Neighbouring groups work on neighbouring places, so `16 * group + thread` is made for groups of
//! 16 threads, and so is `width * (16 * group + thread)`.
//!
//! The arithmetic is that of 32 bits if the matrix has as many elements as they can count.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_ir::kernel::{
    BinaryOp, CompareOp, ConvertOp, Definition, InstructionData, Kernel, Operation, ParameterKind, Terminator,
    ThreadQuery, Type, Value,
};
use lockstep_ir::polynomial::{Atom, Monomial, Polynomial};
use num_bigint::{BigInt, BigUint, Sign};

use super::guards::{Guards, Order};
use crate::analysis::accesses::for_each_access;

/// The most operations between an access and a number in its index.
const DEEPEST: u32 = 48;

/// The most terms of an index.
const MOST_TERMS: usize = 40;

/// The most conditions on one width.
const MOST_COLUMNS: usize = 2;

/// The most threads of a group.
const MOST_THREADS: u32 = 1024;

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

/// The preconditions that an index suggests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfRows {
    /// Columns fit into their rows: `width >= columns`.
    pub fitting: Vec<String>,
    /// Matrices are so small that indices do not wrap: `width * rows <= 2^31`.
    pub without_wrap: Vec<String>,
    /// Groups have the size that the kernel is made for: `get_local_size(0) == 16`. The others are
    /// about such groups.
    pub of_groups: Vec<String>,
}

/// The parts of preconditions that are found in indices.
#[derive(Default)]
struct Found {
    /// The largest columns, by the parameters that are widths.
    columns: BTreeMap<u32, Vec<Polynomial>>,
    /// The numbers of elements of matrices.
    elements: Vec<Polynomial>,
    /// The largest columns, by the constants that are widths.
    of_constants: BTreeMap<BigInt, Vec<Polynomial>>,
    /// The numbers of places between two groups, in places between two threads of a group, by axis.
    groups: BTreeMap<u8, BTreeSet<BigInt>>,
}

/// The preconditions that the indices of a kernel suggest.
pub fn of_rows(kernel: &Kernel, (block, grid): (&[Option<u32>], &[Option<u32>]), is_cuda: bool) -> OfRows {
    let (mut all, sizes) = in_groups(kernel, (block, grid), is_cuda);
    if !all.of_groups.is_empty() {
        let known: Vec<Option<u32>> = block.iter().zip(sizes).map(|(given, size)| given.or(size)).collect();
        let of_groups = std::mem::take(&mut all.of_groups);
        all = OfRows { of_groups, ..in_groups(kernel, (&known, grid), is_cuda).0 };
    }
    all
}

/// The same for groups of these sizes, with the open sizes of groups that the kernel is made for.
fn in_groups(
    kernel: &Kernel,
    (block, grid): (&[Option<u32>], &[Option<u32>]),
    is_cuda: bool,
) -> (OfRows, [Option<u32>; 3]) {
    let mut indices = Indices {
        kernel,
        block,
        grid,
        is_cuda,
        atoms: Vec::new(),
        most: BTreeMap::new(),
        known: BTreeMap::new(),
        limits: Vec::new(),
    };
    let guards = Guards::of(kernel);
    let mut found = Found::default();
    for (block, data) in &kernel.blocks {
        let mut pointers = Vec::new();
        for &instruction in &data.instructions {
            let InstructionData { operation, result, .. } = &kernel.instructions[instruction];
            for_each_access(kernel, operation, *result, |access| pointers.push((access.pointer, access.bytes)));
        }
        if pointers.is_empty() {
            continue;
        }
        indices.limits = guards.at(block).iter().filter_map(|order| indices.limit(*order)).collect();
        for (pointer, bytes) in pointers {
            if let Some(index) = indices.offset_of(pointer, DEEPEST) {
                indices.note_groups(&index, &mut found);
                indices.split(&index, bytes.unwrap_or(1), &mut found, MOST_DIGITS);
            }
        }
    }
    let mut all = OfRows::default();
    for (&width, columns) in &found.columns {
        if columns.len() <= MOST_COLUMNS {
            all.fitting.extend(columns.iter().filter_map(|column| indices.condition(width, column)));
        }
    }
    for (width, columns) in &found.of_constants {
        all.fitting.extend(columns.iter().filter_map(|last| indices.at_most(last, &(width - 1))));
    }
    for elements in &found.elements {
        all.without_wrap.extend(indices.at_most(elements, &(BigInt::from(1) << 31)));
    }
    let mut made_for = [None; 3];
    for (&axis, sizes) in &found.groups {
        // An access whose groups work on other places than their own says nothing.
        if let Some(size) = sizes.first().filter(|_| sizes.len() == 1)
            && let Some(text) = indices.text_of_query((3, axis))
        {
            all.of_groups.push(format!("{text} == {size}"));
            made_for[usize::from(axis)] = u32::try_from(size).ok();
        }
    }
    for texts in [&mut all.fitting, &mut all.without_wrap] {
        let mut seen = BTreeSet::new();
        texts.retain(|text| seen.insert(text.clone()));
    }
    (all, made_for)
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
    /// The comparisons that hold at the access: a sum, and its largest value.
    limits: Vec<(Polynomial, Polynomial)>,
}

impl Indices<'_> {
    /// A comparison with something that is the same for all threads, as a limit of what varies.
    fn limit(&mut self, order: Order) -> Option<(Polynomial, Polynomial)> {
        let (small, large) = (self.value(order.small, DEEPEST)?, self.value(order.large, DEEPEST)?);
        let difference = small.minus(&large);
        let (mut sum, mut bound) = (Polynomial::default(), Polynomial::default());
        for (monomial, factor) in difference.terms() {
            let varies = monomial.iter().any(|atom| self.varies(*atom));
            let one = monomial
                .iter()
                .fold(Polynomial::constant(factor.clone()), |product, &atom| product.times(&Polynomial::atom(atom)));
            if varies { sum = sum.plus(&one) } else { bound = bound.minus(&one) }
        }
        let is_sum = sum.len() > 0 && sum.terms().all(|(_, factor)| factor.sign() == Sign::Plus);
        let bound = if order.is_strict { bound.minus(&Polynomial::constant(1.into())) } else { bound };
        is_sum.then_some((sum, bound))
    }

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

    /// Notes the sizes of groups that an index is made for, along the axes whose size is open.
    fn note_groups(&self, index: &Polynomial, found: &mut Found) {
        for axis in 0..3 {
            let is_open = self.block.get(usize::from(axis)).is_some_and(Option::is_none);
            let part = |kind: u8| {
                let at = self.atoms.iter().position(|number| *number == Number::Query((kind, axis)))?;
                Some(index.divided_by(Atom::try_from(at).ok()?).0)
            };
            let (Some(of_group), Some(of_thread)) = (part(1), part(0)) else { continue };
            let Some((monomial, factor)) = of_thread.terms().next() else { continue };
            let Some((_, whole)) = of_group.terms().find(|(other, _)| *other == monomial) else { continue };
            let size = whole / factor;
            let is_size = size > 1.into() && size <= MOST_THREADS.into() && of_thread.scaled(&size) == of_group;
            if is_open && is_size {
                found.groups.entry(axis).or_default().insert(size);
            }
        }
    }

    /// Splits an index of so many places by the widths in it, and notes the largest column of each.
    fn split(&mut self, index: &Polynomial, places: u64, found: &mut Found, digits: usize) {
        self.split_by_constant(index, found);
        let widths: BTreeSet<Atom> = index.terms().flat_map(|(monomial, _)| monomial.iter().copied()).collect();
        for width in widths {
            let Number::Parameter(parameter) = self.number(width) else { continue };
            let added = self.added_to(width, index);
            let index = replaced(index, width, &Polynomial::atom(width).minus(&added));
            let (row, column) = index.divided_by(width);
            // The stride of the innermost rows is the width alone.
            let is_alone = |monomial: &[Atom]| {
                monomial.iter().all(|atom| !matches!(self.number(*atom), Number::Parameter(_)))
                    && monomial.iter().any(|atom| self.varies(*atom))
            };
            let step = row.terms().filter(|(monomial, _)| is_alone(monomial)).map(|(_, factor)| factor.clone()).min();
            let Some(unit) = step.filter(|step| step.sign() == Sign::Plus) else { continue };
            let element = column.terms().map(|(_, factor)| factor.clone()).filter(|f| f.sign() == Sign::Plus).min();
            // The columns of an access with several.
            let others = (BigInt::from(places.max(1)) - 1) / &unit;
            let column = column.divided_by_number(&unit).0.plus(&Polynomial::constant(others));
            let mentions = |sum: &Polynomial| sum.terms().any(|(monomial, _)| monomial.contains(&width));
            // A width that columns are compared with bounds them already.
            if let Some(most) = self.most_of(&column).filter(|most| !mentions(most)) {
                note(found.columns.entry(parameter).or_default(), most.minus(&added));
            }
            self.split_by_constant(&column, found);
            let (row, rest) = row.divided_by_number(&unit);
            if rest.len() > 0 || mentions(&row) {
                continue;
            }
            if let Some(last) = self.most_of(&row) {
                let elements = element.map_or(BigInt::from(1), |element| (&unit / element).max(1.into()));
                let rows = last.plus(&Polynomial::constant(1.into())).scaled(&elements);
                found.elements.push(rows.times(&Polynomial::atom(width).plus(&added)));
            }
            if digits > 0 {
                self.split(&row, 1, found, digits - 1);
            }
        }
    }

    /// The constant that a parameter is added to wherever it is the factor of something that
    /// varies: two in `y * (width + 2) + x`.
    fn added_to(&self, width: Atom, index: &Polynomial) -> Polynomial {
        let (row, column) = index.divided_by(width);
        let mut added = None;
        for (monomial, factor) in row.terms().filter(|(monomial, _)| monomial.iter().any(|atom| self.varies(*atom))) {
            let beside = column.terms().find(|(other, _)| *other == monomial).map(|(_, factor)| factor.clone());
            let (by, rest) = beside.map_or_else(Default::default, |beside| (&beside / factor, beside % factor));
            if rest != BigInt::ZERO || by.sign() == Sign::Minus || added.is_some_and(|added| added != by) {
                return Polynomial::default();
            }
            added = Some(by);
        }
        Polynomial::constant(added.unwrap_or_default())
    }

    /// Notes the columns of rows that the iterations of a loop make: its counter advances by a
    /// constant, and the group is added to it.
    fn split_by_constant(&mut self, index: &Polynomial, found: &mut Found) {
        let is_iteration = |atom: Atom| matches!(self.number(atom), Number::Value(_));
        let of_one = |(monomial, factor): (&Monomial, &BigInt)| match monomial[..] {
            [atom] if is_iteration(atom) && factor.sign() == Sign::Plus => Some((factor.clone(), atom)),
            _ => None,
        };
        let Some((width, atom)) = index.terms().filter_map(of_one).max() else { return };
        let (_, column) = index.divided_by(atom);
        let is_group = |atom: &Atom| matches!(self.number(*atom), Number::Query((1 | 2, _)));
        let is_linear = column.terms().all(|(monomial, factor)| monomial.len() <= 1 && *factor < width);
        let Some(unit) = column.terms().map(|(_, factor)| factor.magnitude().clone()).min() else { return };
        let unit = BigInt::from(unit);
        if !is_linear || !column.terms().any(|(monomial, _)| monomial.iter().any(is_group)) {
            return;
        }
        let (column, _) = column.divided_by_number(&unit);
        // The comparisons of the loop are about the sum.
        let limits = std::mem::take(&mut self.limits);
        let most = self.most_of(&column);
        self.limits = limits;
        if let Some(most) = most.filter(|most| most.as_constant().is_none()) {
            note(found.of_constants.entry(width / unit).or_default(), most);
        }
    }

    fn is_size(&self, atom: Atom) -> bool {
        matches!(self.number(atom), Number::Query(_))
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
        let (mut most, mut sum) = (Polynomial::default(), sum.clone());
        for (part, bound) in self.limits.clone() {
            let Some((monomial, factor)) = part.terms().next() else { continue };
            let Some((_, whole)) = sum.terms().find(|(other, _)| *other == monomial) else { continue };
            let times = whole / factor;
            let scaled = part.scaled(&times);
            if times.sign() == Sign::Plus && scaled.is_part_of(&sum) && self.is_useful(&part, &bound) {
                sum = sum.minus(&scaled).plus(&bound.scaled(&times));
            }
        }
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

    /// Whether a limit of a sum says more than the ranges of its terms: numbers that are known say
    /// more than others.
    fn is_useful(&mut self, sum: &Polynomial, bound: &Polynomial) -> bool {
        let limits = std::mem::take(&mut self.limits);
        let known = self.most_of(sum).and_then(|most| most.as_constant());
        self.limits = limits;
        known.is_none_or(|known| bound.as_constant().is_some_and(|bound| bound < known))
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
        let one = Polynomial::constant(1.into());
        let mut parameters = self.parameters_of(column)?;
        parameters.insert(width_name);
        if let Some(last) = column.as_constant() {
            return (last.sign() != Sign::Minus).then(|| format!("{width_name} >= {}", last + 1));
        }
        // `width > x` is `width >= x + 1`.
        let is_whole = column.terms().all(|(monomial, _)| !monomial.is_empty());
        let (operator, count) = if is_whole { (">", column.clone()) } else { (">=", column.plus(&one)) };
        let [mut right, mut left] = self.sides(&count)?;
        left.insert(0, width_name.clone());
        for side in [&mut left, &mut right] {
            let is_wide = side.iter().any(|term| term.starts_with(|first: char| first.is_ascii_digit()));
            if side.len() > 1 && !is_wide {
                side[0].insert_str(0, "1l * ");
            }
        }
        if right.is_empty() {
            return None;
        }
        // In C a negative number is large beside a size, which has no sign.
        let has_size = column.terms().any(|(monomial, _)| monomial.iter().any(|atom| self.is_size(*atom)));
        let signs = parameters.iter().filter(|_| has_size);
        let mut parts: Vec<String> = signs.map(|name| format!("{name} >= 0")).collect();
        parts.push(format!("{} {operator} {}", left.join(" + "), right.join(" + ")));
        Some(parts.join(" && "))
    }

    /// The condition that a number is at most a constant.
    fn at_most(&self, number: &Polynomial, most: &BigInt) -> Option<String> {
        let (varying, constant) = {
            let constants = number.terms().filter(|(monomial, _)| monomial.is_empty());
            let constant = constants.map(|(_, factor)| factor.clone()).sum::<BigInt>();
            (number.minus(&Polynomial::constant(constant.clone())), constant)
        };
        let most = most - constant;
        let [mut left, mut right] = self.sides(&varying)?;
        if left.is_empty() || most.sign() != Sign::Plus {
            return None;
        }
        if !left[0].starts_with(|first: char| first.is_ascii_digit()) {
            left[0].insert_str(0, "1l * ");
        }
        right.insert(0, format!("{most}l"));
        Some(format!("{} <= {}", left.join(" + "), right.join(" + ")))
    }

    /// The names of the parameters in a number.
    fn parameters_of(&self, number: &Polynomial) -> Option<BTreeSet<&str>> {
        let mut names = BTreeSet::new();
        for &atom in number.terms().flat_map(|(monomial, _)| monomial.iter()) {
            if let Number::Parameter(index) = self.number(atom) {
                names.insert(self.kernel.parameters.get(index as usize)?.name.as_str());
            }
        }
        Some(names)
    }

    /// The positive and the negative terms of a number, in words of the source. Their sums have 64
    /// bits, and do not wrap.
    fn sides(&self, number: &Polynomial) -> Option<[Vec<String>; 2]> {
        let [mut positive, mut negative] = [Vec::new(), Vec::new()];
        for (monomial, factor) in number.terms() {
            let mut factors = monomial.iter().map(|&atom| self.text(atom)).collect::<Option<Vec<_>>>()?;
            let mut size = factor.magnitude().clone();
            // As many groups as there are, times the threads in one, are all threads.
            if let [atom] = monomial[..]
                && let Some(whole) = self.whole_launch(atom, &size)
            {
                (factors, size) = (vec![whole], 1_u32.into());
            }
            if factors.len() != 1 || size != 1_u32.into() {
                factors.insert(0, format!("{size}l"));
            }
            if factor.sign() == Sign::Minus { &mut negative } else { &mut positive }.push(factors.join(" * "));
        }
        Some([positive, negative])
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

/// A polynomial with a number in place of an atom.
fn replaced(polynomial: &Polynomial, atom: Atom, by: &Polynomial) -> Polynomial {
    let (row, rest) = polynomial.divided_by(atom);
    if row.len() == 0 { rest } else { replaced(&row, atom, by).times(by).plus(&rest) }
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
