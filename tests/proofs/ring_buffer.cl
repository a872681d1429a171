//pass
//--local_size=64 --num_groups=1
// needs abstract-values
// Each thread has a ring of six cells; how far it has come in it depends on what it reads.

__kernel void ring_buffer(__global int *out, __global const int *in, int n)
{
    __local int ring[64 * 6];
    int id = get_local_id(0);
    int head = 0;
    for (int i = 0; i < n; i++) {
        ring[id * 6 + head] = in[i * 64 + id];
        if (in[i * 64 + id] > 0) {
            head++;
            if (head == 6)
                head = 0;
        }
    }
    out[id] = ring[id * 6];
}
