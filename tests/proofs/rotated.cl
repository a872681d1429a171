//pass
//--local_size=72 --num_groups=2
// The test stands at the end.
// needs progress

__kernel void rotated(__global int *out, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        do {
            out[i] = get_global_id(0);
            i += 144;
        } while (i < n);
    }
}
