//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As merged_lists.cl, but each thread has room for one list only.

__kernel void merged_lists_defect(__global int *out, __global const int *in)
{
    int id = get_local_id(0);
    int a = 0, b = 0;
    int to = id * 4;
    while (a < 4 && b < 4) {
        if (in[id * 8 + a] < in[id * 8 + 4 + b]) {
            out[to] = in[id * 8 + a]; //~ race a aa ab
            a++;
        } else {
            out[to] = in[id * 8 + 4 + b]; //~ race b bb ab
            b++;
        }
        to++;
    }
}
