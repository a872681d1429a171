//! Linear algebra modulo `2^w`: the span of vectors, and the equations that hold for all of it.
//!
//! Numbers modulo `2^w` do not form a field, but of two of them the one with fewer factors of two
//! divides the other. So elimination works as usual if the entry with the fewest factors of two is
//! the pivot. If a pivot is even, a multiple of its row may have a zero in the pivot's column. Such
//! a multiple counts as a vector of its own (Müller-Olm and Seidl, "Analysis of modular
//! arithmetic").

use super::word::mask;

/// A vector of numbers modulo `2^w`.
pub type Vector = Vec<u64>;

/// The span of some vectors.
#[derive(Clone, Debug)]
pub struct Span {
    width: u32,
    /// The row that begins in each column, if there is one.
    rows: Vec<Option<Vector>>,
}

impl Span {
    /// The span of no vectors, with this many columns modulo `2^width`.
    pub fn new(width: u32, columns: usize) -> Self {
        Self { width, rows: vec![None; columns] }
    }

    /// Its rows.
    pub fn rows(&self) -> impl Iterator<Item = &Vector> {
        self.rows.iter().flatten()
    }

    /// Adds a vector. Returns whether it was outside the span before.
    pub fn add(&mut self, vector: Vector) -> bool {
        let all = mask(self.width);
        let mut waiting = vec![vector];
        let mut grown = false;
        while let Some(mut vector) = waiting.pop() {
            for entry in &mut vector {
                *entry &= all;
            }
            while let Some(column) = vector.iter().position(|&entry| entry != 0) {
                let Some(row) = &mut self.rows[column] else {
                    waiting.push(scaled(&vector, annihilating(vector[column], self.width), self.width));
                    self.rows[column] = Some(vector);
                    grown = true;
                    break;
                };
                if vector[column].trailing_zeros() < row[column].trailing_zeros() {
                    std::mem::swap(row, &mut vector);
                    waiting.push(scaled(row, annihilating(row[column], self.width), self.width));
                    grown = true;
                }
                let factor = quotient(vector[column], row[column], self.width);
                subtract(&mut vector, factor, row, self.width);
            }
        }
        grown
    }

    /// Generators of the vectors whose product with every vector of the span is zero, in echelon
    /// form. Each begins in a column of its own with a power of two. If that power divides the
    /// other entries of the column, they are zero.
    pub fn annihilator(&self) -> Vec<Vector> {
        let columns = self.rows.len();
        // The transposed rows, with the unit matrix beside them, brought to diagonal form.
        let generators: Vec<&Vector> = self.rows().collect();
        let mut matrix: Vec<Vector> =
            (0..columns).map(|at| generators.iter().map(|generator| generator[at]).collect()).collect();
        let mut transform: Vec<Vector> =
            (0..columns).map(|at| (0..columns).map(|column| u64::from(column == at)).collect()).collect();
        let mut found = Vec::new();
        for step in 0..columns {
            let pivot = (step..columns)
                .flat_map(|row| (0..generators.len()).map(move |column| (row, column)))
                .filter(|&(row, column)| matrix[row][column] != 0)
                .min_by_key(|&(row, column)| (matrix[row][column].trailing_zeros(), row, column));
            let Some((row, column)) = pivot else {
                found.extend(transform.drain(step..));
                break;
            };
            matrix.swap(step, row);
            transform.swap(step, row);
            for other in step + 1..columns {
                let factor = quotient(matrix[other][column], matrix[step][column], self.width);
                let (from, to) = (matrix[step].clone(), transform[step].clone());
                subtract(&mut matrix[other], factor, &from, self.width);
                subtract(&mut transform[other], factor, &to, self.width);
            }
            // The pivot divides its whole row, so column operations would clear the row.
            found.push(scaled(&transform[step], annihilating(matrix[step][column], self.width), self.width));
            matrix[step].fill(0);
        }
        echelon(found, self.width)
    }
}

