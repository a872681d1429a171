//pass
//--local_size=64 --num_groups=16
// One array, two kinds of pointers to it: a table of 1024 words, and behind it a table of 1024
// bytes, which begins after four bytes for each word.

#define COUNT 1024

__kernel void fill_tables(__global uchar *memory)
{
    uint gid = get_global_id(0);
    __global uint *words = (__global uint *)memory;
    __global uchar *bytes = memory + COUNT * sizeof(uint);
    words[gid] = gid;
    bytes[gid] = 255;
}
