//! Instrument: what a memory access logs, checks and returns.
//!
//! For each array the pointer may point into there is one site. Thread 1 **logs**: if it is active and
//! touches the watched cell, the site's hit becomes true, together with what it wrote and the values
//! of the changing variables at that moment. In a loop a fresh Boolean decides whether this access becomes
//! the hit, so that the hit is *any* of the matching accesses (DESIGN 2.2): a thread that writes 1 and then 2
//! to a cell races with one that writes 2. Outside of loops a site is executed once and the choice is not needed.
//! Thread 2 **checks**: for each conflicting site whose hit may be true here (those earlier in the
//! program, itself, and those that share a loop), it must not touch the watched cell. That only thread 1 logs loses
//! nothing, since the two threads are interchangeable: no precondition orders their ids.
//!
//! An access of several cells touches all of them: the watched cell lies in its range.
//!
//! Writes of equal values do not race unless asked for: compared is what both put into the watched cell,
//! for plain writes only.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{self, Access, AtomicOp, Block, ConvertOp, Instruction, Operation, Space, Type, Value};
use lockstep_ir::sequential::{
    CompareOp, Copies, Expression, ObligationKind, Recorded, Role, Site, Sort, Unknown, Variable,
};

use super::arrays::{ArrayState, Contents};
use super::sites::{Conflict, stored_bits};
use super::{Lowered, Lowering, TAG_WIDTH, Unsupported};
use crate::analysis::accesses::byte_width;

/// The most cells that one access may read from or write to a map, before its contents are given up.
const MAX_MAP_CELLS: u64 = 64;

/// One access of an instruction, for both threads.
pub(super) struct Touch {
    pub instruction: Instruction,
    /// Which of the instruction's accesses.
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

/// How far an access reaches.
#[derive(Clone, Copy)]
pub(super) enum Extent {
    /// This many bytes.
    Bytes(u64),
    /// A run-time number of bytes, per thread.
    Dynamic([Expression; 2]),
    /// The whole array.
    Everything,
}

/// Which contents of a shared array are seen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// What a load sees where it stands.
    Load,
    /// What the array held at the last barrier.
    Barrier,
    /// A thread's own copy.
    Own,
}

