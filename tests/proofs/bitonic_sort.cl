//pass
//--local_size=128 --num_groups=2
// A bitonic sort: two loops, one doubles, one halves.

__kernel void bitonic_sort(__global int *data)
{
    __local int keys[256];
    uint lid = get_local_id(0);
    keys[lid] = data[get_group_id(0) * 256 + lid];
    keys[lid + 128] = data[get_group_id(0) * 256 + lid + 128];
    for (uint size = 2; size < 256; size <<= 1) {
        uint up = (lid & (size / 2)) != 0;
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint at = 2 * lid - (lid & (stride - 1));
            int a = keys[at], b = keys[at + stride];
            if ((a > b) == up) {
                keys[at] = b;
                keys[at + stride] = a;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_group_id(0) * 256 + lid] = keys[lid];
    data[get_group_id(0) * 256 + lid + 128] = keys[lid + 128];
}
