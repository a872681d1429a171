//pass
//--local_size=4 --num_groups=1
// The contents in front of the other array decide whether the sum overflows, and no run that is tried has them.

__kernel void of_an_access_outside(__global int *list, __global const int *other)
{
    int t = get_local_id(0);
    int e = (other[-1 - t] == 0 ? 2147483646 : 0) + t;
    list[e < 0 ? 0 : t] = t;
}
