//! The indices of a kernel's accesses as integers: polynomials over its values.
//!
//! A bit-vector operation is expanded where its result, as a signed or unsigned number, is the
//! mathematical one. There are four reasons for that:
//!
//! * its operands' ranges imply it;
//! * it is signed arithmetic whose overflow the source language leaves undefined, and
//!   [`super::super::overflow`] assumes in every thread that executes it that there is none;
//! * it is part of an address computation, which does not wrap (a listed assumption);
//! * it holds under a claim that is asserted of each access computed from the result
//!   ([`NoOverflow`]). Sums and products are congruent to the mathematical ones, whatever they and
//!   their operands do. So they are equal where the mathematical ones are numbers of their width.
//!
//! Anything else is an atom. So a polynomial is the value's number in every thread that executes
//! the definition of the value. A thread that executes an access has executed, in the same
//! iterations, everything that its address is computed from.
//!
//! In [`Form::Closed`], a variable that a loop increases in steps of one size equals its value
//! before the loop plus as many steps as there were iterations. A thread that is in an iteration
//! has executed all earlier iterations from beginning to end, and the loop's counter gives their
//! number. Both threads come to a loop at the same time, and a thread that does not enter it is
//! never in it.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_invariants::ranges::{Range, about_inputs};
use lockstep_ir::kernel::{BinaryOp, Block, ConvertOp, Definition, NoWrap, Operation, Type, UnaryOp, Value};
use lockstep_ir::polynomial::{Monomial, Polynomial};
use lockstep_ir::sequential::{Copies, Expression, Node};
use num_bigint::BigInt;

use super::Atom;
use crate::analysis::structure::LoopIndex;
use crate::lockstep::{Lowered, Lowering};

/// The most terms of a polynomial; longer ones are not expanded.
const MOST_TERMS: usize = 24;

/// The extent to which values are expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// Expands only as far as there are symbols to divide by, or quotients and remainders. Parts
    /// without such symbols stay together, because the source compares them with others.
    Source,
    /// Expands as far as possible, loops included.
    Closed,
}

/// An integer that equals a value exactly, if its claims hold.
#[derive(Clone, Debug)]
pub struct Exact {
    pub polynomial: Polynomial,
    /// The range of the integer.
    pub range: Range,
    /// The claims to prove at each access that is computed from it.
    pub claims: Vec<NoOverflow>,
}

/// The claim that a polynomial, which is congruent to a value modulo `2^width`, is a number of this
/// width. Then the polynomial equals the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoOverflow {
    pub polynomial: Polynomial,
    pub signed: bool,
    pub width: u32,
}

/// The atoms met so far, and the facts known about them.
#[derive(Debug, Default)]
pub struct Atoms {
    pub all: Vec<Atom>,
    pub ranges: Vec<Range>,
    /// Whether each atom is the same for all threads throughout the launch.
    pub fixed: Vec<bool>,
    /// Whether each atom is the quotient or the remainder of a division that is no shift or mask.
    pub quotients: Vec<bool>,
    /// The values that each atom stands for: one, or all values of one expression if it is the same
    /// for all threads.
    pub same: Vec<Vec<Value>>,
    /// Values that vary between threads. Each is its own atom, because its computation may say more
    /// than its expression. For example, one of two equal sums may be known not to overflow in
    /// threads that execute it.
    varying: BTreeMap<(Value, bool), u32>,
    /// Values that are the same for all threads, by expression and sign.
    shared: BTreeMap<(Expression, bool), u32>,
    /// The counters of loops.
    counters: BTreeMap<LoopIndex, u32>,
    /// The results of expanding values, by value, sign and form.
    known: BTreeMap<(Value, bool, Form), Option<Exact>>,
    /// Polynomials that are congruent to values.
    residues: BTreeMap<Value, Option<Exact>>,
}

impl Atoms {
    /// The range of a polynomial; `None` beyond `i128`.
    pub fn range(&self, polynomial: &Polynomial) -> Option<Range> {
        let mut sum = Range::exactly(0);
        for (monomial, coefficient) in polynomial.terms() {
            let mut product = Range::exactly(i128::try_from(coefficient).ok()?);
            for &atom in monomial {
                product = product.times(self.ranges[atom as usize])?;
            }
            sum = sum.checked_plus(product)?;
        }
        Some(sum)
    }

