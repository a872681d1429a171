//xfail:COMMAND_LINE_ERROR
//--local_size=64 --num_groups=1 --global-offset=4294967290
// With this offset ids do not fit into the 32 bits that ours have.

__kernel void offset_beyond_32_bits(__global int *out)
{
    size_t id = get_global_id(0);
    if (id >= 4294967296ul) {
        out[0] = (int)id;
    }
}
