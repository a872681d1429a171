//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=1 --warp-sync=32 --no-check=uninitialised
// Another lane writes in the next step, without a barrier, what a lane has just written itself.

__kernel void warp_in_step_trusts_no_load()
{
    __local int cells[32];
    uint i = get_local_id(0);
    cells[i] = 1;
    cells[i ^ 1] = 0;
    if (cells[i]) {
        barrier(CLK_LOCAL_MEM_FENCE); //~? barrier-divergence
    }
}
