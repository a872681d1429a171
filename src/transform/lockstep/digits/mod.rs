//! Digits: indices of rows whose width is a symbol are compared row by row and column by column.
//!
//! A kernel that writes `a[row * width + column]` makes a question of each of its cells that
//! multiplies unknowns, and so does every invariant about them. Such an index is a number in a
//! **mixed radix**: `column` is its low digit, `row` its high digit, `width` the radix. If low
//! digits stay below the radix, two indices are equal just if their digits are, and nothing needs
//! to be multiplied. (Compilers for polyhedra recover the dimensions of arrays in the same way,
//! "optimistic delinearization"; here nothing is optimistic, see below.)
//!
//! A [`Plan`] takes the indices of whole arrays apart. It is made ([`Lowering::plan`]) when a
//! kernel has been lowered without: then every value has its expression and ranges are known. With
//! it the kernel is lowered once more, into a program in which each array that is taken apart has a
//! watched **digit** for each digit of the watched cell, and an access touches the watched cell if
//! its digits are the watched ones. Before it the program asserts that the access's digits stay
//! below their radices ([`ObligationKind::Digits`]). Where that cannot be shown nothing has been
//! learnt, and the first program is the one to prove; that is also the one in which defects are
//! looked for.
//!
//! # Why this is sound
//!
//! Let *V* be the index of an access as a mathematical integer, and *n* the width of a cell number.
//! The plan has a polynomial for *V* over values of the kernel ([`integers`]), which is exact in
//! every thread that executes the access, some under claims which are among what is asserted of the
//! access; and *V* lies between -2^(n-1) and 2^(n-1), so that two accesses touch the same cell just
//! if their *V* are equal. A radix *R* is the same for all threads throughout the launch. The plan
//! rewrites `V = R * high + low`, an identity of polynomials, and so on with `high` and `low`, to
//! the same depth and with the same radices for all accesses of the array.
//!
//! *Claim*: if `0 <= low < R` at each division, for both of two accesses, then *V* = *V'* just if
//! all digits are equal. Equal digits make equal sums. Conversely let *V* = *V'*: `R * (high -
//! high') = low' - low`, which is less than *R* in magnitude, so both sides are 0; go on with
//! `high = high'` and `low = low'`.
//!
//! An access of *m* cells touches those from *V* to *V* + *m* - 1. If even `low + m <= R` wherever
//! its lowest digit is a part of `low`, these differ in the lowest digit only, and the claim holds
//! of each of them.
//!
//! So in an execution in which no assertion about digits fails, a hit in this program is one in the
//! other, and the checks are the same. The assertion is made of thread 1 and assumed of thread 2
//! *in the same program*, by the argument of [`super::claims`]: the threads are interchangeable. If
//! all assertions of the program hold, so do those of the one with undivided cells.
//!
//! Digits and what they are compared with are computed in 32 or 64 bits, which [`Plan`] chooses so
//! that they fit by their ranges. What the program assumes of overflow in products is left out
//! here: it is what made the polynomials exact, and a program that assumes less proves less.

mod integers;
mod plan;

use std::collections::BTreeMap;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{self, Instruction, Value};
use lockstep_ir::polynomial::{Monomial, Polynomial};
use lockstep_ir::sequential::{BinaryOp, CompareOp, Digit, Expression, ObligationKind, Role, Sort, Variable};

use super::Lowering;
use super::touch::Touch;
use crate::analysis::structure::LoopIndex;

/// Which access: its instruction, the array, and its position among the instruction's accesses.
type AccessKey = (Instruction, kernel::Array, usize);

/// How the indices of some arrays are taken apart.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What the atoms of the polynomials are.
    atoms: Vec<Atom>,
    /// The values that each of them is, all of the same expression. One of those that an access is
    /// computed from has an expression where it is accessed.
    same: Vec<Vec<Value>>,
    /// The arrays that are taken apart.
    arrays: BTreeMap<kernel::Array, Division>,
    /// Their accesses.
    accesses: BTreeMap<AccessKey, Divided>,
}

/// What is a number of its own in polynomials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// A value as an integer.
    Value {
        value: Value,
        /// Whether as a signed number.
        signed: bool,
    },
    /// How many iterations of a loop are done.
    Counter(LoopIndex),
}

/// How a number is divided into digits.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Division {
    /// Not at all: it is a digit, computed in this many bits.
    Digit(u32),
    /// `radix * high + low`
    By {
        /// Positive, and the same for all threads.
        radix: Polynomial,
        low: Box<Division>,
        high: Box<Division>,
    },
}

