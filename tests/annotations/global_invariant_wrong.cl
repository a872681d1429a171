//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A thread that has left holds one more.
__kernel void global_invariant_wrong(__global uint *out)
{
    uint x = 0;
    while (__global_invariant(__implies(!__enabled(), x == get_local_id(0))), x <= get_local_id(0)) { //~ assertion
        x = x + 1;
    }
    out[get_global_id(0)] = x;
}
