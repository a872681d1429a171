//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A function that is always inlined, called in a branch with an index that two threads share.

inline __attribute__((always_inline)) void put(__global uint *to, uint where, uint what)
{
    to[where] = what; //~ race
}

__kernel void always_inline_clash(__global uint *a, int n)
{
    uint gid = get_global_id(0);
    if (n > 3) {
        put(a, gid / 2, gid);
    }
}
