// race-free
// run: --local-size=64 --num-groups=4 --arg=in=iota:int*256 --arg=out=zeros:int*256
// The group copies its row into local memory and waits for that before anybody reads it; back it copies what all have written
// before a barrier (OpenCL C, 6.15.11: the copy itself waits for nobody).

__kernel void copied_by_group(__global const int *in, __global int *out)
{
    __local int row[64];
    const uint first = get_group_id(0) * 64, i = get_local_id(0);
    event_t come = async_work_group_copy(row, in + first, 64, 0);
    wait_group_events(1, &come);
    const int other = row[63 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
    row[i] = other;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t gone = async_work_group_copy(out + first, row, 64, 0);
    wait_group_events(1, &gone);
}
