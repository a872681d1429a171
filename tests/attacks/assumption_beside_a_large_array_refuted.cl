//unknown
//--local_size=4 --num_groups=1
// In no run that is tried the other array is so large, which has no influence on the sum that overflows in every run.

__kernel void beside_a_large_array(__global int *list, __global int *other)
{
    int t = get_local_id(0);
    other[(ulong)t << 40] = 1;
    int e = 2147483646 + t;
    list[e < 0 ? 0 : t] = t;
}
