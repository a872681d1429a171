//pass
//--local_size=256 --num_groups=* --assume 'k >= 0 && k < nj'
// Step k of modified Gram-Schmidt: every work-item beyond column k projects its column on q_k, whose elements a group
// fetches in pieces of 256, and updates it.

__kernel void gramschmidt_kernel3(__global float *a, __global float *r, __global const float *q, int k, int ni, int nj)
{
    __local float q_piece[256];
    int lid = get_local_id(0);
    int j = get_global_id(0);
    int mine = j > k && j < nj;
    float dot = 0.0f;

    for (int i0 = 0; i0 < ni; i0 += 256) {
        if (i0 + lid < ni)
            q_piece[lid] = q[(i0 + lid) * nj + k]; //~ race
        barrier(CLK_LOCAL_MEM_FENCE);
        if (mine) {
            for (int i = 0; i < min(256, ni - i0); i++)
                dot += q_piece[i] * a[(i0 + i) * nj + j]; //~ race
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    if (mine)
        r[k * nj + j] = dot;
    if (mine) {
        for (int i = 0; i < ni; i++)
            a[i * nj + j] -= q[i * nj + k] * dot;
    }
}
