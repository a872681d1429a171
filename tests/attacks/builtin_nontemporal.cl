//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A hint about caches changes nothing.

__kernel void nontemporal(__global int *data)
{
    __builtin_nontemporal_store((int)get_global_id(0), data + get_global_id(0) / 2); //~ race
}