/// An access whose index is divided.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Divided {
    /// How many cells are accessed.
    cells: u64,
    /// The digits, the lowest first, in the order of the array's [`Division`].
    digits: Vec<Polynomial>,
    /// What is to be shown.
    bounds: Vec<Bound>,
}

/// `0 <= low` and `low + cells <= radix`
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bound {
    low: Polynomial,
    cells: u64,
    radix: Polynomial,
    /// In how many bits to compute it.
    width: u32,
}

impl Divided {
    fn undivided(cells: u64) -> Self {
        Self { cells, digits: Vec::new(), bounds: Vec::new() }
    }
}

impl Division {
    /// The same with other divisions in place of the digits, given the widths of these; the lowest
    /// digit first.
    fn with_digits(self, replace: &mut impl FnMut(u32) -> Self) -> Self {
        match self {
            Self::Digit(width) => replace(width),
            Self::By { radix, low, high } => {
                let low = Box::new(low.with_digits(replace));
                Self::By { radix, low, high: Box::new(high.with_digits(replace)) }
            }
        }
    }

    fn widths(&self) -> Vec<u32> {
        match self {
            Self::Digit(width) => vec![*width],
            Self::By { low, high, .. } => [low.widths(), high.widths()].concat(),
        }
    }
}

impl<'a> Lowering<'a> {
    /// Adds the watched digits of the arrays that are taken apart.
    pub(super) fn declare_digits(&mut self) {
        let Some(plan) = self.way.plan else { return };
        for (&array, division) in &plan.arrays {
            let Some(checked) = self.arrays.get(array).checked else { continue };
            let watched = self.program.arrays[checked].watched;
            let name = self.e().variables()[watched].name.clone();
            let variables: Vec<(Variable, u32)> = (division.widths().into_iter().enumerate())
                .map(|(digit, width)| {
                    let name = format!("{name}.digit{digit}");
                    (self.e().add_variable(&name, Sort::Bits(width), None, Role::Watched), width)
                })
                .collect();
            self.digits.insert(checked, variables.iter().map(|&(variable, _)| variable).collect());
        }
    }

    /// Says of the watched digits what they are digits of. Radices mention parameters, which are
    /// known by now.
    pub(super) fn define_digits(&mut self) {
        let Some(plan) = self.way.plan else { return };
        for (&array, division) in &plan.arrays {
            let state = self.arrays.get(array);
            let Some(checked) = state.checked else { continue };
            let watched = self.program.arrays[checked].watched;
            let watched = self.e().variable(watched);
            let whole = if state.offset_bits < WIDEST { self.e().sign_extend(WIDEST, watched) } else { watched };
            let mut values = Vec::new();
            self.digits_of(plan, division, whole, &mut values);
            let variables = self.digits[&checked].clone();
            for (variable, value) in variables.into_iter().zip(values) {
                let Sort::Bits(width) = self.e().variables()[variable].sort else { continue };
                let value = self.e().extract(width - 1, 0, value);
                self.program.arrays[checked].digits.push(Digit { variable, value });
            }
        }
    }

    fn digits_of(&mut self, plan: &Plan, division: &Division, of: Expression, out: &mut Vec<Expression>) {
        match division {
            Division::Digit(_) => out.push(of),
            Division::By { radix, low, high } => {
                let radix = self.polynomial(plan, radix, 0, WIDEST);
                let rest = self.e().binary(BinaryOp::UnsignedRemainder, of, radix);
                self.digits_of(plan, low, rest, out);
                let quotient = self.e().binary(BinaryOp::UnsignedDivide, of, radix);
                self.digits_of(plan, high, quotient, out);
            }
        }
    }

    /// Asserts that the digits of an access stay below their radices.
    pub(super) fn check_digits(&mut self, touch: &Touch, array: kernel::Array) {
        let Some(plan) = self.way.plan else { return };
        let Some(divided) = plan.accesses.get(&(touch.instruction, array, touch.position)) else { return };
        let holds = [0, 1].map(|thread| {
            let mut parts = Vec::new();
            for bound in &divided.bounds {
                let low = self.polynomial(plan, &bound.low, thread, bound.width);
                let radix = self.polynomial(plan, &bound.radix, thread, bound.width);
                let zero = self.e().number(bound.width, 0);
                parts.push(self.e().compare(CompareOp::SignedLessEqual, zero, low));
                let cells = self.e().number(bound.width, bound.cells);
                let most = self.e().subtract(radix, cells);
                parts.push(match bound.cells {
                    1 => self.e().compare(CompareOp::SignedLess, low, radix),
                    _ => self.e().compare(CompareOp::SignedLessEqual, low, most),
                });
            }
            let below = self.e().and(parts);
            let accesses = self.accesses(touch, array, thread);
            self.e().implies(accesses, below)
        });
        let array = self.kernel.arrays[array].name.clone();
        self.assert(holds[0], ObligationKind::Digits { array });
        if holds[0] != holds[1] {
            self.assume(holds[1], "shown for each thread by itself");
        }
    }

