//pass
//--local_size=64 --num_groups=8
// Drawn in different iterations, too, places are different ones.

__kernel void append_several(__global uint *count, __global uint *list, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        uint at = atomic_add(count, 2);
        list[at] = i;
        list[at + 1] = n - i;
    }
}
