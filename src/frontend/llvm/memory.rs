//! Arrays, pointers and accesses.
//!
//! A load or store of a vector or struct is one access of its whole width, as the hardware's is: the lanes are cut from
//! or joined to one bit-vector, lane 0 in the low bits. Structs that contain pointers are accessed field by
//! field, since a pointer has no bits here.

use inkwell::llvm_sys::core as c;
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp as RmwOp};
use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{
    Access, Array, ArrayData, ArrayOrigin, AtomicOp, BinaryOp, CompareOp, ConvertOp, Operation, Ordering, Scope, Space,
    SpaceSet, Type, UnaryOp, Value,
};

use super::kernels::Importer;
use super::raw::{LType, LValue, TypeKind, ValueKind};
use super::types::{self, Leaf, Unreadable};
use super::values;
use crate::frontend::builder::Lanes;

/// So many operations are looked through between a pointer's address and a pointer made from it.
const MOST_ADDRESS_STEPS: usize = 8;

impl Importer<'_> {
    /// A thread's own variable.
    pub fn alloca(&mut self, instruction: LValue) -> Result<Lanes, Unreadable> {
        // SAFETY: the caller has seen that it is an alloca.
        let ty = LType(unsafe { c::LLVMGetAllocatedType(instruction.0) });
        let count = instruction.operands().first().and_then(|count| count.small_constant());
        let count = count.ok_or("array of variable length")?;
        if self.block != self.kernel.entry {
            return Err("variable that is allocated where it is reached".into());
        }
        let space = types::space(instruction.ty().address_space())?;
        let bytes = types::allocation_bytes(ty, self.layout, self.kernel.pointer_bits);
        let declared = self.debug.variable(instruction);
        let name = match declared.name {
            Some(name) => name,
            None => super::debug::source_name(&instruction.name()),
        };
        let location = self.debug.variable_location(instruction, &mut self.kernel);
        let array = self.kernel.arrays.push(ArrayData {
            name,
            space: Space::Private,
            origin: ArrayOrigin::Stack,
            element: declared.element,
            size: bytes.checked_mul(count),
            contents: None,
            volatile: declared.volatile,
            restrict: false,
            location,
        });
        if space != Space::Private {
            return Err(format!("variable {} outside private memory", instruction.name()));
        }
        Ok(vec![self.builder().append(Operation::ArrayBase(array), Type::Pointer(space))])
    }

    /// The array of a global variable.
    pub fn global(&mut self, global: LValue) -> Result<Array, Unreadable> {
        if let Some(array) = self.globals.get(&global) {
            return Ok(*array);
        }
        let ty = global.global_type();
        let space = types::space(global.ty().address_space())?;
        let full_name = global.name();
        if matches!(space, Space::Private | Space::Generic) {
            return Err(format!("variable {full_name} at program scope in private memory"));
        }
        let declared = self.debug.global(global);
        let size = types::allocation_bytes(ty, self.layout, self.kernel.pointer_bits);
        let array = ArrayData {
            // Clang names a variable of a function `function.variable`.
            name: declared.name.unwrap_or_else(|| full_name.rsplit('.').next().unwrap_or_default().to_owned()),
            space,
            origin: ArrayOrigin::Variable,
            element: declared.element,
            size: (!global.is_declaration()).then_some(size),
            contents: initial_bytes(global, size, self.layout).filter(|_| space == Space::Constant),
            volatile: declared.volatile,
            restrict: false,
            location: self.debug.global_location(global, &mut self.kernel),
        };
        let array = self.kernel.arrays.push(array);
        self.globals.insert(global, array);
        Ok(array)
    }

    // --- Pointers -------------------------------------------------------------------------------------

    /// `getelementptr`: a byte offset from the pointer.
    pub fn element_pointer(&mut self, instruction: LValue) -> Result<Lanes, Unreadable> {
        if !matches!(instruction.ty().kind(), TypeKind::LLVMPointerTypeKind) {
            return Err("vector of pointers".into());
        }
        // SAFETY: the caller has seen that it is a getelementptr.
        let (mut ty, in_bounds) =
            unsafe { (LType(c::LLVMGetGEPSourceElementType(instruction.0)), c::LLVMIsInBounds(instruction.0) != 0) };
        let operands = instruction.operands();
        let pointer = self.scalar(operands[0])?;
        let mut offset = Offset::new(self.kernel.pointer_bits);
        for (position, index) in operands.iter().enumerate().skip(1) {
            if position == 1 {
                offset.add(self, *index, types::allocation_bytes(ty, self.layout, self.kernel.pointer_bits))?;
                continue;
            }
            match ty.kind() {
                TypeKind::LLVMStructTypeKind => {
                    let field = index.small_constant().and_then(|field| u32::try_from(field).ok());
                    let field = field.ok_or("struct field that is not constant")?;
                    offset.add_constant(self.layout.field_offset(ty, field));
                    ty = ty.fields()[field as usize];
                }
                TypeKind::LLVMVectorTypeKind => {
                    ty = ty.element();
                    offset.add(self, *index, self.layout.store_bytes(ty))?;
                }
                _ => {
                    ty = ty.element();
                    offset.add(self, *index, types::allocation_bytes(ty, self.layout, self.kernel.pointer_bits))?;
                }
            }
        }
        let Some(offset) = offset.finish(self) else { return Ok(vec![pointer]) };
        let ty = self.kernel.ty(pointer);
        Ok(vec![self.builder().append(Operation::PointerAdd { pointer, offset, in_bounds }, ty)])
    }

    /// `addrspacecast`.
    pub fn space_cast(&mut self, operand: LValue, ty: LType) -> Result<Lanes, Unreadable> {
        let types = self.lanes(ty)?;
        let lanes = self.operand(operand)?;
        let cast = |(lane, ty)| match self.kernel.operation(lane) {
            _ if self.kernel.ty(lane) == ty => lane,
            Some(Operation::Null) => self.builder().append(Operation::Null, ty),
            _ => self.builder().append(Operation::SpaceCast(lane), ty),
        };
        Ok(lanes.into_iter().zip(types).map(cast).collect())
    }

    /// `ptrtoint`.
    pub fn pointer_to_integer(&mut self, operand: LValue, ty: LType) -> Result<Lanes, Unreadable> {
        let types = self.lanes(ty)?;
        let lanes = self.operand(operand)?;
        let address = self.kernel.offset_type();
        let convert = |(lane, ty): (Value, Type)| {
            let mut builder = self.builder();
            let number = builder.append(Operation::PointerToInteger(lane), address);
            let op = if ty.width() < address.width() { ConvertOp::Truncate } else { ConvertOp::ZeroExtend };
            builder.convert(op, number, ty)
        };
        Ok(lanes.into_iter().zip(types).map(convert).collect())
    }

    /// `inttoptr`.
    pub fn integer_to_pointer(&mut self, operand: LValue, ty: LType) -> Result<Lanes, Unreadable> {
        let types = self.lanes(ty)?;
        let lanes = self.operand(operand)?;
        let convert = |(lane, ty): (Value, Type)| match self.kernel.operation(lane) {
            // There and back again is the same pointer.
            Some(Operation::PointerToInteger(pointer)) if self.kernel.ty(*pointer) == ty => *pointer,
            Some(Operation::Constant(bits)) if bits.is_zero() => self.builder().append(Operation::Null, ty),
            _ => self.shifted_pointer(lane, ty).unwrap_or_else(|| {
                let number = self.unsigned_offset(lane);
                self.builder().append(Operation::IntegerToPointer(number), ty)
            }),
        };
        Ok(lanes.into_iter().zip(types).map(convert).collect())
    }

    /// A number computed from a pointer's address, as that pointer so many bytes further; `None` for other numbers.
    fn shifted_pointer(&mut self, number: Value, ty: Type) -> Option<Value> {
        let (pointer, distances) = self.address_and_distances(number, MOST_ADDRESS_STEPS)?;
        let from = self.kernel.ty(pointer);
        let generic = Type::Pointer(Space::Generic);
        if from != ty && from != generic && ty != generic {
            return None;
        }
        let mut builder = self.builder();
        let mut result = if from == ty { pointer } else { builder.append(Operation::SpaceCast(pointer), ty) };
        for offset in distances {
            result = builder.append(Operation::PointerAdd { pointer: result, offset, in_bounds: false }, ty);
        }
        Some(result)
    }

    /// The pointer whose address a number is computed from, and what is added to the address.
    fn address_and_distances(&mut self, number: Value, steps: usize) -> Option<(Value, Vec<Value>)> {
        let offset_type = self.kernel.offset_type();
        if steps == 0 || self.kernel.ty(number) != offset_type {
            return None;
        }
        match *self.kernel.operation(number)? {
            Operation::PointerToInteger(pointer) => Some((pointer, Vec::new())),
            Operation::Binary(BinaryOp::Add, _, a, b) => {
                let (found, other) = match self.address_and_distances(a, steps - 1) {
                    Some(found) => (found, b),
                    None => (self.address_and_distances(b, steps - 1)?, a),
                };
                let (pointer, mut distances) = found;
                distances.push(other);
                Some((pointer, distances))
            }
            Operation::Binary(BinaryOp::Subtract, _, a, b) => {
                let (pointer, mut distances) = self.address_and_distances(a, steps - 1)?;
                distances.push(self.builder().unary(UnaryOp::Negate, b));
                Some((pointer, distances))
            }
            // Rounding an address down: `a & m` is `a - (a & ~m)`.
            Operation::Binary(BinaryOp::And, _, a, mask) => {
                let (pointer, mut distances) = self.address_and_distances(a, steps - 1)?;
                let mut builder = self.builder();
                let cleared = builder.unary(UnaryOp::Not, mask);
                let rest = builder.binary(BinaryOp::And, a, cleared);
                distances.push(builder.unary(UnaryOp::Negate, rest));
                Some((pointer, distances))
            }
            _ => None,
        }
    }

    // --- Accesses -------------------------------------------------------------------------------------

    /// `load`.
    pub fn load(&mut self, instruction: LValue) -> Result<Lanes, Unreadable> {
        let access = self.access(instruction, instruction.operands()[0])?;
        if let Some(ordering) = atomic_ordering(instruction)? {
            return self.atomic(instruction, access, AtomicOp::Load, Vec::new(), ordering);
        }
        self.load_type(&access, instruction.ty())
    }

    /// Loads a value of this type.
    pub fn load_type(&mut self, access: &Access, ty: LType) -> Result<Lanes, Unreadable> {
        let leaves = types::leaves(ty, self.layout, self.kernel.pointer_bits)?;
        match leaves.as_slice() {
            [] => Ok(Lanes::new()),
            [leaf] if leaf.ty != Type::Bool && is_whole(*leaf) => {
                Ok(vec![self.builder().append(Operation::Load(access.clone()), leaf.ty)])
            }
            _ if leaves.iter().any(|leaf| matches!(leaf.ty, Type::Pointer(_))) => {
                let mut lanes = Lanes::new();
                for leaf in leaves {
                    let part = self.part(access, leaf);
                    let whole = if is_whole(leaf) { leaf.ty } else { Type::Bits(8 * bytes_u32(leaf.bytes)?) };
                    let loaded = self.builder().append(Operation::Load(part), whole);
                    lanes.push(self.narrow(loaded, leaf.ty));
                }
                Ok(lanes)
            }
            _ => {
                let bits = 8 * bytes_u32(self.layout.store_bytes(ty))?;
                let whole = self.builder().append(Operation::Load(access.clone()), Type::Bits(bits));
                self.split(whole, &leaves)
            }
        }
    }

    /// `store`.
    pub fn store(&mut self, instruction: LValue) -> Result<Lanes, Unreadable> {
        let operands = instruction.operands();
        let ty = operands[0].ty();
        let access = self.access(instruction, operands[1])?;
        if self.undefined.contains(&operands[0]) && self.is_untouched(access.pointer) {
            return Ok(Lanes::new());
        }
        let lanes = self.operand(operands[0])?;
        if let Some(ordering) = atomic_ordering(instruction)? {
            return self.atomic(instruction, access, AtomicOp::Store, lanes, ordering);
        }
        self.store_type(&access, ty, &lanes)?;
        Ok(Lanes::new())
    }

    /// Whether a pointer leads to a variable of the thread, and nothing has been written so far: such a variable is
    /// uninitialised anyway, and pinning it would change nothing.
    pub fn is_untouched(&self, pointer: Value) -> bool {
        let writes = |instruction| {
            matches!(
                &self.kernel.instructions[instruction].operation,
                Operation::Store(..)
                    | Operation::Atomic { .. }
                    | Operation::MemoryCopy { .. }
                    | Operation::MemorySet { .. }
                    | Operation::AsyncCopy { .. }
                    | Operation::ImageWrite { .. }
            )
        };
        let entry = self.kernel.entry;
        self.kernel.ty(pointer) == Type::Pointer(Space::Private)
            && self.block == entry
            && !self.kernel.blocks[entry].instructions.iter().copied().any(writes)
    }

    /// Stores a value of this type.
    pub fn store_type(&mut self, access: &Access, ty: LType, lanes: &[Value]) -> Result<(), Unreadable> {
        let leaves = types::leaves(ty, self.layout, self.kernel.pointer_bits)?;
        match leaves.as_slice() {
            [] => {}
            [leaf] if is_whole(*leaf) => self.builder().append_effect(Operation::Store(access.clone(), lanes[0])),
            _ if leaves.iter().any(|leaf| matches!(leaf.ty, Type::Pointer(_))) => {
                for (leaf, lane) in leaves.into_iter().zip(lanes) {
                    let part = self.part(access, leaf);
                    let value = if is_whole(leaf) { *lane } else { self.widen(*lane, leaf.bytes)? };
                    self.builder().append_effect(Operation::Store(part, value));
                }
            }
            _ => {
                let whole = self.join(lanes, &leaves, self.layout.store_bytes(ty))?;
                self.builder().append_effect(Operation::Store(access.clone(), whole));
            }
        }
        Ok(())
    }

    /// Where an instruction accesses memory.
    fn access(&mut self, instruction: LValue, pointer: LValue) -> Result<Access, Unreadable> {
        // SAFETY: the callers have seen that it accesses memory.
        let (alignment, volatile) =
            unsafe { (c::LLVMGetAlignment(instruction.0), c::LLVMGetVolatile(instruction.0) != 0) };
        Ok(Access { pointer: self.scalar(pointer)?, alignment: alignment.max(1), volatile })
    }

    /// The access to one leaf of a larger one.
    fn part(&mut self, access: &Access, leaf: Leaf) -> Access {
        let width = self.kernel.pointer_bits;
        let ty = self.kernel.ty(access.pointer);
        let mut builder = self.builder();
        let pointer = if leaf.offset == 0 {
            access.pointer
        } else {
            let offset = builder.number(width, leaf.offset);
            builder.append(Operation::PointerAdd { pointer: access.pointer, offset, in_bounds: true }, ty)
        };
        let offset_alignment = 1_u32 << leaf.offset.trailing_zeros().min(16);
        Access { pointer, alignment: access.alignment.min(offset_alignment), volatile: access.volatile }
    }

    /// Cuts lanes from a bit-vector as they lie in memory.
    pub fn split(&mut self, whole: Value, leaves: &[Leaf]) -> Result<Lanes, Unreadable> {
        let cut = |leaf: &Leaf| {
            let width = leaf.ty.width().ok_or("pointer within a larger value")?;
            let low = 8 * bytes_u32(leaf.offset)?;
            let mut builder = self.builder();
            let bits = match builder.ty(whole) {
                Type::Bits(total) if total == width => whole,
                _ => builder.extract(low + width - 1, low, whole),
            };
            Ok(self.narrow(bits, leaf.ty))
        };
        leaves.iter().map(cut).collect()
    }

    /// Joins lanes to a bit-vector as they lie in memory; padding is undefined.
    pub fn join(&mut self, lanes: &[Value], leaves: &[Leaf], bytes: u64) -> Result<Value, Unreadable> {
        let mut whole: Option<Value> = None;
        let mut end = 0;
        for (lane, leaf) in lanes.iter().zip(leaves) {
            let high = self.widen(*lane, leaf.bytes)?;
            whole = Some(match self.pad(whole, leaf.offset.saturating_sub(end))? {
                Some(low) => self.concat(high, low),
                None => high,
            });
            end = leaf.offset + leaf.bytes;
        }
        self.pad(whole, bytes.saturating_sub(end))?.ok_or_else(|| "store of nothing".into())
    }

    fn pad(&mut self, low: Option<Value>, bytes: u64) -> Result<Option<Value>, Unreadable> {
        if bytes == 0 {
            return Ok(low);
        }
        let padding = Type::Bits(8 * bytes_u32(bytes)?);
        let padding = self.builder().append(Operation::Undefined, padding);
        Ok(Some(match low {
            Some(low) => self.concat(padding, low),
            None => padding,
        }))
    }

    fn concat(&mut self, high: Value, low: Value) -> Value {
        let mut builder = self.builder();
        let width = |ty: Type| ty.width().unwrap_or(0);
        let total = width(builder.ty(high)) + width(builder.ty(low));
        builder.append(Operation::Concat(high, low), Type::Bits(total))
    }

    /// A value as the bits of so many bytes.
    fn widen(&mut self, value: Value, bytes: u64) -> Result<Value, Unreadable> {
        let wide = Type::Bits(8 * bytes_u32(bytes)?);
        let ty = self.kernel.ty(value);
        let mut builder = self.builder();
        match ty {
            Type::Float(float) => {
                let bits = builder.convert(ConvertOp::Bitcast, value, Type::Bits(float.width()));
                Ok(builder.convert(ConvertOp::ZeroExtend, bits, wide))
            }
            Type::Bool | Type::Bits(_) => Ok(builder.convert(ConvertOp::ZeroExtend, value, wide)),
            Type::Pointer(_) => Err("pointer within a larger value".into()),
        }
    }

    /// The value of this type in the low bits of a bit-vector.
    fn narrow(&mut self, bits: Value, ty: Type) -> Value {
        let mut builder = self.builder();
        match ty {
            Type::Bool if builder.ty(bits) == Type::Bits(1) => builder.convert(ConvertOp::Bitcast, bits, ty),
            Type::Bool | Type::Bits(_) => builder.convert(ConvertOp::Truncate, bits, ty),
            Type::Float(_) => builder.convert(ConvertOp::Bitcast, bits, ty),
            Type::Pointer(_) => bits,
        }
    }

    // --- Atomics --------------------------------------------------------------------------------------

    /// `fence`.
    pub fn fence(&mut self, instruction: LValue) -> Result<Lanes, Unreadable> {
        let ordering = atomic_ordering(instruction)?.unwrap_or(Ordering::SequentiallyConsistent);
        let scope = scope(instruction)?;
        self.builder().append_effect(Operation::Fence { ordering, scope, spaces: SpaceSet::ALL });
        Ok(Lanes::new())
    }

    /// `cmpxchg`: the old value and whether it was the expected one.
    pub fn compare_exchange(&mut self, instruction: LValue) -> Result<Lanes, Unreadable> {
        let operands = instruction.operands();
        let access = self.access(instruction, operands[0])?;
        let expected = self.scalar(operands[1])?;
        let desired = self.scalar(operands[2])?;
        let Type::Bits(_) = self.kernel.ty(expected) else { return Err("compare-exchange of a pointer".into()) };
        // SAFETY: it is a cmpxchg.
        let (ordering, weak) =
            unsafe { (c::LLVMGetCmpXchgSuccessOrdering(instruction.0), c::LLVMGetWeak(instruction.0) != 0) };
        let ordering = ordering_of(ordering)?.unwrap_or(Ordering::SequentiallyConsistent);
        let operation = Operation::Atomic {
            access,
            op: AtomicOp::CompareExchange,
            operands: vec![expected, desired],
            ordering,
            scope: scope(instruction)?,
        };
        let mut builder = self.builder();
        let ty = builder.ty(expected);
        let old = builder.append(operation, ty);
        let mut success = builder.compare(CompareOp::Equal, old, expected);
        if weak {
            let lucky = builder.append(Operation::Undefined, Type::Bool);
            success = builder.binary(BinaryOp::And, success, lucky);
        }
        Ok(vec![old, success])
    }

    /// `atomicrmw`.
    pub fn read_modify_write(&mut self, instruction: LValue) -> Result<Lanes, Unreadable> {
        let operands = instruction.operands();
        let access = self.access(instruction, operands[0])?;
        let value = self.operand(operands[1])?;
        // SAFETY: it is an atomicrmw.
        let op = match unsafe { c::LLVMGetAtomicRMWBinOp(instruction.0) } {
            RmwOp::LLVMAtomicRMWBinOpXchg => AtomicOp::Exchange,
            RmwOp::LLVMAtomicRMWBinOpAdd => AtomicOp::Add,
            RmwOp::LLVMAtomicRMWBinOpSub => AtomicOp::Subtract,
            RmwOp::LLVMAtomicRMWBinOpAnd => AtomicOp::And,
            RmwOp::LLVMAtomicRMWBinOpNand => return Err("atomicrmw nand".into()),
            RmwOp::LLVMAtomicRMWBinOpOr => AtomicOp::Or,
            RmwOp::LLVMAtomicRMWBinOpXor => AtomicOp::Xor,
            RmwOp::LLVMAtomicRMWBinOpMax => AtomicOp::SignedMax,
            RmwOp::LLVMAtomicRMWBinOpMin => AtomicOp::SignedMin,
            RmwOp::LLVMAtomicRMWBinOpUMax => AtomicOp::UnsignedMax,
            RmwOp::LLVMAtomicRMWBinOpUMin => AtomicOp::UnsignedMin,
            RmwOp::LLVMAtomicRMWBinOpFAdd => AtomicOp::FloatAdd,
            RmwOp::LLVMAtomicRMWBinOpFSub => AtomicOp::FloatSubtract,
            RmwOp::LLVMAtomicRMWBinOpFMax => AtomicOp::FloatMax,
            RmwOp::LLVMAtomicRMWBinOpFMin => AtomicOp::FloatMin,
            RmwOp::LLVMAtomicRMWBinOpUIncWrap => AtomicOp::Increment,
            RmwOp::LLVMAtomicRMWBinOpUDecWrap => AtomicOp::Decrement,
        };
        let ordering = atomic_ordering(instruction)?.unwrap_or(Ordering::Relaxed);
        self.atomic(instruction, access, op, value, ordering)
    }

    fn atomic(
        &mut self,
        instruction: LValue,
        access: Access,
        op: AtomicOp,
        operands: Lanes,
        ordering: Ordering,
    ) -> Result<Lanes, Unreadable> {
        let results = self.lanes(instruction.ty())?;
        let is_pointer = |ty: Type| matches!(ty, Type::Pointer(_));
        if results.len() > 1 || results.iter().copied().any(is_pointer) || operands.len() > 1 {
            return Err("atomic access to a pointer or vector".into());
        }
        let operation = Operation::Atomic { access, op, operands, ordering, scope: scope(instruction)? };
        if let Some(ty) = results.first() {
            Ok(vec![self.builder().append(operation, *ty)])
        } else {
            self.builder().append_effect(operation);
            Ok(Lanes::new())
        }
    }
}

