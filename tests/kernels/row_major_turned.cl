//pass
//--local_size=[*,*] --num_groups=[*,*]
// A transposition of parameters' sizes: two products of unknowns, one of them in what is written.

__kernel void turned(__global int *to, __global const int *from, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) {
        to[x * height + y] = from[y * width + x] + x;
    }
}
