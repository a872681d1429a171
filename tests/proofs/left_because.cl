//pass
//--local_size=32 --num_groups=32
// needs leaving
// A thread that is not in the inner loop did not enter it or has reached its bound: whoever is below the bound is in it.

__kernel void left_because(__global int *out)
{
    int lid = get_local_id(0), n = get_group_id(0);
    for (int j = 0; j < n; j++) {
        if (j > lid) {
            for (int i = 0; i < n; i++) {
                __global_assert(__implies((j < n) & (j > lid) & (i < n), __enabled()));
            }
        }
    }
    out[get_global_id(0)] = n;
}
