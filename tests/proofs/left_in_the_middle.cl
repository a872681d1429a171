//pass
//--local_size=72 --num_groups=2
// The loop is left by a break.

__kernel void left_in_the_middle(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0);
    while (1) {
        if (i >= n || in[i] == 0) {
            break;
        }
        out[i] = get_global_id(0);
        i += 144;
    }
}
