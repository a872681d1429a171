//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A breakpoint stops nobody.

__kernel void debugtrap(__global int *data)
{
    if (get_global_id(0) != 3)
        __builtin_debugtrap();
    data[0] = get_global_id(0); //~ race
}
