// race-free
// run: --local-size=16 --num-groups=2 --arg=in=iota:int*256 --arg=out=zeros:int*32
// While one buffer is summed up the next part is copied into the other one. A buffer is copied into again when all have read it.

__kernel void two_copies_in_turn(__global const int *in, __global int *out)
{
    __local int parts[2][16];
    event_t events[2];
    const uint first = get_group_id(0) * 128;
    int sum = 0;
    events[0] = async_work_group_copy(parts[0], in + first, 16, 0);
    for (uint part = 0; part < 8; part++) {
        if (part + 1 < 8) {
            events[(part + 1) & 1] = async_work_group_copy(parts[(part + 1) & 1], in + first + (part + 1) * 16, 16, 0);
        }
        wait_group_events(1, &events[part & 1]);
        for (uint i = 0; i < 16; i++) sum += parts[part & 1][i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
