//! The headers that stand in for the vendor's toolkit, for Clang to find in a folder of their own.

/// What goes before every source file.
pub const PRELUDE: &str = "lockstep/prelude.h";

/// The folder that the headers seem to be in.
pub const OWN_HEADERS: &str = "<lockstep>";

/// Each header's path in the folder, and its text.
pub const HEADERS: &[(&str, &str)] = &[
    (PRELUDE, include_str!("headers/prelude.h")),
    ("lockstep/vector_types.h", include_str!("headers/vector_types.h")),
    ("lockstep/variables.h", include_str!("headers/variables.h")),
    ("lockstep/synchronisation.h", include_str!("headers/synchronisation.h")),
    ("lockstep/atomics.h", include_str!("headers/atomics.h")),
    ("lockstep/device_functions.h", include_str!("headers/device_functions.h")),
    ("lockstep/mathematics.h", include_str!("headers/mathematics.h")),
    ("lockstep/library.h", include_str!("headers/library.h")),
    ("lockstep/runtime.h", include_str!("headers/runtime.h")),
    ("lockstep/textures.h", include_str!("headers/textures.h")),
    ("lockstep/half.h", include_str!("headers/half.h")),
    // What sources include. The prelude has it all.
    ("cuda.h", ""),
    ("cuda_runtime.h", ""),
    ("cuda_runtime_api.h", ""),
    ("device_launch_parameters.h", ""),
    ("device_functions.h", ""),
    ("device_atomic_functions.h", ""),
    ("vector_types.h", ""),
    ("vector_functions.h", ""),
    ("builtin_types.h", ""),
    ("driver_types.h", ""),
    ("math_functions.h", ""),
    ("math_constants.h", include_str!("headers/math_constants.h")),
    ("cuComplex.h", include_str!("headers/cuComplex.h")),
    ("cooperative_groups.h", include_str!("headers/cooperative_groups.h")),
    ("cooperative_groups/memcpy_async.h", include_str!("headers/cooperative_groups_memcpy_async.h")),
    ("cooperative_groups/reduce.h", include_str!("headers/cooperative_groups_reduce.h")),
    ("cooperative_groups/scan.h", include_str!("headers/cooperative_groups_scan.h")),
    ("cuda_bf16.h", include_str!("headers/cuda_bf16.h")),
    ("cuda_fp16.h", include_str!("headers/cuda_fp16.h")),
];
