//pass
//--local_size=64 --num_groups=2
// Some arguments break each of these assumptions, others none: that is what assumptions are for.

__kernel void of_arguments(__global int *list, __global const int *in, int n, int by, int distance)
{
    int i = get_global_id(0);
    int scaled = n * by + i;
    list[i] = in[i] / n + (in[i] >> (n - 1)) + scaled / (by - 7) + scaled % distance;
}
