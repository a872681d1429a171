//pass
//--local_size=256 --num_groups=* --assume 'k >= 0 && k < n'
// Step k of a right-looking Cholesky factorisation after the column has been scaled: every work-item updates the part of its
// row below the diagonal, walking along it; column k is copied in pieces to local memory.

#ifdef DEFECT
#define FIRST k
#else
#define FIRST (k + 1)
#endif

__kernel void cholesky_update(__global float *A, int k, int n)
{
    __local float column[256];
    int lid = get_local_id(0);
    int i = k + 1 + (int)get_global_id(0);
    float own = i < n ? A[i * n + k] : 0.0f;

    for (int j0 = FIRST; j0 < n; j0 += 256) {
        if (j0 + lid < n)
            column[lid] = A[(j0 + lid) * n + k]; //~ race y
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < n) {
            int last = min(j0 + 255, i);
            for (int j = j0; j <= last; j++) {
                A[i * n + j] -= own * column[j - j0]; //~ race y
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
