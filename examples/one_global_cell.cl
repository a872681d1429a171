//pass
//--local_size=64 --num_groups=16
// open sizes too
// Every group adds its share to one cell of global memory. Groups are not ordered by any
// barrier, so the addition must be atomic.

__kernel void count_large(__global const int *in, __global int *total, int threshold)
{
    __local int count;
    if (get_local_id(0) == 0) {
        count = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[get_global_id(0)] > threshold) {
        atomic_inc(&count);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        atomic_add(total, count);
    }
}
