//pass
//--local_size=16,16 --num_groups=*,* --assume 'k >= 0 && k < n'
// Step k of LU without pivoting: the trailing matrix is updated with column k and row k, pieces of which a group keeps in
// local memory.

__kernel void lu_kernel2(__global float *A, int k, int n)
{
    __local float column[16];
    __local float row[16];
    int tx = get_local_id(0), ty = get_local_id(1);
    int bx = get_group_id(0), by = get_group_id(1);
    int j = bx * 16 + tx + k + 1;
    int i = by * 16 + ty + k + 1;

    if (ty == 0 && j < n)
        row[tx] = A[k * n + j]; //~ race r
    if (tx == 0 && i < n)
        column[ty] = A[i * n + k]; //~ race c
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (i < n && j < n)
        A[i * n + j] -= column[ty] * row[tx]; //~ race r c
}
