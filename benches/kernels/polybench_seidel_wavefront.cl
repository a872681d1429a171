//pass
//--local_size=128 --num_groups=1
// Gauss-Seidel on a square, in place: one group walks over the skewed diagonals i = w - 2 j and has a barrier between.

#ifdef DEFECT
#define SKEW 1
#else
#define SKEW 2
#endif

__kernel void seidel2d_wavefront(__global float *A, int n)
{
    int lid = get_local_id(0);
    for (int w = 3; w <= 3 * (n - 2); w++) {
        for (int j = lid + 1; j < n - 1; j += 128) {
            int i = w - SKEW * j;
            if (i >= 1 && i < n - 1) {
                A[i * n + j] = (A[i * n + j] + //~ race nw n ne w e sw s se
                                A[(i - 1) * n + j - 1] + //~ race nw
                                A[(i - 1) * n + j] + //~ race n
                                A[(i - 1) * n + j + 1] + //~ race ne
                                A[i * n + j - 1] + //~ race w
                                A[i * n + j + 1] + //~ race e
                                A[(i + 1) * n + j - 1] + //~ race sw
                                A[(i + 1) * n + j] + //~ race s
                                A[(i + 1) * n + j + 1]) / 9.0f; //~ race se
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
