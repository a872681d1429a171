//pass
//--local_size=64 --num_groups=1
// The same for a cell of its own for each thread, and for a value that is the same computation for all.

#define ROUND(x, n) x = (x ^ (x >> 15)) * 0x2c1b3c6du + (n); x = (x ^ (x << 7)) + (x >> 3);
#define FOUR(x, n) ROUND(x, n) ROUND(x, n + 1) ROUND(x, n + 2) ROUND(x, n + 3)
#define MANY(x, n) FOUR(x, n) FOUR(x, n + 4) FOUR(x, n + 8) FOUR(x, n + 12) FOUR(x, n + 16) FOUR(x, n + 20)

__kernel void long_computation_of_guard_and_index(__global uint *out, uint seed)
{
    uint tid = get_local_id(0);
    uint x = seed;
    MANY(x, 1u)
    if (x & 1) {
        out[1 + tid] = x;
    } else {
        out[0] = x;
    }
}
