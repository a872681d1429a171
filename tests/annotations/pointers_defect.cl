//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Threads of different groups have different arrays.
__kernel void pointers_defect(__global int *even, __global int *odd)
{
    __global int *place = (get_group_id(0) % 2 == 0 ? even : odd) + get_global_id(0);
    __assert(__ptr_base(place) == __other_ptr_base(__ptr_base(place))); //~? assertion
    *place = 1;
}
