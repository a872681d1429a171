//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Only the last copy is waited for; each writes what the one before it may still be writing.

__kernel void copies_in_a_loop_waited_once(__global const int *in, int n)
{
    __local int tile[64];
    event_t last = 0;
    for (int i = 0; i < n; i++) {
        last = async_work_group_copy(tile, in + i, 64, 0); //~ race
    }
    wait_group_events(1, &last);
}
