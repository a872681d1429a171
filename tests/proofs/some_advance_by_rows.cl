//pass
//--local_size=64 --num_groups=4
// As some_advance.cl, cells of a thread one launch apart.

__kernel void some_advance_by_rows(__global int *out, __global const int *in, int n)
{
    int id = get_global_id(0);
    int to = id;
    for (int i = 0; i < n; i++) {
        if (in[i * 256 + id] > 0) {
            out[to] = i;
            to += 256;
        }
    }
}
