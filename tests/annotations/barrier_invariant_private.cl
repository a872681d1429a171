//unknown
//--local_size=64 --num_groups=4
// What another thread's variable holds after a loop is not known.
__kernel void barrier_invariant_private(__global int *out, __global const int *in)
{
    __local int place[64];
    int count = 0;
    for (int i = 0; i < in[get_local_id(0)]; i++) {
        count += i;
    }
    place[get_local_id(0)] = count;
    __barrier_invariant_1(place[get_local_id(0)] == count, 0); //~ unsupported
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = place[0];
}
