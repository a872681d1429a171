//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As one_global_cell.cl, but the addition is not atomic: the first work-items of different
// groups race. A barrier would not help, it orders only one group.

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
        *total += count; //~ race
    }
}
