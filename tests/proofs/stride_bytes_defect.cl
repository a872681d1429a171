//xfail:NOT_ALL_VERIFIED
//--local_size=50 --num_groups=1
// As stride_bytes.cl, but the second step is one too small.

__kernel void stride_bytes_defect(__global int *a, __global int *b)
{
    for (uchar i = get_local_id(0); i < 200; i += 50) {
        a[i] = get_local_id(0);
    }
    for (ushort i = get_local_id(0); i < 30000; i += 49) {
        b[i] = get_local_id(0); //~ race
    }
}
