//pass
//--local_size=64 --num_groups=4 --only-intra-group
// assumes: races between threads of different groups are not checked (--only-intra-group)
// otherwise defect: --local_size=64 --num_groups=4
// otherwise verified: --local_size=64 --num_groups=1
__kernel void within_groups(__global int *out)
{
    out[get_local_id(0)] = get_group_id(0);
}
