//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=6
// As stride_blocks.cl, but blocks overlap.

__kernel void stride_blocks_defect(__global int *out, int blocks)
{
    for (int block = get_group_id(0); block < blocks; block += get_num_groups(0)) {
        out[block * 63 + get_local_id(0)] = block; //~ race
    }
}
