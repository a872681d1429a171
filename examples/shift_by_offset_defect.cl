//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Figure 2 of the GPUVerify tutorial (Donaldson 2014): no barrier between reading the
// neighbour's element and writing one's own, so with an offset of 1 they race.

__kernel void add_neighbour(__global int *a, int offset)
{
    int tid = get_local_id(0);
    a[tid] = a[tid] + a[tid + offset]; //~ race
}
