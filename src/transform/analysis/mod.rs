//! Facts about kernels, computed and never stored in them.

pub mod accesses;
pub mod addresses;
pub mod alignment;
pub mod counters;
pub mod draws;
pub mod equations;
pub mod fences;
pub mod initialised;
pub mod intervals;
pub mod mixed;
pub mod need;
pub mod order;
pub mod placement;
pub mod pointers;
pub mod repeated;
pub mod strides;
pub mod structure;
pub mod uniformity;
pub mod volatile;
pub mod word_facts;
pub mod written;
