//! Assertions about one thread by itself: its accesses stay inside their arrays, it dereferences no
//! null pointer, it writes no constant memory, and its assertions hold.
//!
//! The two threads of a program are interchangeable: no precondition orders their ids. So it is
//! enough to assert such a condition of thread 1 and to **assume** it of thread 2. Suppose that all
//! assertions hold and take an execution in which thread 2 is the first to violate a condition, at
//! some statement. With the threads exchanged, thread 1 violates the condition at the same
//! statement and every earlier assumption is met. So an assertion fails there or earlier, which
//! contradicts the supposition.
//!
//! For the same reason, two threads of different groups may assume it, and so may a thread that is
//! compared with its own copies. Each of them has been thread 1 of a pair in its own group or, if
//! it is alone in its group, of [`Pair::Alone`]. For this
//! reason, [`super::super::lower`] makes a program for such threads wherever the group size may be
//! one. (Groups of whole warps have more threads, and need none.)

use lockstep_invariants::ranges::Range;
use lockstep_ir::assumption::Assumed;
use lockstep_ir::kernel::{self, ArrayOrigin, SizedBy, Space};
use lockstep_ir::sequential::{BinaryOp, Claim, CompareOp, Expression, ObligationKind, Pair};
use lockstep_options::checks::Check;
use lockstep_options::launch::is_sized_by_launch;

use crate::analysis::accesses::{AccessShape, for_each_access};
use crate::lockstep::memory::arrays::ArrayState;
use crate::lockstep::memory::touch::{Extent, Touch};
use crate::lockstep::{Lowering, NULL, TAG_WIDTH};

/// The largest size of an array in bytes, as a power of two. Virtual addresses have at most 57 bits
/// on any host or device today, half of them for user programs.
pub const LARGEST: u32 = 56;

