//pass
//--local_size=64 --num_groups=4
// needs equal-values
// Both kinds of threads compute one value in different ways, and meet at a barrier that hinges on it.

__kernel void same_value(__global uint *out, uint n)
{
    __local uint cells[64];
    uint lid = get_local_id(0);
    uint hash = 1;
    for (uint i = 0; i < n; i++) {
        hash = (lid & 1) ? 31 * hash ^ i : (hash << 5) - hash ^ i;
    }
    cells[lid] = hash;
    if (hash > 1000) {
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = cells[63 - lid];
    }
}
