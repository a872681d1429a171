//pass
//--local_size=64 --num_groups=* --assume 'rounds >= 2 && rounds <= 14'
// Encryption with tables in local memory: a work-item for each column of a block of four, the columns of a
// round exchanged through local memory in two buffers that take turns.

__kernel void aes_encrypt(__global const uint *input, __global uint *output, __constant uint *round_keys,
                          __global const uint *table, __global const uchar *sbox, int rounds)
{
    __local uint t0[256];
    __local uchar s_box[256];
    __local uint state[2][64];
    int lid = get_local_id(0);
    int gid = get_global_id(0);
    int column = lid & 3;
    int block = lid & ~3;

    for (int i = lid; i < 256; i += get_local_size(0)) {
        t0[i] = table[i];
        s_box[i] = sbox[i];
    }
    int current = 0;
    state[current][lid] = input[gid] ^ round_keys[column];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int round = 1; round < rounds; round++) {
        uint a = state[current][block + column];
        uint b = state[current][block + ((column + 1) & 3)]; //~ race b
        uint c = state[current][block + ((column + 2) & 3)]; //~ race c
        uint d = state[current][block + ((column + 3) & 3)]; //~ race d
        uint mixed = t0[a & 0xff] ^ rotate(t0[(b >> 8) & 0xff], 8U) ^ rotate(t0[(c >> 16) & 0xff], 16U) ^
                     rotate(t0[d >> 24], 24U);
#ifndef DEFECT
        current ^= 1;
#endif
        state[current][lid] = mixed ^ round_keys[4 * round + column]; //~ race b c d
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    uint a = state[current][block + column];
    uint b = state[current][block + ((column + 1) & 3)];
    uint c = state[current][block + ((column + 2) & 3)];
    uint d = state[current][block + ((column + 3) & 3)];
    uint last = (uint)s_box[a & 0xff] | ((uint)s_box[(b >> 8) & 0xff] << 8) | ((uint)s_box[(c >> 16) & 0xff] << 16) |
                ((uint)s_box[d >> 24] << 24);
    output[gid] = last ^ round_keys[4 * rounds + column];
}
