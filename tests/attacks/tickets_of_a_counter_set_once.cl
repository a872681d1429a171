//pass
//--local_size=64 --num_groups=1
// Set before all draw from it.

__kernel void once(__local uint *count, __global uint *list)
{
    if (get_local_id(0) == 0) {
        *count = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = atomic_inc(count);
    list[at] = get_local_id(0);
}
