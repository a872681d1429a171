//pass
//--local_size=64 --num_groups=4
// Behind a barrier it may read all, and it reads nothing that is not there.
void __spec_sum(__local const int *p)
{
    __reads_from(p);
}

__kernel void specified_reads_after_barrier(__global int *out)
{
    __local int tile[64];
    tile[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    __spec_sum(tile);
    out[get_global_id(0)] = get_local_id(0);
}
