//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A read beside the prefetch is one.

__kernel void prefetch_and_read(__global int *data)
{
    __builtin_prefetch(data + get_global_id(0) + 1, 1, 3);
    data[get_global_id(0)] = data[get_global_id(0) + 1]; //~ race
}
