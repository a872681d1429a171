//! The contents of memory: the values that loads return, and the effect of writes.
//!
//! The precision for each array is chosen beforehand ([`super::arrays::Contents`]).

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{self, Instruction, Operation, Value};
use lockstep_ir::sequential::{Expression, Unknown, Variable};

use crate::analysis::initialised::is_nothing;
use crate::lockstep::memory::arrays::{ArrayState, Contents};
use crate::lockstep::memory::touch::Touch;
use crate::lockstep::{Lowering, TAG_WIDTH};

/// The most cells that one access may read from or write to a map before the map's contents are
/// given up.
const MAX_MAP_CELLS: u64 = 64;

/// The most cells of a table that are listed one by one, for an array whose bytes are known.
const MAX_TABLE_CELLS: usize = 64;

/// The contents of a shared array that a read sees.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// The contents that a load sees at its place.
    Load,
    /// The contents of the array at the last barrier.
    Barrier,
    /// A thread's own copy.
    Own,
}

impl Lowering<'_> {
    /// Whether loads of this many bytes through a pointer return known contents.
    pub fn known_contents(&self, instruction: Instruction, pointer: Value, bytes: u64) -> Option<()> {
        let targets = &self.facts.points_to[pointer];
        let known = |array: &kernel::Array| {
            let state = self.arrays.get(*array);
            let known = match state.contents {
                Contents::Adversarial => false,
                Contents::Shared { own, .. } => own.is_some() || self.of_pair.intervals.clean(instruction, *array),
                Contents::Function(_) | Contents::Private(_) => true,
            };
            known && bytes / state.cell_bytes <= MAX_MAP_CELLS
        };
        (!targets.arrays.is_empty() && targets.arrays.iter().all(known)).then_some(())
    }

    pub fn read_contents(&mut self, pointer: Value, touch: &Touch, thread: usize, bytes: u64) -> Expression {
        self.read_contents_from(pointer, touch, [thread; 2], bytes, View::Load)
    }

    /// The value that a load would return; see [`View`]. The first thread determines the address,
    /// the second one the copy of the array that is read.
    pub fn read_contents_from(
        &mut self,
        pointer: Value,
        touch: &Touch,
        threads: [usize; 2],
        bytes: u64,
        view: View,
    ) -> Expression {
        let arrays: Vec<kernel::Array> = self.facts.points_to[pointer].arrays.iter().copied().collect();
        let mut result: Option<Expression> = None;
        for array in arrays {
            let value = self.read_array(touch, array, threads, bytes, view);
            result = Some(match result {
                None => value,
                Some(otherwise) => {
                    let number = self.e().number(TAG_WIDTH, u64::from(array.as_u32()));
                    let same = self.e().equal(touch.tag[threads[0]], number);
                    self.e().if_then_else(same, value, otherwise)
                }
            });
        }
        result.expect("a pointer with known contents points somewhere")
    }

    /// Whether a thread has written every byte that it reads of its own variables; `None` if it
    /// surely has.
    pub fn has_written(&mut self, pointer: Value, touch: &Touch, thread: usize, bytes: u64) -> Option<Expression> {
        let arrays: Vec<kernel::Array> = self.facts.points_to[pointer].arrays.iter().copied().collect();
        let mut all = Vec::new();
        for array in arrays {
            let state = self.arrays.get(array);
            let number = self.e().number(TAG_WIDTH, u64::from(array.as_u32()));
            let here = self.e().equal(touch.tag[thread], number);
            for cell in 0..(bytes / state.cell_bytes).max(1) {
                let Some(written) = self.cell_written(touch, state, thread, cell) else { continue };
                all.push(self.e().implies(here, written));
            }
        }
        (!all.is_empty()).then(|| self.e().and(all))
    }

    /// Whether a thread has written this cell among those that an access touches; `None` if it
    /// surely has.
    fn cell_written(&mut self, touch: &Touch, state: ArrayState, thread: usize, further: u64) -> Option<Expression> {
        let variables = state.initialised.filter(|_| self.facts.initialised.unsure(touch.instruction))?;
        let first = self.cell(touch, state, thread);
        let further = self.e().number(state.offset_bits, further);
        let index = self.e().add(first, further);
        let marks = self.e().variable(variables[thread]);
        let mark = self.e().select(marks, index);
        let written = self.e().number(1, 1);
        Some(self.e().equal(mark, written))
    }

    fn read_array(
        &mut self,
        touch: &Touch,
        array: kernel::Array,
        [thread, holder]: [usize; 2],
        bytes: u64,
        view: View,
    ) -> Expression {
        let state = self.arrays.get(array);
        let first = self.cell(touch, state, thread);
        let map = match state.contents {
            Contents::Function(variable) => variable,
            Contents::Shared { at_barrier, .. } if view == View::Barrier => at_barrier,
            Contents::Shared { at_barrier, .. }
                if view == View::Load && self.of_pair.intervals.clean(touch.instruction, array) =>
            {
                at_barrier
            }
            Contents::Shared { own: Some(variables), .. } | Contents::Private(variables) => variables[holder],
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
            // A cell that nobody wrote has a different unknown value each time.
            let part = match self.cell_written(touch, state, thread, cell) {
                Some(written) => {
                    let sort = self.program.expressions.sort(part);
                    let anything = self.unknown("uninitialised", sort, Some(thread), Unknown::Undefined);
                    self.e().if_then_else(written, part, anything)
                }
                None => part,
            };
            result = Some(match result {
                None => part,
                Some(low) => self.e().concat(part, low),
            });
        }
        result.expect("an access has at least one cell")
    }

    /// A map extended by the known bytes of an array.
    pub fn with_known_cells(&mut self, array: kernel::Array, mut map: Expression) -> Expression {
        let state = self.arrays.get(array);
        let contents = self.kernel.arrays[array].contents.clone().unwrap_or_default();
        let cell_bytes = usize::try_from(state.cell_bytes).unwrap_or(usize::MAX);
        let cells: Vec<&[u8]> = contents.chunks_exact(cell_bytes).collect();
        if cells.len() > MAX_TABLE_CELLS {
            return map;
        }
        for (index, bytes) in (0..).zip(cells) {
            let width = u32::try_from(8 * bytes.len()).expect("cells are small");
            let value = self.e().bits(Bits::new(width, num_bigint::BigUint::from_bytes_le(bytes)));
            let index = self.e().number(state.offset_bits, index);
            map = self.e().store(map, index, value);
        }
        map
    }

    /// A cell at a constant index of an array whose bytes are known.
    fn constant_cell(&mut self, array: kernel::Array, state: ArrayState, index: Expression) -> Option<Expression> {
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
        // Reads outside the table return anything.
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

    /// Records a write in the thread's own copies of arrays. `None` stands for an unknown value.
    pub fn written_contents(&mut self, pointer: Value, touch: &Touch, value: Option<[Expression; 2]>) {
        let arrays: Vec<kernel::Array> = self.facts.points_to[pointer].arrays.iter().copied().collect();
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
                self.mark_written(touch, array, thread, value.map(|values| values[thread]));
                if value.is_none() {
                    self.forget_pointers(state, accesses, thread);
                }
            }
        }
    }

    /// Records the cells of its own variable that a thread has written, for loads that depend on
    /// it.
    fn mark_written(&mut self, touch: &Touch, array: kernel::Array, thread: usize, value: Option<Expression>) {
        let state = self.arrays.get(array);
        let Some(variables) = state.initialised else { return };
        let variable = variables[thread];
        let nothing = match &self.kernel.instructions[touch.instruction].operation {
            Operation::Store(_, value) => is_nothing(self.kernel, *value),
            _ => false,
        };
        let marks = value.and_then(|value| {
            let cells = u64::from(self.e().width(value)) / (8 * state.cell_bytes);
            let mark = if nothing { Bits::zero(1) } else { Bits::one(1) };
            let bit = self.e().bits(mark);
            self.stored_cells(touch, state, thread, variable, vec![bit; usize::try_from(cells).ok()?])
        });
        let marks = marks.unwrap_or_else(|| {
            let data = self.program.expressions.variables()[variable].clone();
            let name = data.name.split('$').next().unwrap_or(&data.name).to_owned();
            let unknown = Unknown::Contents(self.kernel.arrays[array].name.clone());
            self.unknown(&format!("{name}.unknown"), data.sort, Some(thread), unknown)
        });
        let accesses = self.accesses(touch, array, thread);
        self.assign_if(accesses, variable, marks);
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
        let cells = self.e().width(value) / width;
        if u64::from(cells) > MAX_MAP_CELLS {
            return None;
        }
        let parts = (0..cells).map(|cell| self.e().extract((cell + 1) * width - 1, cell * width, value)).collect();
        self.stored_cells(touch, state, thread, variable, parts)
    }

    /// A private map after writes to these cells; `None` if there are too many cells to follow.
    fn stored_cells(
        &mut self,
        touch: &Touch,
        state: ArrayState,
        thread: usize,
        variable: Variable,
        cells: Vec<Expression>,
    ) -> Option<Expression> {
        if u64::try_from(cells.len()).ok()? > MAX_MAP_CELLS {
            return None;
        }
        let first = self.cell(touch, state, thread);
        let mut map = self.e().variable(variable);
        for (cell, part) in (0..).zip(cells) {
            let index = self.e().number(state.offset_bits, cell);
            let index = self.e().add(first, index);
            map = self.e().store(map, index, part);
        }
        Some(map)
    }
}
