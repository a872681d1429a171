//pass
//--local_size=16,16 --num_groups=*,* --assume 'cols > 0 && rows > 0'
// srad, second version: directional derivatives and the coefficient of diffusion from a tile and four borders in local memory;
// a column of rest groups fills up the grid.

#define BLOCK_SIZE 16

__kernel void srad_1(__global float *E_C, __global float *W_C, __global float *N_C, __global float *S_C,
                     __global const float *J, __global float *C, int cols, int rows, float q0sqr)
{
    __local float temp[BLOCK_SIZE][BLOCK_SIZE];
    __local float north[BLOCK_SIZE][BLOCK_SIZE];
    __local float south[BLOCK_SIZE][BLOCK_SIZE];
    __local float east[BLOCK_SIZE][BLOCK_SIZE];
    __local float west[BLOCK_SIZE][BLOCK_SIZE];
    int x = get_global_id(0), y = get_global_id(1);
    int tx = get_local_id(0), ty = get_local_id(1);
    int inside = x < cols && y < rows;
    int index = cols * y + x;

    if (inside) {
        temp[ty][tx] = J[index]; //~ race n s w e
        north[ty][tx] = y == 0 ? J[index] : J[index - cols];
        south[ty][tx] = y == rows - 1 ? J[index] : J[index + cols];
        west[ty][tx] = x == 0 ? J[index] : J[index - 1];
        east[ty][tx] = x == cols - 1 ? J[index] : J[index + 1];
    }
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (inside) {
        float jc = temp[ty][tx];
        float n = (ty > 0 ? temp[ty - 1][tx] : north[ty][tx]) - jc; //~ race n
        float s = (ty < BLOCK_SIZE - 1 && y < rows - 1 ? temp[ty + 1][tx] : south[ty][tx]) - jc; //~ race s
        float w = (tx > 0 ? temp[ty][tx - 1] : west[ty][tx]) - jc; //~ race w
        float e = (tx < BLOCK_SIZE - 1 && x < cols - 1 ? temp[ty][tx + 1] : east[ty][tx]) - jc; //~ race e
        float g2 = (n * n + s * s + w * w + e * e) / (jc * jc);
        float l = (n + s + w + e) / jc;
        float num = 0.5f * g2 - (1.0f / 16.0f) * (l * l);
        float den = 1 + 0.25f * l;
        float qsqr = num / (den * den);
        den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
        C[index] = clamp(1.0f / (1.0f + den), 0.0f, 1.0f);
        E_C[index] = e;
        W_C[index] = w;
        S_C[index] = s;
        N_C[index] = n;
    }
}
