//pass
//--local_size=64 --num_groups=1
// needs abstract-values
// Each thread chooses by itself when it goes on to the other buffer.

__kernel void toggled_buffer(__global int *out, __global const int *in, int n)
{
    __local int buffer[128];
    int id = get_local_id(0);
    int base = 0;
    for (int i = 0; i < n; i++) {
        buffer[base + id] = in[i * 64 + id];
        if (in[i * 64 + id] & 1)
            base ^= 64;
    }
    out[id] = buffer[id];
}
