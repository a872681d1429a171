//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// Not every run draws; those that do draw more numbers than there are.

__kernel void in_a_branch(__global uint *count, __global uint *list, int n)
{
    if (n > 5) {
        uint at = atomic_add(count, 0x80000000u);
        list[at >> 1] = get_global_id(0); //~ race
    }
}
