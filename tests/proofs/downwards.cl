//pass
//--local_size=72 --num_groups=2
// A loop that counts down.

__kernel void downwards(__global int *out, int n)
{
    for (int i = n - 1 - (int)get_global_id(0); i >= 0; i -= 144) {
        out[i] = get_global_id(0);
    }
}
