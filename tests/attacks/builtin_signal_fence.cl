//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A fence of signals orders nothing between threads.

__kernel void signal_fence(__global int *data, __global int *out)
{
    data[get_global_id(0)] = 1; //~ race
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    out[get_global_id(0)] = data[get_global_id(0) ^ 64]; //~ race
}
