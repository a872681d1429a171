//pass
//--local_size=[*,*] --num_groups=[*,*]
// The local array is as large as a group may be, in both dimensions together.

__kernel void group_no_larger_than_a_device(__global int *out)
{
    __local int cell[1024];
    size_t me = get_local_id(1) * get_local_size(0) + get_local_id(0);
    cell[me] = 1;
}
