//pass
//--local_size=72 --num_groups=2
// The first round stands before the loop.

__kernel void peeled(__global int *out, int n)
{
    int i = get_global_id(0) + 1;
    out[i] = 0;
    for (i += 144; i < n; i += 144) {
        out[i] = get_global_id(0) + 1;
    }
}
