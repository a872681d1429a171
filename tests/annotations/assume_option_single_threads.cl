//pass
//--local_size=* --num_groups=4 --assume=get_local_size(0)==1 --assume=get_local_size(1)==1 --assume=get_local_size(2)==1
// That no two threads share a group is no contradiction: those of different groups are left to be checked.
__kernel void assume_option_single_threads(__global int *out)
{
    out[get_group_id(0)] = get_global_id(0);
}
