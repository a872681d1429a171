//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// Steps of 2 and 1: numbers are distinct, but nobody draws the second place that a step of 2 leaves for its thread.

__kernel void mixed(__global uint *count, __global uint *list)
{
    uint at;
    if (get_local_id(0) % 2 == 0) {
        at = atomic_add(count, 2);
    } else {
        at = atomic_sub(count, 1);
    }
    list[at] = get_global_id(0); //~ race
}
