//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// What is drawn from the two cells may be the same.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
__kernel void counters_of_two_widths(__global ulong *counters, __global int *out)
{
    int place;
    if (get_global_id(0) & 1) {
        place = (int)atom_inc(counters + 1);
    } else {
        place = (int)atomic_inc((__global uint *)counters);
    }
    out[place] = get_global_id(0); //~ race
}
