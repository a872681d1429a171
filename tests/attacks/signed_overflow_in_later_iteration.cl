//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The sum overflows in no iteration that is executed: n is at most 4.

__kernel void signed_overflow_in_later_iteration(__global int *out, int n)
{
    int id = get_local_id(0);
    int step = 1;
    for (int i = 0; i < n && i < 4; i++) {
        step = step * 1000;
        out[id % 2 + (step & 1)] = id; //~ race
    }
}
