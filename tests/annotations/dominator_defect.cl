//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The thread that never came to the loop is not in it, either.
__kernel void dominator_defect(__global uint *out)
{
    uint x = 3 * get_local_size(0);
    if (get_local_id(0) != 7) {
        x = 0;
        while (__global_invariant(__implies(!__enabled(), x == 3 * get_local_id(0))), x < 3 * get_local_id(0)) { //~? assertion
            x = x + 3;
        }
    }
    out[get_group_id(0) * (3 * get_local_size(0) + 1) + x] = x;
}
