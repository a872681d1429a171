//pass
//--local_size=64 --num_groups=2
// Writes of a loop share a site; all of those behind it write the same.

__kernel void beside_straight_equal_writes(__global int *a, __global int *b, int n)
{
    int i = get_global_id(0);
    for (int k = 0; k < n; k++) {
        b[i] = k;
        b[i] = k + 1;
    }
    a[i] = 5;
    a[i + 1] = 5;
    a[i] = 5;
}
