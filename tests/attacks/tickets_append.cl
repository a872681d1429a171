//pass
//--local_size=64 --num_groups=8
// Each thread draws a place of its own.

__kernel void append(__global uint *count, __global uint *list)
{
    uint at = atomic_inc(count);
    list[at] = get_global_id(0);
}
