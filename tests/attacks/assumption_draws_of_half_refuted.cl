//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// 128 numbers are drawn, and there are two: no run keeps them apart.

__kernel void half_of_all(__global uint *count, __global uint *list)
{
    uint at = atomic_add(count, 0x80000000u);
    list[at >> 1] = get_global_id(0); //~ race
}
