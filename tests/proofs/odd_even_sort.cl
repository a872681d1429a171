//pass
//--local_size=64 --num_groups=1
// Odd-even transposition: pairs alternate.

__kernel void odd_even_sort(__global int *data)
{
    __local int keys[129];
    int lid = get_local_id(0);
    keys[2 * lid] = data[2 * lid];
    keys[2 * lid + 1] = data[2 * lid + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int phase = 0; phase < 128; phase++) {
        int at = 2 * lid + (phase & 1);
        if (at < 127) {
            int a = keys[at], b = keys[at + 1];
            if (a > b) {
                keys[at] = b;
                keys[at + 1] = a;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    data[2 * lid] = keys[2 * lid];
    data[2 * lid + 1] = keys[2 * lid + 1];
}
