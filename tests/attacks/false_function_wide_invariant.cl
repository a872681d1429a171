//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
__kernel void false_function_wide_invariant(__global int *out, int n)
{
    for (int i = 0; i < n; i++) {
    }
    out[0] = get_local_id(0); //~ race
    __function_wide_invariant(n < 0); //~ assertion
}
