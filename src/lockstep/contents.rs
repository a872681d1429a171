//! What memory holds: what a load returns, and what a write leaves.
//!
//! How closely an array is followed is chosen beforehand ([`super::arrays::Contents`]).

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{self, Instruction, Value};
use lockstep_ir::sequential::{Expression, Unknown, Variable};

use super::arrays::{ArrayState, Contents};
use super::touch::Touch;
use super::{Lowering, TAG_WIDTH};

/// The most cells that one access may read from or write to a map, before its contents are given up.
const MAX_MAP_CELLS: u64 = 64;

impl Lowering<'_> {
    /// Whether loads of this many bytes through a pointer return something known.
    pub(super) fn known_contents(&self, instruction: Instruction, pointer: Value, bytes: u64) -> Option<()> {
        let targets = &self.points_to[pointer];
        let known = |array: &kernel::Array| {
            let state = self.arrays.get(*array);
            let known = match state.contents {
                Contents::Adversarial => false,
                Contents::Shared { own, .. } => own.is_some() || self.intervals.clean(instruction, *array),
                Contents::Function(_) | Contents::Private(_) => true,
            };
            known && bytes / state.cell_bytes <= MAX_MAP_CELLS
        };
        (!targets.arrays.is_empty() && targets.arrays.iter().all(known)).then_some(())
    }

    pub(super) fn read_contents(&mut self, pointer: Value, touch: &Touch, thread: usize, bytes: u64) -> Expression {
        let arrays: Vec<kernel::Array> = self.points_to[pointer].arrays.iter().copied().collect();
        let mut result: Option<Expression> = None;
        for array in arrays {
            let value = self.read_array(touch, array, thread, bytes);
            result = Some(match result {
                None => value,
                Some(otherwise) => {
                    let number = self.e().number(TAG_WIDTH, u64::from(array.as_u32()));
                    let same = self.e().equal(touch.tag[thread], number);
                    self.e().if_then_else(same, value, otherwise)
                }
            });
        }
        result.expect("a pointer with known contents points somewhere")
    }

    fn read_array(&mut self, touch: &Touch, array: kernel::Array, thread: usize, bytes: u64) -> Expression {
        let state = self.arrays.get(array);
        let first = self.cell(touch, state, thread);
        let map = match state.contents {
            Contents::Function(variable) => variable,
            Contents::Shared { at_barrier, .. } if self.intervals.clean(touch.instruction, array) => at_barrier,
            Contents::Shared { own: Some(variables), .. } | Contents::Private(variables) => variables[thread],
            Contents::Shared { own: None, .. } => panic!("the contents are not known"),
            Contents::Adversarial => panic!("the contents are not known"),
        };
        let map = self.e().variable(map);
        let mut result: Option<Expression> = None;
        for cell in 0..(bytes / state.cell_bytes).max(1) {
            let index = self.e().number(state.offset_bits, cell);
            let index = self.e().add(first, index);
            let part = self.constant_cell(array, state, index);
            let part = match part {
                Some(part) => part,
                None => self.e().select(map, index),
            };
            result = Some(match result {
                None => part,
                Some(low) => self.e().concat(part, low),
            });
        }
        result.expect("an access has at least one cell")
    }

    /// A cell of an array whose bytes are known, at a constant index.
    fn constant_cell(&mut self, array: kernel::Array, state: ArrayState, index: Expression) -> Option<Expression> {
        const MAX_TABLE_CELLS: usize = 64;
        let contents = self.kernel.arrays[array].contents.clone()?;
        let Contents::Function(_) = state.contents else { return None };
        let cell_bytes = usize::try_from(state.cell_bytes).ok()?;
        let cell_value = |cell: usize| {
            let bytes = contents.get(cell * cell_bytes..(cell + 1) * cell_bytes)?;
            let number = num_bigint::BigUint::from_bytes_le(bytes);
            Some(Bits::new(u32::try_from(8 * cell_bytes).ok()?, number))
        };
        if let Some(index) = self.e().as_bits(index).and_then(Bits::to_u64) {
            let value = cell_value(usize::try_from(index).ok()?)?;
            return Some(self.e().bits(value));
        }
        let cells = contents.len() / cell_bytes;
        if cells > MAX_TABLE_CELLS {
            return None;
        }
        // Outside the table anything may be read.
        let Contents::Function(map) = state.contents else { return None };
        let map = self.e().variable(map);
        let mut result = self.e().select(map, index);
        for cell in 0..cells {
            let value = cell_value(cell)?;
            let value = self.e().bits(value);
            let number = self.e().number(state.offset_bits, u64::try_from(cell).ok()?);
            let here = self.e().equal(index, number);
            result = self.e().if_then_else(here, value, result);
        }
        Some(result)
    }

    /// A thread's own copies of arrays keep what it writes; `None`: something unknown.
    pub(super) fn written_contents(&mut self, pointer: Value, touch: &Touch, value: Option<[Expression; 2]>) {
        let arrays: Vec<kernel::Array> = self.points_to[pointer].arrays.iter().copied().collect();
        for array in arrays {
            let state = self.arrays.get(array);
            let Some(variables) = state.contents.copies() else { continue };
            for thread in 0..2 {
                let accesses = self.accesses(touch, array, thread);
                let variable = variables[thread];
                let new = match value {
                    Some(values) => self.stored(touch, state, thread, values[thread], variable),
                    None => None,
                };
                let new = if let Some(new) = new {
                    new
                } else {
                    let sort = self.program.expressions.variables()[variable].sort;
                    let name = format!("{}.unknown", self.kernel.arrays[array].name);
                    let unknown = Unknown::Contents(self.kernel.arrays[array].name.clone());
                    self.unknown(&name, sort, Some(thread), unknown)
                };
                self.assign_if(accesses, variable, new);
                if value.is_none() {
                    self.forget_pointers(state, accesses, thread);
                }
            }
        }
    }

    /// A private map after a write; `None` if the write is too large to follow.
    fn stored(
        &mut self,
        touch: &Touch,
        state: ArrayState,
        thread: usize,
        value: Expression,
        variable: Variable,
    ) -> Option<Expression> {
        let width = u32::try_from(8 * state.cell_bytes).ok()?;
        let cells = u64::from(self.e().width(value) / width);
        if cells > MAX_MAP_CELLS {
            return None;
        }
        let first = self.cell(touch, state, thread);
        let mut map = self.e().variable(variable);
        for cell in 0..cells {
            let low = u32::try_from(cell).ok()? * width;
            let part = self.e().extract(low + width - 1, low, value);
            let index = self.e().number(state.offset_bits, cell);
            let index = self.e().add(first, index);
            map = self.e().store(map, index, part);
        }
        Some(map)
    }
}