impl Lowering<'_> {
    /// Asserts of thread 1, and assumes of thread 2, a condition on every thread by itself.
    pub fn claim(&mut self, holds: [Expression; 2], kind: impl Fn(Option<usize>) -> ObligationKind) {
        let reason = "shown for each thread by itself";
        match self.pair {
            Pair::SameGroup if holds[0] == holds[1] => self.assert(holds[0], kind(None)),
            Pair::SameGroup => {
                self.assert(holds[0], kind(Some(0)));
                self.assume(holds[1], reason);
            }
            Pair::Alone => self.assert(holds[0], kind(None)),
            Pair::DifferentGroups | Pair::SameThread => {
                self.assume(holds[0], reason);
                self.assume(holds[1], reason);
            }
        }
    }

    /// Asserts a condition on which nothing rests: it is not assumed of any thread.
    fn claim_alone(&mut self, holds: [Expression; 2], kind: impl Fn(Option<usize>) -> ObligationKind) {
        match self.pair {
            Pair::SameGroup if holds[0] != holds[1] => self.assert(holds[0], kind(Some(0))),
            Pair::SameGroup | Pair::Alone => self.assert(holds[0], kind(None)),
            Pair::DifferentGroups | Pair::SameThread => {}
        }
    }

    /// Claims a condition if the check is on; otherwise assumes it, and the report says so.
    pub fn claim_if(&mut self, check: Check, claim: Claim, holds: [Expression; 2]) {
        if self.options.checks.has(check) {
            let kind = |thread| ObligationKind::Claim { claim, thread };
            return if claim.stands_alone() { self.claim_alone(holds, kind) } else { self.claim(holds, kind) };
        }
        if check.assumed_instead().is_some() {
            for condition in holds {
                self.assume(condition, "not checked (--no-check)");
            }
        }
    }

    /// Claims that the pointers are not null.
    pub fn check_null(&mut self, active: [Expression; 2], tags: [Expression; 2]) {
        let holds = [0, 1].map(|thread| {
            let null = self.e().number(TAG_WIDTH, NULL);
            let is_null = self.e().equal(tags[thread], null);
            let bad = self.e().and([active[thread], is_null]);
            self.e().not(bad)
        });
        self.claim_if(Check::Null, Claim::NullDereference, holds);
    }

    /// Claims that the access writes no constant memory.
    pub fn check_constant(&mut self, touch: &Touch, array: kernel::Array) {
        if self.kernel.arrays[array].space != Space::Constant {
            return;
        }
        if !self.shape(touch).is_some_and(|shape| shape.writes) {
            return;
        }
        let holds = [0, 1].map(|thread| {
            let accesses = self.accesses(touch, array, thread);
            self.e().not(accesses)
        });
        self.claim_if(Check::Constant, Claim::ConstantWrite, holds);
    }

    /// Claims that the access is aligned as its type requires, if its array is. Only the kernel's
    /// part counts: a pitch is taken to be a multiple if the host supplies one.
    pub fn check_alignment(&mut self, touch: &Touch) {
        let Some(shape) = self.shape(touch).filter(|_| self.options.checks.has(Check::Alignment)) else { return };
        if shape.alignment == 1 || matches!(touch.extent, Extent::Everything) {
            return;
        }
        for &array in &self.facts.points_to[shape.pointer].arrays {
            // Clang aligns the arrays that it lays out itself.
            let data = &self.kernel.arrays[array];
            let laid_out = matches!(data.origin, ArrayOrigin::Stack | ArrayOrigin::Aggregate);
            let natural = data.element.as_ref().map_or(u64::MAX, |element| 1 << element.bytes.trailing_zeros());
            if !laid_out && u64::from(shape.alignment) > natural {
                let most = self.alignments.entry(array).or_default();
                *most = shape.alignment.max(*most);
            }
        }
        if self.facts.divisors[shape.pointer].is_multiple_of(u64::from(shape.alignment)) {
            return;
        }
        if self.facts.divisors_of_ids[shape.pointer].is_multiple_of(u64::from(shape.alignment)) {
            self.list_here(Assumed::AlignedByArguments { bytes: shape.alignment });
            return;
        }
        let high = shape.alignment.trailing_zeros() - 1;
        let holds = [0, 1].map(|thread| {
            let e = self.e();
            let (low, zero) = (e.extract(high, 0, touch.offset[thread]), e.number(high + 1, 0));
            let aligned = e.equal(low, zero);
            e.implies(touch.active[thread], aligned)
        });
        if self.facts.points_to[shape.pointer].unknown {
            self.list_here(Assumed::LoadedPointerAligned);
            for condition in holds {
                self.assume(condition, "a pointer out of memory is aligned");
            }
            return;
        }
        self.claim_if(Check::Alignment, Claim::Alignment, holds);
    }

    /// Lists the alignments that accesses need of arrays' starts.
    pub fn list_alignments(&mut self) {
        for (&array, alignment) in &self.alignments {
            // Memory of library models is aligned as the models declare and access it.
            if self.kernel.arrays[array].origin == ArrayOrigin::Library {
                continue;
            }
            let name = self.kernel.arrays[array].name.clone();
            self.program.assumptions.add(Assumed::AlignedStart { name, bytes: *alignment }.everywhere());
        }
    }

    /// Claims that some thread can have written the shared memory that is read.
    pub fn check_initialised(&mut self, touch: &Touch, array: kernel::Array) {
        let (Some(written), Extent::Bytes(bytes)) =
            (self.of_pair.written.before(touch.instruction, array), touch.extent)
        else {
            return;
        };
        let holds = [0, 1].map(|thread| {
            let accesses = self.accesses(touch, array, thread);
            let offset = touch.offset[thread];
            let known = self.ranges.of(&self.program.expressions, offset);
            let reads_some = written.iter().map(|&(low, high)| {
                let touching = Range { low: i128::from(low) - i128::from(bytes) + 1, high: i128::from(high) - 1 };
                let surely = known.is_some_and(|known| known.within(touching));
                if surely { self.true_() } else { self.lies_within(offset, touching) }
            });
            let reads_some: Vec<Expression> = reads_some.collect();
            let e = self.e();
            let reads_some = e.or(reads_some);
            e.implies(accesses, reads_some)
        });
        self.claim_if(Check::Uninitialised, Claim::Initialised, holds);
    }

    /// The shape of the access.
    fn shape(&self, touch: &Touch) -> Option<AccessShape> {
        let data = &self.kernel.instructions[touch.instruction];
        let mut shapes = Vec::new();
        for_each_access(self.kernel, &data.operation, data.result, |shape| shapes.push(shape));
        shapes.into_iter().nth(touch.position)
    }

    /// Claims that the access stays inside an array of known size.
    ///
    /// The comparison uses cell numbers, not byte offsets. A byte offset may wrap around (`4 * i`
    /// for an `i` of 2^62) where the cell number shows that it did. So this claim does not need the
    /// assumption that address computations do not wrap.
    pub fn check_bounds(&mut self, touch: &Touch, array: kernel::Array) {
        let data = &self.kernel.arrays[array];
        let is_image = matches!(data.origin, ArrayOrigin::Image { .. });
        let has_size = (data.size.is_some() || data.sized_by.is_some()) && !is_image;
        if !has_size || !self.options.checks.has(Check::Bounds) {
            return self.assume_bounds(touch, array);
        }
        let (name, size) = (data.name.clone(), data.size);
        let holds = [0, 1].map(|thread| {
            let accesses = self.accesses(touch, array, thread);
            let inside = self.inside(touch, array, thread);
            self.e().implies(accesses, inside)
        });
        let state = self.arrays.get(array);
        let (cell_bytes, cell) = (state.cell_bytes, self.cell(touch, state, 0));
        self.claim(holds, |thread| ObligationKind::OutOfBounds {
            array: name.clone(),
            cells: size.map(|size| size / cell_bytes),
            cell_bytes,
            cell,
            thread,
            element: data.element.clone(),
        });
    }

    /// Assumes that the access stays inside its array, as far as this can be stated without knowing
    /// the array's size.
    fn assume_bounds(&mut self, touch: &Touch, array: kernel::Array) {
        let data = &self.kernel.arrays[array];
        self.list(if is_sized_by_launch(data) {
            Assumed::InsideDynamicShared { name: data.name.clone() }
        } else {
            Assumed::InsideUnknownSizes
        });
        for thread in [0, 1] {
            let Some(near) = self.reach(touch, array, thread) else { continue };
            let accesses = self.accesses(touch, array, thread);
            let holds = self.e().implies(accesses, near);
            self.assume(holds, "no array is larger than a device's memory");
            self.list(Assumed::LargestArray { exponent: LARGEST });
        }
    }

    /// A bound on the distance of a thread's first cell from the array's pointer: no more than any
    /// device's memory spans. `None` if the bound always holds, or if addresses are too narrow to
    /// tell.
    ///
    /// The bound matters for indices as wide as an address, for which nothing else excludes a
    /// wrap-around. In `for (size_t i = id; i < n; i += size)` the access to `a[i]` keeps `i` small
    /// enough for the next sum. A pointer may point into the middle of its array, so the distance
    /// may be negative.
    pub fn reach(&mut self, touch: &Touch, array: kernel::Array, thread: usize) -> Option<Expression> {
        let state = self.arrays.get(array);
        let data = &self.kernel.arrays[array];
        let image = matches!(data.origin, ArrayOrigin::Image { .. });
        let has_size = data.size.is_some() || data.sized_by.is_some();
        if has_size || image || state.offset_bits <= LARGEST || matches!(touch.extent, Extent::Everything) {
            return None;
        }
        let cells = (1_i128 << LARGEST) / i128::from(state.cell_bytes);
        let near = Range { low: -cells, high: cells - 1 };
        let cell = self.cell(touch, state, thread);
        let known = self.ranges.of(&self.program.expressions, cell);
        (!known.is_some_and(|known| known.within(near))).then(|| self.lies_within(cell, near))
    }

    /// `first cell + cells <= cells of the array`, written so that nothing wraps.
    fn inside(&mut self, touch: &Touch, array: kernel::Array, thread: usize) -> Expression {
        let state = self.arrays.get(array);
        let bits = state.offset_bits;
        let first = self.cell(touch, state, thread);
        let data = &self.kernel.arrays[array];
        if let Some(sized_by) = data.sized_by {
            let all = self.cells_of(sized_by, state);
            return self.inside_open(touch, state, thread, (first, all));
        }
        let all = data.size.unwrap_or(0) / state.cell_bytes;
        let cells = match touch.extent {
            Extent::Everything => return self.true_(),
            Extent::Bytes(bytes) => (bytes / state.cell_bytes).max(1),
            // Cells of such arrays are single bytes.
            Extent::Dynamic(lengths) => {
                let length = self.e().zero_extend(bits, lengths[thread]);
                let all = self.e().number(bits, all);
                let short = self.e().compare(CompareOp::UnsignedLessEqual, length, all);
                let rest = self.e().subtract(all, length);
                let before = self.e().compare(CompareOp::UnsignedLessEqual, first, rest);
                return self.e().and([short, before]);
            }
        };
        let Some(last) = all.checked_sub(cells) else { return self.e().boolean(false) };
        let last = self.e().number(bits, last);
        self.e().compare(CompareOp::UnsignedLessEqual, first, last)
    }

    /// The cells of an array whose size is a number of units. A rest of the last one counts as
    /// outside, and the product does not wrap.
    fn cells_of(&mut self, SizedBy { parameter, unit }: SizedBy, state: ArrayState) -> Expression {
        let units = self.parameter(parameter, kernel::Type::Bits(self.kernel.pointer_bits));
        let (bits, cell_bytes) = (state.offset_bits, state.cell_bytes);
        let scaled = |lowering: &mut Self, by: u64| {
            let by = lowering.e().number(bits, by);
            lowering.e().multiply(units, by)
        };
        if unit.is_multiple_of(cell_bytes) {
            return scaled(self, unit / cell_bytes);
        }
        let bytes = scaled(self, unit);
        let cell_bytes = self.e().number(bits, cell_bytes);
        self.e().binary(BinaryOp::UnsignedDivide, bytes, cell_bytes)
    }

    /// As [`Self::inside`], for an array of `all` cells and an access from the cell `first` on.
    fn inside_open(
        &mut self,
        touch: &Touch,
        state: ArrayState,
        thread: usize,
        (first, all): (Expression, Expression),
    ) -> Expression {
        let bits = state.offset_bits;
        let cells = match touch.extent {
            Extent::Everything => return self.true_(),
            Extent::Bytes(bytes) if bytes <= state.cell_bytes => {
                return self.e().compare(CompareOp::UnsignedLess, first, all);
            }
            Extent::Bytes(bytes) => self.e().number(bits, bytes / state.cell_bytes),
            // Cells of such arrays are single bytes.
            Extent::Dynamic(lengths) => self.e().zero_extend(bits, lengths[thread]),
        };
        let fits = self.e().compare(CompareOp::UnsignedLessEqual, cells, all);
        let rest = self.e().subtract(all, cells);
        let before = self.e().compare(CompareOp::UnsignedLessEqual, first, rest);
        self.e().and([fits, before])
    }
}
