//xfail:INPUT
//--local_size=64 --num_groups=4
// Whatever callers do, it would hold.
uint masked(uint n)
{
    n = n & 63;
    __requires(n < 64);
    return n;
}

__kernel void misplaced_requires_after_change(__global uint *out)
{
    out[get_global_id(0)] = masked(get_global_id(0));
}
