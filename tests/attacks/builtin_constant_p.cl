//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Whether something is constant depends on the optimiser.

__kernel void constant_p(__global int *data)
{
    int three = 3;
    if (__builtin_constant_p(three))
        data[0] = get_global_id(0); //~? race
}
