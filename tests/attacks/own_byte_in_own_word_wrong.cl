//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As own_byte_in_own_word.cl; what is overwritten is the byte that told the threads apart.

__kernel void own_byte_in_own_word_wrong(__global int *out, __global uint *slot)
{
    int id = get_local_id(0);
    slot[id] = 0x100 + id;
    ((__global uchar *)slot)[4 * id] = 0;
    out[slot[id]] = id; //~ race
}
