//pass
//--local_size=56 --num_groups=1
// As multiples_of_stride.cl for a number of threads that is no power of two.
// needs recurrences

__kernel void multiples_of_56(__global int *out, __global const int *skip)
{
    int i = get_local_id(0);
    while (i < 100000) {
        out[i] = get_local_id(0);
        if (skip[i] > 0) {
            i += 168;
        } else {
            i += 56;
        }
    }
}
