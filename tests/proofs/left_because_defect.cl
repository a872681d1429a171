//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=32
// A thread that breaks off is below the bound, too.

__kernel void left_because(__global int *out)
{
    int lid = get_local_id(0), n = get_group_id(0);
    for (int j = 0; j < n; j++) {
        if (j > lid) {
            for (int i = 0; i < n; i++) {
                __global_assert(__implies((j < n) & (j > lid) & (i < n), __enabled())); //~? assertion
                if (i == lid) {
                    break;
                }
            }
        }
    }
    out[get_global_id(0)] = n;
}
