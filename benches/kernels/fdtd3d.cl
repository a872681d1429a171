//pass
//--local_size=32,8 --num_groups=*,* --assume 'dimx > 0 && dimy > 0 && dimz > 0 && padding >= 0'
// FDTD in three dimensions with radius 4: groups cover the x-y plane and walk along z; four planes behind and four ahead
// are in registers, the current plane with its halo in local memory.

#define RADIUS 4
#define MAXWORKX 32
#define MAXWORKY 8

__kernel void finite_difference(__global float *output, __global const float *input, __constant float *coeff, const int dimx,
                                const int dimy, const int dimz, const int padding)
{
    bool valid = true;
    const int gtidx = get_global_id(0);
    const int gtidy = get_global_id(1);
    const int ltidx = get_local_id(0);
    const int ltidy = get_local_id(1);
    const int workx = get_local_size(0);
    const int worky = get_local_size(1);
    __local float tile[MAXWORKY + 2 * RADIUS][MAXWORKX + 2 * RADIUS];

    const int stride_y = dimx + 2 * RADIUS;
    const int stride_z = stride_y * (dimy + 2 * RADIUS);
    int input_index = 0;
    int output_index = 0;
    input_index += RADIUS * stride_y + RADIUS + padding;
    input_index += gtidy * stride_y + gtidx;

    float infront[RADIUS];
    float behind[RADIUS];
    float current;
    const int tx = ltidx + RADIUS;
    const int ty = ltidy + RADIUS;

    if (gtidx >= dimx)
        valid = false;
    if (gtidy >= dimy)
        valid = false;

    for (int i = RADIUS - 2; i >= 0; i--) {
        behind[i] = input[input_index];
        input_index += stride_z;
    }
    current = input[input_index];
    output_index = input_index;
    input_index += stride_z;
    for (int i = 0; i < RADIUS; i++) {
        infront[i] = input[input_index];
        input_index += stride_z;
    }

    for (int iz = 0; iz < dimz; iz++) {
        for (int i = RADIUS - 1; i > 0; i--)
            behind[i] = behind[i - 1];
        behind[0] = current;
        current = infront[0];
        for (int i = 0; i < RADIUS - 1; i++)
            infront[i] = infront[i + 1];
        infront[RADIUS - 1] = input[input_index];
        input_index += stride_z;
        output_index += stride_z;
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif

        if (ltidy < RADIUS) {
            tile[ltidy][tx] = input[output_index - RADIUS * stride_y]; //~ race above
            tile[ltidy + worky + RADIUS][tx] = input[output_index + worky * stride_y]; //~ race below
        }
        if (ltidx < RADIUS) {
            tile[ty][ltidx] = input[output_index - RADIUS]; //~ race left
            tile[ty][ltidx + workx + RADIUS] = input[output_index + workx]; //~ race right
        }
        tile[ty][tx] = current; //~ race current vertical
        barrier(CLK_LOCAL_MEM_FENCE);

        float value = coeff[0] * current;
        for (int i = 1; i <= RADIUS; i++) {
            value += coeff[i] * (infront[i - 1] + behind[i - 1]);
            value += coeff[i] * (tile[ty - i][tx] + tile[ty + i][tx]); //~ race above below vertical
            value += coeff[i] * (tile[ty][tx - i] + tile[ty][tx + i]); //~ race left right current
        }
        if (valid)
            output[output_index] = value;
    }
}
