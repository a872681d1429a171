//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// It reads what other threads have written before, in which no barrier has come.
void __spec_sum(__local const int *p)
{
    __reads_from(p); //~? race
}

__kernel void specified_reads(__global int *out)
{
    __local int tile[64];
    tile[get_local_id(0)] = 1; //~? race
    __spec_sum(tile);
    out[get_global_id(0)] = get_local_id(0);
}
