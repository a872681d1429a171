//unknown
//--local_size=4 --num_groups=1
// In no run that is tried the other array reaches so far back, which has no influence on the sum that overflows in every run.

__kernel void beside_an_access_outside(__global int *list, __global int *other)
{
    int t = get_local_id(0);
    other[-1 - t] = 1;
    int e = 2147483646 + t;
    list[e < 0 ? 0 : t] = t;
}
