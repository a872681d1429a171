//xfail:NOT_ALL_VERIFIED
//--local_size=16x16 --num_groups=8x8
// As matrix_product_pointers.cl, but there is no barrier before a tile is used.

__kernel void matrix_product_pointers_defect(__global const float *a, __global const float *b, __global float *c, int wa, int wb)
{
    __local float left[16][16];
    __local float right[16][16];
    int x = get_local_id(0), y = get_local_id(1);
    int begin = wa * 16 * get_group_id(1);
    int end = begin + wa - 1;
    float sum = 0;
    for (int i = begin, j = 16 * get_group_id(0); i <= end; i += 16, j += 16 * wb) {
        left[y][x] = a[i + wa * y + x]; //~ race left
        right[y][x] = b[j + wb * y + x]; //~ race right
        for (int k = 0; k < 16; k++) {
            sum += left[y][k] * right[k][x]; //~ race left right
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[get_global_id(1) * 128 + get_global_id(0)] = sum;
}
