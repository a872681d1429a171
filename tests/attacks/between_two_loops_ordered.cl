//pass
//--local_size=64 --num_groups=16
// The same with a barrier between the loops.

__kernel void between_two_loops(__global int *out)
{
    __local int a[64];
    uint lid = get_local_id(0);
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        a[lid] = i;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 10; i++) {
        sum += a[(lid + 1) % 64];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
