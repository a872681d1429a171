//pass
//--local_size=64 --num_groups=1 --assume 'levels > 0 && levels <= 32'
// needs bounds
// Each thread has a stack of its own, no deeper than a parameter says.

__kernel void stack_of_parameter(__global int *out, __global const int *in, int n, int levels)
{
    int stack[32];
    int lid = get_local_id(0);
    int depth = 0;
    for (int i = 0; i < n; i++) {
        int v = in[i * 64 + lid];
        if (v < 0) {
            if (depth > 0)
                depth--;
        } else if (depth != levels - 1) {
            depth++;
        }
        stack[depth] = v;
    }
    out[lid] = stack[0];
}
