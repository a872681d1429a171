//pass
//--local_size=64 --num_groups=16
// A byte and a half-word that agree where they overlap are the same value.

__kernel void same_bytes(__global ushort *cell)
{
    if (get_global_id(0) % 2 == 0) {
        *cell = 0x0101;
    } else {
        *(__global uchar *)cell = 0x01;
    }
}