impl Lowering<'_> {
    pub(super) fn memory(
        &mut self,
        block: Block,
        instruction: Instruction,
        operation: &Operation,
        result: Option<Value>,
    ) -> Result<(), Unsupported> {
        match operation {
            Operation::Load(access) => self.load(block, instruction, access, result),
            Operation::Store(access, value) => self.store(block, instruction, access, *value),
            Operation::Atomic { access, op, operands, .. } => {
                let ty = result.map(|result| self.kernel.ty(result)).or(operands.first().map(|&v| self.kernel.ty(v)));
                let bytes = ty.map_or(4, |ty| byte_width(self.kernel, ty));
                let touch = self.touch(block, instruction, 0, access.pointer, Extent::Bytes(bytes));
                self.race_check(access.pointer, &touch);
                if *op != AtomicOp::Load {
                    self.written_contents(access.pointer, &touch, None);
                }
                if let Some(result) = result {
                    let name = self.array_name(access.pointer);
                    self.unknown_result(result, Unknown::Atomic(name));
                }
            }
            Operation::MemoryCopy { to, from, bytes } => {
                let lengths = [0, 1].map(|thread| self.scalar(*bytes, thread));
                let read = self.touch(block, instruction, 0, from.pointer, Extent::Dynamic(lengths));
                self.race_check(from.pointer, &read);
                let written = self.touch(block, instruction, 1, to.pointer, Extent::Dynamic(lengths));
                self.race_check(to.pointer, &written);
                self.written_contents(to.pointer, &written, None);
            }
            Operation::MemorySet { to, bytes, .. } => {
                let lengths = [0, 1].map(|thread| self.scalar(*bytes, thread));
                let written = self.touch(block, instruction, 0, to.pointer, Extent::Dynamic(lengths));
                self.race_check(to.pointer, &written);
                self.written_contents(to.pointer, &written, None);
            }
            Operation::ImageRead { image, coordinates } => {
                let touch = self.image_touch(block, instruction, *image, coordinates);
                self.race_check(*image, &touch);
                if let Some(result) = result {
                    let name = self.array_name(*image);
                    self.unknown_result(result, Unknown::Unmodelled(format!("a pixel of {name}")));
                }
            }
            Operation::ImageWrite { image, coordinates, .. } => {
                let touch = self.image_touch(block, instruction, *image, coordinates);
                self.race_check(*image, &touch);
                self.written_contents(*image, &touch, None);
            }
            other => return self.unsupported(format!("{other:?}")),
        }
        Ok(())
    }

    fn load(&mut self, block: Block, instruction: Instruction, access: &Access, result: Option<Value>) {
        let Some(result) = result else { return };
        let ty = self.kernel.ty(result);
        let bytes = byte_width(self.kernel, ty);
        let touch = self.touch(block, instruction, 0, access.pointer, Extent::Bytes(bytes));
        self.race_check(access.pointer, &touch);
        if matches!(ty, Type::Pointer(_)) && self.follows_pointers(access.pointer) {
            return self.load_pointer(&touch, access.pointer, result);
        }
        let known = match ty {
            Type::Pointer(_) => None,
            _ if access.volatile && !self.is_private(access.pointer) => None,
            _ => self.known_contents(instruction, access.pointer, bytes),
        };
        let name = self.array_name(access.pointer);
        if known.is_none() {
            return self.unknown_result(result, Unknown::Load(name));
        }
        let uniform = self.uniformity.value(result);
        let fixed = self.points_to[access.pointer]
            .arrays
            .iter()
            .all(|&array| matches!(self.arrays.get(array).contents, Contents::Function(_)));
        let variable_name = self.name_of(result, "loaded");
        let value = self.copies(uniform, |this, thread| {
            let bits = this.read_contents(access.pointer, &touch, thread, bytes);
            let value = this.bits_as_value(bits, ty);
            // Memory changes; the value that was loaded does not.
            let copy = (!uniform).then_some(thread);
            Lowered::Scalar(if fixed { value } else { this.keep(value, &variable_name, copy) })
        });
        self.values[result] = Some(value);
    }

    fn store(&mut self, block: Block, instruction: Instruction, access: &Access, value: Value) {
        let ty = self.kernel.ty(value);
        let bytes = byte_width(self.kernel, ty);
        let mut touch = self.touch(block, instruction, 0, access.pointer, Extent::Bytes(bytes));
        let bits = [0, 1].map(|thread| self.value_as_bits(value, ty, thread));
        touch.value = Some(bits);
        self.race_check(access.pointer, &touch);
        self.written_contents(access.pointer, &touch, Some(bits));
        self.written_pointers(access.pointer, &touch, value);
    }

    fn is_private(&self, pointer: Value) -> bool {
        self.points_to[pointer].arrays.iter().all(|&array| self.kernel.arrays[array].space == Space::Private)
    }

    /// The present value of an expression, in a variable of its own.
    pub(super) fn keep(&mut self, value: Expression, name: &str, thread: Option<usize>) -> Expression {
        let sort = self.e().sort(value);
        let name = match thread {
            Some(thread) => format!("{name}${}", thread + 1),
            None => name.to_owned(),
        };
        let variable = self.e().add_variable(&name, sort, thread, Role::Value);
        self.homes[variable] = self.open_loops.last().map(|open| open.loop_);
        self.assign(variable, value);
        self.e().variable(variable)
    }

    fn unknown_result(&mut self, result: Value, unknown: Unknown) {
        let ty = self.kernel.ty(result);
        let name = self.name_of(result, "loaded");
        let value = Copies::Each([0, 1].map(|thread| self.arbitrary_value(ty, &name, Some(thread), unknown.clone())));
        self.values[result] = Some(value);
    }

    pub(super) fn array_name(&self, pointer: Value) -> String {
        let names: Vec<&str> =
            self.points_to[pointer].arrays.iter().map(|&array| self.kernel.arrays[array].name.as_str()).collect();
        names.join(" or ")
    }

    fn value_as_bits(&mut self, value: Value, ty: Type, thread: usize) -> Expression {
        let bits = stored_bits(self.kernel, ty);
        match *self.lowered(value).of(thread) {
            Lowered::Scalar(expression) if ty == Type::Bool => {
                self.convert(ConvertOp::ZeroExtend, Type::Bool, Type::Bits(bits), expression)
            }
            Lowered::Scalar(expression) => self.e().zero_extend(bits, expression),
            Lowered::Pointer(_) => {
                let width = self.kernel.pointer_bits;
                self.address(value, thread, Type::Bits(width))
            }
        }
    }

    pub(super) fn bits_as_value(&mut self, bits: Expression, ty: Type) -> Expression {
        let width = ty.width().expect("pointers are not read from known contents");
        let narrow = self.e().extract(width - 1, 0, bits);
        if ty == Type::Bool { self.convert(ConvertOp::Truncate, Type::Bits(1), Type::Bool, narrow) } else { narrow }
    }

    // --- Touching -----------------------------------------------------------------------------------

    pub(super) fn touch(
        &mut self,
        block: Block,
        instruction: Instruction,
        position: usize,
        pointer: Value,
        extent: Extent,
    ) -> Touch {
        let active = [self.active(block, 0), self.active(block, 1)];
        let pointers = [self.pointer(pointer, 0), self.pointer(pointer, 1)];
        if self.points_to[pointer].null {
            self.check_null(active, pointers.map(|pointer| pointer.tag));
        } else if self.points_to[pointer].unknown {
            let line = self.location.map_or(0, |location| self.kernel.locations[location].line);
            self.program.assume_listed(format!(
                "the pointer through which line {line} accesses memory, and which comes out of memory, is not null"
            ));
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

    fn image_touch(&mut self, block: Block, instruction: Instruction, image: Value, coordinates: &[Value]) -> Touch {
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
    pub(super) fn accesses(&mut self, touch: &Touch, array: kernel::Array, thread: usize) -> Expression {
        let number = self.e().number(TAG_WIDTH, u64::from(array.as_u32()));
        let same = self.e().equal(touch.tag[thread], number);
        self.e().and([touch.active[thread], same])
    }

    /// The first cell a thread touches.
    pub(super) fn cell(&mut self, touch: &Touch, state: ArrayState, thread: usize) -> Expression {
        let offset = touch.offset[thread];
        let width = self.e().width(offset);
        let offset = if width < state.offset_bits { self.e().zero_extend(state.offset_bits, offset) } else { offset };
        self.divide(offset, state.cell_bytes)
    }

    /// `offset / divisor` for a power of two, exact where the sum's coefficients are multiples of it: address
    /// computations do not wrap (a listed assumption).
    pub(super) fn divide(&mut self, offset: Expression, divisor: u64) -> Expression {
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
    fn touches(&mut self, touch: &Touch, state: ArrayState, cell: Expression, thread: usize) -> Expression {
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

    // --- Races --------------------------------------------------------------------------------------

    /// Logs for thread 1 and checks for thread 2, for each array the pointer may point into.
    pub(super) fn race_check(&mut self, pointer: Value, touch: &Touch) {
        let arrays: Vec<kernel::Array> = self.points_to[pointer].arrays.iter().copied().collect();
        for array in arrays {
            self.check_constant(touch, array);
            self.check_bounds(touch, array);
            let Some(&site) = self.sites.by_access.get(&(touch.instruction, array, touch.position)) else { continue };
            self.log(site, touch, array);
            self.check(site, touch, array);
        }
    }

    fn watched(&mut self, site: Site) -> Expression {
        let array = self.program.sites[site].array;
        let watched = self.program.arrays[array].watched;
        self.e().variable(watched)
    }

    pub(super) fn log(&mut self, site: Site, touch: &Touch, array: kernel::Array) {
        let state = self.arrays.get(array);
        let watched = self.watched(site);
        let accesses = self.accesses(touch, array, 0);
        let touches = self.touches(touch, state, watched, 0);
        self.describe_site(site, touch, array, accesses, touches);
        let mut hit_now = self.e().and([accesses, touches]);
        if self.e().as_boolean(hit_now) == Some(false) {
            return;
        }
        if !self.program.sites[site].loops.is_empty() {
            let choice = self.unknown(&format!("track.{}", site.as_u32()), Sort::Boolean, None, Unknown::Choice);
            hit_now = self.e().and([hit_now, choice]);
        }
        self.name_hit(site, hit_now, touches);
        let recorded = self.recorded(site, accesses, touches);
        for one in recorded {
            let now = self.e().variable(one.original);
            self.assign_if(hit_now, one.recorded, now);
        }
        if let (Some(written), Some(values)) = (self.program.sites[site].written, touch.value) {
            let value = self.cell_of(values[0], touch, state, watched, 0);
            self.assign_if(hit_now, written, value);
        }
        if let Some(place) = self.sites.states[site].as_ref().and_then(|state| state.place) {
            let first = self.cell(touch, state, 0);
            let distance = self.e().subtract(watched, first);
            self.assign_if(hit_now, place, distance);
        }
        let event = self.sites.states[site].as_ref().and_then(|state| state.event);
        if let (Some(variable), Some(event)) = (event, touch.event) {
            self.assign_if(hit_now, variable, event);
        }
        let hit = self.program.sites[site].hit;
        let before = self.e().variable(hit);
        let after = self.e().or([before, hit_now]);
        self.assign(hit, after);
    }

    pub(super) fn assign_if(&mut self, condition: Expression, variable: Variable, value: Expression) {
        let old = self.e().variable(variable);
        let new = self.e().if_then_else(condition, value, old);
        self.assign(variable, new);
    }

    fn describe_site(
        &mut self,
        site: Site,
        touch: &Touch,
        array: kernel::Array,
        accesses: Expression,
        touches: Expression,
    ) {
        let state = self.arrays.get(array);
        let offset = Copies::Each([0, 1].map(|thread| self.cell(touch, state, thread)));
        self.name_cells(offset);
        let other = self.accesses(touch, array, 1);
        let mut conditions = vec![touches];
        match self.e().node(accesses).clone() {
            lockstep_ir::sequential::Node::And(parts) => conditions.extend(parts.iter()),
            _ => conditions.push(accesses),
        }
        conditions.extend(self.promised_at(touch, &[accesses, touches]));
        if let Some(place) = self.sites.states[site].as_ref().and_then(|state| state.place) {
            let watched = self.watched(site);
            let first = self.cell(touch, state, 0);
            let (place, distance) = (self.e().variable(place), self.e().subtract(watched, first));
            conditions.push(self.e().equal(place, distance));
        }
        let known = self.sites.states[site].as_mut().expect("declared");
        known.conditions = conditions;
        known.offset = Some(offset);
        known.active = Some(Copies::Each([accesses, other]));
    }

    /// The variables to record with a hit: those in its conditions that change in a loop around the site, and
    /// the loops' counters.
    fn recorded(&mut self, site: Site, accesses: Expression, touches: Expression) -> Vec<Recorded> {
        let loops = self.program.sites[site].loops.clone();
        if loops.is_empty() {
            return Vec::new();
        }
        let mut originals: Vec<Variable> = loops.iter().map(|&loop_| self.program.loops[loop_].counter).collect();
        let e = &self.program.expressions;
        let mut pending = vec![accesses, touches];
        let mut seen = 0;
        // The initial values of a loop's variables may mention those of the loops around it.
        while seen < pending.len() {
            let expression = pending[seen];
            seen += 1;
            let mut found = Vec::new();
            e.for_each_variable(expression, |variable| found.push(variable));
            found.sort_unstable();
            for variable in found {
                // Memory may change anywhere; everything else where it is assigned.
                let changes = e.variables()[variable].role == Role::Contents
                    || self.homes[variable].is_some_and(|home| loops.contains(&home));
                if !changes || originals.contains(&variable) {
                    continue;
                }
                originals.push(variable);
                pending.extend(self.initial_value(variable));
            }
        }
        let mut recorded = Vec::new();
        for original in originals {
            let data = self.program.expressions.variables()[original].clone();
            let stem = data.name.split('$').next().unwrap_or(&data.name).to_owned();
            let name = format!("{stem}.at.{}$1", site.as_u32());
            let variable = self.e().add_variable(&name, data.sort, Some(0), Role::Recorded(site));
            recorded.push(Recorded { original, recorded: variable });
        }
        self.sites.states[site].as_mut().expect("declared").recorded.clone_from(&recorded);
        recorded
    }

    pub(super) fn check(&mut self, site: Site, touch: &Touch, array: kernel::Array) {
        let state = self.arrays.get(array);
        let watched = self.watched(site);
        let accesses = self.accesses(touch, array, 1);
        let touches = self.touches(touch, state, watched, 1);
        let here = self.e().and([accesses, touches]);
        let loops = self.program.sites[site].loops.clone();
        for other in self.program.sites.keys() {
            let shares_loop = self.program.sites[other].loops.iter().any(|loop_| loops.contains(loop_));
            let conflict = self.sites_conflict(other, site);
            if conflict == Conflict::Never || (other > site && !shares_loop) {
                continue;
            }
            let hit = self.program.sites[other].hit;
            let hit = self.e().variable(hit);
            let mut race = vec![hit, here];
            if let Conflict::UnlessAt(place) = conflict {
                let first = self.cell(touch, state, 1);
                let mine = self.e().subtract(watched, first);
                let theirs = self.e().variable(place);
                let same = self.e().equal(mine, theirs);
                race.push(self.e().not(same));
            }
            if let (Some(written), Some(values)) = (self.program.sites[other].written, touch.value)
                && self.program.sites[site].written.is_some()
            {
                let mine = self.cell_of(values[1], touch, state, watched, 1);
                let theirs = self.e().variable(written);
                let same = self.e().equal(mine, theirs);
                race.push(self.e().not(same));
                self.program.assume_listed("two writes of the same value to the same cell are no race");
            }
            let race = self.e().and(race);
            let good = self.e().not(race);
            self.assert(good, ObligationKind::Race { logged: other, checked: site });
        }
    }

    /// What a write of `value` puts into the watched cell.
    fn cell_of(
        &mut self,
        value: Expression,
        touch: &Touch,
        state: ArrayState,
        watched: Expression,
        thread: usize,
    ) -> Expression {
        let width = u32::try_from(8 * state.cell_bytes).expect("cells are small");
        let cells = self.e().width(value) / width;
        let first = self.cell(touch, state, thread);
        let mut result = self.e().extract(width - 1, 0, value);
        for cell in 1..cells {
            let index = self.e().number(state.offset_bits, u64::from(cell));
            let at = self.e().add(first, index);
            let here = self.e().equal(watched, at);
            let part = self.e().extract((cell + 1) * width - 1, cell * width, value);
            result = self.e().if_then_else(here, part, result);
        }
        result
    }

    // --- Contents -----------------------------------------------------------------------------------

    /// Whether loads of this many bytes through a pointer return something known.
    fn known_contents(&self, instruction: Instruction, pointer: Value, bytes: u64) -> Option<()> {
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

    fn read_contents(&mut self, pointer: Value, touch: &Touch, thread: usize, bytes: u64) -> Expression {
        self.read_contents_from(pointer, touch, [thread; 2], bytes, View::Load)
    }

    /// What a load would return; see [`View`]. The first thread is the one whose address it is, the second the one whose copy of
    /// the array is seen.
    pub(super) fn read_contents_from(
        &mut self,
        pointer: Value,
        touch: &Touch,
        threads: [usize; 2],
        bytes: u64,
        view: View,
    ) -> Expression {
        let arrays: Vec<kernel::Array> = self.points_to[pointer].arrays.iter().copied().collect();
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

    fn read_array(
        &mut self,
        touch: &Touch,
        array: kernel::Array,
        threads: [usize; 2],
        bytes: u64,
        view: View,
    ) -> Expression {
        let state = self.arrays.get(array);
        let first = self.cell(touch, state, threads[0]);
        let map = match state.contents {
            Contents::Function(variable) => variable,
            Contents::Shared { at_barrier, .. } if view == View::Barrier => at_barrier,
            Contents::Shared { at_barrier, .. }
                if view == View::Load && self.intervals.clean(touch.instruction, array) =>
            {
                at_barrier
            }
            Contents::Shared { own: Some(variables), .. } | Contents::Private(variables) => variables[threads[1]],
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
