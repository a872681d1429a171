//pass
//--local_size=64 --num_groups=4
// A counter that starts three iterations late ends at a number that the bound tells.
// needs turning-points

__kernel void late_counter(__global int *out, int n)
{
    int id = get_global_id(0);
    int count = 0;
    for (int k = 0; k < n; k++) {
        if (k >= 3) {
            out[id] = count;
            count++;
        }
    }
    __assert(n <= 3 || count == n - 3);
}
