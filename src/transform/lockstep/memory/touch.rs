//! The cells that an access touches: its array and cells, for both threads.
//!
//! An access of several cells touches all of them.

use lockstep_ir::assumption::Assumed;
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{self, Block, Instruction, Value};
use lockstep_ir::sequential::{CompareOp, Expression};

use crate::lockstep::memory::arrays::ArrayState;
use crate::lockstep::{Lowering, TAG_WIDTH};

/// One access of an instruction, for both threads.
pub struct Touch {
    pub instruction: Instruction,
    /// The position among the instruction's accesses.
    pub position: usize,
    pub active: [Expression; 2],
    /// The first byte, or the packed coordinates of an image.
    pub offset: [Expression; 2],
    /// The array's tag.
    pub tag: [Expression; 2],
    pub extent: Extent,
    /// The bits written, for plain writes whose value matters.
    pub value: Option<[Expression; 2]>,
    /// The event of the copy it belongs to, for asynchronous copies.
    pub event: Option<Expression>,
}

/// The extent of an access.
#[derive(Clone, Copy)]
pub enum Extent {
    /// This many bytes.
    Bytes(u64),
    /// A run-time number of bytes, per thread.
    Dynamic([Expression; 2]),
    /// The whole array.
    Everything,
}

impl Lowering<'_> {
    pub fn touch(
        &mut self,
        block: Block,
        instruction: Instruction,
        position: usize,
        pointer: Value,
        extent: Extent,
    ) -> Touch {
        let active = [self.active(block, 0), self.active(block, 1)];
        let pointers = [self.pointer(pointer, 0), self.pointer(pointer, 1)];
        if self.facts.points_to[pointer].null {
            self.check_null(active, pointers.map(|pointer| pointer.tag));
        } else if self.facts.points_to[pointer].unknown {
            self.list_here(Assumed::LoadedPointerNotNull);
        }
        Touch {
            instruction,
            position,
            active,
            offset: pointers.map(|pointer| pointer.offset),
            tag: pointers.map(|pointer| pointer.tag),
            extent,
            value: None,
            event: None,
        }
    }

    pub fn image_touch(
        &mut self,
        block: Block,
        instruction: Instruction,
        image: Value,
        coordinates: &[Value],
    ) -> Touch {
        let extent = if coordinates.is_empty() { Extent::Everything } else { Extent::Bytes(1) };
        let mut touch = self.touch(block, instruction, 0, image, extent);
        if !coordinates.is_empty() {
            touch.offset = [0, 1].map(|thread| {
                let mut packed = self.scalar(coordinates[0], thread);
                for &coordinate in &coordinates[1..] {
                    let high = self.scalar(coordinate, thread);
                    packed = self.e().concat(high, packed);
                }
                packed
            });
        }
        touch
    }

    /// Whether a thread accesses this array here.
    pub fn accesses(&mut self, touch: &Touch, array: kernel::Array, thread: usize) -> Expression {
        let number = self.e().number(TAG_WIDTH, u64::from(array.as_u32()));
        let same = self.e().equal(touch.tag[thread], number);
        self.e().and([touch.active[thread], same])
    }

    /// The first cell a thread touches.
    pub fn cell(&mut self, touch: &Touch, state: ArrayState, thread: usize) -> Expression {
        let offset = touch.offset[thread];
        let width = self.e().width(offset);
        let offset = if width < state.offset_bits { self.e().zero_extend(state.offset_bits, offset) } else { offset };
        self.divide(offset, state.cell_bytes)
    }

    /// `offset / divisor` for a power of two, exact where the coefficients of the sum are multiples
    /// of it. Address computations do not wrap (a listed assumption).
    pub fn divide(&mut self, offset: Expression, divisor: u64) -> Expression {
        use lockstep_ir::sequential::{BinaryOp, Node};
        if divisor == 1 {
            return offset;
        }
        let width = self.e().width(offset);
        let by = Bits::new(width, divisor);
        let shift = Bits::new(width, u64::from(divisor.trailing_zeros()));
        let divisible = |bits: &Bits| bits.and(&by.sub(&Bits::one(width))).is_zero();
        match self.e().node(offset).clone() {
            Node::Bits(bits) => self.e().bits(bits.ashr(&shift)),
            Node::Sum(constant, terms) if divisible(&constant) && terms.iter().all(|(factor, _)| divisible(factor)) => {
                let terms = terms.iter().map(|(factor, term)| (factor.ashr(&shift), *term)).collect();
                self.e().sum(constant.ashr(&shift), terms)
            }
            Node::IfThenElse(condition, a, b) => {
                let (a, b) = (self.divide(a, divisor), self.divide(b, divisor));
                self.e().if_then_else(condition, a, b)
            }
            _ => {
                let shift = self.e().bits(shift);
                self.e().binary(BinaryOp::ArithmeticShiftRight, offset, shift)
            }
        }
    }

    /// Whether a thread's access touches this cell.
    pub fn touches(&mut self, touch: &Touch, state: ArrayState, cell: Expression, thread: usize) -> Expression {
        let first = self.cell(touch, state, thread);
        let cells = match touch.extent {
            Extent::Everything => return self.true_(),
            Extent::Bytes(bytes) => {
                let cells = (bytes / state.cell_bytes).max(1);
                if cells == 1 {
                    return self.e().equal(cell, first);
                }
                self.e().number(state.offset_bits, cells)
            }
            // Cells of such arrays are single bytes.
            Extent::Dynamic(lengths) => {
                let length = lengths[thread];
                self.e().zero_extend(state.offset_bits, length)
            }
        };
        let distance = self.e().subtract(cell, first);
        self.e().compare(CompareOp::UnsignedLess, distance, cells)
    }
}
