//pass
//--local_size=64 --num_groups=16
// A function that is always inlined, called in a branch and in a loop, gets what it is given.

inline __attribute__((always_inline)) void put(__global uint *to, uint where, uint what)
{
    uint shifted = where + 1;
    to[shifted] = what;
}

__kernel void always_inline(__global uint *a, int n)
{
    uint gid = get_global_id(0);
    if (n > 3) {
        put(a, gid, gid);
    }
    for (uint i = 1; i < 4; i++) {
        put(a, gid + i * get_global_size(0), i);
    }
}
