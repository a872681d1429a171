//pass
//--local_size=64 --num_groups=1
// assumes: atomic counters do not wrap around
// otherwise verified: --local_size=64 --num_groups=1 -D OTHERWISE
// broken: --local-size=64 --num-groups=1
// With steps as large as this a counter is at its end soon.
__kernel void counters_do_not_wrap(__global uint *counter, __global uint *out)
{
#ifdef OTHERWISE
    uint place = get_global_id(0);
#else
    uint place = atomic_add(counter, 0x80000000) >> 31;
#endif
    out[place] = get_global_id(0);
}
