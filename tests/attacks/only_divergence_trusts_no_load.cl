//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=1 --only-divergence --no-check=uninitialised
// Where races are not looked for, even what a thread has just written itself may be another's by the time it is read.

__kernel void only_divergence_trusts_no_load()
{
    __local int cells[32];
    uint i = get_local_id(0);
    cells[i] = 1;
    cells[i ^ 1] = 0;
    if (cells[i]) {
        barrier(CLK_LOCAL_MEM_FENCE); //~? barrier-divergence
    }
}
