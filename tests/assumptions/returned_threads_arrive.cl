//pass
//--local_size=64 --num_groups=1 --exited-threads=arrive
// assumes: threads that have returned count as having arrived at barriers
// otherwise defect: --local_size=64 --num_groups=1
__kernel void returned_threads_arrive(__global int *out)
{
    uint i = get_local_id(0);
    if (i >= 50) return;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = i;
}
