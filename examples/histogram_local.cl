//pass
//--local_size=64 --num_groups=16
// A histogram: each group counts in local memory with atomics, then adds its counts to the
// global ones. Atomic operations do not race with each other, whatever the data.

#define BINS 256

__kernel void histogram(__global const uchar *data, __global uint *counts)
{
    __local uint bins[BINS];
    for (uint i = get_local_id(0); i < BINS; i += get_local_size(0)) {
        bins[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    uchar value = data[get_global_id(0)];
    atomic_inc(&bins[value]);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint i = get_local_id(0); i < BINS; i += get_local_size(0)) {
        atomic_add(&counts[i], bins[i]);
    }
}
