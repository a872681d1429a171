//pass
//--local_size=* --num_groups=*
// A loop that strides by the size of the launch, with an unsigned counter, shifts another array.

__kernel void shift(__global int *a, __global const int *b, uint n)
{
    if (n < 0x40000000) {
        for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
            a[i] = b[i + 1];
        }
    }
}
