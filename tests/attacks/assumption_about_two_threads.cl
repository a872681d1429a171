//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=1
// True of every two threads. A thread that has its group to itself is not two, and writes past the end.
__kernel void assumption_about_two_threads(__global int *out)
{
    __local int last[1];
    __assume(__distinct_int(get_local_id(0)));
    if (get_local_size(0) == 1) {
        last[get_local_size(0)] = 1; //~ out-of-bounds
    }
    out[get_local_id(0)] = 1;
}
