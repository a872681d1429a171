//pass
//--local_size=64 --num_groups=1
// needs affine-equalities
// What is done and what is left make a hundred; the loop ends when nothing is left.

__kernel void what_remains(__global int *out, __global const int *in)
{
    int id = get_local_id(0);
    int left = 100, done = 0;
    while (left > 0) {
        int take = in[id * 100 + done] & 3;
        if (take > left)
            take = left;
        out[id * 100 + done] = take;
        done += take;
        left -= take;
    }
}
