//pass
//--local_size=64 --num_groups=8
// Groups write their counts into slices whose length is a parameter.

__kernel void group_histograms(__global const uint *data, __global uint *out, int bins)
{
    __local uint counts[1024];
    int lid = get_local_id(0);
    for (int i = lid; i < 1024; i += 64) {
        counts[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&counts[data[get_global_id(0)] & 1023]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = lid; i < bins; i += 64) {
        out[get_group_id(0) * bins + i] = counts[i & 1023];
    }
}
