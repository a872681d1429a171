//pass
//--local_size=64 --num_groups=1
// needs affine-equalities
// Each thread merges two sorted lists of 64 numbers: the place in the result is the sum of those in the lists.

__kernel void merged_lists(__global int *out, __global const int *in)
{
    int id = get_local_id(0);
    int a = 0, b = 0;
    int to = id * 128;
    while (a < 64 && b < 64) {
        if (in[id * 128 + a] < in[id * 128 + 64 + b]) {
            out[to] = in[id * 128 + a];
            a++;
        } else {
            out[to] = in[id * 128 + 64 + b];
            b++;
        }
        to++;
    }
}
