//pass
//--local_size=50 --num_groups=1
// Counters of eight and sixteen bits.

__kernel void stride_bytes(__global int *a, __global int *b)
{
    for (uchar i = get_local_id(0); i < 200; i += 50) {
        a[i] = get_local_id(0);
    }
    for (ushort i = get_local_id(0); i < 30000; i += 50) {
        b[i] = get_local_id(0);
    }
}
