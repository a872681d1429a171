//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As same_value.cl, but 33 is not one less than 32.

__kernel void same_value_defect(__global uint *out, uint n)
{
    __local uint cells[64];
    uint lid = get_local_id(0);
    uint hash = 1;
    for (uint i = 0; i < n; i++) {
        hash = (lid & 1) ? 33 * hash ^ i : (hash << 5) - hash ^ i;
    }
    cells[lid] = hash;
    if (hash > 1000) {
        barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
        out[get_global_id(0)] = cells[63 - lid];
    }
}
