// racy
// run: --local-size 4 --num-groups 3
// The ticket is drawn with a release only.

__kernel void last_group_adds(__global int *parts, volatile __global atomic_int *count, __global int *out)
{
    if (get_local_id(0) == 0) {
        parts[get_group_id(0)] = get_group_id(0) + 1; //~ race
        int ticket = atomic_fetch_add_explicit(count, 1, memory_order_release, memory_scope_device);
        if (ticket == 2) {
            *out = parts[0] + parts[1] + parts[2]; //~ race
        }
    }
}
