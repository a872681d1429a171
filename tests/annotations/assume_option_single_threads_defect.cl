//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=4 --assume=get_local_size(0)==1 --assume=get_local_size(1)==1 --assume=get_local_size(2)==1
__kernel void assume_option_single_threads_defect(__global int *out)
{
    out[get_group_id(0) / 2] = get_global_id(0); //~ race
}
