//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A loop with two entrances, made by goto. Entered in the middle, it writes one element more
// than a work-item has.

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
    out[gid * 8 + i] = gid; //~ race
    if (i < 8) {
        goto top;
    }
}
