// racy
// run: --local-size=16 --num-groups=2 --arg=in=iota:int*256 --arg=out=zeros:int*32
// Without a barrier the next part is copied into a buffer that others may still be reading.

__kernel void two_copies_in_turn(__global const int *in, __global int *out)
{
    __local int parts[2][16];
    event_t events[2];
    const uint first = get_group_id(0) * 128;
    int sum = 0;
    events[0] = async_work_group_copy(parts[0], in + first, 16, 0);
    for (uint part = 0; part < 8; part++) {
        if (part + 1 < 8) {
            events[(part + 1) & 1] = async_work_group_copy(parts[(part + 1) & 1], in + first + (part + 1) * 16, 16, 0); //~ race
        }
        wait_group_events(1, &events[part & 1]);
        for (uint i = 0; i < 16; i++) sum += parts[part & 1][i]; //~ race
    }
    out[get_global_id(0)] = sum;
}
