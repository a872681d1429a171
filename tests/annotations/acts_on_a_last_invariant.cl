//xfail:INPUT
//--local_size=64 --num_groups=4
// The loop would go on as long as the invariant says.
__kernel void acts_on_a_last_invariant(__global uint *out, uint n)
{
    for (uint i = 0; i < n, __invariant(i <= n); i++) {
        out[get_global_id(0)] = i;
    }
}
