//unknown
//--local_size=64 --num_groups=1
// Under an assumption that cannot hold anything could be proved.

__kernel void contradictory_assumption(__global int *out, uint n)
{
    __builtin_assume(n > 5 && n < 3);
    out[0] = get_local_id(0);
}
