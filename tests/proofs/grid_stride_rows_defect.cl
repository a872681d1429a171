//xfail:NOT_ALL_VERIFIED
//--local_size=[*,*] --num_groups=[*,*]
// As grid_stride_rows.cl, but columns are taken in steps of the other dimension.

__kernel void grid_stride_rows_defect(__global const float *in, __global float *out, uint width, uint height)
{
    __requires(width < 65536 & height < 65536);
    for (uint y = get_global_id(1); y < height; y += get_global_size(1)) {
        for (uint x = get_global_id(0); x < width; x += get_global_size(1)) {
            out[y * width + x] = 2.0f * in[y * width + x] + get_global_id(0); //~ race
        }
    }
}
