//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Only work-item 63 computes what overflows for n of 2147483647: nothing follows for the others, who do not.

__kernel void signed_overflow_of_others(__global int *out, __global int *limit, int n)
{
    int id = get_local_id(0);
    int last = 0;
    if (id == 63) {
        last = n + 1;
        limit[last & 1] = 0;
    }
    if (id < 2 && n == 2147483647) {
        out[0] = id; //~ race
    }
}
