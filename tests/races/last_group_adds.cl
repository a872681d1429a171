// race-free
// run: --local-size 4 --num-groups 3
// The ticket is drawn with acquire and release: the group that draws the last one has learned of all parts.

__kernel void last_group_adds(__global int *parts, volatile __global atomic_int *count, __global int *out)
{
    if (get_local_id(0) == 0) {
        parts[get_group_id(0)] = get_group_id(0) + 1;
        int ticket = atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device);
        if (ticket == 2) {
            *out = parts[0] + parts[1] + parts[2];
        }
    }
}
