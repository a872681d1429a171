//! The headers of OpenCL's host API, in a folder of their own for Clang to find.

/// The C API, which every other header includes.
const API: &str = "#include <CL/cl.h>\n";

/// The text of the C++ bindings' headers.
const REFUSED: &str = include_str!("host/refused.h");

/// Each header's path in the folder, and its text.
pub const HOST_HEADERS: &[(&str, &str)] = &[
    ("CL/cl.h", include_str!("host/cl.h")),
    ("CL/cl_platform.h", include_str!("host/cl_platform.h")),
    ("CL/cl_version.h", include_str!("host/cl_version.h")),
    ("CL/lockstep_constants.h", include_str!("host/lockstep_constants.h")),
    ("CL/cl_ext.h", API),
    ("CL/opencl.h", API),
    ("OpenCL/cl.h", API),
    ("OpenCL/opencl.h", API),
    ("CL/cl.hpp", REFUSED),
    ("CL/cl2.hpp", REFUSED),
    ("CL/opencl.hpp", REFUSED),
    ("OpenCL/cl.hpp", REFUSED),
];
