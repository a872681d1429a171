//! LLVM's types as lanes of the kernel IR, and their layout in memory.

use lockstep_ir::kernel::{FloatType, Space, Type};

use super::raw::{LType, Layout, TypeKind};

/// A construct that cannot be read, by name.
pub type Unreadable = String;

/// The most lanes of a value that is not refused.
const MOST_LANES: usize = 1 << 16;

/// One scalar part of a type in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its type.
    pub ty: Type,
    /// Its offset in bytes.
    pub offset: u64,
    /// Its size in bytes; a pointer's is the target's.
    pub bytes: u64,
}

/// The properties of a module's target on which types depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The width of pointers.
    pub pointer_bits: u32,
    /// The meaning of address space numbers.
    pub spaces: Spaces,
}

/// The numbering of address spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spaces {
    /// SPIR's numbering.
    Spir,
    /// The numbering of NVIDIA's targets, where a plain pointer may point anywhere.
    Nvptx,
}

impl Target {
    /// The address space with this number.
    pub fn space(self, number: u32) -> Result<Space, Unreadable> {
        match (self.spaces, number) {
            (Spaces::Spir, 0) | (Spaces::Nvptx, 5) => Ok(Space::Private),
            (_, 1) => Ok(Space::Global),
            (Spaces::Spir, 2) | (Spaces::Nvptx, 4) => Ok(Space::Constant),
            (_, 3) => Ok(Space::Local),
            (Spaces::Spir, 4) | (Spaces::Nvptx, 0) => Ok(Space::Generic),
            (_, other) => Err(format!("address space {other}")),
        }
    }

    /// The address space of a thread's own variable, or of a parameter passed by value, with this
    /// LLVM number.
    pub fn own_space(self, number: u32) -> Result<Space, Unreadable> {
        match self.spaces {
            Spaces::Nvptx if number == 0 => Ok(Space::Private),
            Spaces::Nvptx | Spaces::Spir => self.space(number),
        }
    }
}

/// The lanes of a type: one per scalar part, none for `void`.
pub fn lanes(ty: LType, target: Target) -> Result<Vec<Type>, Unreadable> {
    let mut lanes = Vec::new();
    append_lanes(ty, target, &mut lanes)?;
    Ok(lanes)
}

fn append_lanes(ty: LType, target: Target, lanes: &mut Vec<Type>) -> Result<(), Unreadable> {
    if lanes.len() > MOST_LANES {
        return Err(format!("value of the large type {}", ty.print()));
    }
    match ty.kind() {
        TypeKind::LLVMVoidTypeKind => {}
        TypeKind::LLVMStructTypeKind => {
            for field in ty.fields() {
                append_lanes(field, target, lanes)?;
            }
        }
        TypeKind::LLVMArrayTypeKind => {
            for _ in 0..ty.array_length() {
                append_lanes(ty.element(), target, lanes)?;
            }
        }
        TypeKind::LLVMVectorTypeKind => {
            for _ in 0..ty.vector_length() {
                append_lanes(ty.element(), target, lanes)?;
            }
        }
        _ => lanes.push(scalar(ty, target)?),
    }
    Ok(())
}

/// The type of a scalar.
pub fn scalar(ty: LType, target: Target) -> Result<Type, Unreadable> {
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind if ty.integer_width() == 1 => Ok(Type::Bool),
        TypeKind::LLVMIntegerTypeKind => Ok(Type::Bits(ty.integer_width())),
        TypeKind::LLVMHalfTypeKind => Ok(Type::Float(FloatType::F16)),
        TypeKind::LLVMBFloatTypeKind => Ok(Type::Float(FloatType::Bf16)),
        TypeKind::LLVMFloatTypeKind => Ok(Type::Float(FloatType::F32)),
        TypeKind::LLVMDoubleTypeKind => Ok(Type::Float(FloatType::F64)),
        TypeKind::LLVMPointerTypeKind => Ok(Type::Pointer(target.space(ty.address_space())?)),
        // An image is a pointer to its array; samplers and events are opaque numbers.
        TypeKind::LLVMTargetExtTypeKind if ty.target_name() == "spirv.Image" => Ok(Type::Pointer(Space::Global)),
        TypeKind::LLVMTargetExtTypeKind if ty.target_name().starts_with("spirv.") => {
            Ok(Type::Bits(target.pointer_bits))
        }
        _ => Err(format!("value of type {}", ty.print())),
    }
}

/// The layout of a type's scalar parts in memory, in order of their lanes.
pub fn leaves(ty: LType, layout: Layout, target: Target) -> Result<Vec<Leaf>, Unreadable> {
    let mut leaves = Vec::new();
    append_leaves(ty, 0, layout, target, &mut leaves)?;
    Ok(leaves)
}

fn append_leaves(
    ty: LType,
    offset: u64,
    layout: Layout,
    target: Target,
    leaves: &mut Vec<Leaf>,
) -> Result<(), Unreadable> {
    if leaves.len() > MOST_LANES {
        return Err(format!("access of the large type {}", ty.print()));
    }
    match ty.kind() {
        TypeKind::LLVMStructTypeKind => {
            for (index, field) in (0_u32..).zip(ty.fields()) {
                append_leaves(field, offset + layout.field_offset(ty, index), layout, target, leaves)?;
            }
        }
        TypeKind::LLVMArrayTypeKind => {
            let stride = layout.allocation_bytes(ty.element());
            for index in 0..ty.array_length() {
                append_leaves(ty.element(), offset + index * stride, layout, target, leaves)?;
            }
        }
        TypeKind::LLVMVectorTypeKind => {
            let element = scalar(ty.element(), target)?;
            let bits = element.width().unwrap_or(target.pointer_bits);
            if bits % 8 != 0 {
                return Err(format!("vector of type {} in memory", ty.print()));
            }
            let bytes = u64::from(bits / 8);
            leaves.extend((0..u64::from(ty.vector_length())).map(|index| Leaf {
                ty: element,
                offset: offset + index * bytes,
                bytes,
            }));
        }
        _ => {
            let scalar = scalar(ty, target)?;
            let bytes = match ty.kind() {
                TypeKind::LLVMTargetExtTypeKind => u64::from(target.pointer_bits / 8),
                _ => layout.store_bytes(ty),
            };
            leaves.push(Leaf { ty: scalar, offset, bytes });
        }
    }
    Ok(())
}

/// The number of bytes that a type takes in an array.
pub fn allocation_bytes(ty: LType, layout: Layout, target: Target) -> u64 {
    match ty.kind() {
        TypeKind::LLVMTargetExtTypeKind => u64::from(target.pointer_bits / 8),
        _ if ty.is_sized() => layout.allocation_bytes(ty),
        _ => 0,
    }
}
