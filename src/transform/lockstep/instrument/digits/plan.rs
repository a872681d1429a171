//! Chooses the radices.
//!
//! All accesses of an array are divided alike. A radix is either a number or a symbol. A number
//! must divide the coefficients of some terms, and all other terms together must always stay below
//! it (a row of 512 cells for each group). A symbol must be the same for all threads and be a
//! factor of some product (a row's width). The symbol that occurs in most products comes first: in
//! `(z * height + y) * width + x` it is the innermost one.
//!
//! Nothing is divided without need: an index without products with symbols is left to the solver as
//! it is, unless it consists of quotients and remainders. `i % 25 + 25 * (i / 25 % 27) + 675 * c +
//! 10800 * (i / 675)` puts digits of `i` together again with others between them. The radix is then
//! a number that a term and all greater ones are multiples of. The program asserts that the smaller
//! terms stay below it.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_invariants::ranges::Range;
use lockstep_ir::kernel::{self, ArrayOrigin};
use lockstep_ir::polynomial::{Atom, Polynomial};
use num_bigint::BigInt;

use super::integers::{Atoms, NoOverflow};
use super::{AccessKey, Bound, Divided, Division, Plan};
use crate::analysis::accesses::for_each_access;
use crate::lockstep::Lowering;

/// The deepest nesting of divisions.
const DEEPEST: u32 = 6;

/// The reason to divide an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    /// Products with symbols.
    Symbols,
    /// Products with symbols, and the steps of loops.
    Steps,
    /// Products with symbols, and quotients and remainders beside other terms.
    Quotients,
}

/// An index that is to be divided, and the results so far.
struct Index {
    polynomial: Polynomial,
    /// The number of cells that are accessed from here; 1 where the lowest digit is not a digit of
    /// this number.
    cells: u64,
}

/// An access to an array whose indices may be split.
struct Access {
    key: AccessKey,
    /// The index in cells.
    index: Polynomial,
    /// The number of cells that are accessed.
    cells: u64,
    /// The claims under which the index is exact.
    claims: Vec<NoOverflow>,
}

