//pass
//--local_size=* --num_groups=* --assume 'width > 0 && height > 0 && mask_width > 0 && mask_height > 0'
// Convolution of an image that is stored as one long row, the mask cut off at the borders.

__kernel void simple_convolution(__global uint *output, __global const uint *input, __global const float *mask,
                                 uint width, uint height, uint mask_width, uint mask_height)
{
    uint tid = get_global_id(0);
    if (tid >= width * height) {
        return;
    }
    uint x = tid % width;
    uint y = tid / width;
    uint vstep = (mask_width - 1) / 2;
    uint hstep = (mask_height - 1) / 2;
    uint left = x < vstep ? 0 : x - vstep;
    uint right = x + vstep >= width ? width - 1 : x + vstep;
    uint top = y < hstep ? 0 : y - hstep;
    uint bottom = y + hstep >= height ? height - 1 : y + hstep;

    float sum = 0;
    for (uint i = left; i <= right; i++) {
        for (uint j = top; j <= bottom; j++) {
            uint mask_index = (j - (y - hstep)) * mask_width + (i - (x - vstep));
            sum += (float)input[j * width + i] * mask[mask_index];
        }
    }
#ifdef DEFECT
    output[y] = (uint)(sum + 0.5f); //~ race
#else
    output[tid] = (uint)(sum + 0.5f);
#endif
}
