//pass
//--local_size=64 --num_groups=1
// Figure 3 of the GPUVerify tutorial (Donaldson 2014): everyone reads a neighbour's element,
// and only after the barrier does anyone write. Race-free whatever the offset is.

__kernel void add_neighbour(__global int *a, int offset)
{
    int tid = get_local_id(0);
    int neighbour = a[tid + offset];
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[tid] = a[tid] + neighbour;
}
