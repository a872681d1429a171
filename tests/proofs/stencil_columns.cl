//pass
//--local_size=16x16 --num_groups=4x4
// Each thread goes up a column of a volume.

__kernel void stencil_columns(__global const float *in, __global float *out, int depth)
{
    int x = get_global_id(0), y = get_global_id(1);
    int at = y * 64 + x;
    float below = in[at], here = in[at + 4096];
    for (int z = 1; z < depth; z++) {
        at += 4096;
        float above = in[at + 4096];
        out[at] = below + here + above;
        below = here;
        here = above;
    }
}
