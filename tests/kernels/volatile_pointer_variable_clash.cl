//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A volatile variable holds the group's number.

__kernel void volatile_pointer_variable_clash(__global int *a)
{
    volatile uint index = get_group_id(0);
    __global int *volatile pointer = a + index;
    *pointer = get_local_id(0); //~ race
}
