//! Arrays, pointers and accesses.
//!
//! A load or store of a vector or struct is one access of its whole width, as the hardware's is.
//! The lanes are cut from or joined to one bit-vector, lane 0 in the low bits. If the source
//! accesses components, so does the kernel IR ([`super::components`]). Structs that contain
//! pointers are accessed field by field, since a pointer has no bits here.

mod atomics;
mod pointers;

use inkwell::llvm_sys::core as c;
use lockstep_ir::kernel::{Access, Array, ArrayData, ArrayOrigin, AtomicOp, ConvertOp, Operation, Space, Type, Value};

use super::components;
use super::fields;
use super::kernels::Importer;
use super::raw::{LType, LValue, Layout, ValueKind};
use super::types::{self, Leaf, Spaces, Unreadable};
use super::values;
use crate::builder::Lanes;
use atomics::atomic_ordering;

/// The section in which the models of library functions declare their working memory.
const LIBRARY_SECTION: &str = "lockstep_library";

/// The prefix of the names that our headers declare.
const OUR_NAMES: &str = "__lockstep_";

impl Importer<'_> {
    /// A thread's own variable.
    pub fn alloca(&mut self, instruction: LValue) -> Result<Lanes, Unreadable> {
        // SAFETY: the caller has checked that it is an alloca.
        let ty = LType(unsafe { c::LLVMGetAllocatedType(instruction.0) });
        let count = instruction.operands().first().and_then(|count| count.small_constant());
        let count = count.ok_or("array of variable length")?;
        if self.block != self.kernel.entry {
            return Err("variable that is allocated where it is reached".into());
        }
        let space = self.target.own_space(instruction.ty().address_space())?;
        let bytes = types::allocation_bytes(ty, self.layout, self.target);
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
            sized_by: None,
            restrict: false,
            nonzero: false,
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
        let full_name = global.name();
        // SAFETY: it is a global variable.
        let (constant, may_be_set) =
            unsafe { (c::LLVMIsGlobalConstant(global.0) != 0, c::LLVMIsExternallyInitialized(global.0) != 0) };
        let space = match self.target.space(global.ty().address_space())? {
            Space::Global | Space::Generic if constant && self.target.spaces == Spaces::Nvptx => Space::Constant,
            space => space,
        };
        if matches!(space, Space::Private | Space::Generic) {
            return Err(format!("variable {full_name} at program scope in private memory"));
        }
        // All names given to `extern __shared__` memory denote one piece of it.
        let dynamic = self.target.spaces == Spaces::Nvptx && space == Space::Local && global.is_declaration();
        if dynamic && let Some(array) = self.dynamic_shared {
            self.globals.insert(global, array);
            return Ok(array);
        }
        let declared = self.debug.global(global);
        let size = types::allocation_bytes(ty, self.layout, self.target);
        let is_of_library = space == Space::Local && global.section() == LIBRARY_SECTION;
        // A source can name the section by joining pieces, but cannot declare such a variable
        // ([`crate::clang`] ensures that).
        let is_ours = self.trusts_flags && declared.name.as_deref().is_some_and(|name| name.starts_with(OUR_NAMES));
        if is_of_library && !is_ours {
            return Err(format!("variable {full_name}, which says that it is a library model's"));
        }
        // The contents of a large array are as good as unknown, and it may be larger than memory.
        let has_known_contents = space == Space::Constant && !may_be_set && size <= MOST_CONTENTS;
        let array = ArrayData {
            // Clang names a variable of a function `function.variable`.
            name: declared.name.unwrap_or_else(|| full_name.rsplit('.').next().unwrap_or_default().to_owned()),
            space,
            origin: if is_of_library { ArrayOrigin::Library } else { ArrayOrigin::Variable },
            element: declared.element,
            size: (!global.is_declaration()).then_some(size),
            contents: has_known_contents.then(|| initial_bytes(global, size, self.layout)).flatten(),
            volatile: declared.volatile,
            sized_by: None,
            restrict: false,
            nonzero: space == Space::Global && begins_otherwise(global, size, self.layout),
            location: self.debug.global_location(global, &mut self.kernel),
        };
        let array = self.kernel.arrays.push(array);
        self.globals.insert(global, array);
        self.note_table(global, array)?;
        self.note_pointers(global, ty, array)?;
        if dynamic {
            self.dynamic_shared = Some(array);
        }
        Ok(array)
    }

    /// Records the pointers in a variable that the host may set before the launch.
    fn note_pointers(&mut self, global: LValue, ty: LType, array: Array) -> Result<(), Unreadable> {
        let data = &self.kernel.arrays[array];
        let set_by_host = matches!(data.space, Space::Global | Space::Constant) && data.contents.is_none();
        if !set_by_host || data.volatile || self.tables.contains_key(&array) || self.target.spaces != Spaces::Nvptx {
            return Ok(());
        }
        let (name, declared) = (data.name.clone(), self.debug.pointers_in_global(global));
        let fields = self.pointers_in(ty, &declared, &name)?;
        if !fields.is_empty() {
            self.pointers_of_variables.insert(array, fields);
        }
        Ok(())
    }

    /// Records the addresses in a variable's initialiser.
    fn note_table(&mut self, global: LValue, array: Array) -> Result<(), Unreadable> {
        const MOST_ADDRESSES: usize = 256;
        let mut addresses = Vec::new();
        // SAFETY: it is a global variable.
        if let Some(initializer) = LValue::new(unsafe { c::LLVMGetInitializer(global.0) }) {
            values::addresses(initializer, 0, self.layout, &mut addresses);
        }
        if addresses.len() > MOST_ADDRESSES {
            return Ok(());
        }
        let mut targets = Vec::new();
        for (offset, address) in addresses {
            let target = match address.kind() {
                ValueKind::LLVMFunctionValueKind => self.function_array(address),
                _ => self.global(address)?,
            };
            targets.push((offset, target));
        }
        if !targets.is_empty() {
            self.tables.insert(array, targets);
        }
        Ok(())
    }

    /// The array of no bytes that stands for a function whose address is taken.
    pub fn function_array(&mut self, function: LValue) -> Array {
        if let Some(array) = self.functions.get(&function) {
            return *array;
        }
        let name = crate::opencl::source_name(&function.name());
        let array = self.kernel.arrays.push(fields::function_array(name));
        self.functions.insert(function, array);
        array
    }

    // --- Accesses --------------------------------------------------------------------------------

    /// `load`.
    pub fn load(&mut self, instruction: LValue) -> Result<Lanes, Unreadable> {
        let access = self.access(instruction, instruction.operands()[0])?;
        if let Some(ordering) = atomic_ordering(instruction)? {
            return self.atomic(instruction, access, AtomicOp::Load, Vec::new(), ordering);
        }
        if let Some(lanes) = self.load_components(instruction, &access)? {
            return Ok(lanes);
        }
        self.load_type(&access, instruction.ty())
    }

    /// Loads a value of this type.
    pub fn load_type(&mut self, access: &Access, ty: LType) -> Result<Lanes, Unreadable> {
        let leaves = types::leaves(ty, self.layout, self.target)?;
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
        let access = self.written(access);
        if self.undefined.contains(&operands[0]) && self.is_untouched(access.pointer) {
            return Ok(Lanes::new());
        }
        if self.store_components(instruction, &access)? {
            return Ok(Lanes::new());
        }
        let lanes = self.operand(operands[0])?;
        if let Some(ordering) = atomic_ordering(instruction)? {
            return self.atomic(instruction, access, AtomicOp::Store, lanes, ordering);
        }
        self.store_type(&access, ty, &lanes)?;
        Ok(Lanes::new())
    }

    /// Whether a pointer leads to a variable of the thread before anything has been written.
    ///
    /// Such a variable is uninitialised anyway, so pinning it would change nothing.
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
        let leaves = types::leaves(ty, self.layout, self.target)?;
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

    /// An access that writes.
    ///
    /// Constant memory is written through plain pointers only, which are checked.
    pub fn written(&mut self, mut access: Access) -> Access {
        if self.kernel.ty(access.pointer) == Type::Pointer(Space::Constant) {
            access.pointer = self.cast(access.pointer, Type::Pointer(Space::Generic));
        }
        access
    }

    /// The access of an instruction to memory.
    pub(super) fn access(&mut self, instruction: LValue, pointer: LValue) -> Result<Access, Unreadable> {
        // SAFETY: the callers have checked that it accesses memory.
        let (alignment, volatile) =
            unsafe { (c::LLVMGetAlignment(instruction.0), c::LLVMGetVolatile(instruction.0) != 0) };
        let needs = components::needs(instruction);
        Ok(Access { pointer: self.scalar(pointer)?, alignment: alignment.max(1), volatile, needs })
    }

    /// The access to one leaf of a larger one.
    pub(super) fn part(&mut self, access: &Access, leaf: Leaf) -> Access {
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
        Access { pointer, alignment: access.alignment.min(offset_alignment), ..*access }
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

    /// A value as the bits of this many bytes.
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
}

