//pass
//--local_size=64 --num_groups=4
// assumes: the pointer through which line 13 accesses memory, and which comes out of memory, is aligned
// assumes: the pointer through which line 13 accesses memory, and which comes out of memory, is not null
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
