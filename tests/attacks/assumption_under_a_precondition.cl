//pass
//--local_size=4 --num_groups=1
// Only one input satisfies the precondition, and with that the sum does not overflow.

__kernel void under_a_precondition(__global int *list, uint n)
{
    __requires(n * 5u == 0x12345678u);
    int t = get_local_id(0);
    int e = (n == 3497057816u ? 0 : 2147483646) + t;
    list[e < 0 ? 0 : t] = t;
}