impl Lowering<'_> {
    /// The plan for splitting the indices of this kernel; `None` if splitting gains nothing or is
    /// impossible.
    pub fn plan_digits(&mut self) -> Option<Plan> {
        // Learns from the preconditions again: facts learned during lowering improve the ranges of
        // the values that they compare.
        let conditions: Vec<_> = self.program.preconditions.iter().map(|precondition| precondition.condition).collect();
        self.ranges.learn_all(&self.program.expressions, &conditions);
        let mut atoms = Atoms::default();
        let mut plan = Plan { atoms: Vec::new(), same: Vec::new(), arrays: BTreeMap::new(), accesses: BTreeMap::new() };
        for (array, accesses) in self.divisible(&mut atoms) {
            let index = |access: &Access| Index { polynomial: access.index.clone(), cells: access.cells };
            let indices: Vec<Index> = accesses.iter().map(index).collect();
            let mut divided: Vec<Divided> = indices.iter().map(|index| Divided::undivided(index.cells)).collect();
            let Some(division) = self.divide_all(&mut atoms, indices, &mut divided) else { continue };
            let mut claims = accesses.iter().zip(&mut divided).flat_map(|(access, divided)| {
                access.claims.iter().map(|claim| claim_bounds(&atoms, &division, claim, &mut divided.bounds))
            });
            if claims.any(|claimed| claimed.is_none()) {
                continue;
            }
            plan.accesses.extend(accesses.into_iter().map(|access| access.key).zip(divided));
            plan.arrays.insert(array, division);
        }
        (plan.atoms, plan.same) = (atoms.all, atoms.same);
        (!plan.arrays.is_empty()).then_some(plan)
    }

    /// Divides the indices of one array as the source writes them, and then the digits once more in
    /// closed form, where loops advance in steps of symbols. `None` if there is nothing to divide,
    /// or if division is impossible.
    fn divide_all(&mut self, atoms: &mut Atoms, indices: Vec<Index>, out: &mut [Divided]) -> Option<Division> {
        let division = divide(atoms, indices, out, Need::Symbols, DEEPEST)?;
        // Where rows are split off, the steps of loops along them may be, too.
        let need = if matches!(division, Division::By { .. }) { Need::Steps } else { Need::Symbols };
        let cells: Vec<u64> = out.iter().map(|divided| divided.cells).collect();
        let whole: Vec<Vec<Polynomial>> = out.iter_mut().map(|divided| std::mem::take(&mut divided.digits)).collect();
        let mut next = 0;
        let division = division.with_digits(&mut |width| {
            let polynomials: Vec<&Polynomial> = whole.iter().map(|digits| &digits[next]).collect();
            let cells = cells.iter().map(|&cells| if next == 0 { cells } else { 1 });
            let indices: Option<Vec<Index>> = (polynomials.iter().zip(cells))
                .map(|(polynomial, cells)| Some(Index { polynomial: self.closed(atoms, polynomial)?, cells }))
                .collect();
            next += 1;
            let mut closed = out.to_vec();
            match indices.and_then(|indices| divide(atoms, indices, &mut closed, need, DEEPEST)) {
                Some(further @ Division::By { .. }) => {
                    out.clone_from_slice(&closed);
                    further
                }
                Some(Division::Digit(_)) | None => {
                    for (divided, polynomial) in out.iter_mut().zip(polynomials) {
                        divided.digits.push(polynomial.clone());
                    }
                    Division::Digit(width)
                }
            }
        });
        matches!(division, Division::By { .. }).then_some(division)
    }

    /// The arrays whose accesses are all at indices known as polynomials.
    fn divisible(&mut self, atoms: &mut Atoms) -> BTreeMap<kernel::Array, Vec<Access>> {
        let mut found: BTreeMap<kernel::Array, Vec<Access>> = BTreeMap::new();
        let mut others: BTreeSet<kernel::Array> = BTreeSet::new();
        for &(instruction, array, position) in &self.sites.by_access.keys().copied().collect::<Vec<_>>() {
            let data = &self.kernel.instructions[instruction];
            let mut shapes = Vec::new();
            for_each_access(self.kernel, &data.operation, data.result, |shape| shapes.push(shape));
            let shape = &shapes[position];
            let (pointer, bytes, asynchronous) = (shape.pointer, shape.bytes, shape.asynchronous);
            let cell_bytes = self.arrays.get(array).cell_bytes;
            let cells = bytes.map(|bytes| (bytes / cell_bytes).max(1));
            let several_in_atomic = shape.atomic && cells != Some(1);
            let plain = !asynchronous && !several_in_atomic && self.facts.points_to[pointer].arrays.len() == 1;
            let image = matches!(self.kernel.arrays[array].origin, ArrayOrigin::Image { .. });
            let index = if plain && !image && self.values[pointer].is_some() {
                self.bytes(atoms, pointer, cell_bytes)
                    .and_then(|bytes| Some((in_cells(&bytes.polynomial, cell_bytes)?, bytes.claims)))
            } else {
                None
            };
            match (index, cells) {
                (Some((index, claims)), Some(cells)) => {
                    let key = (instruction, array, position);
                    found.entry(array).or_default().push(Access { key, index, cells, claims });
                }
                _ => {
                    others.insert(array);
                }
            }
        }
        found.retain(|array, _| !others.contains(array));
        found
    }
}

/// A number of bytes in cells, if it is a whole number of cells.
fn in_cells(bytes: &Polynomial, cell_bytes: u64) -> Option<Polynomial> {
    let (cells, rest) = bytes.divided_by_number(&cell_bytes.into());
    (rest.as_constant() == Some(BigInt::ZERO)).then_some(cells)
}

/// Divides all indices alike, adding to the results of each; `None` if a digit would not fit.
fn divide(atoms: &Atoms, indices: Vec<Index>, out: &mut [Divided], need: Need, depth: u32) -> Option<Division> {
    let multiplies = |index: &Index| radices(atoms, &index.polynomial).next().is_some();
    let has_quotients = |index: &Index, least: usize| atoms.count_quotients(&index.polynomial) >= least;
    // Once quotients are taken apart, each is to be a digit of its own.
    let need = match need {
        Need::Symbols if indices.iter().any(|index| !multiplies(index) && has_quotients(index, 2)) => Need::Quotients,
        other => other,
    };
    let needs = |index: &Index| {
        let polynomial = &index.polynomial;
        multiplies(index)
            || match need {
                Need::Symbols => false,
                Need::Steps => polynomial.terms().any(|(monomial, _)| atoms.counts(monomial)),
                Need::Quotients => polynomial.len() > 1 && has_quotients(index, 1),
            }
    };
    if depth == 0 || !indices.iter().any(needs) {
        return digit(atoms, indices, out);
    }
    if let Some(number) = constant_radix(atoms, &indices) {
        let parts = indices.iter().map(|index| index.polynomial.divided_by_number(&number)).collect();
        return divide_by(atoms, Polynomial::constant(number), indices, parts, out, (need, depth));
    }
    let (radix, parts): (Polynomial, Vec<(Polynomial, Polynomial)>);
    if let Some(symbol) = symbolic_radix(atoms, &indices) {
        let part = |index: &Index| not_negative(index.polynomial.divided_by(symbol), symbol);
        (radix, parts) = (Polynomial::atom(symbol), indices.iter().map(part).collect());
    } else if need == Need::Quotients
        && let Some(number) = stepping_radix(atoms, &indices)
    {
        parts = indices.iter().map(|index| divided_near(atoms, &index.polynomial, &number)).collect();
        radix = Polynomial::constant(number);
    } else {
        return digit(atoms, indices, out);
    }
    for ((divided, index), (_, low)) in out.iter_mut().zip(&indices).zip(&parts) {
        let cells = index.cells;
        let most = if cells == 1 { radix.clone() } else { radix.minus(&Polynomial::constant(cells.into())) };
        let width = width(atoms, [low, &radix, &most])?;
        divided.bounds.push(Bound { low: low.clone(), cells, radix: radix.clone(), width });
    }
    divide_by(atoms, radix, indices, parts, out, (need, depth))
}

