//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As what_remains.cl, but more is done than was left.

__kernel void what_remains_defect(__global int *out, __global const int *in)
{
    int id = get_local_id(0);
    int left = 3, done = 0;
    while (left >= 0) {
        int take = in[id * 3 + done] & 1;
        if (left == 0 && take == 0)
            break;
        out[id * 3 + done] = id; //~ race
        done += take;
        left -= take;
    }
}
