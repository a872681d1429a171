//pass
//--local_size=16 --num_groups=16
// The loop is executed at least once, so that its barrier stands between any write and the reads behind it: all threads see the
// same number, and go the same way.

__kernel void loop_surely_entered(__local int *p, __global int *out)
{
    const int lid = get_local_id(0);
    for (int i = 0; i < 100; i++) {
        p[lid] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (p[0] == 22) {
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = lid;
}
