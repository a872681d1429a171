//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// What is expected need not be so.

__kernel void expect(__global int *data)
{
    if (__builtin_expect(get_global_id(0) == 0, 1) == 0)
        data[0] = get_global_id(0); //~ race
}
