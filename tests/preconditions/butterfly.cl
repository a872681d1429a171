//conditional: p > 0 && (p & (p - 1)) == 0
//--local-size=64 --num-groups=*
// contract: p > 0 && (p & (p - 1)) == 0
// The two elements of a butterfly are a power of two apart.

__kernel void butterfly(__global float *a, int p)
{
    int i = get_global_id(0);
    int k = i & (p - 1);
    int j = ((i - k) << 1) + k;
    float x = a[j], y = a[j + p];
    a[j] = x + y;
    a[j + p] = x - y;
#ifdef DEFECT
    a[j + 1] = y;
#endif
}
