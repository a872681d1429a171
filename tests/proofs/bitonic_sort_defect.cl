//xfail:NOT_ALL_VERIFIED
//--local_size=128 --num_groups=2
// As bitonic_sort.cl, but pairs overlap.

__kernel void bitonic_sort_defect(__global int *data)
{
    __local int keys[256];
    uint lid = get_local_id(0);
    keys[lid] = data[get_group_id(0) * 256 + lid];
    keys[lid + 128] = data[get_group_id(0) * 256 + lid + 128];
    for (uint size = 2; size < 256; size <<= 1) {
        uint up = (lid & (size / 2)) != 0;
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint at = 2 * lid - (lid & stride);
            int a = keys[at], b = keys[at + stride]; //~ race a b
            if ((a > b) == up) {
                keys[at] = b; //~ race a c d
                keys[at + stride] = a; //~ race b c e
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_group_id(0) * 256 + lid] = keys[lid];
    data[get_group_id(0) * 256 + lid + 128] = keys[lid + 128];
}
