//pass
//--local_size=64 --num_groups=16 --no-check=uninitialised
// open sizes too
// Figure 3 of the GPUVerify tutorial (Donaldson 2014): everyone reads a neighbour's element,
// and only after the barrier does anyone write. Race-free whatever the offset is.
// (Who fills `a` is not in the figure.)

__kernel void add_neighbour(__local int *a, int offset)
{
    int tid = get_local_id(0);
    int neighbour = a[tid + offset];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[tid] = a[tid] + neighbour;
}