/// The non-zero rows in echelon form.
fn echelon(mut rows: Vec<Vector>, width: u32) -> Vec<Vector> {
    let columns = rows.first().map_or(0, Vec::len);
    let mut done = 0;
    for column in 0..columns {
        let pivot = (done..rows.len())
            .filter(|&row| rows[row][column] != 0)
            .min_by_key(|&row| (rows[row][column].trailing_zeros(), row));
        let Some(pivot) = pivot else { continue };
        rows.swap(done, pivot);
        let odd = rows[done][column] >> rows[done][column].trailing_zeros();
        let row = scaled(&rows[done], inverse(odd), width);
        for (at, other) in rows.iter_mut().enumerate() {
            if at != done && other[column] != 0 && other[column].trailing_zeros() >= row[column].trailing_zeros() {
                let factor = quotient(other[column], row[column], width);
                subtract(other, factor, &row, width);
            }
        }
        rows[done] = row;
        done += 1;
    }
    rows.truncate(done);
    rows
}

/// The inverse of an odd number modulo `2^64`.
fn inverse(odd: u64) -> u64 {
    // Newton's method: each step doubles the number of correct bits, which is three at first.
    (0..5).fold(odd, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse))))
}

/// A number whose product with `by` is `of`, if `by` has no more factors of two than `of`.
fn quotient(of: u64, by: u64, width: u32) -> u64 {
    let zeros = by.trailing_zeros();
    (of >> zeros).wrapping_mul(inverse(by >> zeros)) & mask(width)
}

/// The smallest power of two whose product with a number is zero.
fn annihilating(number: u64, width: u32) -> u64 {
    1_u64.checked_shl(width - number.trailing_zeros().min(width)).unwrap_or(0)
}

fn scaled(vector: &Vector, factor: u64, width: u32) -> Vector {
    vector.iter().map(|entry| entry.wrapping_mul(factor) & mask(width)).collect()
}

fn subtract(from: &mut Vector, factor: u64, vector: &Vector, width: u32) {
    for (entry, other) in from.iter_mut().zip(vector) {
        *entry = entry.wrapping_sub(factor.wrapping_mul(*other)) & mask(width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random numbers, the same each time.
    fn random(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    /// All combinations of vectors modulo `2^width`.
    fn all_of(vectors: &[Vector], columns: usize, width: u32) -> std::collections::BTreeSet<Vector> {
        let mut all = std::collections::BTreeSet::from([vec![0; columns]]);
        for vector in vectors {
            let before = all.clone();
            for factor in 1..=mask(width) {
                for known in &before {
                    let mut sum = known.clone();
                    subtract(&mut sum, factor.wrapping_neg(), vector, width);
                    all.insert(sum);
                }
            }
        }
        all
    }

    #[test]
    fn spans_and_annihilators_are_what_trying_all_says() {
        let mut state = 0x9E37_79B9_7F4A_7C15;
        for _ in 0..300 {
            let (width, columns) = (1 + u32::try_from(random(&mut state) % 3).unwrap(), 3);
            let vectors: Vec<Vector> = (0..random(&mut state) % 4)
                .map(|_| (0..columns).map(|_| random(&mut state) & mask(width)).collect())
                .collect();
            let mut span = Span::new(width, columns);
            let mut known = all_of(&[], columns, width);
            for (count, vector) in vectors.iter().enumerate() {
                assert_eq!(span.add(vector.clone()), !known.contains(vector), "{vectors:?}");
                known = all_of(&vectors[..=count], columns, width);
                let rows: Vec<Vector> = span.rows().cloned().collect();
                assert_eq!(all_of(&rows, columns, width), known, "{vectors:?} modulo 2^{width}");
            }
            let everything: Vec<Vector> =
                (0..columns).map(|at| (0..columns).map(|column| u64::from(at == column)).collect()).collect();
            let zero = |a: &Vector| {
                known
                    .iter()
                    .all(|b| a.iter().zip(b).fold(0_u64, |sum, (a, b)| sum.wrapping_add(a * b)) & mask(width) == 0)
            };
            let expected: std::collections::BTreeSet<Vector> =
                all_of(&everything, columns, width).into_iter().filter(zero).collect();
            assert_eq!(all_of(&span.annihilator(), columns, width), expected, "{vectors:?} modulo 2^{width}");
        }
    }

    #[test]
    fn inverses_are_those_of_all_64_bits() {
        for odd in [1, 3, 5, 0xffff_ffff_ffff_ffff, 0x1234_5678_9abc_def1] {
            assert_eq!(inverse(odd).wrapping_mul(odd), 1, "{odd}");
        }
    }
}
