//pass
//--local_size=* --num_groups=* --assume 'stride > 0 && (stride & (stride - 1)) == 0'
// One step of merging bitonic sequences longer than a group can hold, in place in global memory.

__kernel void bitonic_merge_global(__global uint *key, __global uint *val, uint array_length, uint size, uint stride,
                                   uint dir)
{
    uint global_comparator = get_global_id(0);
    uint comparator = global_comparator & (array_length / 2 - 1);
    uint ddd = dir ^ ((comparator & (size / 2)) != 0);
#ifdef DEFECT
    uint pos = 2 * global_comparator - (global_comparator & stride);
#else
    uint pos = 2 * global_comparator - (global_comparator & (stride - 1));
#endif

    uint key_a = key[pos]; //~ race k1 k2
    uint val_a = val[pos]; //~ race v1 v2
    uint key_b = key[pos + stride]; //~ race k3 k4
    uint val_b = val[pos + stride]; //~ race v3 v4
    if ((key_a > key_b) == ddd) {
        uint t = key_a;
        key_a = key_b;
        key_b = t;
        t = val_a;
        val_a = val_b;
        val_b = t;
    }
    key[pos] = key_a; //~ race k1 k3 k5 k6
    val[pos] = val_a; //~ race v1 v3 v5 v6
    key[pos + stride] = key_b; //~ race k2 k4 k5 k7
    val[pos + stride] = val_b; //~ race v2 v4 v5 v7
}
