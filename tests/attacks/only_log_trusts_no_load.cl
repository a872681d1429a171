//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4 --only-log

// What another thread writes at the same time is not the same for all that read it.
__kernel void only_log_trusts_no_load(__global int *out)
{
    __local int flag;
    flag = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    flag = get_local_id(0);
    if (flag == 3) {
        barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
    }
    out[get_global_id(0)] = flag;
}
