// race-free
// run: --local-size 32 --num-groups 2
// The atomic functions of OpenCL 1 work between all threads of the device.

__kernel void counter_of_opencl_1(__global int *count, __global int *slots)
{
    int slot = atomic_inc(count);
    slots[slot] = get_global_id(0);
}
