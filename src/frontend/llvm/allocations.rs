//! Allocations of the memory that a launch passes to a kernel.
//!
//! A pointer that the host loads from a variable which one call of `cudaMalloc` writes, and nothing
//! else, points to the beginning of what that call allocates. The size is the call's second
//! operand. A pointer into the middle of an allocation is not followed: places before it are part
//! of the allocation, too.

use super::aliases::Aliases;
use super::raw::LValue;

/// The toolkit's functions that allocate as many bytes as their second argument says.
const ALLOCATING: [&str; 6] = ["Malloc", "MallocManaged", "MallocAsync", "MallocHost", "HostAlloc", "HostMalloc"];

impl Aliases {
    /// The size in bytes of the allocation at whose beginning a pointer points.
    pub fn allocated(&self, pointer: LValue) -> Option<LValue> {
        let (call, function) = self.only_writer_of(pointer)?;
        let allocates = ALLOCATING.contains(&function.as_str());
        allocates.then(|| call.call_arguments().get(1).copied()).flatten()
    }
}
