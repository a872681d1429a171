//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As odd_even_sort.cl, but pairs overlap.

__kernel void odd_even_sort_defect(__global int *data)
{
    __local int keys[129];
    int lid = get_local_id(0);
    keys[2 * lid] = data[2 * lid];
    keys[2 * lid + 1] = data[2 * lid + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int phase = 0; phase < 128; phase++) {
        int at = lid + (phase & 1);
        if (at < 127) {
            int a = keys[at], b = keys[at + 1]; //~ race a b
            if (a > b) {
                keys[at] = b; //~ race a c d
                keys[at + 1] = a; //~ race b d e
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    data[2 * lid] = keys[2 * lid];
    data[2 * lid + 1] = keys[2 * lid + 1];
}
