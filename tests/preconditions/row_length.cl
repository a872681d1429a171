//conditional: m >= n
//--local-size=64 --num-groups=*
// contract: n >= 0 && n <= m
// Each thread has a row of m elements and writes n of them.

__kernel void rows(__global int *a, int n, int m)
{
    int t = get_global_id(0);
    for (int i = 0; i < n; i++)
        a[t * m + i] = i;
#ifdef DEFECT
    a[t * m + m] = t;
#endif
}
