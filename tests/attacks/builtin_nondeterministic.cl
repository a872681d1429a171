//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A value of which nothing is known may be the same for all.

__kernel void nondeterministic(__global int *data)
{
    int any;
    any = __builtin_nondeterministic_value(any);
    data[any & 63] = get_global_id(0); //~ race
}
