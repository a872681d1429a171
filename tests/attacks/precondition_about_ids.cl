//xfail:CONTRADICTION
//--local_size=64 --num_groups=4
// No two threads of a group satisfy it, though there are groups of 64: that is no launch without such pairs.
__kernel void precondition_about_ids(__global int *out)
{
    __requires(get_local_id(0) == 0);
    out[get_group_id(0)] = get_local_id(0);
}
