//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As sized_pointers.cl, but the bytes begin after 1024 bytes, as if a word had one: they fall
// into the words of other work-items.

#define COUNT 1024

__kernel void fill_tables(__global uchar *memory)
{
    uint gid = get_global_id(0);
    __global uint *words = (__global uint *)memory;
    __global uchar *bytes = memory + COUNT;
    words[gid] = gid; //~ race
    bytes[gid] = 255; //~ race
}