/// A byte offset: a constant and a sum of products. They carry no [`lockstep_ir::kernel::NoWrap`] flags: what of address
/// computations is assumed and what is checked depends on the array.
struct Offset {
    constant: Bits,
    sum: Option<Value>,
}

impl Offset {
    fn new(width: u32) -> Self {
        Self { constant: Bits::zero(width), sum: None }
    }

    fn add_constant(&mut self, bytes: u64) {
        self.constant = self.constant.add(&Bits::new(self.constant.width(), bytes));
    }

    /// Adds an index times the size of what it counts.
    fn add(&mut self, importer: &mut Importer<'_>, index: LValue, bytes: u64) -> Result<(), Unreadable> {
        let width = self.constant.width();
        if matches!(index.kind(), ValueKind::LLVMConstantIntValueKind) {
            let index = values::pattern(index).ok_or("constant index")?;
            let index = if index.width() >= width { index.extract(width - 1, 0) } else { index.sign_extend(width) };
            self.constant = self.constant.add(&index.mul(&Bits::new(width, bytes)));
            return Ok(());
        }
        let index = importer.scalar(index)?;
        let index = importer.signed_offset(index);
        let mut builder = importer.builder();
        let product = if bytes == 1 {
            index
        } else {
            let bytes = builder.number(width, bytes);
            builder.binary(BinaryOp::Multiply, index, bytes)
        };
        self.sum = Some(match self.sum {
            None => product,
            Some(sum) => builder.binary(BinaryOp::Add, sum, product),
        });
        Ok(())
    }