    /// The number of completed iterations of a loop, with this upper bound.
    fn counter(&mut self, index: LoopIndex, most: i128) -> Option<u32> {
        let next = u32::try_from(self.all.len()).ok()?;
        let atom = *self.counters.entry(index).or_insert(next);
        if atom == next {
            self.all.push(Atom::Counter(index));
            self.same.push(Vec::new());
            self.ranges.push(Range { low: 0, high: most });
            self.fixed.push(false);
            self.quotients.push(false);
        }
        let known = &mut self.ranges[atom as usize];
        known.high = known.high.min(most);
        Some(atom)
    }

    /// Whether a product contains a loop's iteration counter.
    pub fn counts(&self, monomial: &Monomial) -> bool {
        monomial.iter().any(|&atom| matches!(self.all.get(atom as usize), Some(Atom::Counter(_))))
    }

    /// The number of quotients and remainders in a polynomial. With two of them, it puts together
    /// what divisions of the source have taken apart.
    pub fn count_quotients(&self, polynomial: &Polynomial) -> usize {
        let atoms: BTreeSet<u32> = polynomial.terms().flat_map(|(monomial, _)| monomial.iter().copied()).collect();
        atoms.into_iter().filter(|&atom| self.quotients.get(atom as usize) == Some(&true)).count()
    }

    /// Whether a polynomial has the same value for all threads throughout the launch.
    pub fn is_fixed(&self, polynomial: &Polynomial) -> bool {
        polynomial.terms().all(|(monomial, _)| monomial.iter().all(|&atom| self.fixed[atom as usize]))
    }
}

