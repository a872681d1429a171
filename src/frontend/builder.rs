//! Values under construction.

pub use lockstep_ir::kernel::Builder;
use lockstep_ir::kernel::Value;

/// A value of the source: one kernel IR value per scalar lane.
///
/// A scalar has one lane, a vector one per element, and a struct the lanes of its fields in order.
pub type Lanes = Vec<Value>;
