//unknown
//--local_size=64 --num_groups=16
// A function that calls itself is refused by name.

uint depth(uint n)
{
    return n == 0 ? 0 : 1 + depth(n / 2);
}

__kernel void recursion(__global uint *out)
{
    uint gid = get_global_id(0);
    out[gid] = depth(gid);
}
