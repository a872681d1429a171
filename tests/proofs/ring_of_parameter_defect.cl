//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1 --assume 'cells > 0 && cells <= 16'
// As ring_of_parameter.cl, but a ring of 16 has a cell more than fits.

__kernel void ring_of_parameter_defect(__global int *out, __global const int *in, int n, int cells)
{
    int ring[16];
    int lid = get_local_id(0);
    int head = 0;
    for (int i = 0; i < n; i++) {
        int v = in[i * 64 + lid];
        ring[head] = v; //~ out-of-bounds
        if (v > 0)
            head = head == cells ? 0 : head + 1;
    }
    out[lid] = ring[0];
}
