//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As histogram_local.cl, but the local counter is incremented without an atomic: two
// work-items with the same byte lose a count.

#define BINS 256

__kernel void histogram(__global const uchar *data, __global uint *counts)
{
    __local uint bins[BINS];
    for (uint i = get_local_id(0); i < BINS; i += get_local_size(0)) {
        bins[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    uchar value = data[get_global_id(0)];
    bins[value]++; //~ race
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint i = get_local_id(0); i < BINS; i += get_local_size(0)) {
        atomic_add(&counts[i], bins[i]);
    }
}
