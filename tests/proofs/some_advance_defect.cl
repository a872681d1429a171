//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As some_advance.cl, but the slices are too short.

__kernel void some_advance_defect(__global int *out, __global const int *in)
{
    int id = get_global_id(0);
    int count = 0;
    for (int i = 0; i < 24; i++) {
        if (in[id * 24 + i] > 0) {
            out[id * 4 + count] = i; //~ race
            count++;
        }
    }
}
