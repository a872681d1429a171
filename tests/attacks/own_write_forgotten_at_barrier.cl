//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// What a thread wrote itself need not be there any more after a barrier: thread 0 has zeroed it since.

__kernel void own_write_forgotten_at_barrier(__global int *out)
{
    __local int place[64];
    int id = get_local_id(0);
    place[id] = id;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 0) {
        for (int i = 0; i < 64; i++) {
            place[i] = 0;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[place[id]] = id; //~ race
}
