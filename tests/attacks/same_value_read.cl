//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Tolerance is for two writes. Who reads the flag while others set it races with them.

__kernel void same_value_read(__global int *found, __global const int *data)
{
    uint gid = get_global_id(0);
    if (data[gid] == 0) {
        *found = 1; //~ race
    }
    if (gid == 7 && data[gid] != 0) {
        int seen = *found; //~ race
    }
}
