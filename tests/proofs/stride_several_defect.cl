//xfail:NOT_ALL_VERIFIED
//--local_size=40 --num_groups=3
// As stride_several.cl, but the step is one too small.

__kernel void stride_several_defect(__global int *out, int n)
{
    int threads = 120;
    for (int i = get_global_id(0); i < n; i += 4 * threads - 1) {
        out[i] = 0; //~ race a b c d
        out[i + threads] = 1; //~ race a e f g
        out[i + 2 * threads] = 2; //~ race b e h i
        out[i + 3 * threads] = 3; //~ race c f h j
    }
}
