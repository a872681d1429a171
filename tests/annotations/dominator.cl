//pass
//--local_size=64 --num_groups=4
// Threads that came to the loop leave it with three times their own id. One does not come there; it has the last place.
__kernel void dominator(__global uint *out)
{
    uint x = 3 * get_local_size(0);
    if (get_local_id(0) != 7) {
        x = 0;
        while (__global_invariant(__implies(__dominator_enabled() & !__enabled(), x == 3 * get_local_id(0))),
               x < 3 * get_local_id(0)) {
            x = x + 3;
        }
    }
    out[get_group_id(0) * (3 * get_local_size(0) + 1) + x] = x;
}
