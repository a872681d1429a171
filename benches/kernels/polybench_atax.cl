//pass
//--local_size=256 --num_groups=*
// Second step of atax, y := A^T tmp: a work-item per column, the vector passes through local memory in pieces of 256.

__kernel void atax_kernel1(__global const float *A, __global const float *tmp, __global float *y, int nx, int ny)
{
    int b0 = get_group_id(0);
    int t0 = get_local_id(0);
    __local float shared_tmp[256];
    float private_y = 0.0f;

    for (int c1 = 0; c1 < nx; c1 += 256) {
        if (nx >= t0 + c1 + 1) {
            shared_tmp[t0] = tmp[t0 + c1]; //~ race
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (ny >= 256 * b0 + t0 + 1) {
            for (int c3 = 0; c3 <= (255 < nx - c1 - 1 ? 255 : nx - c1 - 1); c3 += 1) {
                private_y += A[(c1 + c3) * ny + 256 * b0 + t0] * shared_tmp[c3]; //~ race
            }
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    if (ny >= 256 * b0 + t0 + 1) {
        y[256 * b0 + t0] = private_y;
    }
}
