//pass
//--local_size=64 --num_groups=4
// assumes: no division by zero, and none of the least number by -1 (line 13)
// assumes: no division by zero (line 14)
// otherwise verified: --local_size=64 --num_groups=4 -D OTHERWISE
// What comes of it need not be the same for any two threads.
__kernel void division(__global int *out, int n, int m, uint k)
{
#ifdef OTHERWISE
    m = 3;
    int bias = n / 3 - n % 5 + k / 7;
#else
    int bias = n / m - n % m;
    bias += k / (uint)m;
#endif
    out[(long)bias + get_global_id(0)] = get_global_id(0);
}
