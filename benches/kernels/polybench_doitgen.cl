//pass
//--local_size=32,4 --num_groups=*,*
// doitgen, in place: a group owns rows (r, q), keeps them in local memory, and overwrites them with their product with C4.

#define NP_MAX 128

__kernel void doitgen_kernel(__global float *A, __global const float *C4, int nq, int nr)
{
    __local float row[4][NP_MAX];
    int p0 = get_local_id(0);
    int lq = get_local_id(1);
    int q = get_group_id(0) * 4 + lq;
    int r = get_group_id(1);

    if (q < nq && r < nr) {
        for (int s = p0; s < NP_MAX; s += 32)
            row[lq][s] = A[(r * nq + q) * NP_MAX + s]; //~ race rw
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (q < nq && r < nr) {
        for (int p = p0; p < NP_MAX; p += 32) {
            float sum = 0.0f;
            for (int s = 0; s < NP_MAX; s++)
                sum += row[lq][s] * C4[s * NP_MAX + p];
#ifdef DEFECT
            A[(r * nq + q) * (NP_MAX - 32) + p] = sum; //~ race rw ww
#else
            A[(r * nq + q) * NP_MAX + p] = sum;
#endif
        }
    }
}
