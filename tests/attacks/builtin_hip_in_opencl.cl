//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Clang knows HIP's in OpenCL C, too.

__kernel void hip_in_opencl(__global int *counter)
{
    __hip_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, 3); //~ race
}
