//pass
//--local_size=64 --num_groups=2
// Steps differ, but all are multiples of the number of threads.

__kernel void multiples_of_stride(__global int *out, __global const int *skip, int n)
{
    int i = get_global_id(0);
    while (i < n) {
        out[i] = get_global_id(0);
        if (skip[i] > 0) {
            i += 384;
        } else {
            i += 128;
        }
    }
}