fn divide_by(
    atoms: &Atoms,
    radix: Polynomial,
    indices: Vec<Index>,
    parts: Vec<(Polynomial, Polynomial)>,
    out: &mut [Divided],
    (need, depth): (Need, u32),
) -> Option<Division> {
    let mut lows = Vec::with_capacity(parts.len());
    let mut highs = Vec::with_capacity(parts.len());
    for (index, (high, low)) in indices.into_iter().zip(parts) {
        lows.push(Index { polynomial: low, cells: index.cells });
        highs.push(Index { polynomial: high, cells: 1 });
    }
    let low = Box::new(divide(atoms, lows, out, need, depth - 1)?);
    let high = Box::new(divide(atoms, highs, out, need, depth - 1)?);
    Some(Division::By { radix, low, high })
}

/// Adds to an access's bounds the bounds of digits that imply a claim; `None` if none do.
///
/// Suppose that a number's low digits stay below their radices, and that these are no greater than
/// *H1*, *H2* …. Then the number is less than *H1 H2* … times its highest digit plus 1. It has no
/// more than *n* values if the highest digit is below *n / (H1 H2* …*)* (rounded down at each
/// division, so less). This bound multiplies nothing. The radices are those by which the index
/// itself is divided, as far as they are symbols. Radices that are numbers were chosen to fit the
/// multiples of whole cells that the index consists of. A radix that does not occur in the number
/// divides nothing and is left out.
fn claim_bounds(atoms: &Atoms, division: &Division, claim: &NoOverflow, bounds: &mut Vec<Bound>) -> Option<()> {
    let bits = if claim.signed { claim.width - 1 } else { claim.width };
    let mut below = BigInt::from(1) << bits;
    let mut number = claim.polynomial.clone();
    let mut rest = division;
    let mut claimed = |low: Polynomial, radix: Polynomial| {
        let bound = Bound { width: width(atoms, [&low, &radix])?, low, cells: 1, radix };
        if !bounds.contains(&bound) {
            bounds.push(bound);
        }
        Some(())
    };
    while let Division::By { radix, high, .. } = rest {
        // A number without the radix stays as it is, however many rows that has.
        let occurs = |atom| number.terms().any(|(monomial, _)| monomial.contains(&atom));
        if let Some(atom) = radix.as_atom().filter(|&atom| occurs(atom)) {
            let (quotient, low) = not_negative(number.divided_by(atom), atom);
            claimed(low, radix.clone())?;
            below /= BigInt::from(atoms.range(radix)?.high.max(1));
            number = quotient;
        }
        rest = high;
    }
    // A highest digit that would have to be 0 leaves no rows.
    if below < BigInt::from(2) {
        return None;
    }
    claimed(number, Polynomial::constant(below))
}

fn digit(atoms: &Atoms, indices: Vec<Index>, out: &mut [Divided]) -> Option<Division> {
    let width = width(atoms, indices.iter().map(|index| &index.polynomial))?;
    for (divided, index) in out.iter_mut().zip(indices) {
        divided.digits.push(index.polynomial);
    }
    Some(Division::Digit(width))
}

