//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The byte before one's own word is the last one of the left neighbour's.

__kernel void char_over_last_byte(__global uint *words)
{
    uint gid = get_global_id(0);
    __global uchar *bytes = (__global uchar *)words;
    words[gid] = gid; //~ race
    if (gid > 0) {
        bytes[4 * gid - 1] = 7; //~ race
    }
}
