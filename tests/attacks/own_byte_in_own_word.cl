//pass
//--local_size=64 --num_groups=1
// A byte of the word that was read is overwritten before it is used as an index.

__kernel void own_byte_in_own_word(__global int *out, __global uint *slot)
{
    int id = get_local_id(0);
    slot[id] = 0x100 + id;
    ((__global uchar *)slot)[4 * id + 1] = 0;
    out[slot[id]] = id;
}
