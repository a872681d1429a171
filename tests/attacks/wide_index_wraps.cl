//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// The index that is accessed is near, the counter is not: it comes round again after 2^64.

__kernel void wide_index_wraps(__global int *out, ulong step)
{
    ulong i = get_global_id(0);
    for (int k = 0; k < 3; k++) {
        if (i < 256) {
            out[i] = get_global_id(0); //~ race
        }
        i += step;
    }
}
