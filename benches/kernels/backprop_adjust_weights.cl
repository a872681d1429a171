//pass
//--local_size=16,16 --num_groups=1,* --assume 'hid >= 16'
// Back-propagation, the weights of a layer: with momentum, in place, and the weights of the bias by the first group's first row.

#define HEIGHT 16

__kernel void bpnn_adjust_weights(__global const float *delta, int hid, __global const float *ly, int in, __global float *w,
                                  __global float *oldw)
{
    int by = get_group_id(1);
    int tx = get_local_id(0), ty = get_local_id(1);
    int index = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1);
    int index_y = HEIGHT * by + ty + 1;
    int index_x = tx + 1;

    w[index] += 0.3f * delta[index_x] * ly[index_y] + 0.3f * oldw[index];
    oldw[index] = 0.3f * delta[index_x] * ly[index_y] + 0.3f * oldw[index];
    barrier(CLK_LOCAL_MEM_FENCE);

#ifdef DEFECT
    if (ty == 0)
#else
    if (ty == 0 && by == 0)
#endif
    {
        w[index_x] += 0.3f * delta[index_x] + 0.3f * oldw[index_x]; //~ race w o
        oldw[index_x] = 0.3f * delta[index_x] + 0.3f * oldw[index_x]; //~ race o oo
    }
}
