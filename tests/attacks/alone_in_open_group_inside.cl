//pass
//--local_size=* --num_groups=*
// As alone_in_open_group.cl, inside the array.

__kernel void alone_in_open_group_inside(__global int *out)
{
    __local int a[1024];
    a[get_local_size(0) == 1 ? 1000 : get_local_id(0)] = 1;
}
