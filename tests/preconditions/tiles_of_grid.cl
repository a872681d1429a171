//conditional: 1l * get_global_size(0) <= 4096l
//--local_size=32 --num_groups=*
// contract: get_num_groups(0) <= 64
// Groups walk over the tiles of an array in steps of 4096, which are constants: with more groups two of them come to one tile.

__kernel void walk(__global int *a, int n)
{
    for (int tile = 32 * get_group_id(0); tile < n; tile += 4096) {
        int i = tile + get_local_id(0);
#ifdef DEFECT
        if (i + 1 < n)
            a[i + 1] = a[i] + 1;
#else
        if (i < n)
            a[i] = a[i] + 1;
#endif
    }
}