    /// The offset as a value; `None` for 0.
    fn finish(self, importer: &mut Importer<'_>) -> Option<Value> {
        let mut builder = importer.builder();
        match self.sum {
            None if self.constant.is_zero() => None,
            None => Some(builder.bits(self.constant)),
            Some(sum) if self.constant.is_zero() => Some(sum),
            Some(sum) => {
                let constant = builder.bits(self.constant);
                Some(builder.binary(BinaryOp::Add, sum, constant))
            }
        }
    }
}

/// Whether a leaf's bits fill its bytes.
fn is_whole(leaf: Leaf) -> bool {
    leaf.ty.width().is_none_or(|width| u64::from(width) == 8 * leaf.bytes)
}

fn bytes_u32(bytes: u64) -> Result<u32, Unreadable> {
    u32::try_from(bytes).ok().filter(|bytes| *bytes < 1 << 26).ok_or_else(|| format!("access of {bytes} bytes"))
}

fn initial_bytes(global: LValue, size: u64, layout: super::raw::Layout) -> Option<Vec<u8>> {
    // SAFETY: it is a global variable.
    let initializer = LValue::new(unsafe { c::LLVMGetInitializer(global.0) })?;
    let mut bytes = vec![0; usize::try_from(size).ok()?];
    values::write_bytes(initializer, 0, layout, &mut bytes)?;
    Some(bytes)
}

