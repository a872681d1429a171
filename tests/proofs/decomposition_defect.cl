//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As decomposition.cl, but the pivot row changes too.

__kernel void decomposition_defect(__global float *a)
{
    __local float m[64 * 64];
    int lid = get_local_id(0);
    for (int row = 0; row < 64; row++) {
        m[row * 64 + lid] = a[row * 64 + lid];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 63; k++) {
        if (lid >= k) {
            m[lid * 64 + k] /= m[k * 64 + k]; //~ race a d
            for (int j = k + 1; j < 64; j++) {
                m[lid * 64 + j] -= m[lid * 64 + k] * m[k * 64 + j]; //~ race b c a
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int row = 0; row < 64; row++) {
        a[row * 64 + lid] = m[row * 64 + lid];
    }
}