/// Whether a leaf's bits fill its bytes.
fn is_whole(leaf: Leaf) -> bool {
    leaf.ty.width().is_none_or(|width| u64::from(width) == 8 * leaf.bytes)
}

fn bytes_u32(bytes: u64) -> Result<u32, Unreadable> {
    u32::try_from(bytes).ok().filter(|bytes| *bytes < 1 << 26).ok_or_else(|| format!("access of {bytes} bytes"))
}

/// The initial contents of a variable without the zeros at their end; `None` if they are not known.
pub fn initial_contents(global: LValue, layout: Layout) -> Option<Vec<u8>> {
    // SAFETY: it is a global variable.
    let initializer = LValue::new(unsafe { c::LLVMGetInitializer(global.0) })?;
    let has_none =
        |kind| matches!(kind, ValueKind::LLVMConstantAggregateZeroValueKind | ValueKind::LLVMUndefValueValueKind);
    if has_none(initializer.kind()) {
        return Some(Vec::new());
    }
    let size = layout.allocation_bytes(global.global_type());
    let mut bytes = if size <= MOST_CONTENTS { initial_bytes(global, size, layout)? } else { return None };
    bytes.truncate(bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1));
    Some(bytes)
}

/// The largest constant whose contents are kept, in bytes.
const MOST_CONTENTS: u64 = 64 << 20;

/// Whether a variable has an initialiser that is not all zeros, as far as can be seen.
fn begins_otherwise(global: LValue, size: u64, layout: Layout) -> bool {
    // SAFETY: it is a global variable.
    let initialiser = LValue::new(unsafe { c::LLVMGetInitializer(global.0) });
    // SAFETY: it is a constant. Undefined and zero initialisers are null or undefined values.
    let is_zero = |value: LValue| unsafe { c::LLVMIsNull(value.0) != 0 || c::LLVMIsUndef(value.0) != 0 };
    let is_large = size > MOST_CONTENTS;
    initialiser.is_some_and(|value| {
        !is_zero(value)
            && (is_large || initial_bytes(global, size, layout).is_none_or(|bytes| bytes.iter().any(|&byte| byte != 0)))
    })
}

fn initial_bytes(global: LValue, size: u64, layout: Layout) -> Option<Vec<u8>> {
    // SAFETY: it is a global variable.
    let initializer = LValue::new(unsafe { c::LLVMGetInitializer(global.0) })?;
    let mut bytes = vec![0; usize::try_from(size).ok()?];
    values::write_bytes(initializer, 0, layout, &mut bytes)?;
    Some(bytes)
}
