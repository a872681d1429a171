//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The flag is read and changed in the same barrier interval.

__kernel void flag_changed(__global int *out)
{
    __local int flag;
    uint lid = get_local_id(0);
    if (lid == 0) {
        flag = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 5) {
        flag = 0; //~ race
    }
    out[get_global_id(0)] = flag; //~ race
}
