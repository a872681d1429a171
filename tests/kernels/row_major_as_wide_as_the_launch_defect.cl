//xfail:NOT_ALL_VERIFIED
//--local_size=[*,*] --num_groups=[*,*]
// As row_major_as_wide_as_the_launch.cl, with rows one element too short.

__kernel void as_wide_as_the_launch(__global int *a)
{
    a[get_global_id(1) * (get_global_size(0) - 1) + get_global_id(0)] = get_global_id(0); //~ race
}
