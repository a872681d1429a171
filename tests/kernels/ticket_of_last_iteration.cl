//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// In the first iteration what is read is no place that a number was drawn for.
__kernel void ticket_of_last_iteration(__global int *counters, __global int *cells)
{
    ulong place = 0;
    int sum = 0;
    for (uint i = 0; i < 4; i++) {
        sum += cells[((ulong)i << 32) | place]; //~ race
        place = (uint)atomic_inc(&counters[i]);
        cells[((ulong)i << 32) | place] = sum; //~ race
    }
}
