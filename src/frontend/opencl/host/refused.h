#error "Lockstep reads launches through OpenCL's C API, not through the C++ bindings (cl.hpp, cl2.hpp, opencl.hpp)"
