//pass
//--local_size=64 --num_groups=16
// The same loop with two entrances, and elements enough.

__kernel void goto_into_loop(__global const int *late, __global uint *out)
{
    uint gid = get_global_id(0);
    uint i = 0;
    if (late[gid]) {
        goto middle;
    }
top:
    i++;
middle:
    out[gid * 16 + i] = gid;
    if (i < 8) {
        goto top;
    }
}
