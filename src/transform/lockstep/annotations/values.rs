//! Annotations with a value: computations of other threads, and past accesses.

use std::collections::BTreeSet;

use lockstep_ir::kernel::{self, Block, Space, Type, Value};
use lockstep_ir::sequential::{AccessKind, CompareOp, Copies, Expression, Pair, Site, Sort, Unknown};

use super::taken::TAKEN;
use crate::lockstep::{Lowered, Lowering, PointerExpression, TAG_WIDTH, Unsupported};

impl Lowering<'_> {
    pub fn annotation_value(
        &mut self,
        block: Block,
        name: &str,
        operands: &[Value],
        ty: Type,
    ) -> Result<Copies<Lowered>, Unsupported> {
        let each = match (name, operands) {
            ("__enabled", []) => [0, 1].map(|thread| self.active(block, thread)),
            ("__dominator_enabled", []) => self.active_before(block)?,
            ("__lockstep_same_group", []) => {
                let same = self.pair != Pair::DifferentGroups;
                [self.e().boolean(same); 2]
            }
            ("__other", &[value]) => [1, 0].map(|other| self.scalar(value, other)),
            ("__read" | "__write", &[pointer]) => {
                let hit = self.has_accessed(name, pointer)?;
                // Only thread 1 logs; the value for thread 2 is never used.
                [hit; 2]
            }
            ("__read_offset_bytes" | "__write_offset_bytes", &[pointer]) => {
                let offset = self.watched_offset(pointer, ty);
                [offset; 2]
            }
            ("__ptr_base", &[pointer]) => [0, 1].map(|thread| {
                let tag = self.pointer(pointer, thread).tag;
                self.e().zero_extend(ty.width().unwrap_or(TAG_WIDTH), tag)
            }),
            ("__ptr_offset_bytes", &[pointer]) => [0, 1].map(|thread| self.pointer(pointer, thread).offset),
            (TAKEN, operands) => self.has_taken(operands)?,
            ("__anywhere", &[pointer]) => [0, 1].map(|thread| self.anywhere(pointer, ty, thread)),
            _ => return self.unsupported(format!("annotation {name}")),
        };
        Ok(Copies::Each(each.map(Lowered::Scalar)))
    }

    /// An arbitrary distance from a pointer to a byte of the array that it points into.
    fn anywhere(&mut self, pointer: Value, ty: Type, thread: usize) -> Expression {
        let width = ty.width().unwrap_or(self.kernel.pointer_bits);
        let arrays = self.array_name(pointer);
        let what = Unknown::Unmodelled(format!("where a function that is only specified accesses {arrays}"));
        let distance = self.unknown("distance", Sort::Bits(width), Some(thread), what);
        let PointerExpression { tag, offset } = self.pointer(pointer, thread);
        for &array in &self.facts.points_to[pointer].arrays {
            let Some(size) = self.kernel.arrays[array].size.filter(|&size| size > 0) else { continue };
            let number = self.e().number(TAG_WIDTH, u64::from(array.as_u32()));
            let here = self.e().equal(tag, number);
            let place = self.e().add(offset, distance);
            let size = self.e().number(width, size);
            let inside = self.e().compare(CompareOp::UnsignedLess, place, size);
            let inside = self.e().implies(here, inside);
            self.assume(inside, "it accesses what is there");
        }
        distance
    }

    /// Whether threads are active in the predecessors of a block; for a loop header, in those
    /// outside the loop.
    fn active_before(&mut self, block: Block) -> Result<[Expression; 2], Unsupported> {
        let before = self.facts.structure.predecessors[block].iter().copied();
        let before: Vec<Block> = before.filter(|&from| !self.facts.structure.is_back_edge(from, block)).collect();
        match before.as_slice() {
            &[single] => Ok([0, 1].map(|thread| self.active(single, thread))),
            _ => self.unsupported("__dominator_enabled where control comes from several places"),
        }
    }

    /// The sites at which an array is read or written.
    fn sites_of(&self, array: kernel::Array, reads: bool) -> Vec<Site> {
        let of_kind = |site: &Site| match self.program.sites[*site].kind {
            AccessKind::Read | AccessKind::AsyncRead => reads,
            AccessKind::Write | AccessKind::AsyncWrite => !reads,
            AccessKind::Atomic => true,
        };
        let sites = self.sites.by_access.iter().filter(|((_, of, _), _)| *of == array).map(|(_, &site)| site);
        let sites: BTreeSet<Site> = sites.filter(of_kind).collect();
        sites.into_iter().collect()
    }

    fn has_accessed(&mut self, name: &str, pointer: Value) -> Result<Expression, Unsupported> {
        let PointerExpression { tag, .. } = self.pointer(pointer, 0);
        let mut any = Vec::new();
        for &array in &self.facts.points_to[pointer].arrays {
            if !matches!(self.kernel.arrays[array].space, Space::Global | Space::Local) {
                return self.unsupported(format!("{name} of memory that is neither global nor local"));
            }
            let number = self.e().number(TAG_WIDTH, u64::from(array.as_u32()));
            let same = self.e().equal(tag, number);
            for site in self.sites_of(array, name == "__read") {
                let hit = self.program.sites[site].hit;
                let hit = self.e().variable(hit);
                any.push(self.e().and([same, hit]));
            }
        }
        Ok(self.e().or(any))
    }

    /// The offset in bytes of the watched cell; arbitrary for an array without accesses.
    fn watched_offset(&mut self, pointer: Value, ty: Type) -> Expression {
        let width = ty.width().unwrap_or(self.kernel.pointer_bits);
        let PointerExpression { tag, .. } = self.pointer(pointer, 0);
        let mut result = self.e().number(width, 0);
        for &array in &self.facts.points_to[pointer].arrays {
            let Some(state) = self.arrays.find(array) else { continue };
            let Some(checked) = state.checked else { continue };
            let watched = self.program.arrays[checked].watched;
            let watched = self.e().variable(watched);
            let factor = lockstep_ir::bits::Bits::new(state.offset_bits, state.cell_bytes);
            let bytes = self.e().scale(factor, watched);
            let bytes = if state.offset_bits > width {
                self.e().extract(width - 1, 0, bytes)
            } else {
                self.e().zero_extend(width, bytes)
            };
            let number = self.e().number(TAG_WIDTH, u64::from(array.as_u32()));
            let same = self.e().equal(tag, number);
            result = self.e().if_then_else(same, bytes, result);
        }
        result
    }
}
