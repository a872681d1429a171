//pass
//--local_size=64 --num_groups=4
// assumes: an accessed pointer that was loaded from memory is aligned (line 13)
// assumes: an accessed pointer that was loaded from memory is not null (line 13)
// otherwise verified: --local_size=64 --num_groups=4 -D OTHERWISE
__kernel void loaded_pointer(__global const ulong *rows, __global const int *row)
{
    __local int cells[64];
    uint i = get_local_id(0);
#ifndef OTHERWISE
    row = (__global const int *)rows[i];
#endif
    cells[i] = *row;
}
