//xfail:INPUT
//--local_size=64 --num_groups=4
// At the end of a loop is not at the end of the function.
__kernel void misplaced_function_wide_in_loop(__global int *out, uint n)
{
    for (uint i = 0; i < n; i++) {
        out[get_global_id(0)] += 1;
        __function_wide_invariant(i <= n);
    }
}
