//pass
//--local_size=64 --num_groups=2
// No input that is tried satisfies the precondition, and others say nothing of what it rests on.

__kernel void with_a_precondition(__global int *list, int n)
{
    __requires(n == 4097);
    int i = get_global_id(0);
    list[i] = 5 / ((n - 4097) * 3 + 1);
}
