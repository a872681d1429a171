//xfail:NOT_ALL_VERIFIED
//--local_size=60 --num_groups=1
// As some_advance_odd.cl, but the step is too small.

__kernel void some_advance_odd_defect(__global int *out, __global const int *in)
{
    int id = get_local_id(0);
    int to = id;
    for (int i = 0; i < 1000; i++) {
        if (in[i * 60 + id] > 0) {
            out[to] = i; //~ race
            to += 59;
        }
    }
}
