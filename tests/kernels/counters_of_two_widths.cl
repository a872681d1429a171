//pass
//--local_size=64 --num_groups=4
// Counters of 32 and of 64 bits lie in one array: their numbers are no numbers of one counter, and of each cell there are
// atomics only.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
__kernel void counters_of_two_widths(__global ulong *counters, __global int *out)
{
    uint last = atomic_inc((__global uint *)counters);
    atom_inc(counters + 1);
    out[get_global_id(0)] = last;
}
