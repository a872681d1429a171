//pass
//--local_size=64 --num_groups=6
// Groups take blocks of 64 in turns.

__kernel void stride_blocks(__global int *out, int blocks)
{
    for (int block = get_group_id(0); block < blocks; block += get_num_groups(0)) {
        out[block * 64 + get_local_id(0)] = block;
    }
}
