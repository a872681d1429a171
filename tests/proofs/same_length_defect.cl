//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As same_length.cl, but one kind of threads forgets a third.

__kernel void same_length_defect(__global const uint *data, __global uint *out)
{
    __local uint cells[64];
    uint lid = get_local_id(0);
    uint i = 0;
    uint more;
    do {
        cells[lid] = i;
        barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
        out[get_global_id(0)] += cells[63 - lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        uint value = data[i];
        more = (lid & 1) ? 3 * value : value + value;
        i++;
    } while (more > 7);
}
