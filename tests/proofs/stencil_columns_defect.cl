//xfail:NOT_ALL_VERIFIED
//--local_size=16x16 --num_groups=4x4
// As stencil_columns.cl, but layers overlap.

__kernel void stencil_columns_defect(__global const float *in, __global float *out, int depth)
{
    int x = get_global_id(0), y = get_global_id(1);
    int at = y * 64 + x;
    float below = in[at], here = in[at + 4096];
    for (int z = 1; z < depth; z++) {
        at += 4095;
        float above = in[at + 4096];
        out[at] = below + here + above; //~ race
        below = here;
        here = above;
    }
}
