//pass
//--local_size=64 --num_groups=1 --assume 'cells > 0 && cells <= 16'
// needs bounds
// Each thread has a ring of its own, of as many cells as a parameter says, and goes on in it where the input says so.

__kernel void ring_of_parameter(__global int *out, __global const int *in, int n, int cells)
{
    int ring[16];
    int lid = get_local_id(0);
    int head = 0;
    for (int i = 0; i < n; i++) {
        int v = in[i * 64 + lid];
        ring[head] = v;
        if (v > 0)
            head = head + 1 == cells ? 0 : head + 1;
    }
    out[lid] = ring[0];
}
