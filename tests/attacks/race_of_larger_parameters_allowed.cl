//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4 --assume 'n >= 1'
// As race_of_larger_parameters.cl, but the numbers differ where a caller may go.

__kernel void race_of_larger_parameters_allowed(__global int *out, uint n)
{
    __local int tile[64];
    uint lid = get_local_id(0);
    tile[lid] = n > 1 ? lid : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_group_id(0)] = tile[lid ^ 1]; //~ race
}
