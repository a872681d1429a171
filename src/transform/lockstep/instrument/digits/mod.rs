//! Digits: indices of rows whose width is a symbol are compared row by row and column by column.
//!
//! A kernel that writes `a[row * width + column]` makes every query about its cells, and every
//! invariant about them, multiply unknowns. Such an index is a number in a **mixed radix**:
//! `column` is its low digit, `row` its high digit, `width` the radix. If low digits stay below the
//! radix, two indices are equal exactly if their digits are, and nothing needs to be multiplied.
//! (Compilers for polyhedra recover the dimensions of arrays in the same way, "optimistic
//! delinearization"; here nothing is optimistic, see below.)
//!
//! A [`Plan`] splits the indices of whole arrays into digits. It is made
//! ([`Lowering::plan_digits`]) after a kernel has been lowered without one, when every value has
//! its expression and ranges are known. The kernel is then lowered once more with the plan. In the
//! new program, each split array has a watched **digit** for each digit of the watched cell. An
//! access touches the watched cell if its digits are the watched ones. Before the access, the
//! program asserts that the access's digits stay below their radices ([`ObligationKind::Digits`]).
//! If this cannot be proved, nothing has been learnt, and the first program is the one to prove.
//! Defects, too, are looked for in the first program.
//!
//! # Why this is sound
//!
//! Let *V* be the index of an access as a mathematical integer, and *n* the width of a cell number.
//! The plan has a polynomial for *V* over values of the kernel ([`integers`]), which is exact in
//! every thread that executes the access. Some polynomials are exact only under claims, which are
//! asserted of the access too. *V* lies between -2^(n-1) and 2^(n-1), so two accesses touch the
//! same cell exactly if their *V* are equal. A radix *R* is the same for all threads throughout the
//! launch. The plan rewrites `V = R * high + low`, an identity of polynomials, and continues with
//! `high` and `low`. The depth and the radices are the same for all accesses of the array.
//!
//! *Claim*: if `0 <= low < R` at each division, for both of two accesses, then *V* = *V'* exactly
//! if all digits are equal. Equal digits make equal sums. Conversely, let *V* = *V'*: `R * (high -
//! high') = low' - low`, which is less than *R* in magnitude, so both sides are 0. Continue with
//! `high = high'` and `low = low'`.
//!
//! An access of *m* cells touches those from *V* to *V* + *m* - 1. Suppose that even `low + m <= R`
//! wherever its lowest digit is a part of `low`. Then these cells differ in the lowest digit only,
//! and the claim holds for each of them.
//!
//! So in an execution in which no assertion about digits fails, a hit in this program is one in the
//! other, and the checks are the same. The assertion is made of thread 1 and assumed of thread 2
//! *in the same program*, by the argument of [`super::claims`]: the threads are interchangeable. If
//! all assertions of the program hold, so do those of the program with undivided cells.
//!
//! Digits and their bounds are computed in 32 or 64 bits; [`Plan`] chooses a width that their
//! ranges fit into. The assumptions about overflow in products are left out here: they made the
//! polynomials exact, and a program that assumes less proves less.

mod integers;
mod plan;

use std::collections::BTreeMap;

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{self, Instruction, Value};
use lockstep_ir::polynomial::{Monomial, Polynomial};
use lockstep_ir::sequential::{BinaryOp, CompareOp, Digit, Expression, ObligationKind, Role, Sort, Variable};

use crate::analysis::structure::LoopIndex;
use crate::lockstep::Lowering;
use crate::lockstep::memory::touch::Touch;

/// The key of an access: its instruction, the array, and its position among the instruction's
/// accesses.
type AccessKey = (Instruction, kernel::Array, usize);

/// The division of the indices of some arrays.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The atoms of the polynomials.
    atoms: Vec<Atom>,
    /// The values that each atom stands for, all with the same expression. At an access, at least
    /// one of the values that it is computed from has an expression.
    same: Vec<Vec<Value>>,
    /// The arrays whose indices are split.
    arrays: BTreeMap<kernel::Array, Division>,
    /// The accesses to these arrays.
    accesses: BTreeMap<AccessKey, Divided>,
}

/// An atom of a polynomial: a number that is not analysed further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// A value as an integer.
    Value {
        value: Value,
        /// Whether the value is read as a signed number.
        signed: bool,
    },
    /// The number of completed iterations of a loop.
    Counter(LoopIndex),
}

/// The division of a number into digits.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Division {
    /// No division: the number is a digit, computed in this many bits.
    Digit(u32),
    /// `radix * high + low`
    By {
        /// The radix, which is positive and the same for all threads.
        radix: Polynomial,
        low: Box<Division>,
        high: Box<Division>,
    },
}

/// An access whose index is divided.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Divided {
    /// The number of cells that are accessed.
    cells: u64,
    /// The digits, the lowest first, in the order of the array's [`Division`].
    digits: Vec<Polynomial>,
    /// The bounds to prove.
    bounds: Vec<Bound>,
}

/// `0 <= low` and `low + cells <= radix`
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bound {
    low: Polynomial,
    cells: u64,
    radix: Polynomial,
    /// The width in bits in which to compute the bound.
    width: u32,
}

impl Divided {
    fn undivided(cells: u64) -> Self {
        Self { cells, digits: Vec::new(), bounds: Vec::new() }
    }
}

impl Division {
    /// Replaces each digit by a division that `replace` makes from the digit's width; the lowest
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
    /// Adds the watched digits of the split arrays.
    pub fn declare_digits(&mut self) {
        let Some(plan) = self.form.digits else { return };
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

    /// Assumes that the watched digits are the digits of the watched cell. Radices mention
    /// parameters, which are known by now.
    pub fn define_digits(&mut self) {
        let Some(plan) = self.form.digits else { return };
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
    pub fn check_digits(&mut self, touch: &Touch, array: kernel::Array) {
        let Some(plan) = self.form.digits else { return };
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
    pub fn meets(&mut self, touch: &Touch, array: kernel::Array, thread: usize) -> Expression {
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

    /// Whether the watched cell is the one with this number among the cells of an access that
    /// touches it.
    pub fn is_cell(&mut self, touch: &Touch, array: kernel::Array, thread: usize, number: u64) -> Expression {
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
        let plan = self.form.digits?;
        Some((plan, plan.accesses.get(&(touch.instruction, array, touch.position))?))
    }

    /// A polynomial computed in this many bits, which it fits into.
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
                // The result fits, so it is enough to compute it modulo a power of two.
                (false, _) => self.e().extract(width - 1, 0, of_kernel),
            };
            product = self.e().multiply(product, factor);
        }
        product
    }
}

/// The width in which radices are computed, and the largest width of a digit.
const WIDEST: u32 = 64;
