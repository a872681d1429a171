//xfail:INPUT
//--local_size=64 --num_groups=4
__kernel void misplaced_invariant(__global int *out, uint n)
{
    for (uint i = 0; i < n; i++) {
        __invariant(i < n);
        out[get_global_id(0)] = i;
    }
}
