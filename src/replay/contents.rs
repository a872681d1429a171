//! What arrays hold in a run, where nobody knows.

use lockstep_ir::bits::Bits;
use lockstep_ir::kernel::{ArrayData, ArrayOrigin, Space, Type};

use crate::interpreter::memory::Element;

/// Contents that are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Element `i` is `i`: values differ, and are indices inside of what is not too small.
    Count,
    /// All zeros.
    Zeros,
    /// All ones.
    Ones,
    /// Any values, by a seed.
    Random(u64),
}

/// One after the other.
pub const CONTENTS: [Contents; 5] =
    [Contents::Count, Contents::Zeros, Contents::Ones, Contents::Random(0), Contents::Random(1)];

/// An array of the launch as `--arg` takes it; `None` if it is none that can be given.
pub fn words(data: &ArrayData, contents: Contents) -> Option<String> {
    if matches!(data.origin, ArrayOrigin::Image { .. }) || data.space == Space::Local {
        return None;
    }
    let ty = crate::interpreter::arguments::type_of_elements(data);
    Some(match contents {
        Contents::Count => format!("iota:{ty}"),
        Contents::Zeros => format!("zeros:{ty}"),
        Contents::Ones => "1".to_owned(),
        Contents::Random(seed) => format!("random@{seed}:{ty}"),
    })
}

/// A parameter's value as `--arg` takes it.
pub fn number(bits: &Bits, ty: Type) -> Option<String> {
    match ty {
        Type::Float(ty) => Some(Element::Float(ty).show(bits.to_u64()?)),
        Type::Bits(width) if bits.width() == width => Some(bits.unsigned().to_string()),
        Type::Bool if bits.width() == 1 => Some(if bits.is_zero() { "0" } else { "1" }.to_owned()),
        Type::Bool | Type::Bits(_) | Type::Pointer(_) => None,
    }
}
