//pass
//--local_size=256 --num_groups=*
// Bitonic sort of 512 keys with values in each group's local memory, odd groups in the other direction.

#define LOCAL_SIZE_LIMIT 512

void comparator(__local uint *key_a, __local uint *val_a, __local uint *key_b, __local uint *val_b, uint dir)
{
    if ((*key_a > *key_b) == dir) {
        uint t = *key_a;
        *key_a = *key_b; //~ race k1 k2
        *key_b = t; //~ race k3 k4
        t = *val_a;
        *val_a = *val_b; //~ race v1 v2
        *val_b = t; //~ race v3 v4
    }
}

__kernel void bitonic_sort_local(__global uint *dst_key, __global uint *dst_val, __global const uint *src_key,
                                 __global const uint *src_val)
{
    __local uint l_key[LOCAL_SIZE_LIMIT];
    __local uint l_val[LOCAL_SIZE_LIMIT];
    uint lid = get_local_id(0);
    uint base = get_group_id(0) * LOCAL_SIZE_LIMIT + lid;

    l_key[lid] = src_key[base];
    l_val[lid] = src_val[base];
    l_key[lid + LOCAL_SIZE_LIMIT / 2] = src_key[base + LOCAL_SIZE_LIMIT / 2];
    l_val[lid + LOCAL_SIZE_LIMIT / 2] = src_val[base + LOCAL_SIZE_LIMIT / 2];

    uint comparator_i = get_global_id(0) & (LOCAL_SIZE_LIMIT / 2 - 1);

    for (uint size = 2; size < LOCAL_SIZE_LIMIT; size <<= 1) {
        uint dir = (comparator_i & (size / 2)) != 0;
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint pos = 2 * lid - (lid & (stride - 1));
            comparator(&l_key[pos], &l_val[pos], &l_key[pos + stride], &l_val[pos + stride], dir);
        }
    }

    uint dir = get_group_id(0) & 1;
    for (uint stride = LOCAL_SIZE_LIMIT / 2; stride > 0; stride >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint pos = 2 * lid - (lid & (stride - 1));
        comparator(&l_key[pos], &l_val[pos], &l_key[pos + stride], &l_val[pos + stride], dir);
    }

#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    dst_key[base] = l_key[lid]; //~ race k1 k3
    dst_val[base] = l_val[lid]; //~ race v1 v3
    dst_key[base + LOCAL_SIZE_LIMIT / 2] = l_key[lid + LOCAL_SIZE_LIMIT / 2]; //~ race k2 k4
    dst_val[base + LOCAL_SIZE_LIMIT / 2] = l_val[lid + LOCAL_SIZE_LIMIT / 2]; //~ race v2 v4
}
