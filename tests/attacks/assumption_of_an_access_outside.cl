//pass
//--local_size=4 --num_groups=1
// In no run that is tried the other array reaches so far back: what lies there decides whether the sum overflows.

__kernel void of_an_access_outside(__global int *list, __global const int *other)
{
    int t = get_local_id(0);
    int e = (other[-1 - t] == 0 ? 2147483646 : 0) + t;
    list[e < 0 ? 0 : t] = t;
}
