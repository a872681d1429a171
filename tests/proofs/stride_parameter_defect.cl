//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// open sizes too
// As stride_parameter.cl, but a thread too many.

__kernel void stride_parameter_defect(__global int *out, int n, int stride)
{
    int first = get_global_id(0);
    if (first <= stride) {
        for (int i = first; i < n; i += stride) {
            out[i] = first; //~ race
        }
    }
}
