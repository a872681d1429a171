//! Memory operations: they touch arrays, and a load returns a value.
//!
//! For each array the pointer may point into there is one site
//! ([`super::super::instrument::sites`]). The logging and checking at a site is in
//! [`super::super::instrument::races`], the cells of an access in [`super::touch`], the contents of
//! memory in [`super::contents`].

use lockstep_ir::kernel::{self, Access, AtomicOp, Block, ConvertOp, Instruction, Operation, Type, Value};
use lockstep_ir::sequential::{Copies, Expression, Role, Sort, Unknown};

use crate::analysis::accesses::byte_width;
use crate::lockstep::instrument::sites::stored_bits;
use crate::lockstep::memory::arrays::Contents;
use crate::lockstep::memory::touch::Extent;
use crate::lockstep::{Lowered, Lowering, PointerExpression, TAG_WIDTH, Unsupported};

impl Lowering<'_> {
    pub fn memory(
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
                    if *op != AtomicOp::Load {
                        self.draw(block, access.pointer, &touch, result);
                        self.take(access.pointer, &touch, result);
                    }
                }
                self.signal_operation(block, instruction, &touch);
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
        let never_written = |array: &kernel::Array| {
            matches!(self.arrays.get(*array).contents, Contents::Function(_)) && !self.kernel.arrays[*array].volatile
        };
        let known = match ty {
            // Equal bits in such memory are equal pointers.
            Type::Pointer(_) if !self.facts.points_to[access.pointer].arrays.iter().all(never_written) => None,
            _ if access.volatile && !self.facts.points_to[access.pointer].are_private(self.kernel) => None,
            _ => self.known_contents(instruction, access.pointer, bytes),
        };
        let name = self.array_name(access.pointer);
        if known.is_none() {
            self.unknown_result(result, Unknown::Load(name));
            self.read_from_leader(instruction, result);
            self.signal_operation(block, instruction, &touch);
            return;
        }
        let uniform = self.of_pair.uniformity.value(result);
        let fixed = self.facts.points_to[access.pointer]
            .arrays
            .iter()
            .all(|&array| matches!(self.arrays.get(array).contents, Contents::Function(_)));
        let variable_name = self.name_of(result, "loaded");
        let value = self.copies(uniform, |this, thread| {
            let bits = this.read_contents(access.pointer, &touch, thread, bytes);
            // Memory changes; the loaded value does not.
            let copy = (!uniform).then_some(thread);
            if let Type::Pointer(_) = ty {
                return this.pointer_of_bits(bits, ty);
            }
            let value = this.bits_as_value(bits, ty);
            Lowered::Scalar(if fixed { value } else { this.keep(value, &variable_name, copy) })
        });
        self.values[result] = Some(value);
        self.read_from_leader(instruction, result);
        let targets = &self.facts.points_to[access.pointer];
        let is_plain = fixed && !targets.null && !targets.unknown && !targets.elsewhere;
        if let (true, &[array]) = (is_plain, targets.arrays.iter().copied().collect::<Vec<_>>().as_slice()) {
            let values = value.map(|value| match value {
                Lowered::Scalar(value) => Some(value),
                Lowered::Pointer(_) => None,
            });
            for thread in [0, 1] {
                if let Some(value) = *values.of(thread) {
                    self.assume_read_within(array, touch.active[thread], value);
                }
            }
        }
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
        self.signal_operation(block, instruction, &touch);
    }

    /// Lets a load return what the leader of each thread's group has stored for it.
    fn read_from_leader(&mut self, instruction: Instruction, result: Value) {
        let Some(stored) = self.broadcast(instruction) else { return };
        let value = Copies::Each([0, 1].map(|thread| {
            let (led, value) = stored[thread];
            let otherwise = *self.lowered(result).of(thread);
            self.choose(led, Lowered::Scalar(value), otherwise)
        }));
        self.values[result] = Some(value);
    }

    /// The pointer with some bits, in memory that nobody writes. It is unknown, but equal bits are
    /// equal pointers.
    fn pointer_of_bits(&mut self, bits: Expression, ty: Type) -> Lowered {
        let Type::Pointer(space) = ty else { panic!("{ty} is no pointer") };
        let e = self.e();
        let (sort, width) = (e.sort(bits), e.width(bits));
        let array = e.add_function(&format!("array_at_{space}_address"), vec![sort], Sort::Bits(TAG_WIDTH));
        let offset = e.add_function(&format!("offset_at_{space}_address"), vec![sort], Sort::Bits(width));
        let pointer = PointerExpression { tag: e.apply(array, vec![bits]), offset: e.apply(offset, vec![bits]) };
        self.assume_of_space(pointer.tag, ty);
        Lowered::Pointer(pointer)
    }

    /// The current value of an expression, in a variable of its own.
    pub fn keep(&mut self, value: Expression, name: &str, thread: Option<usize>) -> Expression {
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

    pub fn array_name(&self, pointer: Value) -> String {
        let names: Vec<&str> =
            self.facts.points_to[pointer].arrays.iter().map(|&array| self.kernel.arrays[array].name.as_str()).collect();
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

    pub fn bits_as_value(&mut self, bits: Expression, ty: Type) -> Expression {
        let width = ty.width().expect("pointers are not read from known contents");
        let narrow = self.e().extract(width - 1, 0, bits);
        if ty == Type::Bool { self.convert(ConvertOp::Truncate, Type::Bits(1), Type::Bool, narrow) } else { narrow }
    }
}
