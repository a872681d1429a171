//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=*
// Launches of more than 65536 threads come back to the first cell.

__kernel void truncated_open_size(__global int *out)
{
    out[(ushort)get_global_id(0)] = get_local_id(0); //~ race
}
