//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A fence tells nobody anything.

__kernel void sync_synchronize(__global int *data, __global int *out)
{
    data[get_global_id(0)] = 1; //~ race
    __sync_synchronize();
    out[get_global_id(0)] = data[get_global_id(0) ^ 64]; //~ race
}
