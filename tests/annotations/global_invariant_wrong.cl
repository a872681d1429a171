//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A thread that has left holds three more.
__kernel void global_invariant_wrong(__global uint *out)
{
    uint x = 0;
    while (__global_invariant(__implies(!__enabled(), x == 3 * get_local_id(0))), x <= 3 * get_local_id(0)) { //~? assertion
        x = x + 3;
    }
    out[get_group_id(0) * 3 * get_local_size(0) + x] = x;
}
