//! Pointers in private memory.
//!
//! A pointer is an array and an offset, not bits, so the map of a private array's bits cannot hold
//! it. Two more maps stand beside it ([`PointerCells`]). For each pointer-sized piece of the array,
//! they hold the array that the pointer there points to, and the offset. Pointers that are stored
//! and loaded at multiples of their size are found there again. Any other data written over such a
//! piece leaves [`NO_POINTER`] in it (or the null pointer, for a zero). A pointer loaded from a
//! piece that holds none is an arbitrary pointer.

use lockstep_ir::assumption::Assumed;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{self, Type, Value};
use lockstep_ir::sequential::{Copies, Expression, Role, Sort, Unknown, Variable};

use crate::analysis::pointers::anything;
use crate::lockstep::memory::arrays::{ArrayState, Contents, NO_POINTER, PointerCells};
use crate::lockstep::memory::touch::{Extent, Touch};
use crate::lockstep::{Lowered, Lowering, NULL, PointerExpression, TAG_WIDTH};

/// The most pieces that a store is followed in. A larger store leaves an unknown value in all of
/// them.
const MOST_PIECES: usize = 64;

impl Lowering<'_> {
    /// Whether pointers loaded through this one come from private arrays with tracked pointers.
    pub fn follows_pointers(&self, pointer: Value) -> bool {
        let arrays = &self.facts.points_to[pointer].arrays;
        !arrays.is_empty() && arrays.iter().all(|&array| self.arrays.get(array).pointers.is_some())
    }

    /// Loads a pointer from private memory.
    pub fn load_pointer(&mut self, touch: &Touch, from: Value, result: Value) {
        let ty = self.kernel.ty(result);
        let name = self.name_of(result, "loaded");
        let each = [0, 1].map(|thread| {
            let found = self.find_pointer(touch, from, thread);
            let unknown = Unknown::Load(self.array_name(from));
            let any = self.arbitrary_value(ty, &name, Some(thread), unknown);
            let mut possible = self.is_pointer_of(found.tag, ty);
            if let Some(written) = self.has_written(from, touch, thread, u64::from(self.kernel.pointer_bits / 8)) {
                possible = self.e().and([possible, written]);
            }
            let chosen = self.choose(possible, Lowered::Pointer(found), any);
            self.keep_pointer(chosen, &name, thread)
        });
        self.values[result] = Some(Copies::Each(each));
    }

    /// The pointer in the piece that a thread reads.
    fn find_pointer(&mut self, touch: &Touch, from: Value, thread: usize) -> PointerExpression {
        let arrays: Vec<kernel::Array> = self.facts.points_to[from].arrays.iter().copied().collect();
        let mut found: Option<PointerExpression> = None;
        for array in arrays {
            let state = self.arrays.get(array);
            let Some(cells) = state.pointers else { continue };
            self.rely_on_pieces(state, touch, thread);
            let piece = self.piece(touch, thread, 0);
            let tags = self.e().variable(cells.tags[thread]);
            let offsets = self.e().variable(cells.offsets[thread]);
            let here = PointerExpression { tag: self.e().select(tags, piece), offset: self.e().select(offsets, piece) };
            found = Some(match found {
                None => here,
                Some(otherwise) => {
                    let number = self.e().number(TAG_WIDTH, u64::from(array.as_u32()));
                    let same = self.e().equal(touch.tag[thread], number);
                    PointerExpression {
                        tag: self.e().if_then_else(same, here.tag, otherwise.tag),
                        offset: self.e().if_then_else(same, here.offset, otherwise.offset),
                    }
                }
            });
        }
        found.expect("pointers are followed in every array this one may point to")
    }

    /// Whether a tag belongs to a pointer of this type.
    fn is_pointer_of(&mut self, tag: Expression, ty: Type) -> Expression {
        let arrays = anything(self.kernel, ty).arrays;
        let possible: Vec<Expression> = arrays
            .iter()
            .map(|array| u64::from(array.as_u32()))
            .chain([NULL])
            .map(|number| {
                let number = self.e().number(TAG_WIDTH, number);
                self.e().equal(tag, number)
            })
            .collect();
        self.e().or(possible)
    }

    /// Memory changes; the loaded pointer does not.
    fn keep_pointer(&mut self, value: Lowered, name: &str, thread: usize) -> Lowered {
        let Lowered::Pointer(pointer) = value else { return value };
        Lowered::Pointer(PointerExpression {
            tag: self.keep(pointer.tag, &format!("{name}.array"), Some(thread)),
            offset: self.keep(pointer.offset, &format!("{name}.offset"), Some(thread)),
        })
    }

    /// Updates the pointers in private arrays after a store: a stored pointer can be found again,
    /// other data hides the pointers it overwrites.
    pub fn written_pointers(&mut self, to: Value, touch: &Touch, value: Value) {
        let arrays: Vec<kernel::Array> = self.facts.points_to[to].arrays.iter().copied().collect();
        for array in arrays {
            let state = self.arrays.get(array);
            let Some(cells) = state.pointers else { continue };
            for thread in 0..2 {
                let accesses = self.accesses(touch, array, thread);
                let pieces = self.stored_pieces(touch, state, value, thread);
                self.rely_on_pieces(state, touch, thread);
                if pieces.len() > MOST_PIECES {
                    self.forget_pointers(state, accesses, thread);
                    continue;
                }
                for (number, pointer) in (0..).zip(pieces) {
                    self.put_piece(touch, cells, accesses, thread, number, pointer);
                }
            }
        }
    }

    fn put_piece(
        &mut self,
        touch: &Touch,
        cells: PointerCells,
        accesses: Expression,
        thread: usize,
        number: u64,
        pointer: PointerExpression,
    ) {
        let piece = self.piece(touch, thread, number);
        for (variable, new) in [(cells.tags[thread], pointer.tag), (cells.offsets[thread], pointer.offset)] {
            let map = self.e().variable(variable);
            let stored = self.e().store(map, piece, new);
            self.assign_if(accesses, variable, stored);
        }
    }

    /// The contents that a store leaves in each piece, from the first that it touches.
    fn stored_pieces(
        &mut self,
        touch: &Touch,
        state: ArrayState,
        value: Value,
        thread: usize,
    ) -> Vec<PointerExpression> {
        if let Lowered::Pointer(pointer) = *self.lowered(value).of(thread) {
            return vec![pointer];
        }
        let Extent::Bytes(bytes) = touch.extent else { return Vec::new() };
        let piece = u64::from(self.kernel.pointer_bits / 8);
        let start = self.e().as_bits(touch.offset[thread]).and_then(Bits::to_u64);
        let (pieces, aligned) = match start {
            Some(start) => ((start + bytes).div_ceil(piece) - start / piece, start.is_multiple_of(piece)),
            None if state.cell_bytes.is_multiple_of(piece) => (bytes.div_ceil(piece), true),
            // Offsets are multiples of a cell, so a store no wider than one cannot reach into
            // another piece.
            None if bytes <= state.cell_bytes => (1, false),
            None => (bytes.div_ceil(piece) + 1, false),
        };
        let zero = self.kernel.constant(value).is_some_and(Bits::is_zero) && aligned && bytes.is_multiple_of(piece);
        let bits = self.kernel.pointer_bits;
        let left = PointerExpression {
            tag: self.e().number(TAG_WIDTH, if zero { NULL } else { NO_POINTER }),
            offset: self.e().number(bits, 0),
        };
        vec![left; usize::try_from(pieces).unwrap_or(0)]
    }

    /// Assumes that the cell numbers of larger pieces do not wrap. For single cells, the bounds
    /// check shows it.
    fn rely_on_pieces(&mut self, state: ArrayState, touch: &Touch, thread: usize) {
        let shown = state.cell_bytes.is_multiple_of(u64::from(self.kernel.pointer_bits / 8));
        if !shown && self.e().as_bits(touch.offset[thread]).is_none() {
            self.list(Assumed::PointerArraysDoNotWrap);
        }
    }

    /// The number of the piece at this distance from the piece in which a thread's access begins.
    fn piece(&mut self, touch: &Touch, thread: usize, further: u64) -> Expression {
        let bits = self.kernel.pointer_bits;
        let first = self.divide(touch.offset[thread], u64::from(bits / 8));
        let further = self.e().number(bits, further);
        self.e().add(first, further)
    }

    /// Makes the pointers in private memory unknown from here on, if `condition` holds.
    pub fn forget_pointers(&mut self, state: ArrayState, condition: Expression, thread: usize) {
        let (Some(cells), Contents::Private(_)) = (state.pointers, state.contents) else { return };
        for variable in [cells.tags[thread], cells.offsets[thread]] {
            let fresh = self.unknown_map(variable, thread);
            self.assign_if(condition, variable, fresh);
        }
    }

    fn unknown_map(&mut self, variable: Variable, thread: usize) -> Expression {
        let data = self.program.expressions.variables()[variable].clone();
        debug_assert!(matches!(data.sort, Sort::Map { .. }) && data.role == Role::Contents);
        let stem = data.name.split('$').next().unwrap_or(&data.name).to_owned();
        self.unknown(&format!("{stem}.unknown"), data.sort, Some(thread), Unknown::Contents(stem))
    }
}
