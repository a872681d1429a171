//pass
//--local_size=64 --num_groups=1
// Gaussian elimination in local memory: the active part shrinks.
// needs recurrences

__kernel void decomposition(__global float *a)
{
    __local float m[64 * 64];
    int lid = get_local_id(0);
    for (int row = 0; row < 64; row++) {
        m[row * 64 + lid] = a[row * 64 + lid];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 63; k++) {
        if (lid > k) {
            m[lid * 64 + k] /= m[k * 64 + k];
            for (int j = k + 1; j < 64; j++) {
                m[lid * 64 + j] -= m[lid * 64 + k] * m[k * 64 + j];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int row = 0; row < 64; row++) {
        a[row * 64 + lid] = m[row * 64 + lid];
    }
}
