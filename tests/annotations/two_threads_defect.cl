//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
__kernel void two_threads_defect(__global uint *out)
{
    __assert(__distinct_int(get_local_id(0))); //~? assertion
    out[get_global_id(0)] = 1;
}
