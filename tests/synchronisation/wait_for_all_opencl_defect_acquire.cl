//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// The load of the flag is relaxed.

kernel void wait_for_all(global const int *in, global int *sums, global atomic_int *flags, global int *out)
{
    if (get_local_id(0) == 0) {
        int group = get_group_id(0), sum = 0;
        sums[group] = in[group]; //~ race
        atomic_store_explicit(&flags[group], 1, memory_order_release, memory_scope_device);
        for (int at = 0; at < group; at++) {
            while (atomic_load_explicit(&flags[at], memory_order_relaxed, memory_scope_device) == 0) {
            }
            sum += sums[at]; //~ race
        }
        out[group] = sum;
    }
}
