//xfail:INPUT
//--local_size=64 --num_groups=4
// Before the loops it reads as if it held there only.
__kernel void misplaced_function_wide(__global int *out, uint n)
{
    __function_wide_invariant(n > 0);
    for (uint i = 0; i < n; i++) {
        out[get_global_id(0)] += 1;
    }
}
