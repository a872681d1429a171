//pass
//--local_size=64 --num_groups=1
// assumes: at most 65536 numbers are drawn from the counter `counter`
// otherwise verified: --local_size=64 --num_groups=1 -D OTHERWISE
// broken: --local-size=64 --num-groups=1 --arg=n=1100
// With steps as large as this a counter is at its end soon, unless it is known how many there are.
#ifdef OTHERWISE
#define ROUNDS 1000
#else
#define ROUNDS n
#endif
__kernel void counters_do_not_wrap(__global uint *counter, __global uint *out, uint n)
{
    for (uint i = 0; i < ROUNDS; i++) {
        uint place = atomic_add(counter, 0x10000) >> 16;
        out[place] = get_global_id(0);
    }
}
