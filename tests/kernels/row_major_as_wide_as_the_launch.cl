//pass
//--local_size=[*,*] --num_groups=[*,*]
// Rows as wide as the launch, whatever that is.

__kernel void as_wide_as_the_launch(__global int *a)
{
    a[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_global_id(0);
}
