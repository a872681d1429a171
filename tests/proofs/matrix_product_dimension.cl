//pass
//--local_size=16x16 --num_groups=8x8
// A tiled product of matrices whose dimension is a parameter.

__kernel void matrix_product_dimension(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float left[16][16];
    __local float right[16][16];
    int x = get_local_id(0), y = get_local_id(1);
    int row = get_global_id(1), column = get_global_id(0);
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        left[y][x] = a[row * n + t + x];
        right[y][x] = b[(t + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++) {
            sum += left[y][k] * right[k][x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < n && column < n) {
        c[row * n + column] = sum;
    }
}
