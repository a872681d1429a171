//pass
//--local_size=8,8 --num_groups=*,* --assume 'n > 0 && (n & 31) == 0 && n >= get_global_size(0) * 4'
// sgemm with a block of four by four results per work-item: tiles of 32 by 32 come through local memory as float4 rows, and the
// result goes back as float4.

#define TILE 32

__kernel void sgemm_float4(__global const float *A, __global const float *B, __global float *C, int n)
{
    __local float As[TILE][TILE];
    __local float Bs[TILE][TILE];
    int lx = get_local_id(0), ly = get_local_id(1);
    int col = get_group_id(0) * TILE + lx * 4;
    int row = get_group_id(1) * TILE + ly * 4;
    float4 acc[4] = {(float4)(0.0f), (float4)(0.0f), (float4)(0.0f), (float4)(0.0f)};

    for (int t = 0; t < n; t += TILE) {
        for (int r = 0; r < 4; r++) {
            vstore4(vload4(0, A + (row + r) * n + t + lx * 4), 0, &As[ly * 4 + r][lx * 4]);
#ifdef DEFECT
            vstore4(vload4(0, B + (t + ly * 4 + r) * n + col), 0, &Bs[ly * 4 + r][lx * 4 - (lx > 0)]); //~ race
#else
            vstore4(vload4(0, B + (t + ly * 4 + r) * n + col), 0, &Bs[ly * 4 + r][lx * 4]);
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++) {
            float4 b = vload4(0, &Bs[k][lx * 4]);
            for (int r = 0; r < 4; r++)
                acc[r] = mad((float4)(As[ly * 4 + r][k]), b, acc[r]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = 0; r < 4; r++)
        vstore4(acc[r], 0, C + (row + r) * n + col);
}
