//unknown
//--local_size=4 --num_groups=1 --assume=n==305419896
// No input that is tried satisfies the condition, which has no influence on the sum that overflows in every run.

__kernel void beside_a_given_condition(__global int *list, int n)
{
    int t = get_local_id(0);
    int e = 2147483646 + t;
    list[e < 0 ? 0 : t] = t + n;
}
