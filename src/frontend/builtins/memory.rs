//! Accesses of several lanes through a pointer.

use lockstep_ir::kernel::{Access, BinaryOp, ConvertOp, Needs, Operation, Space, Type, Value};

use super::Unsupported;
use crate::builder::{Builder, Lanes};
use crate::builtins::call::Call;

/// One value that holds all lanes, the first in the low bits; a single lane stays as it is.
///
/// `None` if the bits of a lane are not known.
pub fn join(builder: &mut Builder<'_>, lanes: &[Value]) -> Option<Value> {
    if let &[lane] = lanes {
        return Some(lane);
    }
    let mut joined: Option<(Value, u32)> = None;
    for &lane in lanes {
        let width = builder.ty(lane).width()?;
        let lane = builder.convert(ConvertOp::Bitcast, lane, Type::Bits(width));
        joined = Some(match joined {
            None => (lane, width),
            Some((low, low_width)) => {
                let all = low_width + width;
                (builder.append(Operation::Concat(lane, low), Type::Bits(all)), all)
            }
        });
    }
    joined.map(|(value, _)| value)
}

/// The lanes of these types that a value holds, the first in the low bits.
///
/// The value may have further bits. `None` if it has fewer, or if the bits of a type are not known.
pub fn split(builder: &mut Builder<'_>, value: Value, types: &[Type]) -> Option<Lanes> {
    let available = builder.ty(value).width()?;
    if types == [builder.ty(value)] {
        return Some(vec![value]);
    }
    let bits = builder.convert(ConvertOp::Bitcast, value, Type::Bits(available));
    let mut low = 0;
    let mut lanes = Lanes::with_capacity(types.len());
    for &ty in types {
        let end = low + ty.width()?;
        if end > available {
            return None;
        }
        let lane = builder.extract(end - 1, low, bits);
        lanes.push(builder.convert(ConvertOp::Bitcast, lane, ty));
        low = end;
    }
    Some(lanes)
}

/// `pointer + index * bytes`, for the address of an access.
///
/// The index is signed or unsigned, but so small that the product does not wrap, as for an index in
/// the source.
pub fn element(builder: &mut Builder<'_>, pointer: Value, index: Value, bytes: u32) -> Value {
    let ty = builder.kernel.offset_type();
    let width = builder.kernel.pointer_bits;
    let index = match builder.ty(index).width() {
        Some(found) if found > width => builder.convert(ConvertOp::Truncate, index, ty),
        _ => builder.convert(ConvertOp::ZeroExtend, index, ty),
    };
    let size = builder.number(width, u64::from(bytes));
    let offset = builder.binary(BinaryOp::Multiply, index, size);
    let pointer_type = builder.ty(pointer);
    builder.append(Operation::PointerAdd { pointer, offset, in_bounds: true }, pointer_type)
}

/// The pointer to a written object.
///
/// Constant memory is written only through plain pointers, which are checked.
pub fn written(builder: &mut Builder<'_>, pointer: Value) -> Value {
    if builder.ty(pointer) == Type::Pointer(Space::Constant) {
        return builder.append(Operation::SpaceCast(pointer), Type::Pointer(Space::Generic));
    }
    pointer
}

/// An access that is not volatile.
pub fn access(pointer: Value, alignment: u32) -> Access {
    Access { pointer, alignment, volatile: false, needs: Needs::Everything }
}

impl Call<'_, '_> {
    /// Reads adjacent lanes of these types in one access.
    pub fn load(&mut self, pointer: Value, alignment: u32, types: &[Type]) -> Result<Lanes, Unsupported> {
        let ty = match types {
            &[ty] => ty,
            _ => Type::Bits(types.iter().map(|ty| ty.width()).sum::<Option<u32>>().ok_or_else(|| self.ill_typed())?),
        };
        if matches!(ty, Type::Bits(0)) {
            return Err(self.ill_typed());
        }
        let value = self.builder.append(Operation::Load(access(pointer, alignment)), ty);
        split(self.builder, value, types).ok_or_else(|| self.ill_typed())
    }

    /// Writes adjacent lanes in one access.
    pub fn store(&mut self, pointer: Value, alignment: u32, lanes: &[Value]) -> Result<(), Unsupported> {
        let value = join(self.builder, lanes).ok_or_else(|| self.ill_typed())?;
        self.builder.append_effect(Operation::Store(access(pointer, alignment), value));
        Ok(())
    }
}
