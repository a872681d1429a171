//! The part of a launch of OpenCL that CUDA's launches lack.
//!
//! `clEnqueueNDRangeKernel` takes the number of threads in the launch, and may leave the group size
//! to the implementation. It may also give the first global id. The host creates buffers of a size
//! that it gives, and sets the size of local memory like an argument.

use lockstep_ir::kernel::{Kernel, ParameterKind, Space};

use super::{Extent, Size};

/// The part of a launch of OpenCL that CUDA's launches lack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NdRange {
    /// The number of dimensions, if it is known.
    pub dimensions: Option<usize>,
    /// Threads in the launch.
    pub global_size: [Extent; 3],
    /// The first global id.
    pub global_offset: [u32; 3],
    /// The memory behind each argument.
    pub memory: Vec<Memory>,
    /// The same in the launch without options.
    pub memory_by_default: Vec<Memory>,
}

/// The memory behind an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Not known, or none.
    Unknown,
    /// A buffer of this many bytes.
    Buffer(u64),
    /// This many bytes of local memory for each group.
    Local(u64),
}

impl NdRange {
    /// The number of dimensions that the sizes have.
    pub fn used(&self) -> usize {
        self.dimensions.unwrap_or(3).clamp(1, 3)
    }

    /// Threads in the launch, if they are known where the group size is not.
    pub fn global_size(&self, local_size: &[Extent; 3]) -> Option<Size> {
        let used = self.used();
        let is_needed = (0..used).any(|d| local_size[d] == Extent::Open && self.global_size[d] != Extent::Open);
        is_needed.then(|| self.global_size[..used].to_vec())
    }
}

/// The bytes behind a kernel's pointer parameters, where the host's call fits the parameter.
pub fn bytes_of(memory: &[Memory], kernel: &Kernel) -> Vec<Option<u64>> {
    let bytes = |(index, memory): (usize, &Memory)| {
        let ParameterKind::Pointer(array) = kernel.parameters.get(index)?.kind else { return None };
        match (memory, kernel.arrays[array].space) {
            (Memory::Local(bytes), Space::Local) | (Memory::Buffer(bytes), Space::Global | Space::Constant) => {
                Some(*bytes).filter(|&bytes| bytes > 0)
            }
            _ => None,
        }
    };
    let mut known: Vec<Option<u64>> = memory.iter().enumerate().map(bytes).collect();
    // Trailing open sizes do not distinguish two launches.
    known.truncate(known.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
    known
}

/// The sizes that all of these have.
pub fn joined<'a>(mut all: impl Iterator<Item = &'a [Option<u64>]>) -> Vec<Option<u64>> {
    let mut joined = all.next().map(<[_]>::to_vec).unwrap_or_default();
    for other in all {
        for (index, bytes) in joined.iter_mut().enumerate() {
            *bytes = bytes.filter(|bytes| other.get(index) == Some(&Some(*bytes)));
        }
    }
    joined
}
