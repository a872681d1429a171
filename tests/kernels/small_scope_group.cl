//pass
//--local_size=* --num_groups=*
// All groups but the first write, each to its own place.

__kernel void later_groups(__global int *out)
{
    if (get_group_id(0) > 0)
        out[get_global_id(0)] = get_group_id(0);
}
