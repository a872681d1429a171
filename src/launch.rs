//! The launch a kernel is verified for: how many threads, in which groups.

/// The size of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// This many, at least 1.
    Known(u32),
    /// Any number that a device could run.
    Open,
}

impl Extent {
    /// The number, if known.
    pub fn known(self) -> Option<u32> {
        match self {
            Self::Known(number) => Some(number),
            Self::Open => None,
        }
    }
}

/// The sizes of a launch in its three dimensions. Dimensions beyond those given have size 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Threads per group.
    pub local_size: [Extent; 3],
    /// Groups.
    pub num_groups: [Extent; 3],
    /// Threads in the launch, where that is given and the group size or count is open. Always a multiple of the
    /// group size.
    pub global_size: [Extent; 3],
    /// The first global id.
    pub global_offset: [u32; 3],
    /// How many dimensions the launch has, if known: what `get_work_dim` returns.
    pub dimensions: Option<u32>,
    /// The most threads a group of open size can have (`--max-group-size`).
    pub max_group_size: u32,
    /// Every launch of open size has fewer threads than this (`--max-launch-threads`).
    pub max_launch_threads: u64,
}

impl Default for Launch {
    /// Everything open.
    fn default() -> Self {
        Self {
            local_size: [Extent::Open; 3],
            num_groups: [Extent::Open; 3],
            global_size: [Extent::Open; 3],
            global_offset: [0; 3],
            dimensions: None,
            max_group_size: 1024,
            max_launch_threads: 1 << 31,
        }
    }
}
