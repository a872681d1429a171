//xfail:INPUT
//--local_size=64 --num_groups=4
// The second half of && is in a block of its own.
__kernel void misplaced_by_short_circuit(__global int *out, uint n)
{
    for (uint i = 0; __invariant(i <= n && get_local_id(0) < 64), i < n; i++) {
        out[get_global_id(0)] = i;
    }
}
