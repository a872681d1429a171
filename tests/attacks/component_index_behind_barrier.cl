//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A component is read before the barrier at which its number is computed: `y` is read while it is written.

uint second(void)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    return get_local_id(0) & 1;
}

__kernel void component_index_behind_barrier(__global float *out)
{
    __local float4 a;
    uint t = get_local_id(0);
    if (t == 0) {
        a.y = 5; //~ race
    }
    out[t] = a[second()]; //~ race
}