    /// Whether a thread's access touches the watched cell.
    pub(super) fn meets(&mut self, touch: &Touch, array: kernel::Array, thread: usize) -> Expression {
        let state = self.arrays.get(array);
        let checked = state.checked.expect("only accesses to checked arrays are logged and checked");
        let Some((plan, divided)) = self.divided(touch, array) else {
            let watched = self.program.arrays[checked].watched;
            let watched = self.e().variable(watched);
            return self.touches(touch, state, watched, thread);
        };
        let cells = divided.cells;
        let mut parts = Vec::new();
        let variables = self.digits[&checked].clone();
        for (index, (variable, digit)) in variables.into_iter().zip(&divided.digits).enumerate() {
            let watched = self.e().variable(variable);
            let width = self.e().width(watched);
            let digit = self.polynomial(plan, digit, thread, width);
            parts.push(if index == 0 && cells > 1 {
                let distance = self.e().subtract(watched, digit);
                let cells = self.e().number(width, cells);
                self.e().compare(CompareOp::UnsignedLess, distance, cells)
            } else {
                self.e().equal(watched, digit)
            });
        }
        self.e().and(parts)
    }

    /// Whether the watched cell is the one with this number among those of an access that touches
    /// it.
    pub(super) fn is_cell(&mut self, touch: &Touch, array: kernel::Array, thread: usize, number: u64) -> Expression {
        let state = self.arrays.get(array);
        let checked = state.checked.expect("only accesses to checked arrays are logged and checked");
        let (watched, first) = match self.divided(touch, array) {
            None => (self.program.arrays[checked].watched, self.cell(touch, state, thread)),
            Some((plan, divided)) => {
                let lowest = self.digits[&checked][0];
                let Sort::Bits(width) = self.e().variables()[lowest].sort else { unreachable!("digits are numbers") };
                (lowest, self.polynomial(plan, &divided.digits[0], thread, width))
            }
        };
        let watched = self.e().variable(watched);
        let width = self.e().width(first);
        let number = self.e().number(width, number);
        let at = self.e().add(first, number);
        self.e().equal(watched, at)
    }

    fn divided(&self, touch: &Touch, array: kernel::Array) -> Option<(&'a Plan, &'a Divided)> {
        let plan = self.way.plan?;
        Some((plan, plan.accesses.get(&(touch.instruction, array, touch.position))?))
    }

    /// A polynomial in so many bits, which it fits into.
    fn polynomial(&mut self, plan: &Plan, polynomial: &Polynomial, thread: usize, width: u32) -> Expression {
        let mut sum = self.e().number(width, 0);
        for (monomial, coefficient) in polynomial.terms() {
            let product = self.monomial(plan, monomial, thread, width);
            let factor = Bits::from_signed(width, coefficient.clone());
            let term = self.e().scale(factor, product);
            sum = self.e().add(sum, term);
        }
        sum
    }

    fn monomial(&mut self, plan: &Plan, monomial: &Monomial, thread: usize, width: u32) -> Expression {
        let mut product = self.e().number(width, 1);
        for &atom in monomial {
            let (of_kernel, signed) = match plan.atoms[atom as usize] {
                Atom::Value { signed, .. } => {
                    let known = |value: &&Value| self.values[**value].is_some();
                    // A radix that another access is computed with may come later than this one.
                    let Some(&value) = plan.same[atom as usize].iter().find(known) else {
                        self.digits_unknown = true;
                        return product;
                    };
                    (self.scalar(value, thread), signed)
                }
                Atom::Counter(index) => {
                    let counter = self.program.loops[self.loops[index]].counter;
                    (self.e().variable(counter), false)
                }
            };
            let own = self.e().width(of_kernel);
            let factor = match (own < width, signed) {
                (true, true) => self.e().sign_extend(width, of_kernel),
                (true, false) => self.e().zero_extend(width, of_kernel),
                // What is computed fits, so it is enough to compute it modulo a power of two.
                (false, _) => self.e().extract(width - 1, 0, of_kernel),
            };
            product = self.e().multiply(product, factor);
        }
        product
    }
}

/// The width in which radices are computed, and digits at most.
const WIDEST: u32 = 64;
