//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As ring_buffer.cl, but the ring has seven cells before the head comes back.

__kernel void ring_buffer_defect(__global int *out, __global const int *in, int n)
{
    __local int ring[64 * 6 + 1];
    int id = get_local_id(0);
    int head = 0;
    for (int i = 0; i < n; i++) {
        ring[id * 6 + head] = in[i * 64 + id]; //~ race
        if (in[i * 64 + id] > 0) {
            head++;
            if (head == 7)
                head = 0;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = ring[id * 6];
}
