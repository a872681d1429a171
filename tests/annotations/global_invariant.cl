//pass
//--local_size=64 --num_groups=4
// Threads leave the loop one after the other; each leaves it with three times its own id.
__kernel void global_invariant(__global uint *out)
{
    uint x = 0;
    while (__global_invariant(__implies(!__enabled(), x == 3 * get_local_id(0))), x < 3 * get_local_id(0)) {
        x = x + 3;
    }
    out[get_group_id(0) * 3 * get_local_size(0) + x] = x;
}