/// The width in bits that all of these fit into, as signed numbers.
fn width<'a>(atoms: &Atoms, all: impl IntoIterator<Item = &'a Polynomial>) -> Option<u32> {
    let mut width = 32;
    for polynomial in all {
        let range = atoms.range(polynomial)?;
        let fits = [32, 64].into_iter().find(|&width| range.within(Range::of_width(width)))?;
        width = width.max(fits);
    }
    Some(width)
}

/// The atoms that are the same for all threads and are multiplied with another atom.
fn radices<'a>(atoms: &'a Atoms, polynomial: &'a Polynomial) -> impl Iterator<Item = Atom> + 'a {
    let products = polynomial.terms().filter(|(monomial, _)| monomial.len() >= 2);
    products.flat_map(|(monomial, _)| {
        let distinct: BTreeSet<Atom> = monomial.iter().copied().collect();
        distinct.into_iter().filter(|&atom| atoms.fixed[atom as usize])
    })
}

/// The atom that occurs in most products.
fn symbolic_radix(atoms: &Atoms, indices: &[Index]) -> Option<Atom> {
    let mut count: BTreeMap<Atom, usize> = BTreeMap::new();
    for index in indices {
        for atom in radices(atoms, &index.polynomial) {
            *count.entry(atom).or_default() += 1;
        }
    }
    count.into_iter().max_by_key(|&(atom, count)| (count, std::cmp::Reverse(atom))).map(|(atom, _)| atom)
}

/// The largest number that divides the terms with products and exceeds the sum of the terms that it
/// does not divide.
fn constant_radix(atoms: &Atoms, indices: &[Index]) -> Option<BigInt> {
    let coefficients = indices.iter().flat_map(|index| index.polynomial.terms());
    let numbers: BTreeSet<BigInt> = coefficients
        .filter(|(monomial, _)| !monomial.is_empty())
        .map(|(_, coefficient)| BigInt::from(coefficient.magnitude().clone()))
        .filter(|number| *number > BigInt::from(1))
        .collect();
    numbers.into_iter().rev().find(|number| {
        indices.iter().all(|index| {
            let (high, low) = index.polynomial.divided_by_number(number);
            let Some(range) = atoms.range(&low) else { return false };
            let kept = radices(atoms, &index.polynomial).count() == radices(atoms, &high).count();
            kept && range.low >= 0 && BigInt::from(range.high) + index.cells <= *number
        })
    })
}

/// The largest number that is the coefficient of a term and divides all greater ones, in all
/// indices. It must not be known already that the other terms exceed it.
fn stepping_radix(atoms: &Atoms, indices: &[Index]) -> Option<BigInt> {
    let coefficients: BTreeSet<BigInt> = (indices.iter().flat_map(|index| index.polynomial.terms()))
        .filter(|(monomial, _)| !monomial.is_empty())
        .map(|(_, coefficient)| BigInt::from(coefficient.magnitude().clone()))
        .collect();
    let least = coefficients.first()?.clone();
    coefficients
        .iter()
        .rev()
        .filter(|&number| *number > least)
        .find(|&number| {
            let divides = coefficients.range(number.clone()..).all(|greater| (greater % number) == BigInt::ZERO);
            let may_fit = |index: &Index| {
                let (_, low) = divided_near(atoms, &index.polynomial, number);
                atoms.range(&low).is_some_and(|range| BigInt::from(range.low) < *number && range.high >= 0)
            };
            divides && indices.iter().all(may_fit)
        })
        .cloned()
}

/// The quotient and the rest of a polynomial by a number. The constant term is divided so that the
/// rest stays between 0 and the number, as far as its range is known.
fn divided_near(atoms: &Atoms, polynomial: &Polynomial, number: &BigInt) -> (Polynomial, Polynomial) {
    let (high, low) = polynomial.divided_by_number(number);
    let outside = |low: &Polynomial| {
        let Some(range) = atoms.range(low) else { return BigInt::ZERO };
        let below = -BigInt::from(range.low);
        let above: BigInt = BigInt::from(range.high) + 1 - number;
        below.max(BigInt::ZERO) + above.max(BigInt::ZERO)
    };
    let shifted = |by: i32| {
        let by = Polynomial::constant(by.into());
        (high.plus(&by), low.minus(&by.scaled(number)))
    };
    // The division of the constant rounds down.
    [0, 1].map(shifted).into_iter().min_by_key(|(_, low)| outside(low)).unwrap_or((high, low))
}

