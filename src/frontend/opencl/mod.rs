//! What OpenCL C's built-in functions mean.

use lockstep_ir::kernel::Type;

use super::builder::{Builder, Lanes};

/// A built-in function that is not supported, by name: `sub-group function sub_group_all`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsupported(pub String);

/// Appends what a call of the function with this mangled name means.
///
/// `result` has the type of each lane of the result; it is empty for a function that returns nothing.
/// `Ok(None)`: not one of OpenCL's built-in functions.
pub fn call(
    _builder: &mut Builder<'_>,
    _mangled: &str,
    _arguments: &[Lanes],
    _result: &[Type],
) -> Result<Option<Lanes>, Unsupported> {
    Ok(None)
}