impl Lowering<'_> {
    /// The distance in bytes of a pointer from the beginning of its array, whose cells have this
    /// many bytes.
    pub fn bytes(&mut self, atoms: &mut Atoms, pointer: Value, cell_bytes: u64) -> Option<Exact> {
        match self.kernel.operation(pointer)?.clone() {
            Operation::ArrayBase(_) => Some(Exact::new(Polynomial::default(), Range::exactly(0))),
            Operation::PointerAdd { pointer, offset, .. } => {
                let base = self.bytes(atoms, pointer, cell_bytes)?;
                let distance = self.distance(atoms, offset, cell_bytes)?;
                base.plus(&distance, 1)
            }
            Operation::SpaceCast(pointer) => self.bytes(atoms, pointer, cell_bytes),
            _ => None,
        }
    }

    /// A distance in bytes. The product of a number and the size of a cell is taken not to wrap, as
    /// in the undivided program, where cells are counted. Any other product is a multiplication of
    /// the source, and is analysed as such.
    fn distance(&mut self, atoms: &mut Atoms, offset: Value, cell_bytes: u64) -> Option<Exact> {
        if let Some(Operation::Binary(op @ (BinaryOp::Multiply | BinaryOp::ShiftLeft), _, elements, size)) =
            self.kernel.operation(offset).cloned()
            && let Some(size) = self.constant(size)
        {
            let size = if op == BinaryOp::Multiply { size } else { 1_i128.checked_shl(u32::try_from(size).ok()?)? };
            let cell_bytes = i128::from(cell_bytes);
            let elements = self.integer(atoms, elements, true, Form::Source)?;
            let cells = if size % cell_bytes == 0 { size / cell_bytes } else { size };
            let range = elements.range.times(Range::exactly(cells))?;
            let fits = range.within(Range::of_width(self.kernel.pointer_bits));
            return elements.scaled(size).filter(|_| cells == 1 || fits);
        }
        self.integer(atoms, offset, true, Form::Source)
    }

    /// A value as a signed or an unsigned integer; `None` if it is not a number of at most 64 bits.
    fn integer(&mut self, atoms: &mut Atoms, value: Value, signed: bool, form: Form) -> Option<Exact> {
        let key = (value, signed, form);
        if let Some(known) = atoms.known.get(&key) {
            return known.clone();
        }
        // A value is defined by itself only through parameters of loop headers, and those are not
        // expanded again.
        if form == Form::Closed {
            let whole = self.atom(atoms, value, signed);
            atoms.known.insert(key, whole);
        }
        let found = self.look_into(atoms, value, signed, form);
        atoms.known.insert(key, found.clone());
        found
    }

    fn look_into(&mut self, atoms: &mut Atoms, value: Value, signed: bool, form: Form) -> Option<Exact> {
        let Type::Bits(width @ 1..=64) = self.kernel.ty(value) else { return None };
        if let Some(bits) = self.kernel.operation(value).and_then(|operation| match operation {
            Operation::Constant(bits) => Some(bits.clone()),
            _ => None,
        }) {
            let number = if signed { bits.signed() } else { BigInt::from(bits.unsigned().clone()) };
            let range = Range::exactly(i128::try_from(&number).ok()?);
            return Some(Exact::new(Polynomial::constant(number), range));
        }
        let all = if signed { Range::of_width(width) } else { Range { low: 0, high: (1 << width) - 1 } };
        let atom = self.atom(atoms, value, signed)?;
        let computed = match self.kernel.values[value].definition {
            Definition::Result(_) => self.computed(atoms, value, signed, all, form),
            Definition::Parameter(..) if form == Form::Closed => self.closed_form(atoms, value, signed, atom.range),
            Definition::Parameter(..) => None,
        };
        let computed = computed.or_else(|| self.modular(atoms, value, signed, all, form));
        let Some(exact) = computed else { return Some(atom) };
        let range = exact.range.and(atom.range).unwrap_or(atom.range);
        let mentions_fixed =
            exact.polynomial.terms().any(|(monomial, _)| monomial.iter().any(|&part| atoms.fixed[part as usize]));
        let divides = mentions_fixed || atoms.count_quotients(&exact.polynomial) >= 2;
        let whole = form == Form::Source && !divides || exact.polynomial.len() > MOST_TERMS;
        Some(match whole {
            // The bounds that a claim puts on the range are kept together with the claim.
            true if !exact.claims.is_empty() => atom,
            true => Exact { range, ..atom },
            false => Exact { range, ..exact },
        })
    }

    /// A sum or product that may overflow according to its operands' ranges. It equals the
    /// mathematical result if that fits, which becomes a claim. This applies only to products with
    /// a factor that is the same for all threads, because only those are worth the claim.
    fn modular(&mut self, atoms: &mut Atoms, value: Value, signed: bool, all: Range, form: Form) -> Option<Exact> {
        let Type::Bits(width) = self.kernel.ty(value) else { return None };
        let Operation::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, ..) =
            self.kernel.operation(value)?
        else {
            return None;
        };
        if form != Form::Source {
            return None;
        }
        let Exact { polynomial, mut claims, .. } = self.residue(atoms, value)?;
        let has_row = |(monomial, _): (&Monomial, &BigInt)| {
            let fixed = monomial.iter().filter(|&&atom| atoms.fixed[atom as usize]).count();
            (1..monomial.len()).contains(&fixed)
        };
        if !polynomial.terms().any(has_row) {
            return None;
        }
        let claim = NoOverflow { polynomial: polynomial.clone(), signed, width };
        if !claims.contains(&claim) {
            claims.push(claim);
        }
        Some(Exact { polynomial, range: all, claims })
    }

    /// A polynomial that is congruent to a value modulo the number of values of its type. Overflow
    /// on the way does not affect the congruence.
    fn residue(&mut self, atoms: &mut Atoms, value: Value) -> Option<Exact> {
        if let Some(known) = atoms.residues.get(&value) {
            return known.clone();
        }
        let residue = match self.kernel.operation(value).cloned() {
            Some(Operation::Binary(BinaryOp::Multiply, _, a, b))
                if (0..2).any(|thread| self.is_known_product(a, b, thread)) =>
            {
                self.atom(atoms, value, false)
            }
            Some(Operation::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply), _, a, b)) => {
                self.residue(atoms, a).zip(self.residue(atoms, b)).and_then(|(x, y)| match op {
                    BinaryOp::Add => x.plus(&y, 1),
                    BinaryOp::Subtract => x.plus(&y, -1),
                    _ => self.product(atoms, [a, b], [x, y], false),
                })
            }
            Some(Operation::Convert(ConvertOp::Truncate, wide)) => self.residue(atoms, wide),
            _ => self.integer(atoms, value, false, Form::Source),
        };
        let residue = residue.filter(|residue| residue.polynomial.len() <= MOST_TERMS);
        atoms.residues.insert(value, residue.clone());
        residue
    }

    /// The value of a loop header's parameter in each iteration, if each iteration adds the same
    /// amount.
    fn closed_form(&mut self, atoms: &mut Atoms, value: Value, signed: bool, range: Range) -> Option<Exact> {
        let Definition::Parameter(header, position) = self.kernel.values[value].definition else { return None };
        let index = self.facts.structure.loops.iter().position(|shape| shape.header == header)?;
        let [before, next] = [false, true].map(|back| self.only_argument(header, position as usize, back));
        let own = self.atom(atoms, value, signed)?;
        let next = self.integer(atoms, next?, signed, Form::Closed)?;
        let step = next.polynomial.minus(&own.polynomial);
        let step_range = atoms.range(&step)?;
        let least = if step_range.low > 0 { step_range.low } else { -step_range.high };
        if least <= 0 || !atoms.is_fixed(&step) {
            return None;
        }
        let before = self.integer(atoms, before?, signed, Form::Closed)?;
        let way = (range.high.checked_sub(before.range.low)?).max(before.range.high.checked_sub(range.low)?);
        let counter = Polynomial::atom(atoms.counter(index, (way / least).max(0))?);
        Some(Exact { polynomial: before.polynomial.plus(&step.times(&counter)), range, claims: before.claims })
    }

    /// The argument that all edges of one kind pass to a loop's header: the back edges, or the
    /// edges into the loop.
    fn only_argument(&self, header: Block, position: usize, back: bool) -> Option<Value> {
        let mut only = None;
        for &from in &self.facts.structure.predecessors[header] {
            if self.facts.structure.is_back_edge(from, header) != back {
                continue;
            }
            for target in self.kernel.blocks[from].terminator.targets().filter(|target| target.block == header) {
                let argument = target.arguments[position];
                if *only.get_or_insert(argument) != argument {
                    return None;
                }
            }
        }
        only
    }

    /// A polynomial in closed form.
    pub fn closed(&mut self, atoms: &mut Atoms, polynomial: &Polynomial) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for (monomial, coefficient) in polynomial.terms() {
            let mut product = Polynomial::constant(coefficient.clone());
            for &atom in monomial {
                let closed = match atoms.all[atom as usize] {
                    // The atom stands for several values, each computed in its own way.
                    _ if atoms.fixed[atom as usize] => Polynomial::atom(atom),
                    Atom::Value { value, signed } => {
                        let exact = self.integer(atoms, value, signed, Form::Closed)?;
                        debug_assert!(exact.claims.is_empty(), "only what the source writes is claimed");
                        exact.polynomial
                    }
                    Atom::Counter(_) => Polynomial::atom(atom),
                };
                product = product.times(&closed);
            }
            sum = sum.plus(&product);
        }
        (sum.len() <= MOST_TERMS).then_some(sum)
    }

    /// The result of an operation as an integer, if it is the mathematical result.
    fn computed(&mut self, atoms: &mut Atoms, value: Value, signed: bool, all: Range, form: Form) -> Option<Exact> {
        let operation = self.kernel.operation(value)?.clone();
        let exact = match operation {
            Operation::Binary(op, no_wrap, a, b) => {
                return self.arithmetic(atoms, value, (op, no_wrap), [a, b], signed, form);
            }
            Operation::Unary(UnaryOp::Negate, a) => self.integer(atoms, a, signed, form)?.scaled(-1)?,
            Operation::Convert(ConvertOp::SignExtend, a) => self.integer(atoms, a, true, form)?,
            Operation::Convert(ConvertOp::ZeroExtend, a) => self.integer(atoms, a, false, form)?,
            Operation::Convert(ConvertOp::Truncate, a) => {
                let wide = self.integer(atoms, a, true, form)?;
                if wide.range.within(all) { wide } else { self.integer(atoms, a, false, form)? }
            }
            _ => return None,
        };
        exact.range.within(all).then_some(exact)
    }

    fn arithmetic(
        &mut self,
        atoms: &mut Atoms,
        value: Value,
        (op, no_wrap): (BinaryOp, NoWrap),
        [a, b]: [Value; 2],
        signed: bool,
        form: Form,
    ) -> Option<Exact> {
        let Type::Bits(width) = self.kernel.ty(value) else { return None };
        // A product of sizes and indices of the launch is an unknown of its own.
        if op == BinaryOp::Multiply && (0..2).any(|thread| self.is_known_product(a, b, thread)) {
            return None;
        }
        // Signed numbers that do not overflow are exact, also as unsigned ones if they are not
        // negative.
        let promised = no_wrap.signed
            && matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply)
            && self.facts.needed.value(value);
        let within_signed = Range::of_width(width);
        for as_signed in [true, false] {
            let (x, y) = (self.integer(atoms, a, as_signed, form)?, self.integer(atoms, b, as_signed, form)?);
            let exact = match op {
                BinaryOp::Add => x.plus(&y, 1),
                BinaryOp::Subtract => x.plus(&y, -1),
                BinaryOp::Multiply => {
                    let bound = self.product_range(a, b);
                    let product = self.product(atoms, [a, b], [x, y], as_signed);
                    let within =
                        |exact: Exact| bound.map_or(exact.range, |bound| exact.range.and(bound).unwrap_or(bound));
                    product.map(|exact| Exact { range: within(exact.clone()), ..exact })
                }
                BinaryOp::ShiftLeft => {
                    let distance = self.constant(b).filter(|distance| (0..63).contains(distance))?;
                    x.scaled(1_i128 << distance)
                }
                BinaryOp::UnsignedDivide
                | BinaryOp::SignedDivide
                | BinaryOp::UnsignedRemainder
                | BinaryOp::SignedRemainder
                | BinaryOp::LogicalShiftRight
                | BinaryOp::ArithmeticShiftRight
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Xor => None,
            };
            let Some(mut exact) = exact else { continue };
            if promised && as_signed {
                exact.range = exact.range.and(within_signed)?;
            }
            let all = if signed { within_signed } else { Range { low: 0, high: (1 << width) - 1 } };
            if exact.range.within(all) {
                return Some(exact);
            }
        }
        None
    }

    /// A product. A sum that is the same for all threads stays together in it, because it may be a
    /// radix.
    fn product(&mut self, atoms: &mut Atoms, values: [Value; 2], [x, y]: [Exact; 2], signed: bool) -> Option<Exact> {
        let mut whole = |exact: Exact, value: Value, other: &Exact| {
            let is_radix = exact.polynomial.len() > 1 && atoms.is_fixed(&exact.polynomial);
            if is_radix && !atoms.is_fixed(&other.polynomial) { self.atom(atoms, value, signed) } else { Some(exact) }
        };
        let first = whole(x.clone(), values[0], &y)?;
        let second = whole(y, values[1], &x)?;
        first.times(&second)
    }

    /// The range of a product that the launch bounds, such as the number of warps before a group.
    fn product_range(&mut self, a: Value, b: Value) -> Option<Range> {
        let mut high = 0;
        for thread in [0, 1] {
            let (a, b) = (self.scalar(a, thread), self.scalar(b, thread));
            let (product, by) = self.threads.bounding_product(&mut self.program.expressions, a, b)?;
            let (_, most) = self.ranges.word(&self.program.expressions, product)?.unsigned();
            high = high.max(i128::from(most) / i128::from(by));
        }
        Some(Range { low: 0, high })
    }

    fn is_known_product(&mut self, a: Value, b: Value, thread: usize) -> bool {
        let (a, b) = (self.scalar(a, thread), self.scalar(b, thread));
        self.threads.known_product(&mut self.program.expressions, a, b).is_some()
    }

    fn constant(&self, value: Value) -> Option<i128> {
        match self.kernel.operation(value)? {
            Operation::Constant(bits) => i128::try_from(bits.signed()).ok(),
            _ => None,
        }
    }

    /// Whether a value is a quotient or a remainder by a divisor that is the same for all threads
    /// and no constant power of two.
    fn divides(&mut self, value: Value) -> bool {
        let Some(&Operation::Binary(
            BinaryOp::UnsignedDivide | BinaryOp::SignedDivide | BinaryOp::UnsignedRemainder | BinaryOp::SignedRemainder,
            _,
            _,
            divisor,
        )) = self.kernel.operation(value)
        else {
            return false;
        };
        let [first, second] = [0, 1].map(|thread| self.scalar(divisor, thread));
        let constant = self.program.expressions.as_bits(first);
        first == second && constant.is_none_or(|bits| bits.power_of_two().is_none())
    }

    /// A value that is not expanded.
    fn atom(&mut self, atoms: &mut Atoms, value: Value, signed: bool) -> Option<Exact> {
        let lowered = self.values[value].as_ref()?;
        let Lowered::Scalar(first) = *lowered.of(0) else { return None };
        let Lowered::Scalar(second) = *lowered.of(1) else { return None };
        let e = &self.program.expressions;
        let mut range: Option<Range> = None;
        for expression in [first, second] {
            let word = self.ranges.word(e, expression)?;
            let (low, high) = if signed {
                let (low, high) = word.signed();
                (i128::from(low), i128::from(high))
            } else {
                let (low, high) = word.unsigned();
                (i128::from(low), i128::from(high))
            };
            range =
                Some(range.map_or(Range { low, high }, |before| Range {
                    low: before.low.min(low),
                    high: before.high.max(high),
                }));
        }
        let range = range?;
        if range.low == range.high {
            return Some(Exact::new(Polynomial::constant(range.low.into()), range));
        }
        let next = u32::try_from(atoms.all.len()).ok()?;
        let of_launch = {
            let of_group = &self.program.observables.group_ids;
            let of_group = of_group.iter().chain(&self.program.observables.group_starts).flat_map(Copies::iter);
            let of_group: Vec<Expression> = of_group.copied().collect();
            let mut of_launch = first == second && about_inputs(e, first);
            e.for_each_variable(first, |variable| {
                of_launch &= !of_group.iter().any(|&id| *e.node(id) == Node::Variable(variable));
            });
            of_launch
        };
        let index = if of_launch {
            *atoms.shared.entry((first, signed)).or_insert(next)
        } else {
            *atoms.varying.entry((value, signed)).or_insert(next)
        };
        if index == next {
            atoms.all.push(Atom::Value { value, signed });
            atoms.same.push(Vec::new());
            atoms.ranges.push(range);
            atoms.fixed.push(of_launch);
            let divides = self.divides(value);
            atoms.quotients.push(divides);
        }
        let same = &mut atoms.same[index as usize];
        if !same.contains(&value) {
            same.push(value);
        }
        Some(Exact::new(Polynomial::atom(index), range))
    }
}

impl Exact {
    fn new(polynomial: Polynomial, range: Range) -> Self {
        Self { polynomial, range, claims: Vec::new() }
    }

    fn plus(&self, other: &Self, factor: i128) -> Option<Self> {
        let polynomial = self.polynomial.plus_times(&other.polynomial, &factor.into());
        let scaled = other.range.times(Range::exactly(factor))?;
        Some(Self { polynomial, range: self.range.checked_plus(scaled)?, claims: self.claims_with(other) })
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let polynomial = self.polynomial.times(&other.polynomial);
        Some(Self { polynomial, range: self.range.times(other.range)?, claims: self.claims_with(other) })
    }

    fn scaled(&self, factor: i128) -> Option<Self> {
        let range = self.range.times(Range::exactly(factor))?;
        Some(Self { polynomial: self.polynomial.scaled(&factor.into()), range, claims: self.claims.clone() })
    }

    fn claims_with(&self, other: &Self) -> Vec<NoOverflow> {
        let new = other.claims.iter().filter(|claim| !self.claims.contains(claim));
        self.claims.iter().chain(new).cloned().collect()
    }
}
