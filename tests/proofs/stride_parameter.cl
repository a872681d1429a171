//pass
//--local_size=64 --num_groups=4
// open sizes too
// The stride is a parameter: threads beyond it have nothing to do.
// needs progress

__kernel void stride_parameter(__global int *out, int n, int stride)
{
    int first = get_global_id(0);
    if (first < stride) {
        for (int i = first; i < n; i += stride) {
            out[i] = first;
        }
    }
}
