//pass
//--local_size=64 --num_groups=4
// needs equal-values
// Both kinds of threads go on for the same reason, which they compute in different ways.

__kernel void same_length(__global const uint *data, __global uint *out)
{
    __local uint cells[64];
    uint lid = get_local_id(0);
    uint i = 0;
    uint more;
    do {
        cells[lid] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] += cells[63 - lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        uint value = data[i];
        more = (lid & 1) ? 3 * value : value + value + value;
        i++;
    } while (more > 7);
}
