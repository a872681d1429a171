//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// If a false invariant were believed, no thread would get to the write in which all of them race.
__kernel void false_function_wide_invariant(__global int *out, int n)
{
    for (int i = 0; i < n; i++) {
    }
    if (n >= 0) {
        out[0] = get_local_id(0);
    }
    __function_wide_invariant(n < 0); //~? assertion
}
