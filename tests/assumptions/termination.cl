//pass
//--local_size=64 --num_groups=4
// assumes: every thread terminates, after fewer than 2^64 iterations of each loop
// otherwise verified: --local_size=64 --num_groups=4 -D OTHERWISE
// For an odd n the threads of the first group wait for ever.
__kernel void termination(__global int *out, uint n)
{
#ifndef OTHERWISE
    while (n != 0) {
        n -= 2;
    }
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