/// The ordering of an atomic access or fence; `None` for a plain access.
fn atomic_ordering(instruction: LValue) -> Result<Option<Ordering>, Unreadable> {
    // SAFETY: loads, stores, fences and atomicrmw have one.
    ordering_of(unsafe { c::LLVMGetOrdering(instruction.0) })
}

fn ordering_of(ordering: LLVMAtomicOrdering) -> Result<Option<Ordering>, Unreadable> {
    match ordering {
        LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic => Ok(None),
        LLVMAtomicOrdering::LLVMAtomicOrderingUnordered => Err("unordered atomic access".into()),
        LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic => Ok(Some(Ordering::Relaxed)),
        LLVMAtomicOrdering::LLVMAtomicOrderingAcquire => Ok(Some(Ordering::Acquire)),
        LLVMAtomicOrdering::LLVMAtomicOrderingRelease => Ok(Some(Ordering::Release)),
        LLVMAtomicOrdering::LLVMAtomicOrderingAcquireRelease => Ok(Some(Ordering::AcquireRelease)),
        LLVMAtomicOrdering::LLVMAtomicOrderingSequentiallyConsistent => Ok(Some(Ordering::SequentiallyConsistent)),
    }
}

/// The scope of an atomic access or fence, which the C interface tells as text only.
fn scope(instruction: LValue) -> Result<Scope, Unreadable> {
    let text = instruction.print();
    let Some((_, rest)) = text.split_once("syncscope(\"") else { return Ok(Scope::System) };
    match rest.split('"').next().unwrap_or_default() {
        "singlethread" => Ok(Scope::Thread),
        "subgroup" | "wavefront" => Ok(Scope::Warp),
        "workgroup" => Ok(Scope::Group),
        "device" | "agent" => Ok(Scope::Device),
        "all_svm_devices" | "" => Ok(Scope::System),
        other => Err(format!("atomic of scope {other}")),
    }
}
