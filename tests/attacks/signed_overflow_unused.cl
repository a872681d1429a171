//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// What overflows decides nothing, so nothing is assumed of it.

__kernel void signed_overflow_unused(__global int *out, int n)
{
    int id = get_local_id(0);
    out[64 + id] = n + 1;
    if (n == 2147483647) {
        out[0] = id; //~? race
    }
}
