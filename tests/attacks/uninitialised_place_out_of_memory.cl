//unknown
//--local_size=64 --num_groups=1
// Which cell is read hinges on what other cells hold: a counterexample that chooses it is a guess, and no finding.

__kernel void uninitialised_place_out_of_memory(__global int *out)
{
    __local int a[128], b[64];
    int t = get_local_id(0);
    a[t] = t;
    b[t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = a[b[t] & 127]; //~ unsupported
}
