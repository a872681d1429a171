//xfail:NOT_ALL_VERIFIED
//--local_size=[8,8] --num_groups=[8,8]
// As dct_8x8.cl, without the barrier between reading the rows and overwriting them: some
// work-items see a mixture of old and new elements.

#define WIDTH 64

__constant float basis[8][8] = {
    {0.3536f, 0.3536f, 0.3536f, 0.3536f, 0.3536f, 0.3536f, 0.3536f, 0.3536f},
    {0.4904f, 0.4157f, 0.2778f, 0.0975f, -0.0975f, -0.2778f, -0.4157f, -0.4904f},
    {0.4619f, 0.1913f, -0.1913f, -0.4619f, -0.4619f, -0.1913f, 0.1913f, 0.4619f},
    {0.4157f, -0.0975f, -0.4904f, -0.2778f, 0.2778f, 0.4904f, 0.0975f, -0.4157f},
    {0.3536f, -0.3536f, -0.3536f, 0.3536f, 0.3536f, -0.3536f, -0.3536f, 0.3536f},
    {0.2778f, -0.4904f, 0.0975f, 0.4157f, -0.4157f, -0.0975f, 0.4904f, -0.2778f},
    {0.1913f, -0.4619f, 0.4619f, -0.1913f, -0.1913f, 0.4619f, -0.4619f, 0.1913f},
    {0.0975f, -0.2778f, 0.4157f, -0.4904f, 0.4904f, -0.4157f, 0.2778f, -0.0975f},
};

__kernel void dct_8x8(__global float *image)
{
    __local float block[8][8];
    int x = get_local_id(0);
    int y = get_local_id(1);
    int pixel = get_global_id(1) * WIDTH + get_global_id(0);

    block[y][x] = image[pixel];
    barrier(CLK_LOCAL_MEM_FENCE);

    float row = 0.0f;
    for (int k = 0; k < 8; k++) {
        row += basis[x][k] * block[y][k]; //~ race
    }
    block[y][x] = row; //~ race
    barrier(CLK_LOCAL_MEM_FENCE);

    float column = 0.0f;
    for (int k = 0; k < 8; k++) {
        column += basis[y][k] * block[k][x];
    }
    image[pixel] = column;
}