/// Moves a radix from the quotient to the rest where the rest is a difference from the end of the
/// row. In `row * width + (width - 1 - column)` the rest is then not `-1 - column`, and in `row *
/// width + width - 1` it is not `-1`.
fn not_negative((high, low): (Polynomial, Polynomial), radix: Atom) -> (Polynomial, Polynomial) {
    let is_negative = |coefficient: &BigInt| *coefficient < BigInt::ZERO;
    let mut terms = low.terms().filter(|(monomial, _)| !monomial.is_empty());
    let backwards = match low.as_constant() {
        Some(constant) => is_negative(&constant),
        None => terms.all(|(_, coefficient)| is_negative(coefficient)),
    };
    drop(terms);
    if !backwards {
        return (high, low);
    }
    let one = Polynomial::constant(1.into());
    (high.minus(&one), low.plus(&Polynomial::atom(radix)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Atoms with their ranges; the atoms in `fixed` are the same for all threads.
    fn atoms(ranges: &[(i128, i128)], fixed: &[Atom]) -> Atoms {
        let ranges: Vec<Range> = ranges.iter().map(|&(low, high)| Range { low, high }).collect();
        let fixed = (0..).take(ranges.len()).map(|atom| fixed.contains(&atom)).collect();
        let mut atoms = Atoms::default();
        (atoms.ranges, atoms.fixed) = (ranges, fixed);
        atoms
    }

    fn divided(atoms: &Atoms, all: &[(&Polynomial, u64)]) -> Option<(Division, Vec<Divided>)> {
        let indices = all.iter().map(|&(polynomial, cells)| Index { polynomial: polynomial.clone(), cells }).collect();
        let mut out: Vec<Divided> = all.iter().map(|&(_, cells)| Divided::undivided(cells)).collect();
        let division = divide(atoms, indices, &mut out, Need::Symbols, DEEPEST)?;
        Some((division, out))
    }

    const INT: (i128, i128) = (-(1 << 31), (1 << 31) - 1);

    fn number(value: i32) -> Polynomial {
        Polynomial::constant(value.into())
    }

    #[test]
    fn rows_of_rows_are_divided_from_the_innermost() {
        let [x, y, z, width, height] = [0, 1, 2, 3, 4].map(Polynomial::atom);
        let atoms = atoms(&[INT; 5], &[3, 4]);
        let index = z.times(&height).plus(&y).times(&width).plus(&x);
        let below = index.minus(&width.times(&height));
        let (division, out) = divided(&atoms, &[(&index, 1), (&below, 1)]).unwrap();
        assert_eq!(division.widths(), [32, 32, 64]);
        assert_eq!(out[0].digits, [x.clone(), y.clone(), z.clone()]);
        assert_eq!(out[1].digits, [x.clone(), y.clone(), z.minus(&number(1))]);
        let bound = |low: &Polynomial, radix: &Polynomial| Bound {
            low: low.clone(),
            cells: 1,
            radix: radix.clone(),
            width: 32,
        };
        assert_eq!(out[0].bounds, [bound(&x, &width), bound(&y, &height)]);
    }

    /// Slices of 512 cells of groups whose number in a row is unknown.
    #[test]
    fn slices_of_a_known_size_are_taken_off_first() {
        let [cell, column, row, groups] = [0, 1, 2, 3].map(Polynomial::atom);
        let atoms = atoms(&[(0, 511), (0, 1 << 20), (0, 1 << 20), (1, 1 << 20)], &[3]);
        let index = row.times(&groups).plus(&column).scaled(&512.into()).plus(&cell);
        let (division, out) = divided(&atoms, &[(&index, 1)]).unwrap();
        let Division::By { radix, .. } = division else { panic!("not divided") };
        assert_eq!(radix, number(512));
        assert_eq!(out[0].digits, [cell.clone(), column.clone(), row.clone()]);
        assert_eq!(out[0].bounds.len(), 1, "that a cell lies in its slice is known already");
        // With one more cell, the access would reach into the next slice.
        let (division, _) = divided(&atoms, &[(&index, 2)]).unwrap();
        assert!(!matches!(division, Division::By { radix, .. } if radix == number(512)));
    }

    #[test]
    fn columns_counted_from_the_end_stay_in_their_row() {
        let [column, row, width] = [0, 1, 2].map(Polynomial::atom);
        let atoms = atoms(&[INT; 3], &[2]);
        let index = row.times(&width).plus(&width).minus(&number(1)).minus(&column);
        let (_, out) = divided(&atoms, &[(&index, 1)]).unwrap();
        assert_eq!(out[0].digits, [width.minus(&number(1)).minus(&column), row.clone()]);
        let last = row.times(&width).plus(&width).minus(&number(2));
        let (_, out) = divided(&atoms, &[(&last, 1)]).unwrap();
        assert_eq!(out[0].digits, [width.minus(&number(2)), row]);
    }

    #[test]
    fn numbers_of_rows_show_that_nothing_overflows() {
        let [x, y, width] = [0, 1, 2].map(Polynomial::atom);
        let uint = (0, (1 << 32) - 1);
        let index = y.times(&width).plus(&x);
        let bounds = |widest: i128, signed: bool| {
            let atoms = atoms(&[uint, uint, (1, widest)], &[2]);
            let (division, _) = divided(&atoms, &[(&index, 1)]).unwrap();
            let mut bounds = Vec::new();
            let claim = NoOverflow { polynomial: index.clone(), signed, width: 32 };
            claim_bounds(&atoms, &division, &claim, &mut bounds).map(|()| bounds)
        };
        let bound = |low: &Polynomial, radix: Polynomial| Bound { low: low.clone(), cells: 1, radix, width: 64 };
        let rows = |number: i32| Some(vec![bound(&x, width.clone()), bound(&y, self::number(number))]);
        // There are 65536 rows of 65536 cells; with 65537 cells there is one row less.
        assert_eq!(bounds(1 << 16, false), rows(1 << 16));
        assert_eq!(bounds((1 << 16) + 1, false), rows((1 << 16) - 1));
        assert_eq!(bounds(1 << 16, true), rows(1 << 15));
        // Rows may be so wide that there is only one.
        assert_eq!(bounds(uint.1, false), None);
    }

    #[test]
    fn radices_that_a_number_lacks_bound_nothing() {
        let [x, y, rows, width] = [0, 1, 2, 3].map(Polynomial::atom);
        let uint = (0, (1 << 32) - 1);
        let atoms = atoms(&[uint, uint, (1, 32), (1, uint.1)], &[2, 3]);
        let row = y.times(&rows).plus(&x);
        let index = row.times(&width);
        let (division, _) = divided(&atoms, &[(&index, 1)]).unwrap();
        let mut bounds = Vec::new();
        let claim = NoOverflow { polynomial: row, signed: false, width: 32 };
        claim_bounds(&atoms, &division, &claim, &mut bounds).unwrap();
        let bound = |low: &Polynomial, radix: &Polynomial| Bound {
            low: low.clone(),
            cells: 1,
            radix: radix.clone(),
            width: 64,
        };
        assert_eq!(bounds, [bound(&x, &rows), bound(&y, &number(1 << 27))]);
    }

    /// `i % 25 + 25 * (i / 25 % 27) + 675 * c - 1350 + 10800 * (i / 675)`, where `c` is at most 18.
    #[test]
    fn digits_of_the_source_are_put_where_they_belong() {
        let [column, row, channel, image] = [0, 1, 2, 3].map(Polynomial::atom);
        let mut atoms = atoms(&[(0, 24), (0, 26), (0, 18), (0, 1 << 16)], &[]);
        let index = column
            .plus(&row.scaled(&25.into()))
            .plus(&channel.scaled(&675.into()))
            .plus(&image.scaled(&10_800.into()))
            .minus(&number(1350));
        let (division, _) = divided(&atoms, &[(&index, 1)]).unwrap();
        assert!(matches!(division, Division::Digit(_)), "only quotients and remainders are worth it");
        atoms.quotients = vec![true, true, false, true];
        let (_, out) = divided(&atoms, &[(&index, 1)]).unwrap();
        assert_eq!(out[0].digits, [column.clone(), row.clone(), channel.minus(&number(2)), image]);
        // It is known of columns and rows that they stay below, and must be shown of channels.
        let shown: Vec<&Polynomial> = out[0].bounds.iter().map(|bound| &bound.low).collect();
        assert_eq!(shown, [&channel.minus(&number(2))]);
    }

    #[test]
    fn nothing_is_divided_without_need() {
        let [x, y, width] = [0, 1, 2].map(Polynomial::atom);
        let index = y.scaled(&64.into()).plus(&x).plus(&width);
        let (division, _) = divided(&atoms(&[(0, 63), INT, INT], &[2]), &[(&index, 1)]).unwrap();
        assert_eq!(division, Division::Digit(64));
        // Unrestricted 64-bit numbers do not fit together.
        let all = (-(1 << 63), (1 << 63) - 1);
        let index = y.times(&width).plus(&x).plus(&x);
        assert_eq!(divided(&atoms(&[all; 3], &[2]), &[(&index, 1)]), None);
    }
}
