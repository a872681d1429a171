//conditional: pivot >= 0; n > pivot
//--local_size=[8,8] --num_groups=[*,*]
// contract: n >= 4 && pivot >= 1 && pivot < n - 1
// The other elements of a matrix change by those in the row and the column of the pivot, which stay. With a pivot behind the
// last column, another row would change meanwhile.

__kernel void eliminate(__global float *m, int n, int pivot)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
#ifdef DEFECT
    if (x < n && y < n && y != pivot)
#else
    if (x < n && y < n && x != pivot && y != pivot)
#endif
        m[y * n + x] -= m[y * n + pivot] * m[pivot * n + x];
}
