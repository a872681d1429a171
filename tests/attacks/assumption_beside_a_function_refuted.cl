//unknown
//--local_size=4 --num_groups=1
// The result of the function has no influence on the sum that overflows in every run.

int elsewhere(int);

__kernel void beside_a_function(__global int *list, __global int *other)
{
    int t = get_local_id(0);
    other[t] = elsewhere(t);
    int e = 2147483646 + t;
    list[e < 0 ? 0 : t] = t;
}
