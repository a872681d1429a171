// racy
// run: --local-size=64 --num-groups=4 --arg=in=iota:int*256 --arg=out=zeros:int*256
// The row is written again while it is still being copied back.

__kernel void copied_by_group(__global const int *in, __global int *out)
{
    __local int row[64];
    const uint first = get_group_id(0) * 64, i = get_local_id(0);
    event_t come = async_work_group_copy(row, in + first, 64, 0);
    wait_group_events(1, &come);
    event_t gone = async_work_group_copy(out + first, row, 64, 0); //~ race
    row[i] = -1; //~ race
    wait_group_events(1, &gone);
}
