//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As toggled_buffer.cl, but the buffers are half as large as they should be.

__kernel void toggled_buffer_defect(__global int *out, __global const int *in, int n)
{
    __local int buffer[128];
    int id = get_local_id(0);
    int base = 0;
    for (int i = 0; i < n; i++) {
        buffer[base + id] = in[i * 64 + id]; //~ race
        if (in[i * 64 + id] & 1)
            base ^= 32;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = buffer[id];
}
